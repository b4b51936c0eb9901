//! x86-64: two pieces that overlap for less than 16 bytes, vectors up to 512, and above them
//! the CPU's own loop, which takes some time to begin.

use core::arch::asm;

/// Copies `len` bytes between places that do not overlap, and returns `to`. If `to` is the
/// lower one they may overlap, and also if there are fewer than 16 bytes.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: reads and writes what the caller names, and declares every register.
    unsafe {
        asm!(
            "cmp rdx, 16",
            "jb 3f",
            "cmp rdx, 512",
            "ja 5f",
            // The last 16 bytes are read before any is written, and written last.
            "movups {last}, [rsi + rdx - 16]",
            "lea rcx, [rdi + rdx - 16]",
            "2:",
            "cmp rdi, rcx",
            "jae 4f",
            "movups {next}, [rsi]",
            "add rsi, 16",
            "movups [rdi], {next}",
            "add rdi, 16",
            "jmp 2b",
            "4:",
            "movups [rcx], {last}",
            "jmp 9f",
            "3:",
            "cmp edx, 8",
            "jb 6f",
            "mov rcx, [rsi]",
            "mov rsi, [rsi + rdx - 8]",
            "mov [rdi + rdx - 8], rsi",
            "mov [rdi], rcx",
            "jmp 9f",
            "6:",
            "cmp edx, 4",
            "jb 7f",
            "mov ecx, [rsi]",
            "mov esi, [rsi + rdx - 4]",
            "mov [rdi + rdx - 4], esi",
            "mov [rdi], ecx",
            "jmp 9f",
            // The first, the middle and the last of one to three bytes.
            "7:",
            "test edx, edx",
            "je 9f",
            "movzx ecx, byte ptr [rsi]",
            "movzx r8d, byte ptr [rsi + rdx - 1]",
            "mov r9d, edx",
            "shr r9d, 1",
            "movzx esi, byte ptr [rsi + r9]",
            "mov [rdi + r9], sil",
            "mov [rdi + rdx - 1], r8b",
            "mov [rdi], cl",
            "jmp 9f",
            "5:",
            "mov rcx, rdx",
            "rep movsb",
            "9:",
            last = out(xmm_reg) _,
            next = out(xmm_reg) _,
            inout("rdi") to => _,
            inout("rsi") from => _,
            inout("rdx") len => _,
            out("rcx") _,
            out("r8") _,
            out("r9") _,
            options(nostack),
        );
    }
    to
}

/// Copies `len` bytes between places that may overlap, and returns `to`.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    if len < 16 || to.addr().wrapping_sub(from.addr()) >= len {
        // SAFETY: as the caller promises; the bytes are few, or `to` is lower or beyond.
        return unsafe { memcpy(to, from, len) };
    }
    // SAFETY: reads and writes what the caller names, and declares every register.
    unsafe {
        asm!(
            // The first 16 bytes are read before any is written, and written last.
            "movups {first}, [rsi]",
            "2:",
            "movups {next}, [rsi + rdx - 16]",
            "movups [rdi + rdx - 16], {next}",
            "sub rdx, 16",
            "cmp rdx, 16",
            "ja 2b",
            "movups [rdi], {first}",
            first = out(xmm_reg) _,
            next = out(xmm_reg) _,
            in("rdi") to,
            in("rsi") from,
            inout("rdx") len => _,
            options(nostack),
        );
    }
    to
}

/// Writes `byte` to `len` bytes, and returns `to`.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    let pattern = u64::from(byte as u8) * 0x0101_0101_0101_0101;
    // SAFETY: writes what the caller names, and declares every register.
    unsafe {
        asm!(
            "cmp rcx, 512",
            "ja 5f",
            "cmp ecx, 16",
            "jb 3f",
            "movq {vector}, rax",
            "punpcklqdq {vector}, {vector}",
            "lea rcx, [rdi + rcx - 16]",
            "2:",
            "cmp rdi, rcx",
            "jae 4f",
            "movups [rdi], {vector}",
            "add rdi, 16",
            "jmp 2b",
            "4:",
            "movups [rcx], {vector}",
            "jmp 9f",
            "3:",
            "cmp ecx, 8",
            "jb 6f",
            "mov [rdi], rax",
            "mov [rdi + rcx - 8], rax",
            "jmp 9f",
            "6:",
            "cmp ecx, 4",
            "jb 7f",
            "mov [rdi], eax",
            "mov [rdi + rcx - 4], eax",
            "jmp 9f",
            "7:",
            "test ecx, ecx",
            "je 9f",
            "8:",
            "mov [rdi + rcx - 1], al",
            "dec ecx",
            "jne 8b",
            "jmp 9f",
            "5:",
            "rep stosb",
            "9:",
            vector = out(xmm_reg) _,
            inout("rdi") to => _,
            inout("rcx") len => _,
            in("rax") pattern,
            options(nostack),
        );
    }
    to
}

/// Zero if `len` bytes at two places are equal. Stops at the first difference: secrets are
/// compared elsewhere.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    let differ: i32;
    // SAFETY: reads what the caller names, and declares every register.
    unsafe {
        asm!(
            "xor eax, eax",
            // Without bytes, the flags are those of the line above: equal.
            "repe cmpsb",
            "setne al",
            inout("rdi") a => _,
            inout("rsi") b => _,
            inout("rcx") len => _,
            out("eax") differ,
            options(nostack, readonly),
        );
    }
    differ
}
