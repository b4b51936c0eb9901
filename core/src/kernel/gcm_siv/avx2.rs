//! AES-GCM-SIV on AES-NI and PCLMULQDQ.

use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_long};
use super::lanes::lanes;
use super::{GcmSiv, MessageKeys};
use crate::kernel::Block;
use crate::kernel::aes::avx2::encrypt_states;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Avx2, kernel};
use core::arch::x86_64::*;

macro_rules! impl_gcm_siv {
    ($key_len:literal, $round_keys:literal) => {
        impl GcmSiv<$key_len> for Avx2 {
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
                if in_out.len() < WORTHWHILE_LEN {
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
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
    ) -> [Block; 3] {
        let mut block = [0; 16];
        block[4..].copy_from_slice(nonce);
        let nonce = load128(&block);
        let counted = |counter| _mm_or_si128(nonce, _mm_set_epi32(0, 0, 0, counter));
        let [a, b, c, d] = encrypt_states(keys, [0, 1, 2, 3].map(counted));
        // AES-128 needs four blocks; the third pair is then not used.
        let [e, f] = if ROUND_KEYS == 11 { [a, b] } else { encrypt_states(keys, [4, 5].map(counted)) };
        let mut out = [[0; 16]; 3];
        store128(&mut out[0], _mm_unpacklo_epi64(a, b));
        store128(&mut out[1], _mm_unpacklo_epi64(c, d));
        store128(&mut out[2], _mm_unpacklo_epi64(e, f));
        out
    }
}

fused!(
    Avx2,
    "aes,pclmulqdq,avx2",
    avx2,
    16,
    load128,
    store128,
    _mm_xor_si128
);

fused_long!(Avx2, avx2);

lanes!(Avx2, "aes,pclmulqdq,avx2", avx2, super::vector::m128, 8);
