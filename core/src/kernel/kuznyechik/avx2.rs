//! Kuznyechik on AVX2, thirty-two blocks in sixteen vectors, Pi by look-ups of nibbles.

pub(super) mod few_blocks;

use super::byte_sliced::nibbles::{
    INVERSE_TABLES, InverseTables, Row, Split, TABLES, Tables, look_ups, times,
};
use super::byte_sliced::vectors::byte_slices;
use super::byte_sliced::{self, Byte, near_relations};
use super::constants;
use super::{Block, Kuznyechik};
use crate::tier::bytes::{load128, load256 as load, store256 as store};
use crate::tier::{Avx2, kernel};
use _mm256_add_epi8 as add;
use _mm256_min_epu8 as min;
use _mm256_sub_epi8 as sub;
use _mm256_unpackhi_epi8 as unpack_high;
use _mm256_unpacklo_epi8 as unpack_low;
use _mm256_xor_si256 as xor;
use INVERSE_TABLES as PI_INVERSE;
use TABLES as PI;
use core::arch::x86_64::*;

type Vector = __m256i;
type RoundKeys = byte_sliced::RoundKeys<16>;

look_ups!("avx2", Split);

/// What the steps add for `key`, and what their doublings shift.
fn relations(key: u128) -> [u8; 16] {
    (near_relations(key) ^ u128::from_ne_bytes([DOUBLING_SHIFT; 16])).to_le_bytes()
}

/// What seven doublings shift a sum by: see [`double`].
const DOUBLING_SHIFT: u8 = {
    let mut sum = 0;
    let mut i = 0;
    while i < 7 {
        sum = constants::multiply(sum, 2) ^ 0xc3;
        i += 1;
    }
    sum
};

crate::tier::helpers! {
    "avx2";
    /// Each byte times x modulo x^8 + x^7 + x^6 + x + 1, plus 0xc3: a look-up gives zero for
    /// bytes with the top bit set, and 0xc3 for the others.
    fn double(a: Vector) -> Vector {
        let shift = _mm256_shuffle_epi8(_mm256_set1_epi8(0xc3_u8.cast_signed()), a);
        xor(add(a, a), shift)
    }

    pub(super) fn look_up(row: &Row, x: Vector) -> Vector {
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load128(row)), x)
    }

    /// A linear map of bytes.
    fn apply(split: &Split, x: Vector) -> Vector {
        let mask = _mm256_set1_epi8(0xf);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(x), mask);
        xor(look_up(&split.low, _mm256_and_si256(x, mask)), look_up(&split.high, high))
    }

    /// `if_zero` where a logarithm is that of zero, which alone has the top bit, else `other`.
    pub(super) fn choose(logs: Vector, if_zero: Vector, other: Vector) -> Vector {
        _mm256_blendv_epi8(other, if_zero, logs)
    }

    pub(super) fn broadcast(byte: Byte) -> Vector {
        _mm256_set1_epi64x(i64::from_ne_bytes(byte))
    }
}

macro_rules! sum {
    ($a:expr) => { $a };
    ($a:expr, $($more:expr),+) => { xor($a, sum!($($more),+)) };
}

static TIMES_148: Split = times(148);

/// L, and the addition of a key, as `linear!`, by sixteen steps of R. A step is Horner's rule over
/// the powers of x that the coefficients are sums of: 148 = x^7 + x^4 + x^2, 32 = x^5,
/// 133 = x^7 + x^2 + 1, 16 = x^4, 194 = x^7 + x^6 + x, 192 = x^7 + x^6,
/// 251 = x^7 + x^6 + x^5 + x^4 + x^3 + x + 1.
///
/// The byte that the step before made (`newest`) is multiplied by itself: in the sum it
/// would hold up the next step for all seven doublings.
macro_rules! steps {
    ($v:expr, $key:expr) => { steps!($v, $key, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    ($v:expr, $key:expr, $($i:literal)*) => {{
        let (mut v, key) = ($v, $key);
        $(
            let p148 = v[($i + 1) % 16];
            let p32 = xor(v[($i + 2) % 16], v[($i + 14) % 16]);
            let p133 = xor(v[($i + 3) % 16], v[($i + 13) % 16]);
            let p16 = xor(v[($i + 4) % 16], v[($i + 12) % 16]);
            let p194 = xor(v[($i + 5) % 16], v[($i + 11) % 16]);
            let p192 = xor(v[($i + 6) % 16], v[($i + 10) % 16]);
            let p251 = v[($i + 8) % 16];
            let p148_133 = xor(p148, p133);
            let x6 = sum!(p194, p192, p251);
            let horner = double(xor(x6, p148_133));
            let horner = double(xor(horner, x6));
            let horner = double(sum!(horner, p32, p251));
            let horner = double(sum!(horner, p148, p16, p251));
            let horner = double(xor(horner, p251));
            let horner = double(xor(horner, p148_133));
            let horner = double(sum!(horner, p194, p251));
            let end = sum!(p133, v[($i + 7) % 16], v[($i + 9) % 16], p251, v[$i], key($i));
            let newest = apply(&TIMES_148, v[($i + 15) % 16]);
            v[$i] = sum!(newest, horner, end);
        )*
        v
    }};
}

byte_slices!(Avx2, "avx2", few_blocks::expand, steps, FEW: 6, few_blocks);
