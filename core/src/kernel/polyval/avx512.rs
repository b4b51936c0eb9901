//! POLYVAL on VPCLMULQDQ, four blocks in a 512-bit vector.
//!
//! Every lane runs a Horner sum of its own in H^4, so the same power is in
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

mod horner;
mod powers;

pub(in crate::kernel) use horner::Horner;
pub(in crate::kernel) use powers::{LowPowers, Powers, ShortRoom};

use super::Step;
use super::avx2::{POLYNOMIAL, SWAP};
use crate::tier::bytes::load512_narrow;
use core::arch::x86_64::*;

/// A text in vectors: the last one, which may be cut short, in a register and after its
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

/// Vectors between two reductions in a long message.
pub(in crate::kernel) const GROUP: usize = 16;
/// The same in one of at most [`FEW`] vectors, where more powers would cost more than the
/// reductions.
const HALF_GROUP: usize = GROUP / 2;
const FEW: usize = 32;

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

/// Low, middle and high of `a · b + plus`, the middle one without the other two. Four
/// multiplications: where no halves are there, three and what Karatsuba adds to them are more
/// instructions, and are no sooner done.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn multiply_add(a: __m512i, b: __m512i, plus: [__m512i; 3]) -> [__m512i; 3] {
    let low = _mm512_clmulepi64_epi128::<0x00>(a, b);
    let middle = _mm512_clmulepi64_epi128::<0x01>(a, b);
    let other = _mm512_clmulepi64_epi128::<0x10>(a, b);
    let high = _mm512_clmulepi64_epi128::<0x11>(a, b);
    [
        _mm512_xor_si512(plus[0], low),
        xor3(plus[1], middle, other),
        _mm512_xor_si512(plus[2], high),
    ]
}

/// `a · b · x^-128`, lane by lane.
#[inline]
#[target_feature(
    enable = "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni"
)]
fn dot(a: __m512i, b: __m512i, beside: &mut impl Step) -> __m512i {
    reduce(multiply_add(a, b, [_mm512_setzero_si512(); 3]), beside)
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
