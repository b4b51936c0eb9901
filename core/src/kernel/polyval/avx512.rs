//! POLYVAL on VPCLMULQDQ, four blocks in a 512-bit vector.
//!
//! Every lane runs a Horner sum of its own in H^4, so the same power stands in
//! all lanes and nothing crosses them until the end:
//!
//! ```text
//! lanes        0     1     2     3
//! vector 0     X1    X2    X3    X4        A := A·H^4 + vector, lane by lane;
//! vector 1     X5    X6    X7    X8        sixteen vectors with one reduction
//! …
//! tail         Y1    Y2    L     –         r < 4 blocks and the length block
//!
//! S = A·(H^(r+5) … H^(r+2)) + tail·(H^(r+1) … H^1), summed over the lanes
//! ```
//!
//! Zeros in front do not change a polynomial, so the first AAD vector is padded
//! there and the text starts at a lane boundary. Products are Karatsuba's: three
//! multiplications, the reduction delayed to the end of a group. All inputs but
//! the lengths are secret; nothing branches on them.

use super::avx2::{self, POLYNOMIAL, SWAP};
use super::{Alone, Beside, Polyval, Step};
use crate::kernel::Block;
use crate::tier::bytes::{load128, load512, load512_narrow, store128, store512};
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

impl Polyval for Avx512 {
    #[inline(always)]
    fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        polyval(self, h, aad, text, length_block)
    }
}

kernel! {
    fn polyval(tier: Avx512, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        let mut out = [0; 16];
        store128(&mut out, hash(load128(h), aad, text.len(), load128(length_block), &mut Alone(in_vectors(text))));
        out
    }
}

/// POLYVAL with `beside` called wherever a product is waited for, with what may run at the
/// same time.
#[inline]
#[target_feature(
    enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
)]
pub(in crate::kernel) fn hash<'a>(
    h: __m128i,
    aad: &[u8],
    text_len: usize,
    length_block: __m128i,
    beside: &mut impl Beside<Text<'a>>,
) -> __m128i {
    if aad.is_empty() && text_len <= 16 {
        let h2 = avx2::square(h, beside);
        let block = beside
            .text()
            .1
            .map_or(_mm512_setzero_si512(), |(_, block)| block);
        return avx2::one_block([h, h2], _mm512_castsi512_si128(block), length_block, beside);
    }
    let low = LowPowers::new(h, beside);
    if aad.len() <= SHORT_AAD_LEN && text_len <= SHORT_TEXT_LEN {
        let mut sum = Horner::pad_in_front(aad);
        let text = beside.text();
        let tail = sum.absorb_short(aad.is_empty(), &low, text, beside);
        sum.fold(&low, tail, length_block, beside)
    } else {
        let longest = aad.len().max(text_len);
        let powers = Powers::new(low, longest.div_ceil(64), beside);
        let mut sum = Horner::start(&powers, aad, beside);
        let text = beside.text();
        let tail = sum.absorb(&powers, text, beside);
        sum.finish(&powers, tail, length_block, beside)
    }
}

/// A text in vectors: the last one, which may be cut short, in a register and behind its
/// length, and those before it.
pub(in crate::kernel) type Text<'a> = (&'a [[u8; 64]], Option<(usize, __m512i)>);

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(in crate::kernel) fn in_vectors(text: &[u8]) -> Text<'_> {
    let whole = text.len().saturating_sub(1) / 64 * 64;
    let (vectors, last) = text.split_at(whole);
    let last = (!last.is_empty()).then(|| (last.len(), load512_narrow(last)));
    (vectors.as_chunks().0, last)
}

/// Up to here everything stays in registers.
pub(in crate::kernel) const SHORT_AAD_LEN: usize = 64;
pub(in crate::kernel) const SHORT_TEXT_LEN: usize = 256;

/// Vectors between two reductions.
pub(in crate::kernel) const GROUP: usize = 16;

