//! AES on VAES, four blocks in a 512-bit vector.

use super::Aes;
use super::round_keys::RoundKeys;
use crate::kernel::Block;
use crate::tier::bytes::{load128, load512, load512_padded, store128, store512, store512_partial};
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
                encrypt_blocks(self, keys, blocks);
            }
        }
    };
}
impl_aes!(16, 11);
impl_aes!(24, 13);
impl_aes!(32, 15);

kernel! {
    fn encrypt_blocks[const N: usize, const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block; N],
    ) {
        let (vectors, rest) = blocks.as_flattened_mut().as_chunks_mut::<64>();
        for vector in vectors {
            store512(vector, encrypt_vector(keys, load512(vector)));
        }
        if let Ok(block) = <&mut Block>::try_from(&mut *rest) {
            let mut state = _mm_xor_si128(load128(block), load128(&keys.0[0]));
            for key in &keys.0[1..ROUND_KEYS - 1] {
                state = _mm_aesenc_si128(state, load128(key));
            }
            store128(block, _mm_aesenclast_si128(state, load128(&keys.0[ROUND_KEYS - 1])));
        } else if !rest.is_empty() {
            store512_partial(rest, encrypt_vector(keys, load512_padded(rest)));
        }
    }
}

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

/// Encrypts four blocks.
#[inline]
#[target_feature(enable = "avx512f,vaes")]
pub(in crate::kernel) fn encrypt_vector<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    blocks: __m512i,
) -> __m512i {
    let mut state = _mm512_xor_si512(blocks, wide_key(keys, 0));
    for i in 1..ROUND_KEYS - 1 {
        state = _mm512_aesenc_epi128(state, wide_key(keys, i));
    }
    _mm512_aesenclast_epi128(state, wide_key(keys, ROUND_KEYS - 1))
}
