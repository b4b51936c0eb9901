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

use super::{Step, Steps, avx2};
use crate::tier::bytes::{load128, load128_padded, load256, load256_padded, opaque256, store256};
use core::arch::x86_64::*;

/// A text in vectors: the last one, which may be cut short, in a register and after its
/// length, and those before it.
pub(in crate::kernel) type Text<'a> = (&'a [[u8; 32]], Option<(usize, __m256i)>);

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn in_vectors(text: &[u8]) -> Text<'_> {
    let whole = text.len().saturating_sub(1) / 32 * 32;
    let (vectors, last) = text.split_at(whole);
    let last = (!last.is_empty()).then(|| (last.len(), load256_padded(last)));
    (vectors.as_chunks().0, last)
}

/// Vectors between two reductions.
pub(in crate::kernel) const GROUP: usize = 16;

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

    /// Low, middle and high, the middle one without the other two.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn parts(self) -> [__m256i; 3] {
        let middle = _mm256_xor_si256(self.middle, _mm256_xor_si256(self.low, self.high));
        [self.low, middle, self.high]
    }

    /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3), lane by lane.
    #[inline]
    #[target_feature(enable = "avx2,vpclmulqdq")]
    pub(in crate::kernel) fn reduce(self) -> __m256i {
        let [low, middle, high] = self.parts();
        without_lowest(without_lowest(low, middle), high)
    }
}

/// A step of the reduction, lane by lane; see the narrower kernel.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn without_lowest(low: __m256i, above: __m256i) -> __m256i {
    let t = _mm256_clmulepi64_epi128::<0x00>(low, _mm256_set1_epi64x(avx2::POLYNOMIAL));
    let low = _mm256_shuffle_epi32::<{ avx2::SWAP }>(low);
    _mm256_xor_si256(opaque256(_mm256_xor_si256(low, above)), t)
}

/// [`Product::reduce`] of its parts, step by step.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
fn reduce([low, middle, high]: [__m256i; 3], beside: &mut impl Step) -> __m256i {
    let low = without_lowest(low, middle);
    beside.step();
    let sum = without_lowest(low, high);
    beside.step();
    sum
}

/// Low half plus high half of each lane, in both halves.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn halves(x: __m256i) -> __m256i {
    _mm256_xor_si256(x, _mm256_shuffle_epi32::<{ avx2::SWAP }>(x))
}

/// `a · b · x^-128`, lane by lane.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
fn dot(a: __m256i, b: __m256i, beside: &mut impl Step) -> __m256i {
    let mut product = Product::zero();
    product.add(a, b, halves(b));
    reduce(product.parts(), beside)
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

/// Where the powers are, for messages of any length.
pub(in crate::kernel) type ShortRoom = Steps<GROUP>;

/// Powers of the authentication key, only as many as the message needs.
pub(in crate::kernel) struct Powers<'a> {
    /// H^2 and H.
    to_2: __m256i,
    /// H^4 and H^3.
    to_4: __m256i,
    /// H^(2(k+1)) at k, which is itself in both lanes, and the same under [`halves`].
    steps: &'a Steps<GROUP>,
}

impl<'a> Powers<'a> {
    /// The powers for a message of so many bytes.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn for_message(
        h: __m128i,
        aad_len: usize,
        text_len: usize,
        room: &'a mut Steps<GROUP>,
        beside: &mut impl Step,
    ) -> Self {
        Self::new(h, aad_len.max(text_len).div_ceil(32), room, beside)
    }

    /// POLYVAL of that message.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn hash(
        &self,
        aad: &[u8],
        text: Text<'_>,
        length_block: __m128i,
        beside: &mut impl Step,
    ) -> __m128i {
        let mut sum = Horner::start(self, aad, beside);
        let tail = sum.absorb(self, text, beside);
        sum.finish(self, tail, length_block, beside)
    }

    /// Prepares groups of up to `vectors` vectors, at most [`GROUP`] of them.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn new(
        h: __m128i,
        vectors: usize,
        room: &'a mut Steps<GROUP>,
        beside: &mut impl Step,
    ) -> Self {
        let h = _mm256_broadcastsi128_si256(h);
        let h2 = dot(h, h, beside);
        let to_2 = _mm256_blend_epi32::<0b1111_0000>(h2, h);
        let to_4 = dot(to_2, h2, beside);
        let h4 = lane_0(to_4);
        let h2_h4 = _mm256_blend_epi32::<0b1111_0000>(h2, h4);
        set_steps(room, 0, h2_h4);
        beside.step();
        beside.step();
        if vectors > 2 {
            let h6_h8 = dot(h2_h4, h4, &mut ());
            set_steps(room, 2, h6_h8);
            if vectors > 4 {
                let h8 = lane_1(h6_h8);
                let to_12 = dot(h2_h4, h8, &mut ());
                let to_16 = dot(h6_h8, h8, &mut ());
                set_steps(room, 4, to_12);
                set_steps(room, 6, to_16);
                if vectors > 8 {
                    let h16 = lane_1(to_16);
                    for (i, first) in [h2_h4, h6_h8, to_12, to_16].into_iter().enumerate() {
                        set_steps(room, 8 + 2 * i, dot(first, h16, &mut ()));
                    }
                }
            }
        }
        Self {
            to_2,
            to_4,
            steps: room,
        }
    }

    /// H^(2·`vectors`) in both lanes, and its halves.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn step(&self, vectors: usize) -> (__m256i, __m256i) {
        let i = (vectors - 1) % GROUP;
        (
            _mm256_broadcastsi128_si256(load128(&self.steps.powers[i])),
            _mm256_broadcastsi128_si256(load128(&self.steps.halves[i])),
        )
    }
}