/// A product that is not yet reduced: low, middle and high 128 bits, Karatsuba's
/// middle term still with the other two in it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Product {
    low: __m512i,
    middle: __m512i,
    high: __m512i,
}

impl Product {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(in crate::kernel) fn zero() -> Self {
        let zero = _mm512_setzero_si512();
        Self {
            low: zero,
            middle: zero,
            high: zero,
        }
    }

    /// Adds `x · power`; `power_halves` is [`halves`] of the power.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    pub(in crate::kernel) fn add(&mut self, x: __m512i, power: __m512i, power_halves: __m512i) {
        self.add_with_halves(x, halves(x), power, power_halves);
    }

    /// The same with `low + high` of `x` in the high half of each block of `x_halves`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    fn add_with_halves(
        &mut self,
        x: __m512i,
        x_halves: __m512i,
        power: __m512i,
        power_halves: __m512i,
    ) {
        let low = _mm512_clmulepi64_epi128::<0x00>(x, power);
        let high = _mm512_clmulepi64_epi128::<0x11>(x, power);
        let middle = _mm512_clmulepi64_epi128::<0x11>(x_halves, power_halves);
        self.low = _mm512_xor_si512(self.low, low);
        self.high = _mm512_xor_si512(self.high, high);
        self.middle = _mm512_xor_si512(self.middle, middle);
    }

    /// Low, middle and high, the middle one without the other two.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn parts(self) -> [__m512i; 3] {
        [self.low, xor3(self.middle, self.low, self.high), self.high]
    }

    /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3), lane by lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    pub(in crate::kernel) fn reduce(self) -> __m512i {
        let [low, middle, high] = self.parts();
        without_lowest(without_lowest(low, middle), high)
    }
}

/// A step of the reduction, lane by lane; see the narrowest kernel.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn without_lowest(low: __m512i, above: __m512i) -> __m512i {
    let t = _mm512_clmulepi64_epi128::<0x00>(low, _mm512_set1_epi64(POLYNOMIAL));
    xor3(_mm512_shuffle_epi32::<SWAP>(low), above, t)
}

/// [`Product::reduce`] of its parts, step by step.
#[inline]
#[target_feature(
    enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
)]
fn reduce([low, middle, high]: [__m512i; 3], beside: &mut impl Step) -> __m512i {
    let low = without_lowest(low, middle);
    beside.step();
    let sum = without_lowest(low, high);
    beside.step();
    sum
}

const XOR3: i32 = 0x96;

#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<XOR3>(a, b, c)
}

/// Low half plus high half of each lane, in both halves.
#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::kernel) fn halves(x: __m512i) -> __m512i {
    _mm512_xor_si512(x, _mm512_shuffle_epi32::<SWAP>(x))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn sum_of_lanes(x: __m512i) -> __m128i {
    // Three moves at once, which take five cycles each, and not two after each other.
    let lanes = [
        _mm512_extracti32x4_epi32::<1>(x),
        _mm512_extracti32x4_epi32::<2>(x),
        _mm512_extracti32x4_epi32::<3>(x),
    ];
    let sum = _mm_ternarylogic_epi64::<XOR3>(lanes[0], lanes[1], lanes[2]);
    _mm_xor_si128(_mm512_castsi512_si128(x), sum)
}

/// `a · b · x^-128`, lane by lane.
#[inline]
#[target_feature(
    enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
)]
fn dot(a: __m512i, b: __m512i, beside: &mut impl Step) -> __m512i {
    let mut product = Product::zero();
    product.add(a, b, halves(b));
    reduce(product.parts(), beside)
}

/// `a · a · x^-128`, lane by lane: the middle terms are equal and cancel.
#[inline]
#[target_feature(
    enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
)]
fn square(a: __m512i, beside: &mut impl Step) -> __m512i {
    let low = _mm512_clmulepi64_epi128::<0x00>(a, a);
    let high = _mm512_clmulepi64_epi128::<0x11>(a, a);
    reduce([low, _mm512_setzero_si512(), high], beside)
}

