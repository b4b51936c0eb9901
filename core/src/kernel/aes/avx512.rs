//! AES on VAES, four blocks in a 512-bit vector.

use super::RoundKeys;
use crate::tier::bytes::load128;
use core::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::kernel) fn wide_key<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    i: usize,
) -> __m512i {
    _mm512_broadcast_i32x4(load128(&keys.0[i]))
}

/// Encrypts four blocks a vector.
#[inline]
#[target_feature(enable = "avx512f,vaes")]
pub(in crate::kernel) fn encrypt_vectors<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    vectors: [__m512i; N],
) -> [__m512i; N] {
    let first = wide_key(keys, 0);
    let mut states = vectors.map(|vector| _mm512_xor_si512(vector, first));
    for i in 1..ROUND_KEYS - 1 {
        let key = wide_key(keys, i);
        states = states.map(|state| _mm512_aesenc_epi128(state, key));
    }
    let last = wide_key(keys, ROUND_KEYS - 1);
    states.map(|state| _mm512_aesenclast_epi128(state, last))
}
