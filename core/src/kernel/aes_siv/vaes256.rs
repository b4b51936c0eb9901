//! AES-SIV on VAES at 256 bits: sixteen blocks in flight, sixteen chains side by side. One
//! chain is no work for wide vectors.

use super::blocks::{cbc_mac, ctr_xor_and_cbc_mac};
use super::vectors::aes_siv;
use super::{AesSiv, impl_aes_siv};
use crate::tier::bytes::side_by_side256;
use core::arch::x86_64::*;

impl_aes_siv!(Vaes256, chain: Vaes256::avx2);
aes_siv!(Vaes256, "avx2,vaes,vpclmulqdq", m256, 32);

/// Encrypts two blocks a vector.
#[inline]
#[target_feature(enable = "avx2,vaes,vpclmulqdq")]
fn encrypt<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    mut states: [Vector; N],
) -> [Vector; N] {
    let [first, middle @ .., last] = &keys.0[..] else {
        return states;
    };
    states = states.map(|state| vector::xor(state, vector::splat(first)));
    for key in middle {
        states = states.map(|state| vector::aes_round(state, vector::splat(key)));
        side_by_side256(&mut states);
    }
    states.map(|state| vector::aes_last_round(state, vector::splat(last)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn kept(state: Vector, lanes: u32, i: usize) -> Vector {
    let goes_on = |lane| _mm_set1_epi32(-((lanes >> lane & 1) as i32));
    _mm256_and_si256(state, _mm256_set_m128i(goes_on(2 * i + 1), goes_on(2 * i)))
}
