//! The memory calls that the compiler takes for granted, which nobody else provides here.
//!
//! They read and write as if each access could be seen: otherwise, a compiler makes of a loop
//! that copies a call that copies. Two accesses that may overlap are what is left of the last
//! vector.

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::{uint8x16_t as Vector, vdupq_n_u8 as splat};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__m128i as Vector;

/// The length of a vector in bytes.
const VECTOR: usize = size_of::<Vector>();

/// From so many bytes on, x86-64 has a loop of its own, which takes some time to begin.
#[cfg(target_arch = "x86_64")]
const LONG: usize = 512;

/// A value at any address.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Unaligned<T>(T);

/// # Safety
///
/// There is a value.
#[inline(always)]
unsafe fn load<T: Copy>(from: *const u8) -> Unaligned<T> {
    // SAFETY: as the caller promises.
    unsafe { from.cast::<Unaligned<T>>().read_volatile() }
}

/// # Safety
///
/// The memory is large enough for a value.
#[inline(always)]
unsafe fn store<T: Copy>(to: *mut u8, value: Unaligned<T>) {
    // SAFETY: as the caller promises.
    unsafe { to.cast::<Unaligned<T>>().write_volatile(value) };
}

/// Copies `len` bytes between places that may overlap: at least one value, and at most two.
///
/// # Safety
///
/// There are so many bytes at both places.
#[inline(always)]
unsafe fn copy_two<T: Copy>(to: *mut u8, from: *const u8, len: usize) {
    let last = len - size_of::<T>();
    // SAFETY: as the caller promises.
    unsafe {
        let (start, end) = (load::<T>(from), load::<T>(from.add(last)));
        store(to, start);
        store(to.add(last), end);
    }
}

/// Copies fewer bytes than a vector has, between places that may overlap.
///
/// # Safety
///
/// There are so many bytes at both places.
#[inline(always)]
unsafe fn copy_few(to: *mut u8, from: *const u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        match len {
            8.. => copy_two::<u64>(to, from, len),
            4.. => copy_two::<u32>(to, from, len),
            2.. => copy_two::<u16>(to, from, len),
            1 => store(to, load::<u8>(from)),
            0 => {}
        }
    }
}

/// Copies `len` bytes between places that do not overlap, and returns `to`. If `to` is the
/// lower one they may overlap, and also if there are fewer than 16 bytes.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: reads and writes the caller's ranges.
    unsafe {
        if len < VECTOR {
            copy_few(to, from, len);
            return to;
        }
        #[cfg(target_arch = "x86_64")]
        if len > LONG {
            core::arch::asm!(
                "rep movsb",
                inout("rcx") len => _,
                inout("rdi") to => _,
                inout("rsi") from => _,
                options(nostack, preserves_flags),
            );
            return to;
        }
        // The last vector is read before any is written, and written last.
        let last = load::<Vector>(from.add(len - VECTOR));
        let mut at = 0;
        while at + VECTOR < len {
            store(to.add(at), load::<Vector>(from.add(at)));
            at += VECTOR;
        }
        store(to.add(len - VECTOR), last);
    }
    to
}

/// Copies `len` bytes between places that may overlap, and returns `to`.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: reads and writes the caller's ranges.
    unsafe {
        if len < VECTOR || to.addr().wrapping_sub(from.addr()) >= len {
            return memcpy(to, from, len);
        }
        // The first vector is read before any is written, and written last.
        let first = load::<Vector>(from);
        let mut left = len;
        while left > VECTOR {
            left -= VECTOR;
            store(to.add(left), load::<Vector>(from.add(left)));
        }
        store(to, first);
    }
    to
}

/// Writes `byte` to `len` bytes, and returns `to`.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    let byte = byte as u8;
    // SAFETY: writes the caller's range.
    unsafe {
        if len < VECTOR {
            for at in 0..len {
                store(to.add(at), Unaligned(byte));
            }
            return to;
        }
        #[cfg(target_arch = "x86_64")]
        if len > LONG {
            core::arch::asm!(
                "rep stosb",
                inout("rcx") len => _,
                inout("rdi") to => _,
                in("al") byte,
                options(nostack, preserves_flags),
            );
            return to;
        }
        let vector = Unaligned(splat(byte));
        let mut at = 0;
        while at + VECTOR < len {
            store(to.add(at), vector);
            at += VECTOR;
        }
        store(to.add(len - VECTOR), vector);
    }
    to
}

/// # Safety
///
/// Every CPU of the architecture has SSE2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn splat(byte: u8) -> Vector {
    // SAFETY: as the caller promises.
    unsafe { core::arch::x86_64::_mm_set1_epi8(byte as i8) }
}

/// Zero if `len` bytes at two places are equal. Stops at the first difference: secrets are
/// compared elsewhere.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    for at in 0..len {
        // SAFETY: reads the caller's ranges.
        let differ = unsafe { load::<u8>(a.add(at)).0 != load::<u8>(b.add(at)).0 };
        if differ {
            return 1;
        }
    }
    0
}
