//! POLYVAL on PCLMULQDQ, eight blocks with one reduction.
//!
//! `A := A·H^8 + X1·H^7 + … + X7·H + X8`: Karatsuba products, three
//! multiplications each, summed before they are reduced. The newest block is added
//! and not multiplied, so that the end of the message costs one reduction:
//! `S = A·H^2 + L·H` with the length block L. Fewer blocks use the lowest powers
//! only, and only those that the message needs are made.

use super::products::{POLYNOMIAL, SWAP, groups, products};
use crate::tier::bytes::{apart128, load128 as load};
use _mm_clmulepi64_si128 as multiply;
use _mm_shuffle_epi32 as exchange;
use core::arch::x86_64::*;

products!(m128, "aes,pclmulqdq,avx2", "aes,pclmulqdq,avx2,bmi2", GROUP: 8);
groups!("aes,pclmulqdq,avx2,bmi2");

/// The lower halves are multiplied for the middle term.
const HALVES: i32 = 0x00;

#[inline]
#[target_feature(enable = "avx2")]
fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
    _mm_xor_si128(a, _mm_xor_si128(b, c))
}

/// `low + above·x^64` without the lowest word of `low`, for which a multiple of the field's
/// polynomial is added: its lowest word is 1, and [`POLYNOMIAL`] the one after. The word
/// that follows, and is the lowest now, comes first.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn without_lowest(low: __m128i, above: __m128i) -> __m128i {
    let t = multiply::<0x00>(low, _mm_set1_epi64x(POLYNOMIAL));
    let rest = apart128(_mm_xor_si128(exchange::<SWAP>(low), above));
    _mm_xor_si128(rest, t)
}

/// `a · a · x^-128`: the middle terms are equal and cancel.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
pub(super) fn square(a: __m128i, beside: &mut impl Step) -> __m128i {
    let low = multiply::<0x00>(a, a);
    let high = multiply::<0x11>(a, a);
    reduce([low, _mm_setzero_si128(), high], beside)
}

/// Powers of the authentication key: H^(k+1) at k.
pub(in crate::kernel) struct Powers<'a> {
    steps: &'a Steps<GROUP>,
}

impl<'a> Powers<'a> {
    /// Prepares groups of up to `vectors` blocks, at most [`GROUP`] of them.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn new(
        h: __m128i,
        vectors: usize,
        room: &'a mut Steps<GROUP>,
        beside: &mut impl Step,
    ) -> Self {
        set_steps(room, 0, h);
        let h2 = square(h, beside);
        set_steps(room, 1, h2);
        if vectors > 2 {
            let h4 = square(h2, beside);
            let h3 = dot(h2, h, beside);
            set_steps(room, 2, h3);
            set_steps(room, 3, h4);
            if vectors > 4 {
                for (k, power) in [h, h2, h3, h4].into_iter().enumerate() {
                    set_steps(room, 4 + k, dot(h4, power, beside));
                }
            }
        }
        Self { steps: room }
    }
}

/// What is left of a text after its blocks: nothing, where the wider tiers have some.
pub(in crate::kernel) struct Tail;

impl Horner {
    /// Absorbs the AAD.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn start(
        powers: &Powers<'_>,
        aad: &[u8],
        beside: &mut impl Step,
    ) -> Self {
        let mut sum = Self(_mm_setzero_si128());
        sum.absorb(powers, in_vectors(aad), beside);
        sum
    }

    /// Absorbs a text, whose last block is padded with zeros.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn absorb(
        &mut self,
        powers: &Powers<'_>,
        (vectors, last): Text<'_>,
        beside: &mut impl Step,
    ) -> Tail {
        if let Some((_, last)) = last {
            self.absorb_vectors(powers, vectors, last, beside);
        }
        Tail
    }

    /// Absorbs the length block and returns the value of the polynomial.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn finish(
        self,
        powers: &Powers<'_>,
        Tail: Tail,
        length_block: __m128i,
        beside: &mut impl Step,
    ) -> __m128i {
        let mut product = Product::zero();
        let (power, power_halves) = powers.step(1);
        product.add(length_block, power, power_halves);
        let (power, power_halves) = powers.step(2);
        product.add(self.0, power, power_halves);
        reduce(product.parts(), beside)
    }
}