/// Two powers from the place `from` on.
#[inline]
#[target_feature(enable = "avx2")]
fn set_steps(steps: &mut Steps<GROUP>, from: usize, lanes: __m256i) {
    if let Some(steps) = steps.powers.as_flattened_mut()[16 * from..].first_chunk_mut() {
        store256(steps, lanes);
    }
    if let Some(steps) = steps.halves.as_flattened_mut()[16 * from..].first_chunk_mut() {
        store256(steps, halves(lanes));
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
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn start(
        powers: &Powers<'_>,
        aad: &[u8],
        beside: &mut impl Step,
    ) -> Self {
        let mut sum = Self(_mm256_setzero_si256());
        let in_front = aad.len().div_ceil(16) % 2;
        let (first, rest) = aad.split_at(aad.len().min(16 * in_front));
        if !first.is_empty() {
            sum.0 = _mm256_inserti128_si256::<1>(sum.0, load128_padded(first));
        }
        sum.absorb(powers, in_vectors(rest), beside);
        sum
    }

    /// Absorbs the vectors of a text, counting the last as whole if it has both its blocks,
    /// and returns what is left.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn absorb(
        &mut self,
        powers: &Powers<'_>,
        (vectors, last): Text<'_>,
        beside: &mut impl Step,
    ) -> Tail {
        if let Some((17.., last)) = last {
            self.absorb_vectors(powers, vectors, last, beside);
            return Tail(None);
        }
        if let Some((last, others)) = vectors.split_last() {
            self.absorb_vectors(powers, others, load256(last), beside);
        }
        Tail(last.map(|(_, last)| _mm256_castsi256_si128(last)))
    }

    /// Absorbs `vectors` and then `last`: groups first, then what does not fill one.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    fn absorb_vectors(
        &mut self,
        powers: &Powers<'_>,
        vectors: &[[u8; 32]],
        last: __m256i,
        beside: &mut impl Step,
    ) {
        let (groups, odd) = vectors.as_chunks::<GROUP>();
        for group in groups {
            let last = load256(&group[GROUP - 1]);
            self.absorb_group(powers, &group[..GROUP - 1], last, beside);
        }
        self.absorb_group(powers, odd, last, beside);
    }

    /// `A := A·H^(2g) + … + vectors·H^2 + last`, one reduction; g ≤ [`GROUP`].
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn absorb_group(
        &mut self,
        powers: &Powers<'_>,
        vectors: &[[u8; 32]],
        last: __m256i,
        beside: &mut impl Step,
    ) {
        let mut product = Product::zero();
        for (i, vector) in vectors.iter().rev().enumerate() {
            let (power, power_halves) = powers.step(i + 1);
            product.add(load256(vector), power, power_halves);
        }
        let (power, power_halves) = powers.step(vectors.len() + 1);
        product.add(self.0, power, power_halves);
        self.0 = _mm256_xor_si256(reduce(product.parts(), beside), last);
    }

    /// Folds the lanes together with the tail and the length block.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq")]
    pub(in crate::kernel) fn finish(
        self,
        powers: &Powers<'_>,
        tail: Tail,
        length: __m128i,
        beside: &mut impl Step,
    ) -> __m128i {
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
        product.add(tail, tail_powers, halves(tail_powers));
        product.add(self.0, sum_powers, halves(sum_powers));
        let lanes = reduce(product.parts(), beside);
        _mm_xor_si128(
            _mm256_castsi256_si128(lanes),
            _mm256_extracti128_si256::<1>(lanes),
        )
    }
}
