//! The only raw loads and stores: byte arrays to vectors and back.

use core::arch::x86_64::*;

#[inline(always)]
pub(crate) fn load128(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 readable bytes, no alignment asked; the cfg of this module says that SSE2 is there.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline(always)]
pub(crate) fn store128(bytes: &mut [u8; 16], v: __m128i) {
    // SAFETY: 16 writable bytes, no alignment asked; the cfg of this module says that SSE2 is there.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), v) }
}

/// Asks for the memory `ahead` bytes after the start of `bytes`, whatever it is.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], ahead: usize) {
    // SAFETY: a prefetch reads nothing and never faults, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(ahead).cast()) }
}

/// Twelve bytes and four zeros after them.
#[inline(always)]
pub(crate) fn load96(bytes: &[u8; 12]) -> __m128i {
    // In the parts that such bytes are mostly copied in.
    let (low, high) = bytes.split_at(8);
    let low = low.first_chunk().map_or(0, |low| u64::from_le_bytes(*low));
    let high = high.first_chunk().map_or(0, |high| u32::from_le_bytes(*high));
    // SAFETY: the cfg of this module says that SSE2 is there.
    unsafe { _mm_set_epi64x(i64::from(high), low.cast_signed()) }
}

/// Up to 16 bytes, zeros after them.
///
/// They come in whole words that may overlap, each possibly written by one store before. If a
/// vector were read back from parts in memory, it would wait until they are in the cache.
#[inline(always)]
pub(crate) fn load128_padded(bytes: &[u8]) -> __m128i {
    if let Ok(block) = bytes.try_into() {
        return load128(block);
    }
    let len = bytes.len().min(16);
    let (low, high) = match (bytes.first_chunk(), bytes[..len].last_chunk()) {
        (Some(first), Some(last)) => {
            let last = u64::from_le_bytes(*last);
            (u64::from_le_bytes(*first), last.checked_shr(8 * (16 - len as u32)).unwrap_or(0))
        }
        _ => (short_word(&bytes[..len]), 0),
    };
    // SAFETY: the cfg of this module says that SSE2 is there.
    unsafe { _mm_set_epi64x(high.cast_signed(), low.cast_signed()) }
}

/// Fewer than eight bytes, zeros after them.
#[inline(always)]
fn short_word(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let last = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
            u64::from(u32::from_le_bytes(*first)) | last
        }
        _ => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Stores the first `bytes.len()` bytes of `v`, at most 16.
#[inline(always)]
pub(crate) fn store128_partial(bytes: &mut [u8], v: __m128i) {
    if let Ok(block) = <&mut [u8; 16]>::try_from(&mut *bytes) {
        return store128(block, v);
    }
    let mut whole = [0; 16];
    store128(&mut whole, v);
    let word = u128::from_le_bytes(whole);
    let (mut word, rest) = match bytes.split_first_chunk_mut() {
        Some((part, rest)) => {
            *part = (word as u64).to_le_bytes();
            ((word >> 64) as u64, rest)
        }
        None => (word as u64, bytes),
    };
    let rest = match rest.split_first_chunk_mut() {
        Some((part, rest)) => {
            *part = (word as u32).to_le_bytes();
            word >>= 32;
            rest
        }
        None => rest,
    };
    for byte in rest.iter_mut().take(3) {
        *byte = word as u8;
        word >>= 8;
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load256(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 readable bytes, no alignment asked.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn store256(bytes: &mut [u8; 32], v: __m256i) {
    // SAFETY: 32 writable bytes, no alignment asked.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }
}

/// Up to 32 bytes, zeros after them.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load256_padded(bytes: &[u8]) -> __m256i {
    let (low, high) = bytes.split_at(bytes.len().min(16));
    _mm256_set_m128i(load128_padded(high), load128_padded(low))
}

/// Stores the first `bytes.len()` bytes of `v`, at most 32.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn store256_partial(bytes: &mut [u8], v: __m256i) {
    let (low, high) = bytes.split_at_mut(bytes.len().min(16));
    store128_partial(low, _mm256_castsi256_si128(v));
    store128_partial(high, _mm256_extracti128_si256::<1>(v));
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn load512(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 readable bytes, no alignment asked.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store512(bytes: &mut [u8; 64], v: __m512i) {
    // SAFETY: 64 writable bytes, no alignment asked.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), v) }
}

/// Up to 64 bytes, zeros after them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn load512_padded(bytes: &[u8]) -> __m512i {
    // With no bytes, the address may be anything, and the CPU checks even masked addresses.
    if bytes.is_empty() {
        return _mm512_setzero_si512();
    }
    // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not read.
    unsafe { _mm512_maskz_loadu_epi8(first_bytes(bytes.len()), bytes.as_ptr().cast()) }
}

/// Stores the first `bytes.len()` bytes of `v`, at most 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn store512_partial(bytes: &mut [u8], v: __m512i) {
    // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not written.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), v) }
}

/// [`load512_padded`] with an access no wider than it must be: a masked one counts as wide as
/// its vector when it meets a store, and short messages lie side by side.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn load512_narrow(bytes: &[u8]) -> __m512i {
    match bytes.len() {
        1..=16 => _mm512_zextsi128_si512(load128_masked(bytes)),
        17..=32 => {
            let mask = first_bytes(bytes.len()) as u32;
            // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not read.
            let blocks = unsafe { _mm256_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) };
            _mm512_zextsi256_si512(blocks)
        }
        _ => load512_padded(bytes),
    }
}

