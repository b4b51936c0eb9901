//! POLYVAL on VPCLMULQDQ, two blocks in a 256-bit vector.
//!
//! The 512-bit kernel's idea at half the width: each lane runs a Horner sum of its
//! own in H^2, sixteen vectors to a reduction, and the lanes meet at the end:
//!
//! ```text
//! lanes        0     1
//! vector 0     X1    X2        A := A·H^2 + vector, lane by lane
//! tail         Y1    L         r < 2 blocks and the length block
//!
//! S = A·(H^(r+3), H^(r+2)) + tail·(H^(r+1) … H^1), summed over the lanes
//! ```

use super::{Polyval, avx2};
use crate::kernel::Block;
use crate::tier::bytes::{load128, load256, load256_padded, store128, store256};
use crate::tier::{Vaes256, kernel};
use core::arch::x86_64::*;

impl Polyval for Vaes256 {
    #[inline(always)]
    fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        // Short messages have too few blocks for two lanes to pay for the wider start.
        if aad.len().max(text.len()) <= 128 {
            self.avx2().polyval(h, aad, text, length_block)
        } else {
            polyval(self, h, aad, text, length_block)
        }
    }
}

/// Vectors between two reductions.
pub(in crate::kernel) const GROUP: usize = 16;

kernel! {
    fn polyval(tier: Vaes256, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        let longest = aad.len().max(text.len());
        let powers = Powers::new(h, longest.div_ceil(32));
        let mut sum = Horner::start(&powers, aad);
        let tail = sum.absorb(&powers, text);
        sum.finish(&powers, tail, length_block)
    }
}

/// A product that is not yet reduced: low, middle and high 128 bits, Karatsuba's
/// middle term still with the other two in it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Product {
    low: __m256i,
    middle: __m256i,
    high: __m256i,
}

impl Product {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn zero() -> Self {
        let zero = _mm256_setzero_si256();
        Self {
            low: zero,
            middle: zero,
            high: zero,
        }
    }

    /// Adds `x · power`; `power_halves` is [`halves`] of the power.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn add(&mut self, x: __m256i, power: __m256i, power_halves: __m256i) {
        let low = _mm256_clmulepi64_epi128::<0x00>(x, power);
        let high = _mm256_clmulepi64_epi128::<0x11>(x, power);
        let middle = _mm256_clmulepi64_epi128::<0x00>(halves(x), power_halves);
        self.low = _mm256_xor_si256(self.low, low);
        self.high = _mm256_xor_si256(self.high, high);
        self.middle = _mm256_xor_si256(self.middle, middle);
    }

    /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3), lane by lane.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn reduce(self) -> __m256i {
        let middle = _mm256_xor_si256(self.middle, _mm256_xor_si256(self.low, self.high));
        let low = _mm256_xor_si256(self.low, _mm256_bslli_epi128::<8>(middle));
        let high = _mm256_xor_si256(self.high, _mm256_bsrli_epi128::<8>(middle));
        let polynomial = _mm256_set1_epi64x(avx2::POLYNOMIAL);
        let t = _mm256_clmulepi64_epi128::<0x00>(low, polynomial);
        let low = _mm256_xor_si256(_mm256_shuffle_epi32::<{ avx2::SWAP }>(low), t);
        let t = _mm256_clmulepi64_epi128::<0x00>(low, polynomial);
        let low = _mm256_shuffle_epi32::<{ avx2::SWAP }>(low);
        _mm256_xor_si256(low, _mm256_xor_si256(t, high))
    }
}

/// Low half plus high half of each lane, in both halves.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn halves(x: __m256i) -> __m256i {
    _mm256_xor_si256(x, _mm256_shuffle_epi32::<{ avx2::SWAP }>(x))
}

/// `a · b · x^-128`, lane by lane.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn dot(a: __m256i, b: __m256i) -> __m256i {
    let mut product = Product::zero();
    product.add(a, b, halves(b));
    product.reduce()
}

#[inline]
#[target_feature(enable = "avx2")]
fn lane_0(x: __m256i) -> __m256i {
    _mm256_permute2x128_si256::<0x00>(x, x)
}

#[inline]
#[target_feature(enable = "avx2")]
fn lane_1(x: __m256i) -> __m256i {
    _mm256_permute2x128_si256::<0x11>(x, x)
}

/// Powers of the authentication key, only as many as the message needs.
pub(in crate::kernel) struct Powers {
    /// H^2 and H.
    to_2: __m256i,
    /// H^4 and H^3.
    to_4: __m256i,
    /// `steps[k]` is H^(2(k+1)) and stands for itself in both lanes.
    steps: [Block; GROUP],
    /// The same under [`halves`].
    step_halves: [Block; GROUP],
}

