//! Steps of AES-GCM-SIV (RFC 8452) that a tier may fuse.
//!
//! The defaults say what the steps are; a tier that overrides one does the same
//! work with fewer trips through memory or with two units busy at once.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
pub(crate) mod ctr32;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod fused;
// Without vectors a group is never taken, and nothing reads what is laid out.
#[cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    )),
    allow(dead_code, unused_macros, unused_imports)
)]
pub(crate) mod lanes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vaes256;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vector;

use super::Block;
use super::polyval::Polyval;
use crate::tier::{Portable, secret};
use ctr32::Ctr32;
use lanes::{GcmSivLanes, NoLanes};

/// The message-authentication key and the message-encryption key of one nonce.
pub(crate) struct MessageKeys<RoundKeys> {
    pub(crate) authentication: Block,
    pub(crate) encryption: RoundKeys,
}

impl<RoundKeys> Drop for MessageKeys<RoundKeys> {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(&mut self.authentication);
    }
}

pub(crate) trait GcmSiv<const KEY_LEN: usize>: Ctr32<KEY_LEN> + Polyval {
    /// The tier, or [`NoLanes`].
    type Lanes: GcmSivLanes<RoundKeys = Self::RoundKeys>;

    /// Section 4, `derive_keys`: every block of little-endian counter and nonce gives
    /// the first half of its encryption, and throws the other half away. Six halves
    /// make the two keys of AES-256; those of AES-128 are the first four, and what
    /// follows them means nothing.
    #[inline(always)]
    fn derive_bytes(self, keys: &Self::RoundKeys, nonce: &[u8; 12]) -> [Block; 3] {
        let mut blocks = [[0; 16]; 6];
        for (counter, block) in (0_u32..).zip(&mut blocks) {
            block[..4].copy_from_slice(&counter.to_le_bytes());
            block[4..].copy_from_slice(nonce);
        }
        self.encrypt_blocks(keys, &mut blocks);
        let mut halves = [[0; 16]; 3];
        for (half, block) in halves.as_flattened_mut().chunks_mut(8).zip(&blocks) {
            half.copy_from_slice(&block[..8]);
        }
        secret::wipe(blocks.as_flattened_mut());
        halves
    }

    /// The keys of one message, ready for use.
    #[inline(always)]
    fn derive(self, keys: &Self::RoundKeys, nonce: &[u8; 12]) -> MessageKeys<Self::RoundKeys> {
        let mut derived = self.derive_bytes(keys, nonce);
        let encryption_key = derived[1..].as_flattened().first_chunk::<KEY_LEN>();
        let keys = MessageKeys {
            authentication: derived[0],
            // Thirty-two bytes always hold a key of 16 or 32.
            encryption: self.expand(encryption_key.unwrap_or(&[0; KEY_LEN])),
        };
        secret::wipe(derived.as_flattened_mut());
        keys
    }

    /// The steps for many short messages at once, if the tier has something better than
    /// one message at a time.
    fn lanes(self) -> Option<Self::Lanes>;

    /// Decrypts and returns the POLYVAL of `aad`, the plaintext and `length_block`:
    /// `from`, which is as long, to `in_out`, or `in_out` in place if there is no `from`.
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
        self.ctr32_xor(&keys.encryption, counter, from, in_out);
        self.polyval(&keys.authentication, aad, in_out, length_block)
    }
}

macro_rules! portable {
    ($key_len:literal) => {
        impl GcmSiv<$key_len> for Portable {
            type Lanes = NoLanes<Self::RoundKeys>;

            fn lanes(self) -> Option<Self::Lanes> {
                None
            }
        }
    };
}
portable!(16);
portable!(32);
