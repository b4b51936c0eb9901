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

use super::Polyval;
use super::avx2::{POLYNOMIAL, SWAP};
use crate::kernel::Block;
use crate::tier::bytes::{load128, load512, load512_padded, store128, store512};
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

impl Polyval for Avx512 {
    #[inline(always)]
    fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        if aad.len() <= SHORT_AAD_LEN && text.len() <= SHORT_TEXT_LEN {
            polyval_short(self, h, aad, text, length_block)
        } else {
            polyval(self, h, aad, text, length_block)
        }
    }
}

/// Up to here everything stays in registers, in the caller's own frame.
const SHORT_AAD_LEN: usize = 64;
pub(in crate::kernel) const SHORT_TEXT_LEN: usize = 128;

kernel! {
    pub(in crate::kernel) fn polyval_short(
        tier: Avx512, h: &Block, aad: &[u8], text: &[u8], length_block: &Block,
    ) -> Block {
        let powers = LowPowers::new(h);
        let mut sum = Horner::pad_in_front(aad);
        let tail = sum.absorb_short(&powers, text);
        sum.fold(&powers, tail, length_block)
    }
}

/// Vectors between two reductions.
pub(in crate::kernel) const GROUP: usize = 16;

kernel! {
    fn polyval(tier: Avx512, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        let longest = aad.len().max(text.len());
        let powers = Powers::new(h, longest.div_ceil(64));
        let mut sum = Horner::start(&powers, aad);
        let tail = sum.absorb(&powers, text);
        sum.finish(&powers, tail, length_block)
    }
}

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

    /// The two 128-bit halves of the sum of the products.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn wide(self) -> (__m512i, __m512i) {
        let middle = xor3(self.middle, self.low, self.high);
        (
            _mm512_xor_si512(self.low, _mm512_bslli_epi128::<8>(middle)),
            _mm512_xor_si512(self.high, _mm512_bsrli_epi128::<8>(middle)),
        )
    }

    /// The same with one shuffle less; the masks are worth their making in a loop only.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn wide_in_loop(self) -> (__m512i, __m512i) {
        let middle = xor3(self.middle, self.low, self.high);
        let middle = _mm512_shuffle_epi32::<SWAP>(middle);
        (
            _mm512_mask_xor_epi64(self.low, 0b1010_1010, self.low, middle),
            _mm512_mask_xor_epi64(self.high, 0b0101_0101, self.high, middle),
        )
    }

    /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3), lane by lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    pub(in crate::kernel) fn reduce(self) -> __m512i {
        reduce(self.wide())
    }

    /// The same of the sum over the lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,pclmulqdq")]
    fn reduce_sum(self) -> __m128i {
        let (low, high) = self.wide();
        let (low, high) = (sum_of_lanes(low), sum_of_lanes(high));
        let polynomial = _mm_set1_epi64x(POLYNOMIAL);
        let t = _mm_clmulepi64_si128::<0x00>(low, polynomial);
        let low = _mm_xor_si128(_mm_shuffle_epi32::<SWAP>(low), t);
        let t = _mm_clmulepi64_si128::<0x00>(low, polynomial);
        _mm_ternarylogic_epi64::<XOR3>(_mm_shuffle_epi32::<SWAP>(low), t, high)
    }
}

/// Two 128-bit halves times x^-128 modulo the field's polynomial, lane by lane.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn reduce((low, high): (__m512i, __m512i)) -> __m512i {
    let polynomial = _mm512_set1_epi64(POLYNOMIAL);
    let t = _mm512_clmulepi64_epi128::<0x00>(low, polynomial);
    let low = _mm512_xor_si512(_mm512_shuffle_epi32::<SWAP>(low), t);
    let t = _mm512_clmulepi64_epi128::<0x00>(low, polynomial);
    xor3(_mm512_shuffle_epi32::<SWAP>(low), t, high)
}

/// The truth table of `a ^ b ^ c`.
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
    let x = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
    _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x))
}

