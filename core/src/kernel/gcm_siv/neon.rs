//! AES-GCM-SIV on the AES instructions and PMULL of AArch64.

mod strides;

use super::Sealed;
use super::ctr32::Ctr32;
use super::lanes::lanes;
use super::steps::{MessageKeys, Steps};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::kernel::aes::neon::{encrypt_blocks, encrypt_states};
use crate::kernel::polyval::neon::polyval;
use crate::kernel::vector::neon as vector;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Neon, kernel};
use core::arch::aarch64::*;
use strides::strides;

macro_rules! impl_ctr32 {
    ($key_len:literal) => {
        impl Ctr32<$key_len> for Neon {
            #[inline(always)]
            fn ctr32_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                match self.with_sha3() {
                    Some(tier) => sha3::ctr32_xor(tier, keys, counter, from, in_out),
                    None => plain::ctr32_xor(self, keys, counter, from, in_out),
                }
            }
        }
    };
}
impl_ctr32!(16);
impl_ctr32!(32);

macro_rules! impl_steps {
    ($key_len:literal, $round_keys:literal) => {
        impl Steps<$key_len> for Neon {
            type InLanes = Lanes<$round_keys>;

            #[inline(always)]
            fn in_lanes(self) -> Option<Self::InLanes> {
                Some(Lanes(self))
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
            fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
                polyval(self, h, aad, text, length_block)
            }

            #[inline(always)]
            fn derive_bytes(self, keys: &Self::RoundKeys, nonce: &[u8; 12]) -> [Block; 3] {
                derive_bytes(self, keys, nonce)
            }

            #[inline(always)]
            fn decrypt_and_hash(
                self,
                keys: &MessageKeys<Self::RoundKeys>,
                message: Sealed<'_>,
            ) -> Block {
                match self.with_sha3() {
                    Some(tier) => sha3::decrypt_and_hash(tier, keys, message),
                    None => plain::decrypt_and_hash(self, keys, message),
                }
            }
        }
    };
}
impl_steps!(16, 11);
impl_steps!(32, 15);

kernel! {
    fn derive_bytes[const ROUND_KEYS: usize](
        tier: Neon, keys: &RoundKeys<ROUND_KEYS>, nonce: &[u8; 12],
    ) -> [Block; 3] {
        let nonce = vreinterpretq_u32_u8(vector::nonces(&[nonce]));
        let counted = |counter| vreinterpretq_u8_u32(vsetq_lane_u32::<0>(counter, nonce));
        let [a, b, c, d] = encrypt_states(keys, [0, 1, 2, 3].map(counted));
        // AES-128 needs four blocks; the third pair is then not used.
        let [e, f] = if ROUND_KEYS == 11 { [a, b] } else { encrypt_states(keys, [4, 5].map(counted)) };
        let low_halves = |a, b| {
            let (a, b) = (vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b));
            vreinterpretq_u8_u64(vzip1q_u64(a, b))
        };
        let mut out = [[0; 16]; 3];
        store128(&mut out[0], low_halves(a, b));
        store128(&mut out[1], low_halves(c, d));
        store128(&mut out[2], low_halves(e, f));
        out
    }
}

/// For every CPU of the tier.
pub(super) mod plain {
    super::strides!(Neon, "neon,aes", karatsuba);
}

/// For those with EOR3.
pub(super) mod sha3 {
    super::strides!(NeonSha3, "neon,aes,sha3", schoolbook);
}

lanes!(
    Neon,
    "neon,aes",
    neon,
    vector,
    8,
    SEALED_LEN: 512,
    OPENED_LEN: 512,
    MIXED_LEN: 512,
    KEY_ROWS: 10,
    AS_GIVEN_LEN: 64,
    FEW: 8,
);
