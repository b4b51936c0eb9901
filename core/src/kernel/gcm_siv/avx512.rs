//! AES-GCM-SIV on VAES and VPCLMULQDQ, 512 bits wide.

use super::ctr32::Ctr32;
use super::ctr32::avx512::SHORT_LEN;
use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_long};
use super::lanes::lanes;
use super::{GcmSiv, MessageKeys};
use crate::kernel::Block;
use crate::kernel::aes::avx512::encrypt_vector;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::kernel::polyval::Polyval;
use crate::tier::bytes::{load128, load512, store128, store512};
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

macro_rules! impl_gcm_siv {
    ($key_len:literal, $round_keys:literal) => {
        impl GcmSiv<$key_len> for Avx512 {
            type Lanes = Lanes<$round_keys>;

            #[inline(always)]
            fn derive_bytes(self, keys: &Self::RoundKeys, nonce: &[u8; 12]) -> [Block; 3] {
                derive_bytes(self, keys, nonce)
            }

            #[inline(always)]
            fn lanes(self) -> Option<Self::Lanes> {
                Some(Lanes(self))
            }

            #[inline(always)]
            fn decrypt_and_hash(
                self,
                keys: &MessageKeys<Self::RoundKeys>,
                counter: &Block,
                aad: &[u8],
                from: Option<&[u8]>,
                in_out: &mut [u8],
                length_block: &Block,
            ) -> Block {
                if in_out.len() <= SHORT_LEN {
                    Ctr32::<$key_len>::ctr32_xor(self, &keys.encryption, counter, from, in_out);
                    self.polyval(&keys.authentication, aad, in_out, length_block)
                } else if in_out.len() < WORTHWHILE_LEN {
                    decrypt_and_hash(self, keys, counter, aad, from, in_out, length_block)
                } else {
                    decrypt_and_hash_long(self, keys, counter, aad, from, in_out, length_block)
                }
            }
        }
    };
}
impl_gcm_siv!(16, 11);
impl_gcm_siv!(32, 15);

kernel! {
    fn derive_bytes[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
    ) -> [Block; 3] {
        let mut block = [0; 16];
        block[4..].copy_from_slice(nonce);
        let nonce = _mm512_broadcast_i32x4(load128(&block));
        let first = _mm512_or_si512(nonce, _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
        let second = _mm512_or_si512(nonce, _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 4));
        let first = encrypt_vector(keys, first);
        let second = if ROUND_KEYS == 11 { first } else { encrypt_vector(keys, second) };
        let even_words = _mm512_set_epi64(0, 0, 10, 8, 6, 4, 2, 0);
        let halves = _mm512_permutex2var_epi64(first, even_words, second);
        let mut out = [[0; 16]; 3];
        store128(&mut out[0], _mm512_castsi512_si128(halves));
        store128(&mut out[1], _mm512_extracti32x4_epi32::<1>(halves));
        store128(&mut out[2], _mm512_extracti32x4_epi32::<2>(halves));
        out
    }
}

fused!(
    Avx512,
    "avx512f,avx512bw,avx512dq,avx512vl,vaes,vpclmulqdq,pclmulqdq",
    avx512,
    64,
    load512,
    store512,
    _mm512_xor_si512
);

fused_long!(Avx512, avx512);

lanes!(
    Avx512,
    "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq",
    avx512,
    super::vector::m512,
    4
);