/// `a · b · x^-128`, lane by lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn dot(a: __m512i, b: __m512i) -> __m512i {
    let mut product = Product::zero();
    product.add(a, b, halves(b));
    product.reduce()
}

/// `a · a · x^-128`, lane by lane: the middle terms are equal and cancel.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn square(a: __m512i) -> __m512i {
    let low = _mm512_clmulepi64_epi128::<0x00>(a, a);
    reduce((low, _mm512_clmulepi64_epi128::<0x11>(a, a)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn first_in_every_lane(x: __m512i) -> __m512i {
    _mm512_shuffle_i32x4::<0x00>(x, x)
}

/// The first eight powers of the authentication key.
pub(in crate::kernel) struct LowPowers {
    /// H^4, H^3, H^2, H^1 in lanes 0 to 3.
    to_4: __m512i,
    /// H^8, H^7, H^6, H^5.
    to_8: __m512i,
    /// H^4 in every lane.
    h4: __m512i,
}

impl LowPowers {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq,pclmulqdq")]
    pub(in crate::kernel) fn new(h: &Block) -> Self {
        let h = _mm512_broadcast_i32x4(load128(h));
        let h2 = square(h);
        let h2_h = _mm512_mask_blend_epi64(0b1100_1100, h2, h);
        // Lanes 0 and 1 multiply H^2 by H^2 and H; lanes 2 and 3 are H^2 and H already.
        let to_4 = _mm512_mask_blend_epi64(0b1111_0000, dot(h2, h2_h), h2_h);
        let h4 = square(h2);
        Self {
            to_4,
            to_8: dot(to_4, h4),
            h4,
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
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq,pclmulqdq")]
    pub(in crate::kernel) fn new(h: &Block, vectors: usize) -> Self {
        let low = LowPowers::new(h);
        let h8 = square(low.h4);
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
        let first = _mm512_mask_blend_epi64(0b1111_0000, h4_h8, dot(h8, h4_h8));
        powers.set_steps(0, first);
        if vectors > 4 {
            // A square is there sooner than a product.
            let h16 = square(h8);
            let second = dot(first, h16);
            powers.set_steps(4, second);
            if vectors > 8 {
                let h32 = square(h16);
                powers.set_steps(8, dot(first, h32));
                powers.set_steps(12, dot(second, h32));
            }
        }
        powers
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
    lanes: __m512i,
}

impl Horner {
    /// Starts with at most one vector, padded in front.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
    pub(in crate::kernel) fn pad_in_front(bytes: &[u8]) -> Self {
        // Lane masks in pairs of 64-bit words; `expand` moves the blocks to the last lanes.
        const LANES: [u8; 5] = [0, 0b1100_0000, 0b1111_0000, 0b1111_1100, 0b1111_1111];
        let lanes = LANES[bytes.len().div_ceil(16).min(4)];
        Self(_mm512_maskz_expand_epi64(lanes, load512_padded(bytes)))
    }

    /// Absorbs the AAD, padded to whole vectors in front.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
    pub(in crate::kernel) fn start(powers: &Powers, aad: &[u8]) -> Self {
        let in_front = aad.len().div_ceil(16) % 4;
        let (first, rest) = aad.split_at(aad.len().min(16 * in_front));
        let mut sum = Self::pad_in_front(first);
        if !rest.is_empty() {
            sum.absorb(powers, rest);
        }
        sum
    }

    /// Absorbs whole vectors of a `text` of at most [`SHORT_TEXT_LEN`] bytes as
    /// [`Horner::absorb`] does, and returns what is left.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
    pub(in crate::kernel) fn absorb_short(&mut self, powers: &LowPowers, text: &[u8]) -> Tail {
        let (first, second) = text.split_at(text.len().min(64));
        let (first_len, second_len) = (first.len(), second.len());
        let (first, second) = (load512_padded(first), load512_padded(second));
        if first_len <= 48 {
            return Tail {
                blocks: first_len.div_ceil(16),
                lanes: first,
            };
        }
        let mut product = Product::zero();
        if second_len <= 48 {
            product.add(self.0, powers.h4, halves(powers.h4));
            self.0 = _mm512_xor_si512(product.reduce(), first);
            Tail {
                blocks: second_len.div_ceil(16),
                lanes: second,
            }
        } else {
            let h8 = first_in_every_lane(powers.to_8);
            product.add(self.0, h8, halves(h8));
            product.add(first, powers.h4, halves(powers.h4));
            self.0 = _mm512_xor_si512(product.reduce(), second);
            Tail {
                blocks: 0,
                lanes: _mm512_setzero_si512(),
            }
        }
    }

    /// Absorbs whole vectors of `text`, counting one of more than 48 bytes as whole,
    /// and returns what is left.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
    pub(in crate::kernel) fn absorb(&mut self, powers: &Powers, text: &[u8]) -> Tail {
        let (vectors, rest) = text.as_chunks::<64>();
        if rest.len() > 48 {
            self.absorb_vectors(powers, vectors, load512_padded(rest));
            Tail {
                blocks: 0,
                lanes: _mm512_setzero_si512(),
            }
        } else {
            if let Some((last, others)) = vectors.split_last() {
                self.absorb_vectors(powers, others, load512(last));
            }
            Tail {
                blocks: rest.len().div_ceil(16),
                lanes: load512_padded(rest),
            }
        }
    }

    /// Absorbs `vectors` and then `last`: first what does not fill a group, then groups.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
    fn absorb_vectors(&mut self, powers: &Powers, vectors: &[[u8; 64]], last: __m512i) {
        let (odd, groups) = vectors.split_at(vectors.len() % GROUP);
        let Some((first, groups)) = groups.split_first_chunk::<{ GROUP }>() else {
            return self.absorb_group(powers, odd, last);
        };
        self.absorb_group(powers, odd, load512(&first[0]));
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
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
    pub(in crate::kernel) fn absorb_group(
        &mut self,
        powers: &Powers,
        vectors: &[[u8; 64]],
        last: __m512i,
    ) {
        let mut product = Product::zero();
        // From the lowest power up: in a short message the highest are still being made.
        for (i, vector) in vectors.iter().rev().enumerate() {
            let (power, power_halves) = powers.step(i + 1);
            product.add(load512(vector), power, power_halves);
        }
        let (power, power_halves) = powers.step(vectors.len() + 1);
        product.add(self.0, power, power_halves);
        self.0 = _mm512_xor_si512(product.reduce(), last);
    }

    /// The same for a whole group whose first vector is in the sum already.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,vpclmulqdq")]
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
        self.0 = _mm512_xor_si512(reduce(product.wide_in_loop()), last);
    }

    /// Folds the lanes together with the tail and the length block.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq,pclmulqdq")]
    pub(in crate::kernel) fn finish(
        self,
        powers: &Powers,
        tail: Tail,
        length_block: &Block,
    ) -> Block {
        self.fold(&powers.low, tail, length_block)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq,pclmulqdq")]
    fn fold(self, powers: &LowPowers, tail: Tail, length_block: &Block) -> Block {
        let r = tail.blocks % 4;
        let length_lane = 0b1111 << (4 * r);
        let tail = _mm512_mask_broadcast_i32x4(tail.lanes, length_lane, load128(length_block));
        // Word indices that bring H^(r+1) … H^1 and H^(r+5) … H^(r+2) to lanes 0 to 3.
        let word = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
        let shift = _mm512_set1_epi64(2 * (3 - r as i64));
        let indices = _mm512_add_epi64(word, shift);
        let used = 0xff >> (2 * (3 - r));
        let tail_powers = _mm512_maskz_permutexvar_epi64(used, indices, powers.to_4);
        // `to_8 ‖ to_4` counts down from H^8, so the same shift reaches into both.
        let sum_powers = _mm512_permutex2var_epi64(powers.to_8, indices, powers.to_4);
        let mut product = Product::zero();
        product.add(self.0, sum_powers, halves(sum_powers));
        product.add(tail, tail_powers, halves(tail_powers));
        let mut out = [0; 16];
        store128(&mut out, product.reduce_sum());
        out
    }
}
