//! AES on AES-NI, eight blocks in flight.

use super::Aes;
use super::round_keys::{RoundKeys, expand128, expand192, expand256};
use crate::kernel::Block;
use crate::tier::bytes::{load128, side_by_side128, store128};
use crate::tier::{Avx2, kernel};
use core::arch::x86_64::*;

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal, $expand:ident) => {
        impl Aes<$key_len> for Avx2 {
            type RoundKeys = RoundKeys<$round_keys>;

            #[inline(always)]
            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                $expand(self, key)
            }

            #[inline(always)]
            fn encrypt_blocks<const N: usize>(
                self,
                keys: &Self::RoundKeys,
                blocks: &mut [Block; N],
            ) {
                encrypt_blocks(self, keys, blocks);
            }
        }
    };
}
impl_aes!(16, 11, expand128);
impl_aes!(24, 13, expand192);
impl_aes!(32, 15, expand256);

/// The rounds of `N` independent blocks from `FIRST` to the last but one; `beside` is
/// called once a round with what may run at the same time.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(in crate::kernel) fn rounds<const N: usize, const ROUND_KEYS: usize, const FIRST: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    mut states: [__m128i; N],
    mut beside: impl FnMut(usize),
) -> [__m128i; N] {
    for (i, key) in keys.0[FIRST..ROUND_KEYS - 1].iter().enumerate() {
        let key = load128(key);
        for state in &mut states {
            *state = _mm_aesenc_si128(*state, key);
        }
        side_by_side128(&mut states);
        beside(i);
    }
    states
}

/// Encrypts `N` independent blocks.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(in crate::kernel) fn encrypt_states<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    mut states: [__m128i; N],
) -> [__m128i; N] {
    let (first, last) = (load128(&keys.0[0]), load128(&keys.0[ROUND_KEYS - 1]));
    for state in &mut states {
        *state = _mm_xor_si128(*state, first);
    }
    let mut states = rounds::<N, ROUND_KEYS, 1>(keys, states, |_| ());
    for state in &mut states {
        *state = _mm_aesenclast_si128(*state, last);
    }
    states
}

kernel! {
    fn encrypt_blocks[const N: usize, const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block; N],
    ) {
        let mut states = [_mm_setzero_si128(); N];
        for (state, block) in states.iter_mut().zip(blocks.iter()) {
            *state = load128(block);
        }
        for (state, block) in encrypt_states(keys, states).iter().zip(blocks.iter_mut()) {
            store128(block, *state);
        }
    }
}
