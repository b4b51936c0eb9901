//! AES-GCM-SIV on VAES and VPCLMULQDQ, 256 bits wide.

use super::avx2::derive_halves;
use super::chains::chains;
use super::fused::fused;
use super::lanes::lanes;
use super::{GcmSiv, Sealed};
use crate::kernel::Block;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load128, load256, store128, store256};
use crate::tier::{Vaes256, kernel};
use core::arch::x86_64::*;

macro_rules! impl_gcm_siv {
    ($key_len:literal, $round_keys:literal) => {
        impl GcmSiv<$key_len> for Vaes256 {
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
                    ..=32 => derive_and_open(self, key_generating_key, message, [(); 1]),
                    ..=64 => derive_and_open(self, key_generating_key, message, [(); 2]),
                    ..=128 => derive_and_open(self, key_generating_key, message, [(); 4]),
                    ..=256 => derive_and_open(self, key_generating_key, message, [(); 8]),
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

chains!(
    Vaes256,
    "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq",
    vaes256,
    m256
);

fused!(
    Vaes256,
    "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq",
    vaes256,
    32,
    load256,
    store256,
    _mm256_xor_si256
);

lanes!(
    Vaes256,
    "avx2,vaes,vpclmulqdq",
    vaes256,
    super::vector::m256,
    8
);