/// The first eight powers of the authentication key.
pub(in crate::kernel) struct LowPowers {
    /// H^4, H^3, H^2, H^1 in lanes 0 to 3.
    to_4: __m512i,
    /// H^8, H^7, H^6, H^5.
    to_8: __m512i,
    /// H^4 and H^8 in every lane.
    h4: __m512i,
    h8: __m512i,
}

impl LowPowers {
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn new(h: __m128i, beside: &mut impl Step) -> Self {
        let h = _mm512_broadcast_i32x4(h);
        let h2 = square(h, beside);
        let h2_h = _mm512_mask_blend_epi64(0b1100_1100, h2, h);
        let h4 = square(h2, &mut ());
        // Lanes 0 and 1 multiply H^2 by H^2 and H; lanes 2 and 3 are H^2 and H already.
        let to_4 = _mm512_mask_blend_epi64(0b1111_0000, dot(h2, h2_h, beside), h2_h);
        let h8 = square(h4, &mut ());
        Self {
            to_4,
            to_8: dot(to_4, h4, beside),
            h4,
            h8,
        }
    }
}

/// The powers for groups of vectors, only as many as the message needs.
pub(in crate::kernel) struct Powers {
    pub(in crate::kernel) low: LowPowers,
    /// `steps[k]` is H^(4(k+1)) and stands for itself in every lane.
    steps: [Block; GROUP],
    /// The same under [`halves`].
    step_halves: [Block; GROUP],
}

impl Powers {
    /// Prepares groups of up to `vectors` vectors, at most [`GROUP`] of them.
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn new(low: LowPowers, vectors: usize, beside: &mut impl Step) -> Self {
        let h8 = low.h8;
        let h4_h8 = _mm512_mask_blend_epi64(0b1100_1100, low.h4, h8);
        let mut powers = Self {
            low,
            steps: [[0; 16]; GROUP],
            step_halves: [[0; 16]; GROUP],
        };
        if vectors <= 2 {
            powers.set_steps(0, h4_h8);
            return powers;
        }
        // Lanes 2 and 3 multiply H^8 by H^4 and H^8.
        let first = _mm512_mask_blend_epi64(0b1111_0000, h4_h8, dot(h8, h4_h8, beside));
        powers.set_steps(0, first);
        if vectors > 4 {
            // A square is there sooner than a product.
            let h16 = square(h8, &mut ());
            let second = dot(first, h16, beside);
            powers.set_steps(4, second);
            if vectors > 8 {
                let h32 = square(h16, beside);
                powers.set_steps(8, dot(first, h32, beside));
                powers.set_steps(12, dot(second, h32, beside));
            }
        }
        powers
    }

    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn from_key(h: __m128i, vectors: usize, beside: &mut impl Step) -> Self {
        Self::new(LowPowers::new(h, beside), vectors, beside)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn set_steps(&mut self, from: usize, lanes: __m512i) {
        if let Some(steps) = self.steps.as_flattened_mut()[16 * from..].first_chunk_mut() {
            store512(steps, lanes);
        }
        if let Some(steps) = self.step_halves.as_flattened_mut()[16 * from..].first_chunk_mut() {
            store512(steps, halves(lanes));
        }
    }

    /// H^(4·`vectors`) in every lane, and its halves.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in crate::kernel) fn step(&self, vectors: usize) -> (__m512i, __m512i) {
        let i = (vectors - 1) % GROUP;
        (
            _mm512_broadcast_i32x4(load128(&self.steps[i])),
            _mm512_broadcast_i32x4(load128(&self.step_halves[i])),
        )
    }
}

/// The vector `i` of a group, not the first, with each low half over its high half: a load
/// from eight bytes before it. The port that shuffles also multiplies, and is the busiest.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_shifted(group: &[[u8; 64]; GROUP], i: usize) -> __m512i {
    match group.as_flattened()[64 * i - 8..].first_chunk() {
        Some(bytes) => load512(bytes),
        None => _mm512_setzero_si512(),
    }
}