impl Powers {
    /// Prepares groups of up to `vectors` vectors, at most [`GROUP`] of them.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn new(h: &Block, vectors: usize) -> Self {
        let h = _mm256_broadcastsi128_si256(load128(h));
        let h2 = dot(h, h);
        let to_2 = _mm256_blend_epi32::<0b1111_0000>(h2, h);
        let to_4 = dot(to_2, h2);
        let h4 = lane_0(to_4);
        let h2_h4 = _mm256_blend_epi32::<0b1111_0000>(h2, h4);
        let mut powers = Self {
            to_2,
            to_4,
            steps: [[0; 16]; GROUP],
            step_halves: [[0; 16]; GROUP],
        };
        powers.set_steps(0, h2_h4);
        if vectors > 2 {
            let h6_h8 = dot(h2_h4, h4);
            powers.set_steps(2, h6_h8);
            if vectors > 4 {
                let h8 = lane_1(h6_h8);
                let to_12 = dot(h2_h4, h8);
                let to_16 = dot(h6_h8, h8);
                powers.set_steps(4, to_12);
                powers.set_steps(6, to_16);
                if vectors > 8 {
                    let h16 = lane_1(to_16);
                    for (i, first) in [h2_h4, h6_h8, to_12, to_16].into_iter().enumerate() {
                        powers.set_steps(8 + 2 * i, dot(first, h16));
                    }
                }
            }
        }
        powers
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn set_steps(&mut self, from: usize, lanes: __m256i) {
        if let Some(steps) = self.steps.as_flattened_mut()[16 * from..].first_chunk_mut() {
            store256(steps, lanes);
        }
        if let Some(steps) = self.step_halves.as_flattened_mut()[16 * from..].first_chunk_mut() {
            store256(steps, halves(lanes));
        }
    }

    /// H^(2·`vectors`) in both lanes, and its halves.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn step(&self, vectors: usize) -> (__m256i, __m256i) {
        let i = (vectors - 1) % GROUP;
        (
            _mm256_broadcastsi128_si256(load128(&self.steps[i])),
            _mm256_broadcastsi128_si256(load128(&self.step_halves[i])),
        )
    }
}

/// The two running sums, the newest vector added but not multiplied.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Horner(pub(in crate::kernel) __m256i);

/// What is left of a text after its whole vectors: one block or none.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Tail(Option<__m128i>);

impl Horner {
    /// Absorbs the AAD, padded to whole vectors in front.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn start(powers: &Powers, aad: &[u8]) -> Self {
        let mut sum = Self(_mm256_setzero_si256());
        if aad.len().div_ceil(16).is_multiple_of(2) {
            sum.absorb(powers, aad);
        } else {
            let (first, rest) = aad.split_at(aad.len().min(16));
            let first = _mm256_castsi256_si128(load256_padded(first));
            sum.0 = _mm256_inserti128_si256::<1>(sum.0, first);
            sum.absorb(powers, rest);
        }
        sum
    }

    /// Absorbs whole vectors of `text`, counting one of more than 16 bytes as whole,
    /// and returns what is left.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn absorb(&mut self, powers: &Powers, text: &[u8]) -> Tail {
        let (vectors, rest) = text.as_chunks::<32>();
        if rest.len() > 16 {
            self.absorb_vectors(powers, vectors, load256_padded(rest));
            return Tail(None);
        }
        if let Some((last, others)) = vectors.split_last() {
            self.absorb_vectors(powers, others, load256(last));
        }
        let block = _mm256_castsi256_si128(load256_padded(rest));
        Tail((!rest.is_empty()).then_some(block))
    }

    /// Absorbs `vectors` and then `last`: groups first, then what does not fill one.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    fn absorb_vectors(&mut self, powers: &Powers, vectors: &[[u8; 32]], last: __m256i) {
        let (groups, odd) = vectors.as_chunks::<GROUP>();
        for group in groups {
            self.absorb_group(powers, &group[..GROUP - 1], load256(&group[GROUP - 1]));
        }
        self.absorb_group(powers, odd, last);
    }

    /// `A := A·H^(2g) + … + vectors·H^2 + last`, one reduction; g ≤ [`GROUP`].
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn absorb_group(
        &mut self,
        powers: &Powers,
        vectors: &[[u8; 32]],
        last: __m256i,
    ) {
        let mut product = Product::zero();
        for (i, vector) in vectors.iter().rev().enumerate() {
            let (power, power_halves) = powers.step(i + 1);
            product.add(load256(vector), power, power_halves);
        }
        let (power, power_halves) = powers.step(vectors.len() + 1);
        product.add(self.0, power, power_halves);
        self.0 = _mm256_xor_si256(product.reduce(), last);
    }

    /// Folds the lanes together with the tail and the length block.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn finish(
        self,
        powers: &Powers,
        tail: Tail,
        length_block: &Block,
    ) -> Block {
        let length = load128(length_block);
        let zero = _mm256_setzero_si256();
        let (tail, tail_powers, sum_powers) = match tail.0 {
            // (L, 0)·(H, 0) and A·(H^3, H^2).
            None => (
                _mm256_inserti128_si256::<0>(zero, length),
                _mm256_permute2x128_si256::<0x81>(powers.to_2, powers.to_2),
                _mm256_permute2x128_si256::<0x21>(powers.to_4, powers.to_2),
            ),
            // (Y1, L)·(H^2, H) and A·(H^4, H^3).
            Some(block) => (_mm256_set_m128i(length, block), powers.to_2, powers.to_4),
        };
        let mut product = Product::zero();
        product.add(self.0, sum_powers, halves(sum_powers));
        product.add(tail, tail_powers, halves(tail_powers));
        let lanes = product.reduce();
        let sum = _mm_xor_si128(
            _mm256_castsi256_si128(lanes),
            _mm256_extracti128_si256::<1>(lanes),
        );
        let mut out = [0; 16];
        store128(&mut out, sum);
        out
    }
}
