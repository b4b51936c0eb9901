//! MGM's multiplication on VPCLMULQDQ, four blocks in a vector.

use super::{MgmMultiply, avx2};
use crate::kernel::Block;
use crate::tier::bytes::{load512, load512_narrow};
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

/// The parts of Karatsuba's rule, each summed on its own and in each lane: low, high, and
/// the product of the sums of the halves.
pub(crate) struct Sum {
    low: __m512i,
    high: __m512i,
    both: __m512i,
}

impl MgmMultiply for Avx512 {
    type Sum = Sum;

    #[inline(always)]
    fn zero(self) -> Sum {
        zero(self)
    }

    #[inline(always)]
    fn multiply_add(self, sum: &mut Sum, h: &[Block], data: &[u8]) {
        multiply_add(self, sum, h, data);
    }

    #[inline(always)]
    fn reduce(self, sum: Sum) -> Block {
        reduce(self, sum)
    }
}

kernel! {
    fn zero(tier: Avx512) -> Sum {
        let zero = _mm512_setzero_si512();
        Sum { low: zero, high: zero, both: zero }
    }
}

/// Blocks as numbers: the field's elements are big-endian.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn numbers(blocks: __m512i) -> __m512i {
    let reversed = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(reversed))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn multiply_add_four(sum: &mut Sum, h: __m512i, data: __m512i) {
    let (h, x) = (numbers(h), numbers(data));
    let folded = |v| _mm512_xor_si512(v, _mm512_shuffle_epi32::<0x4e>(v));
    sum.low = _mm512_xor_si512(sum.low, _mm512_clmulepi64_epi128::<0x00>(h, x));
    sum.high = _mm512_xor_si512(sum.high, _mm512_clmulepi64_epi128::<0x11>(h, x));
    let both = _mm512_clmulepi64_epi128::<0x00>(folded(h), folded(x));
    sum.both = _mm512_xor_si512(sum.both, both);
}

kernel! {
    fn multiply_add(tier: Avx512, sum: &mut Sum, h: &[Block], data: &[u8]) {
        let (fours, rest) = data.as_chunks();
        let (h_fours, h_rest) = h.as_flattened().as_chunks();
        for (h, four) in h_fours.iter().zip(fours) {
            multiply_add_four(sum, load512(h), load512(four));
        }
        if !rest.is_empty() {
            // The blocks that are not there count as zero. A last block that is not whole
            // may have had its multiplier among the fours.
            let h_rest = if h_rest.is_empty() { h_fours.last().map_or(h_rest, |h| h) } else { h_rest };
            multiply_add_four(sum, load512_narrow(h_rest), load512_narrow(rest));
        }
    }
}

kernel! {
    fn reduce(tier: Avx512, sum: Sum) -> Block {
        let [low, high, both] = [sum.low, sum.high, sum.both].map(|v| {
            let v = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v))
        });
        avx2::reduce(low, high, both)
    }
}
