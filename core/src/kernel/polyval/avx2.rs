//! POLYVAL on PCLMULQDQ, eight blocks with one reduction.
//!
//! `A := A·H^8 + X1·H^7 + … + X7·H + X8`: Karatsuba products, three
//! multiplications each, summed before they are reduced. The newest block is added
//! and not multiplied, so that the end of the message costs one reduction:
//! `S = A·H^2 + L·H` with the length block L. Fewer blocks use the lowest powers
//! only, and only those that the message needs are made.

use super::{Step, Steps};
use crate::kernel::Block;
use crate::tier::bytes::{apart128, load128, load128_padded, store128};
use core::arch::x86_64::*;

/// A text in vectors: the last one, which may be cut short, in a register and after its
/// length, and those before it.
pub(in crate::kernel) type Text<'a> = (&'a [[u8; 16]], Option<(usize, __m128i)>);

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn in_vectors(text: &[u8]) -> Text<'_> {
    let whole = text.len().saturating_sub(1) / 16 * 16;
    let (vectors, last) = text.split_at(whole);
    let last = (!last.is_empty()).then(|| (last.len(), load128_padded(last)));
    (vectors.as_chunks().0, last)
}

/// Blocks between two reductions.
pub(in crate::kernel) const GROUP: usize = 8;

/// A product that is not yet reduced: low, middle and high 128 bits, Karatsuba's
/// middle term still with the other two in it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Product {
    low: __m128i,
    middle: __m128i,
    high: __m128i,
}

impl Product {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn zero() -> Self {
        let zero = _mm_setzero_si128();
        Self {
            low: zero,
            middle: zero,
            high: zero,
        }
    }

    /// Adds `x · power`; `power_halves` is [`halves`] of the power.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn add(&mut self, x: __m128i, power: __m128i, power_halves: __m128i) {
        let low = _mm_clmulepi64_si128::<0x00>(x, power);
        let high = _mm_clmulepi64_si128::<0x11>(x, power);
        let middle = _mm_clmulepi64_si128::<0x00>(halves(x), power_halves);
        self.low = _mm_xor_si128(self.low, low);
        self.high = _mm_xor_si128(self.high, high);
        self.middle = _mm_xor_si128(self.middle, middle);
    }

    /// Low, middle and high, the middle one without the other two.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn parts(self) -> [__m128i; 3] {
        let middle = _mm_xor_si128(self.middle, _mm_xor_si128(self.low, self.high));
        [self.low, middle, self.high]
    }

    /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3).
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq")]
    pub(in crate::kernel) fn reduce(self) -> __m128i {
        let [low, middle, high] = self.parts();
        without_lowest(without_lowest(low, middle), high)
    }
}

/// `low + above·x^64` without the lowest word of `low`, for which a multiple of the field's
/// polynomial is added: its lowest word is 1, and [`POLYNOMIAL`] the one after. The word
/// that follows, and is the lowest now, comes first.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn without_lowest(low: __m128i, above: __m128i) -> __m128i {
    let t = _mm_clmulepi64_si128::<0x00>(low, _mm_set1_epi64x(POLYNOMIAL));
    let rest = apart128(_mm_xor_si128(_mm_shuffle_epi32::<SWAP>(low), above));
    _mm_xor_si128(rest, t)
}

/// [`Product::reduce`] of its parts, step by step.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
pub(super) fn reduce([low, middle, high]: [__m128i; 3], beside: &mut impl Step) -> __m128i {
    let low = without_lowest(low, middle);
    beside.step();
    let sum = without_lowest(low, high);
    beside.step();
    sum
}

/// x^127 + x^126 + x^121 + 1 over x^64: the upper half of the field's polynomial.
pub(in crate::kernel) const POLYNOMIAL: i64 = 0xc200_0000_0000_0000_u64.cast_signed();
/// Exchanges the 64-bit halves, as four 32-bit indices.
pub(in crate::kernel) const SWAP: i32 = 0x4e;

