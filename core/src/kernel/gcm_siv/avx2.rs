//! AES-GCM-SIV on AES-NI and PCLMULQDQ.

use super::chains::chains;
use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_long};
use super::lanes::lanes;
use super::{GcmSiv, MessageKeys};
use crate::kernel::Block;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Avx2, kernel};
use core::arch::x86_64::*;

macro_rules! impl_gcm_siv {
    ($key_len:literal, $round_keys:literal) => {
        impl GcmSiv<$key_len> for Avx2 {
            type Lanes = Lanes<$round_keys>;

            #[inline(always)]
            fn derive_and_tag(
                self,
                key_generating_key: &Self::RoundKeys,
                nonce: &[u8; 12],
                aad: &[u8],
                plaintext: &[u8],
                length_block: &Block,
                keys: &mut Self::RoundKeys,
            ) -> Block {
                derive_and_tag(
                    self,
                    key_generating_key,
                    nonce,
                    aad,
                    plaintext,
                    length_block,
                    keys,
                )
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

/// The halves of the keys of a message: for authentication, and for encryption, of which
/// AES-128 has the first alone. `nonce` stands behind a counter of zero.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(super) fn derive_halves<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    nonce: __m128i,
) -> [__m128i; 3] {
    let counted = |counter| _mm_or_si128(nonce, _mm_set_epi32(0, 0, 0, counter));
    if ROUND_KEYS == 11 {
        let [a, b, c, d] = encrypt_states(keys, [0, 1, 2, 3].map(counted));
        let low = _mm_unpacklo_epi64(c, d);
        [_mm_unpacklo_epi64(a, b), low, low]
    } else {
        let [a, b, c, d, e, f] = encrypt_states(keys, [0, 1, 2, 3, 4, 5].map(counted));
        [
            _mm_unpacklo_epi64(a, b),
            _mm_unpacklo_epi64(c, d),
            _mm_unpacklo_epi64(e, f),
        ]
    }
}

chains!(Avx2, avx2);

fused!(
    Avx2,
    "aes,pclmulqdq,avx2,bmi2",
    avx2,
    16,
    load128,
    store128,
    _mm_xor_si128
);

fused_long!(Avx2, avx2);

lanes!(Avx2, "aes,pclmulqdq,avx2", avx2, m128, 8);
