//! Pi and its inverse on the bytes of a vector, by look-ups of nibbles.

use super::super::nibbles::{InverseTables, Row, Split, Tables};
use crate::tier::bytes::load128;
use core::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx2")]
fn look_up(row: &Row, x: __m256i) -> __m256i {
    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load128(row)), x)
}

/// The sum of two logarithms modulo 15, or a number with the top bit set if one is that
/// of zero: 15 less is a large number where there were no 15.
#[inline]
#[target_feature(enable = "avx2")]
fn add_logs(a: __m256i, b: __m256i) -> __m256i {
    let sum = _mm256_add_epi8(a, b);
    _mm256_min_epu8(sum, _mm256_sub_epi8(sum, _mm256_set1_epi8(15)))
}

/// A linear map of bytes that are in halves.
#[inline]
#[target_feature(enable = "avx2")]
fn nibble(split: &Split, low: __m256i, high: __m256i) -> __m256i {
    _mm256_xor_si256(look_up(&split.low, low), look_up(&split.high, high))
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(x: __m256i) -> (__m256i, __m256i) {
    let mask = _mm256_set1_epi8(0xf);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(x), mask);
    (_mm256_and_si256(x, mask), high)
}

/// A linear map of bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn apply(split: &Split, x: __m256i) -> __m256i {
    let (low, high) = halves(x);
    nibble(split, low, high)
}

/// Pi.
#[inline]
#[target_feature(enable = "avx2")]
pub(in super::super) fn substitute(tables: &Tables, x: __m256i) -> __m256i {
    let (low, high) = halves(x);
    let l = nibble(&tables.left, low, high);
    let r = nibble(&tables.right, low, high);
    substitute_nibbles(tables, l, r)
}

/// Pi after its first linear map.
#[inline]
#[target_feature(enable = "avx2")]
pub(in super::super) fn substitute_nibbles(tables: &Tables, l: __m256i, r: __m256i) -> __m256i {
    let quotient = add_logs(
        look_up(&tables.left_log, l),
        look_up(&tables.reciprocal_log, r),
    );
    let right_log = look_up(&tables.right_log, r);
    // The top bit of the logarithm of r says that r is zero.
    let l = _mm256_blendv_epi8(
        look_up(&tables.nu1, quotient),
        look_up(&tables.nu0, l),
        right_log,
    );
    let product = add_logs(look_up(&tables.phi_log, l), right_log);
    _mm256_xor_si256(
        look_up(&tables.from_left, l),
        look_up(&tables.from_right, product),
    )
}

/// The inverse of Pi.
#[inline]
#[target_feature(enable = "avx2")]
pub(in super::super) fn substitute_inverse(tables: &InverseTables, y: __m256i) -> __m256i {
    let (low, high) = halves(y);
    let l = nibble(&tables.left, low, high);
    let r = nibble(&tables.right, low, high);
    substitute_inverse_nibbles(tables, l, r)
}

/// The inverse of Pi after its first linear map.
#[inline]
#[target_feature(enable = "avx2")]
pub(in super::super) fn substitute_inverse_nibbles(
    tables: &InverseTables,
    l: __m256i,
    r: __m256i,
) -> __m256i {
    let right_log = add_logs(look_up(&tables.sigma_log, r), look_up(&tables.phi_log, l));
    let product = look_up(
        &tables.power,
        add_logs(look_up(&tables.nu1_log, l), right_log),
    );
    let l = _mm256_blendv_epi8(product, look_up(&tables.nu0, l), right_log);
    let r = look_up(&tables.power, right_log);
    _mm256_xor_si256(
        look_up(&tables.from_left, l),
        look_up(&tables.from_right, r),
    )
}