/// The four running sums, the newest vector added but not multiplied.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Horner(pub(in crate::kernel) __m512i);

/// What is left of a text after its whole vectors: fewer than four blocks.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Tail {
    blocks: usize,
    lanes: Option<__m512i>,
}

impl Tail {
    const EMPTY: Self = Self {
        blocks: 0,
        lanes: None,
    };

    /// What is left with a last vector of so many bytes.
    #[inline(always)]
    fn of(len: usize, last: __m512i) -> Self {
        match len {
            ..=48 => Self {
                blocks: len.div_ceil(16),
                lanes: Some(last),
            },
            _ => Self::EMPTY,
        }
    }
}

impl Horner {
    /// Starts with at most one vector, padded in front.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq,pclmulqdq")]
    pub(in crate::kernel) fn pad_in_front(bytes: &[u8]) -> Self {
        // Lane masks in pairs of 64-bit words; `expand` moves the blocks to the last lanes.
        const LANES: [u8; 5] = [0, 0b1100_0000, 0b1111_0000, 0b1111_1100, 0b1111_1111];
        let lanes = LANES[bytes.len().div_ceil(16).min(4)];
        Self(_mm512_maskz_expand_epi64(lanes, load512_narrow(bytes)))
    }

    /// Absorbs the AAD, padded to whole vectors in front.
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn start(powers: &Powers, aad: &[u8], beside: &mut impl Step) -> Self {
        let in_front = aad.len().div_ceil(16) % 4;
        let (first, rest) = aad.split_at(aad.len().min(16 * in_front));
        let mut sum = Self::pad_in_front(first);
        if !rest.is_empty() {
            sum.absorb(powers, in_vectors(rest), beside);
        }
        sum
    }

    /// `A := A·power + factors + last`; `is_empty` says that A is zero.
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    fn multiply_and_add(
        &mut self,
        is_empty: bool,
        factors: Option<(__m512i, __m512i)>,
        power: __m512i,
        last: __m512i,
        beside: &mut impl Step,
    ) {
        let mut product = Product::zero();
        if let Some((x, x_power)) = factors {
            product.add(x, x_power, halves(x_power));
        }
        if !is_empty {
            product.add(self.0, power, halves(power));
        } else if factors.is_none() {
            self.0 = last;
            return;
        }
        self.0 = _mm512_xor_si512(reduce(product.parts(), beside), last);
    }

    /// Absorbs a text of at most [`SHORT_TEXT_LEN`] bytes as [`Horner::absorb`] does, and
    /// returns what is left.
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn absorb_short(
        &mut self,
        is_empty: bool,
        powers: &LowPowers,
        (vectors, last): Text<'_>,
        beside: &mut impl Step,
    ) -> Tail {
        let Some((last_len, last)) = last else {
            return Tail::EMPTY;
        };
        let whole = vectors.len() + usize::from(last_len > 48);
        let vector = |i: usize| vectors.get(i).map_or(last, |vector| load512(vector));
        let mut done = whole % 2;
        if done == 1 {
            self.multiply_and_add(is_empty, None, powers.h4, vector(0), beside);
        }
        while done < whole {
            let first = (vector(done), powers.h4);
            let is_empty = is_empty && done == 0;
            self.multiply_and_add(is_empty, Some(first), powers.h8, vector(done + 1), beside);
            done += 2;
        }
        Tail::of(last_len, last)
    }

    /// Absorbs the vectors of a text, counting the last as whole if it has all its blocks,
    /// and returns what is left.
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn absorb(
        &mut self,
        powers: &Powers,
        (vectors, last): Text<'_>,
        beside: &mut impl Step,
    ) -> Tail {
        let Some((last_len, last)) = last else {
            return Tail::EMPTY;
        };
        if last_len > 48 {
            self.absorb_vectors(powers, vectors, last, beside);
        } else if let Some((whole, others)) = vectors.split_last() {
            self.absorb_vectors(powers, others, load512(whole), beside);
        }
        Tail::of(last_len, last)
    }

