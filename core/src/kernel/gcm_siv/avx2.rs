//! AES-GCM-SIV on AES-NI and PCLMULQDQ.

use super::chains::chains;
use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_very_long};
use super::lanes::lanes;
use super::{GcmSiv, Sealed};
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
            fn derive_and_open(
                self,
                key_generating_key: &Self::RoundKeys,
                message: Sealed<'_>,
            ) -> Block {
                match message.in_out.len() {
                    ..=16 => derive_and_open(self, key_generating_key, message, [(); 1]),
                    ..=64 => derive_and_open(self, key_generating_key, message, [(); 4]),
                    ..=128 => derive_and_open(self, key_generating_key, message, [(); 8]),
                    WORTHWHILE_LEN.. => {
                        derive_and_open_very_long(self, key_generating_key, message)
                    }
                    _ => derive_and_open_long(self, key_generating_key, message),
                }
            }

            #[inline(always)]
            fn lanes(self) -> Option<Self::Lanes> {
                Some(Lanes(self))
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

chains!(Avx2, "aes,pclmulqdq,avx2,bmi2", avx2, m128);

fused!(
    Avx2,
    "aes,pclmulqdq,avx2,bmi2",
    avx2,
    16,
    load128,
    store128,
    _mm_xor_si128
);

fused_very_long!(Avx2, avx2, 16);

lanes!(Avx2, "aes,pclmulqdq,avx2", avx2, super::vector::m128, 8);