/// [`load128_padded`] by one load, and none without bytes: a CPU takes a hundred times as long
/// to find that it may leave out a load from where no memory is.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn load128_masked(bytes: &[u8]) -> __m128i {
    if bytes.is_empty() {
        return _mm_setzero_si128();
    }
    let mask = first_bytes(bytes.len()) as u16;
    // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not read.
    unsafe { _mm_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) }
}

/// [`store128_partial`] by one store, and none without bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn store128_masked(bytes: &mut [u8], v: __m128i) {
    if bytes.is_empty() {
        return;
    }
    let mask = first_bytes(bytes.len()) as u16;
    // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not written.
    unsafe { _mm_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask, v) }
}

/// [`store512_partial`] with an access no wider than it must be, and none without bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn store512_narrow(bytes: &mut [u8], v: __m512i) {
    if let Ok(block) = bytes.try_into() {
        return store128(block, _mm512_castsi512_si128(v));
    }
    if let Some(vector) = bytes.first_chunk_mut() {
        return store512(vector, v);
    }
    match bytes.len() {
        ..=16 => store128_masked(bytes, _mm512_castsi512_si128(v)),
        17..=32 => {
            let (mask, place) = (first_bytes(bytes.len()) as u32, bytes.as_mut_ptr());
            // SAFETY: the mask admits the slice's own bytes only, and masked bytes are not written.
            unsafe { _mm256_mask_storeu_epi8(place.cast(), mask, _mm512_castsi512_si256(v)) }
        }
        _ => store512_partial(bytes, v),
    }
}

/// A mask of the first `len` of 64 bytes.
#[inline(always)]
fn first_bytes(len: usize) -> u64 {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}

/// The same vector, of unknown origin for the compiler.
///
/// LLVM rewrites a byte shuffle by known indices, and a shuffle of a known logic operation. The
/// result may be two instructions instead of one.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn opaque256(mut v: __m256i) -> __m256i {
    // SAFETY: no instruction is emitted; the value passes through unchanged.
    unsafe {
        core::arch::asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

/// Holds a sum together that is to be added to another: LLVM would make one long chain
/// of the terms of both.
#[inline(always)]
pub(crate) fn apart128(sum: __m128i) -> __m128i {
    let mut sum = sum;
    // SAFETY: no instruction is emitted; the value passes through unchanged. The cfg of
    // this module says that SSE2 is there.
    unsafe {
        core::arch::asm!(
            "/* {0} */",
            inout(xmm_reg) sum,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

/// Holds independent chains at the same step.
///
/// LLVM likes to finish one chain before it starts the next, to save registers; the
/// CPU's window is then full of instructions that wait for each other. Naming all values
/// in an empty statement forbids that. Other counts than the named are left alone.
macro_rules! side_by_side {
    ($name:ident, $vector:ty, $class:ident, $feature:literal, [$($chain:ident)*], $names:literal) => {
        #[inline]
        #[target_feature(enable = $feature)]
        pub(crate) fn $name(chains: &mut [$vector]) {
            if let [$($chain),*] = chains {
                // SAFETY: no instruction is emitted; the values pass through unchanged.
                unsafe {
                    core::arch::asm!(
                        $names,
                        $(inout($class) *$chain,)*
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
            }
        }
    };
    ($eight:ident, $six:ident, $vector:ty, $class:ident, $feature:literal) => {
        side_by_side!(
            $eight, $vector, $class, $feature, [a b c d e f g h],
            "/* {0} {1} {2} {3} {4} {5} {6} {7} */"
        );
        side_by_side!(
            $six, $vector, $class, $feature, [a b c d e f],
            "/* {0} {1} {2} {3} {4} {5} */"
        );
    };
}
side_by_side!(side_by_side128, six_side_by_side128, __m128i, xmm_reg, "avx2");
side_by_side!(side_by_side256, six_side_by_side256, __m256i, ymm_reg, "avx2");
side_by_side!(side_by_side512, six_side_by_side512, __m512i, zmm_reg, "avx512f");

/// Holds a computation in general registers and one in vectors at the same step: LLVM would
/// put all of the one before all of the other, and the CPU sees only a few hundred
/// instructions ahead.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn in_step256(words: &mut [u64; 16], vectors: &mut [__m256i; 8]) {
    let ([a, b, ..], [p, q, r, s, t, u, v, w]) = (words, vectors);
    // SAFETY: no instruction is emitted; the values pass through unchanged.
    unsafe {
        core::arch::asm!(
            "/* {0} {1} {2} {3} {4} {5} {6} {7} {8} {9} */",
            inout(reg) * a,
            inout(reg) * b,
            inout(ymm_reg) * p,
            inout(ymm_reg) * q,
            inout(ymm_reg) * r,
            inout(ymm_reg) * s,
            inout(ymm_reg) * t,
            inout(ymm_reg) * u,
            inout(ymm_reg) * v,
            inout(ymm_reg) * w,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
}