/// Low half plus high half, in both halves.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn halves(x: __m128i) -> __m128i {
    _mm_xor_si128(x, _mm_shuffle_epi32::<SWAP>(x))
}

/// `a · b · x^-128`.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
fn dot(a: __m128i, b: __m128i, beside: &mut impl Step) -> __m128i {
    let mut product = Product::zero();
    product.add(a, b, halves(b));
    reduce(product.parts(), beside)
}

/// `a · a · x^-128`: the middle terms are equal and cancel.
#[inline]
#[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
pub(super) fn square(a: __m128i, beside: &mut impl Step) -> __m128i {
    let low = _mm_clmulepi64_si128::<0x00>(a, a);
    let high = _mm_clmulepi64_si128::<0x11>(a, a);
    reduce([low, _mm_setzero_si128(), high], beside)
}

/// Where the powers are, for messages of any length.
pub(in crate::kernel) type ShortRoom = Steps<GROUP>;

/// Powers of the authentication key: H^(k+1) at k.
pub(in crate::kernel) struct Powers<'a>(&'a Steps<GROUP>);

impl<'a> Powers<'a> {
    /// The powers for a message of so many bytes.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn for_message(
        h: __m128i,
        aad_len: usize,
        text_len: usize,
        room: &'a mut Steps<GROUP>,
        beside: &mut impl Step,
    ) -> Self {
        Self::new(h, aad_len.max(text_len).div_ceil(16), room, beside)
    }

    /// POLYVAL of that message.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
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

    /// Prepares groups of up to `vectors` blocks, at most [`GROUP`] of them.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn new(
        h: __m128i,
        vectors: usize,
        room: &'a mut Steps<GROUP>,
        beside: &mut impl Step,
    ) -> Self {
        set_step(room, 1, h);
        let h2 = square(h, beside);
        set_step(room, 2, h2);
        if vectors > 2 {
            let h4 = square(h2, beside);
            let h3 = dot(h2, h, beside);
            set_step(room, 3, h3);
            set_step(room, 4, h4);
            if vectors > 4 {
                for (k, power) in [h, h2, h3, h4].into_iter().enumerate() {
                    set_step(room, 5 + k, dot(h4, power, beside));
                }
            }
        }
        Self(room)
    }

    /// H^`vectors` and its halves.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn step(&self, vectors: usize) -> (__m128i, __m128i) {
        let i = (vectors - 1) % GROUP;
        (load128(&self.0.powers[i]), load128(&self.0.halves[i]))
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn set_step(steps: &mut Steps<GROUP>, k: usize, power: __m128i) {
    store128(&mut steps.powers[k - 1], power);
    store128(&mut steps.halves[k - 1], halves(power));
}

/// The running sum, the newest block added but not multiplied.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Horner(pub(in crate::kernel) __m128i);

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

    /// Absorbs `vectors` and then `last`: groups first, then what does not fill one.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    fn absorb_vectors(
        &mut self,
        powers: &Powers<'_>,
        vectors: &[Block],
        last: __m128i,
        beside: &mut impl Step,
    ) {
        let (groups, odd) = vectors.as_chunks::<GROUP>();
        for group in groups {
            let last = load128(&group[GROUP - 1]);
            self.absorb_group(powers, &group[..GROUP - 1], last, beside);
        }
        self.absorb_group(powers, odd, last, beside);
    }

    /// `A := A·H^g + … + vectors·H + last`, one reduction; g ≤ [`GROUP`].
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn absorb_group(
        &mut self,
        powers: &Powers<'_>,
        vectors: &[Block],
        last: __m128i,
        beside: &mut impl Step,
    ) {
        let mut product = Product::zero();
        for (i, vector) in vectors.iter().rev().enumerate() {
            let (power, power_halves) = powers.step(i + 1);
            product.add(load128(vector), power, power_halves);
        }
        let (power, power_halves) = powers.step(vectors.len() + 1);
        product.add(self.0, power, power_halves);
        self.0 = _mm_xor_si128(reduce(product.parts(), beside), last);
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
