//! AES-GCM-SIV on VAES and VPCLMULQDQ, 256 bits wide.

use super::fused::fused;
use super::lanes::lanes;
use super::{GcmSiv, MessageKeys};
use crate::kernel::Block;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load256, store256};
use crate::tier::{Vaes256, kernel};
use core::arch::x86_64::*;

macro_rules! impl_gcm_siv {
    ($key_len:literal, $round_keys:literal) => {
        impl GcmSiv<$key_len> for Vaes256 {
            type Lanes = Lanes<$round_keys>;

            #[inline(always)]
            fn derive_bytes(self, keys: &Self::RoundKeys, nonce: &[u8; 12]) -> [Block; 3] {
                GcmSiv::<$key_len>::derive_bytes(self.avx2(), keys, nonce)
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
                if in_out.len() <= 64 {
                    GcmSiv::<$key_len>::decrypt_and_hash(
                        self.avx2(),
                        keys,
                        counter,
                        aad,
                        from,
                        in_out,
                        length_block,
                    )
                } else {
                    decrypt_and_hash(self, keys, counter, aad, from, in_out, length_block)
                }
            }
        }
    };
}
impl_gcm_siv!(16, 11);
impl_gcm_siv!(32, 15);

fused!(
    Vaes256,
    "avx2,vaes,vpclmulqdq",
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
    4
);
