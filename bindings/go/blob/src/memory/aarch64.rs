//! AArch64: vectors, of which the last two may overlap, and words for less than one.

use core::arch::asm;

/// Copies `len` bytes between places that do not overlap, and returns `to`. If `to` is the
/// lower one they may overlap, and also if there are fewer than 16 bytes.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: reads and writes what the caller names, and declares every register.
    unsafe {
        asm!(
            "cmp {len}, #16",
            "b.lo 3f",
            // The last 16 bytes are read before any is written, and written last.
            "add {end}, {from}, {len}",
            "ldur {last:q}, [{end}, #-16]",
            "add {end}, {at}, {len}",
            "sub {end}, {end}, #16",
            "2:",
            "cmp {at}, {end}",
            "b.hs 4f",
            "ldr {next:q}, [{from}], #16",
            "str {next:q}, [{at}], #16",
            "b 2b",
            "4:",
            "str {last:q}, [{end}]",
            "b 9f",
            "3:",
            "add {end}, {from}, {len}",
            "tbz {len}, #3, 5f",
            "ldr {a}, [{from}]",
            "ldur {b}, [{end}, #-8]",
            "add {end}, {at}, {len}",
            "stur {b}, [{end}, #-8]",
            "str {a}, [{at}]",
            "b 9f",
            "5:",
            "tbz {len}, #2, 6f",
            "ldr {a:w}, [{from}]",
            "ldur {b:w}, [{end}, #-4]",
            "add {end}, {at}, {len}",
            "stur {b:w}, [{end}, #-4]",
            "str {a:w}, [{at}]",
            "b 9f",
            // The first, the middle and the last of one to three bytes.
            "6:",
            "cbz {len}, 9f",
            "ldrb {a:w}, [{from}]",
            "ldurb {b:w}, [{end}, #-1]",
            "lsr {middle}, {len}, #1",
            "ldrb {c:w}, [{from}, {middle}]",
            "add {end}, {at}, {len}",
            "strb {c:w}, [{at}, {middle}]",
            "sturb {b:w}, [{end}, #-1]",
            "strb {a:w}, [{at}]",
            "9:",
            at = inout(reg) to => _,
            from = inout(reg) from => _,
            len = in(reg) len,
            end = out(reg) _,
            a = out(reg) _,
            b = out(reg) _,
            c = out(reg) _,
            middle = out(reg) _,
            last = out(vreg) _,
            next = out(vreg) _,
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
            "ldr {first:q}, [{from}]",
            "2:",
            "sub {len}, {len}, #16",
            "ldr {next:q}, [{from}, {len}]",
            "str {next:q}, [{to}, {len}]",
            "cmp {len}, #16",
            "b.hi 2b",
            "str {first:q}, [{to}]",
            to = in(reg) to,
            from = in(reg) from,
            len = inout(reg) len => _,
            first = out(vreg) _,
            next = out(vreg) _,
            options(nostack),
        );
    }
    to
}

/// Writes `byte` to `len` bytes, and returns `to`.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    // SAFETY: writes what the caller names, and declares every register.
    unsafe {
        asm!(
            "cmp {len}, #16",
            "b.lo 3f",
            "dup {vector:v}.16b, {byte:w}",
            "add {end}, {at}, {len}",
            "sub {end}, {end}, #16",
            "2:",
            "cmp {at}, {end}",
            "b.hs 4f",
            "str {vector:q}, [{at}], #16",
            "b 2b",
            "4:",
            "str {vector:q}, [{end}]",
            "b 9f",
            "3:",
            "cbz {len}, 9f",
            "sub {len}, {len}, #1",
            "strb {byte:w}, [{at}, {len}]",
            "b 3b",
            "9:",
            at = inout(reg) to => _,
            len = inout(reg) len => _,
            byte = in(reg) byte,
            end = out(reg) _,
            vector = out(vreg) _,
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
            "mov {differ:w}, #0",
            "2:",
            "cbz {len}, 3f",
            "sub {len}, {len}, #1",
            "ldrb {differ:w}, [{a}, {len}]",
            "ldrb {byte:w}, [{b}, {len}]",
            "subs {differ:w}, {differ:w}, {byte:w}",
            "b.eq 2b",
            "3:",
            a = in(reg) a,
            b = in(reg) b,
            len = inout(reg) len => _,
            byte = out(reg) _,
            differ = out(reg) differ,
            options(nostack, readonly),
        );
    }
    differ
}
