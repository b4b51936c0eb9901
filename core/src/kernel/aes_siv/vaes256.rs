//! AES-SIV on VAES at 256 bits: sixteen blocks in flight, sixteen chains side by side. One
//! chain is no work for wide vectors.

use super::avx2::{cbc_mac, ctr_xor, ctr_xor_and_cbc_mac};
use super::{AesSiv, impl_aes_siv};
use crate::kernel::Block;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load128, load256, side_by_side256, store256};
use crate::tier::{Vaes256, kernel, secret};
use core::arch::x86_64::*;

impl_aes_siv!(Vaes256, chain: Vaes256::avx2, ctr: Vaes256::avx2);

const VECTORS: usize = 8;
const LANES: usize = 2 * VECTORS;

/// Encrypts two blocks a vector.
#[inline]
#[target_feature(enable = "avx2,vaes")]
fn encrypt_vectors<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    mut states: [__m256i; VECTORS],
) -> [__m256i; VECTORS] {
    let [first, middle @ .., last] = &keys.0[..] else {
        return states;
    };
    let wide = |key| _mm256_broadcastsi128_si256(load128(key));
    states = states.map(|state| _mm256_xor_si256(state, wide(first)));
    for key in middle {
        states = states.map(|state| _mm256_aesenc_epi128(state, wide(key)));
        side_by_side256(&mut states);
    }
    states.map(|state| _mm256_aesenclast_epi128(state, wide(last)))
}

#[inline]
#[target_feature(enable = "avx2,vaes")]
fn encrypt_row<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    row: &mut [[u8; 32]; VECTORS],
) {
    let mut states = [_mm256_setzero_si256(); VECTORS];
    for (state, blocks) in states.iter_mut().zip(&*row) {
        *state = load256(blocks);
    }
    for (blocks, state) in row.iter_mut().zip(encrypt_vectors(keys, states)) {
        store256(blocks, state);
    }
}

kernel! {
    fn encrypt_all[const ROUND_KEYS: usize](
        tier: Vaes256, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block],
    ) {
        let (strides, rest) = blocks.as_chunks_mut::<LANES>();
        for stride in strides.as_flattened_mut().as_flattened_mut().as_chunks_mut().0.as_chunks_mut().0 {
            encrypt_row(keys, stride);
        }
        if !rest.is_empty() {
            let mut stride = [[0; 32]; VECTORS];
            let bytes = rest.as_flattened_mut();
            stride.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
            encrypt_row(keys, &mut stride);
            bytes.copy_from_slice(&stride.as_flattened()[..bytes.len()]);
            secret::wipe(stride.as_flattened_mut());
        }
    }
}

kernel! {
    fn cbc_mac_lanes[const ROUND_KEYS: usize](
        tier: Vaes256, keys: &RoundKeys<ROUND_KEYS>, going_on: &[u32], rows: &mut [Block],
    ) {
        let rows = rows.as_flattened_mut().as_chunks_mut().0.as_chunks_mut::<VECTORS>().0;
        let mut states = [_mm256_setzero_si256(); VECTORS];
        for (row, lanes) in rows.iter_mut().zip(going_on) {
            for (i, (state, blocks)) in states.iter_mut().zip(&*row).enumerate() {
                let goes_on = |lane| _mm_set1_epi32(-((lanes >> lane & 1) as i32));
                let goes_on = _mm256_set_m128i(goes_on(2 * i + 1), goes_on(2 * i));
                *state = _mm256_xor_si256(_mm256_and_si256(*state, goes_on), load256(blocks));
            }
            states = encrypt_vectors(keys, states);
            for (blocks, state) in row.iter_mut().zip(states) {
                store256(blocks, state);
            }
        }
    }
}