    /// Absorbs `vectors` and then `last`: first what does not fill a group, then groups.
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    fn absorb_vectors(
        &mut self,
        powers: &Powers,
        vectors: &[[u8; 64]],
        last: __m512i,
        beside: &mut impl Step,
    ) {
        let (odd, groups) = vectors.split_at(vectors.len() % GROUP);
        let Some((first, groups)) = groups.split_first_chunk::<{ GROUP }>() else {
            return self.absorb_group(powers, odd, last, beside);
        };
        self.absorb_group(powers, odd, load512(&first[0]), beside);
        let mut group = first;
        let (others, _) = groups.as_chunks::<GROUP>();
        for next in others {
            self.absorb_whole_group(powers, group, load512(&next[0]));
            group = next;
        }
        self.absorb_whole_group(powers, group, last);
    }

    /// `A := A·H^(4g) + … + vectors·H^4 + last`, one reduction; g ≤ [`GROUP`].
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn absorb_group(
        &mut self,
        powers: &Powers,
        vectors: &[[u8; 64]],
        last: __m512i,
        beside: &mut impl Step,
    ) {
        let mut product = Product::zero();
        // From the lowest power up: in a short message the highest are still being made.
        for (i, vector) in vectors.iter().rev().enumerate() {
            let (power, power_halves) = powers.step(i + 1);
            product.add(load512(vector), power, power_halves);
        }
        let (power, power_halves) = powers.step(vectors.len() + 1);
        product.add(self.0, power, power_halves);
        self.0 = _mm512_xor_si512(reduce(product.parts(), beside), last);
    }

    /// The same for a whole group whose first vector is in the sum already.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq,pclmulqdq")]
    fn absorb_whole_group(&mut self, powers: &Powers, group: &[[u8; 64]; GROUP], last: __m512i) {
        let mut product = Product::zero();
        for (i, vector) in group.iter().enumerate().skip(1) {
            let (power, power_halves) = powers.step(GROUP - i);
            let x = load512(vector);
            let x_halves = _mm512_xor_si512(x, load_shifted(group, i));
            product.add_with_halves(x, x_halves, power, power_halves);
        }
        let (power, power_halves) = powers.step(GROUP);
        product.add(self.0, power, power_halves);
        self.0 = _mm512_xor_si512(product.reduce(), last);
    }

    /// Folds the lanes together with the tail and the length block.
    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn finish(
        self,
        powers: &Powers,
        tail: Tail,
        length_block: __m128i,
        beside: &mut impl Step,
    ) -> __m128i {
        self.fold(&powers.low, tail, length_block, beside)
    }

    #[inline]
    #[target_feature(
        enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
    )]
    pub(in crate::kernel) fn fold(
        self,
        powers: &LowPowers,
        tail: Tail,
        length_block: __m128i,
        beside: &mut impl Step,
    ) -> __m128i {
        let r = tail.blocks % 4;
        let lanes = tail.lanes.unwrap_or(_mm512_setzero_si512());
        let length_lane = 0b1111 << (4 * r);
        let tail = _mm512_mask_broadcast_i32x4(lanes, length_lane, length_block);
        // Word indices that bring H^(r+1) … H^1 and H^(r+5) … H^(r+2) to lanes 0 to 3.
        let word = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
        let shift = _mm512_set1_epi64(2 * (3 - r as i64));
        let indices = _mm512_add_epi64(word, shift);
        let used = 0xff >> (2 * (3 - r));
        let tail_powers = _mm512_maskz_permutexvar_epi64(used, indices, powers.to_4);
        // `to_8 ‖ to_4` counts down from H^8, so the same shift reaches into both.
        let sum_powers = _mm512_permutex2var_epi64(powers.to_8, indices, powers.to_4);
        let mut product = Product::zero();
        product.add(tail, tail_powers, halves(tail_powers));
        product.add(self.0, sum_powers, halves(sum_powers));
        sum_of_lanes(reduce(product.parts(), beside))
    }
}
