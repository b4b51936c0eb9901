//! POLYVAL on PCLMULQDQ, one block at a time.

use super::Polyval;
use crate::kernel::Block;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Avx2, kernel};
use core::arch::x86_64::*;

pub(crate) struct Hasher {
    h: __m128i,
    accumulator: __m128i,
}

impl Polyval for Avx2 {
    type Hasher = Hasher;

    #[inline(always)]
    fn hasher(self, h: &Block, _hint_len: usize) -> Hasher {
        Hasher {
            h: load128(h),
            accumulator: load128(&[0; 16]),
        }
    }

    #[inline(always)]
    fn update_padded(self, hasher: &mut Hasher, data: &[u8]) {
        update_padded(self, hasher, data);
    }

    #[inline(always)]
    fn finish(self, hasher: Hasher) -> Block {
        let mut out = [0; 16];
        store128(&mut out, hasher.accumulator);
        out
    }
}

kernel! {
    fn update_padded(tier: Avx2, hasher: &mut Hasher, data: &[u8]) {
        let (blocks, rest) = data.as_chunks::<16>();
        for block in blocks {
            let x = _mm_xor_si128(hasher.accumulator, load128(block));
            hasher.accumulator = dot(x, hasher.h);
        }
        if !rest.is_empty() {
            let mut block = [0; 16];
            block[..rest.len()].copy_from_slice(rest);
            let x = _mm_xor_si128(hasher.accumulator, load128(&block));
            hasher.accumulator = dot(x, hasher.h);
        }
    }
}

/// `a * b * x^-128` in the field of RFC 8452 section 3.
#[inline]
#[target_feature(enable = "pclmulqdq,avx2")]
fn dot(a: __m128i, b: __m128i) -> __m128i {
    let low = _mm_clmulepi64_si128::<0x00>(a, b);
    let high = _mm_clmulepi64_si128::<0x11>(a, b);
    let middle = _mm_xor_si128(
        _mm_clmulepi64_si128::<0x01>(a, b),
        _mm_clmulepi64_si128::<0x10>(a, b),
    );
    let low = _mm_xor_si128(low, _mm_slli_si128::<8>(middle));
    let high = _mm_xor_si128(high, _mm_srli_si128::<8>(middle));
    // Montgomery reduction by x^128 + x^127 + x^126 + x^121 + 1, 64 bits at a time.
    let poly = _mm_set_epi64x(0xc200_0000_0000_0000_u64.cast_signed(), 1);
    let t = _mm_clmulepi64_si128::<0x10>(low, poly);
    let low = _mm_xor_si128(_mm_shuffle_epi32::<0x4e>(low), t);
    let t = _mm_clmulepi64_si128::<0x10>(low, poly);
    _mm_xor_si128(_mm_xor_si128(_mm_shuffle_epi32::<0x4e>(low), t), high)
}
