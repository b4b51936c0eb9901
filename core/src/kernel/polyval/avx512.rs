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

pub(in crate::kernel) use powers::{LowPowers, Powers, ShortRoom};

use super::products::{POLYNOMIAL, SWAP, products};
use _mm512_clmulepi64_epi128 as multiply;
use _mm512_shuffle_epi32 as exchange;
use core::arch::x86_64::*;

products!(
    m512,
    "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq",
    "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni",
    GROUP: 16
);

/// Vectors between two reductions in a message of at most [`FEW`] vectors, where more powers
/// would cost more than the reductions.
const HALF_GROUP: usize = GROUP / 2;
const FEW: usize = 32;

/// The upper halves are multiplied for the middle term: see `horner`.
const HALVES: i32 = 0x11;

const XOR3: i32 = 0x96;

crate::tier::helpers! {
    "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq";
    /// A step of the reduction, lane by lane; see `products`.
    fn without_lowest(low: __m512i, above: __m512i) -> __m512i {
        let t = multiply::<0x00>(low, _mm512_set1_epi64(POLYNOMIAL));
        xor3(exchange::<SWAP>(low), above, t)
    }

    fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<XOR3>(a, b, c)
    }

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
    fn multiply_add(a: __m512i, b: __m512i, plus: [__m512i; 3]) -> [__m512i; 3] {
        let low = multiply::<0x00>(a, b);
        let middle = multiply::<0x01>(a, b);
        let other = multiply::<0x10>(a, b);
        let high = multiply::<0x11>(a, b);
        [vector::xor(plus[0], low), xor3(plus[1], middle, other), vector::xor(plus[2], high)]
    }
}

/// `a · b · x^-128`, lane by lane.
#[inline]
#[target_feature(enable = "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni")]
fn dot(a: __m512i, b: __m512i, beside: &mut impl Step) -> __m512i {
    reduce(multiply_add(a, b, [_mm512_setzero_si512(); 3]), beside)
}
