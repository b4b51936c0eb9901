//! How secrets leave registers.
//!
//! Each guard clears every vector register that code of a tier, or of the C library that it
//! calls, can have used. It declares them clobbered, so the compiler keeps no live value there.
//! The C library chooses its instructions by the CPU, whatever the tier is.

/// Wipes all vector registers when dropped, in code for any CPU.
pub(super) struct WipeBaseline;

impl Drop for WipeBaseline {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        super::x86_64::registers::wipe_vectors();
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        drop(super::aarch64::registers::WipeVectors);
    }
}

/// Wipes the general registers that a function need not give back: a runtime that throws an
/// exception next copies them.
#[inline(always)]
pub(super) fn wipe_scratch() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every register that is written is declared.
    unsafe {
        core::arch::asm!(
            "xor eax, eax", "xor ecx, ecx", "xor edx, edx", "xor esi, esi", "xor edi, edi",
            "xor r8d, r8d", "xor r9d, r9d", "xor r10d, r10d", "xor r11d, r11d",
            out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            options(nomem, nostack),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: every register that is written is declared.
    unsafe {
        core::arch::asm!(
            "mov x0, xzr", "mov x1, xzr", "mov x2, xzr", "mov x3, xzr", "mov x4, xzr",
            "mov x5, xzr", "mov x6, xzr", "mov x7, xzr", "mov x8, xzr", "mov x9, xzr",
            "mov x10, xzr", "mov x11, xzr", "mov x12, xzr", "mov x13, xzr", "mov x14, xzr",
            "mov x15, xzr", "mov x16, xzr", "mov x17, xzr",
            out("x0") _, out("x1") _, out("x2") _, out("x3") _, out("x4") _,
            out("x5") _, out("x6") _, out("x7") _, out("x8") _, out("x9") _,
            out("x10") _, out("x11") _, out("x12") _, out("x13") _, out("x14") _,
            out("x15") _, out("x16") _, out("x17") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}
