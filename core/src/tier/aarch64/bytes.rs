//! The only raw loads and stores: byte arrays to vectors and back.

use core::arch::aarch64::*;

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load128(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: 16 readable bytes, no alignment asked.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn store128(bytes: &mut [u8; 16], v: uint8x16_t) {
    // SAFETY: 16 writable bytes, no alignment asked.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), v) }
}

/// Twelve bytes and four zeros after them, without a trip through memory.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load96(bytes: &[u8; 12]) -> uint8x16_t {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = *bytes;
    let low = vcreate_u64(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
    let high = vcreate_u64(u64::from_le_bytes([i, j, k, l, 0, 0, 0, 0]));
    vreinterpretq_u8_u64(vcombine_u64(low, high))
}

/// Up to 16 bytes, zeros after them.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn load128_padded(bytes: &[u8]) -> uint8x16_t {
    let mut padded = [0; 16];
    let len = bytes.len().min(16);
    padded[..len].copy_from_slice(&bytes[..len]);
    load128(&padded)
}

/// Stores the first `bytes.len()` bytes of `v`, at most 16.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn store128_partial(bytes: &mut [u8], v: uint8x16_t) {
    let mut whole = [0; 16];
    store128(&mut whole, v);
    let len = bytes.len().min(16);
    bytes[..len].copy_from_slice(&whole[..len]);
}

/// Asks for the memory `ahead` bytes after the start of `bytes`, whatever it is.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], ahead: usize) {
    let address = bytes.as_ptr().wrapping_add(ahead);
    // SAFETY: a prefetch reads nothing and never faults, whatever the address.
    unsafe {
        core::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) address,
            options(readonly, nostack, preserves_flags),
        );
    }
}

/// Holds a vector together that is in memory: LLVM would load it in halves where the
/// halves are used, which is twice the loads and more than one operation each.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn whole(mut v: uint8x16_t) -> uint8x16_t {
    // SAFETY: no instruction is emitted; the value passes through unchanged.
    unsafe {
        core::arch::asm!("/* {0:v} */", inout(vreg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

/// Hold nothing: they would part sums from the rounds of AES that LLVM draws them into, and the
/// chains are short enough for the CPUs to find them by themselves.
#[inline(always)]
pub(crate) fn apart128(sum: uint8x16_t) -> uint8x16_t {
    sum
}

#[inline(always)]
pub(crate) fn side_by_side128(_chains: &mut [uint8x16_t]) {}

/// Holds a computation in general registers and one in vectors at the same step: LLVM
/// would put all of the one before all of the other, and the CPU sees only a few hundred
/// instructions ahead.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn side_by_side(words: &mut [u64; 16], vectors: &mut [uint32x4_t; 16]) {
    let [a, b, c, d, ..] = words;
    let [w, x, y, z, ..] = vectors;
    // SAFETY: no instruction is emitted; the values pass through unchanged.
    unsafe {
        core::arch::asm!(
            "/* {0} {1} {2} {3} {4:v} {5:v} {6:v} {7:v} */",
            inout(reg) * a,
            inout(reg) * b,
            inout(reg) * c,
            inout(reg) * d,
            inout(vreg) * w,
            inout(vreg) * x,
            inout(vreg) * y,
            inout(vreg) * z,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
}
