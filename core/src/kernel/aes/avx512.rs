//! AES on VAES, four blocks in a 512-bit vector.

use super::Aes;
use super::round_keys::RoundKeys;
use crate::kernel::Block;
use crate::tier::bytes::{load128, load512, store512};
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal) => {
        impl Aes<$key_len> for Avx512 {
            type RoundKeys = RoundKeys<$round_keys>;

            #[inline(always)]
            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                self.avx2().expand(key)
            }

            #[inline(always)]
            fn encrypt_blocks<const N: usize>(
                self,
                keys: &Self::RoundKeys,
                blocks: &mut [Block; N],
            ) {
                Aes::<$key_len>::encrypt_blocks(self.avx2(), keys, blocks);
            }

            #[inline(always)]
            fn ctr32_xor(self, keys: &Self::RoundKeys, counter: &Block, in_out: &mut [u8]) {
                let rest = ctr32_xor(self, keys, counter, in_out);
                let (whole, rest) = in_out.split_at_mut(rest);
                if !rest.is_empty() {
                    let mut counter = *counter;
                    let first =
                        u32::from_le_bytes([counter[0], counter[1], counter[2], counter[3]]);
                    let blocks = (whole.len() / 16) as u32;
                    counter[..4].copy_from_slice(&first.wrapping_add(blocks).to_le_bytes());
                    Aes::<$key_len>::ctr32_xor(self.avx2(), keys, &counter, rest);
                }
            }
        }
    };
}
impl_aes!(16, 11);
impl_aes!(32, 15);

/// Vectors of four blocks in flight.
const STRIDE: usize = 4;

kernel! {
    /// Whole strides only; returns how many bytes it covered.
    fn ctr32_xor[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, in_out: &mut [u8],
    ) -> usize {
        let mut counter = _mm512_add_epi32(
            _mm512_broadcast_i32x4(load128(counter)),
            _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0),
        );
        let four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
        let (strides, rest) = in_out.as_chunks_mut::<{ STRIDE * 64 }>();
        let mut round_keys = [_mm512_setzero_si512(); ROUND_KEYS];
        for (wide, key) in round_keys.iter_mut().zip(&keys.0) {
            *wide = _mm512_broadcast_i32x4(load128(key));
        }
        let covered = strides.len() * STRIDE * 64;
        let _ = rest;
        for stride in strides {
            let mut states = [counter; STRIDE];
            for state in &mut states {
                *state = _mm512_xor_si512(counter, round_keys[0]);
                counter = _mm512_add_epi32(counter, four);
            }
            for key in &round_keys[1..ROUND_KEYS - 1] {
                for state in &mut states {
                    *state = _mm512_aesenc_epi128(*state, *key);
                }
            }
            let (vectors, _) = stride.as_chunks_mut::<64>();
            for (vector, state) in vectors.iter_mut().zip(states) {
                let key = _mm512_xor_si512(load512(vector), round_keys[ROUND_KEYS - 1]);
                store512(vector, _mm512_aesenclast_epi128(state, key));
            }
        }
        covered
    }
}
