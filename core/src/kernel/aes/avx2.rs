//! AES on AES-NI, eight blocks in flight.

use super::Aes;
use super::round_keys::{RoundKeys, expand128, expand256};
use crate::kernel::Block;
use crate::tier::bytes::{load128, store128};
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

            #[inline(always)]
            fn ctr32_xor(self, keys: &Self::RoundKeys, counter: &Block, in_out: &mut [u8]) {
                ctr32_xor(self, keys, counter, in_out);
            }
        }
    };
}
impl_aes!(16, 11, expand128);
impl_aes!(32, 15, expand256);

/// Encrypts `N` independent states, round by round.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn encrypt<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    states: &mut [__m128i; N],
) {
    let first = load128(&keys.0[0]);
    for state in states.iter_mut() {
        *state = _mm_xor_si128(*state, first);
    }
    for key in &keys.0[1..ROUND_KEYS - 1] {
        let key = load128(key);
        for state in states.iter_mut() {
            *state = _mm_aesenc_si128(*state, key);
        }
    }
    let last = load128(&keys.0[ROUND_KEYS - 1]);
    for state in states.iter_mut() {
        *state = _mm_aesenclast_si128(*state, last);
    }
}

kernel! {
    fn encrypt_blocks[const N: usize, const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block; N],
    ) {
        let mut states = [_mm_setzero_si128(); N];
        for (state, block) in states.iter_mut().zip(blocks.iter()) {
            *state = load128(block);
        }
        encrypt(keys, &mut states);
        for (state, block) in states.iter().zip(blocks.iter_mut()) {
            store128(block, *state);
        }
    }
}

/// Blocks in flight: AES-NI's latency times its throughput, rounded up.
const STRIDE: usize = 8;

kernel! {
    fn ctr32_xor[const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, in_out: &mut [u8],
    ) {
        let mut counter = load128(counter);
        let one = _mm_set_epi32(0, 0, 0, 1);
        let (strides, rest) = in_out.as_chunks_mut::<{ STRIDE * 16 }>();
        for stride in strides {
            let mut states = [counter; STRIDE];
            for state in &mut states {
                *state = counter;
                counter = _mm_add_epi32(counter, one);
            }
            encrypt(keys, &mut states);
            let (blocks, _) = stride.as_chunks_mut::<16>();
            for (block, state) in blocks.iter_mut().zip(states) {
                store128(block, _mm_xor_si128(load128(block), state));
            }
        }
        for piece in rest.chunks_mut(16) {
            let mut states = [counter];
            counter = _mm_add_epi32(counter, one);
            encrypt(keys, &mut states);
            let mut block = [0; 16];
            block[..piece.len()].copy_from_slice(piece);
            let padded = _mm_xor_si128(load128(&block), states[0]);
            store128(&mut block, padded);
            piece.copy_from_slice(&block[..piece.len()]);
        }
    }
}
