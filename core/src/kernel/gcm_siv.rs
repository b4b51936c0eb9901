//! Steps of AES-GCM-SIV (RFC 8452) that a tier may fuse.
//!
//! The defaults say what the steps are; a tier that overrides one does the same
//! work with fewer trips through memory or with two units busy at once.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod vaes256;

use super::Block;
use super::aes::Aes;
use super::polyval::Polyval;
use crate::tier::{Portable, secret};

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

pub(crate) trait GcmSiv<const KEY_LEN: usize>: Aes<KEY_LEN> + Polyval {
    /// Section 4, `derive_keys`: every block of little-endian counter and nonce gives
    /// the first half of its encryption, and throws the other half away.
    #[inline(always)]
    fn derive(self, keys: &Self::RoundKeys, nonce: &[u8; 12]) -> MessageKeys<Self::RoundKeys> {
        let mut blocks = [[0; 16]; 6];
        for (counter, block) in (0_u32..).zip(&mut blocks) {
            block[..4].copy_from_slice(&counter.to_le_bytes());
            block[4..].copy_from_slice(nonce);
        }
        match (KEY_LEN, blocks.first_chunk_mut::<4>()) {
            (16, Some(four)) => self.encrypt_blocks(keys, four),
            _ => self.encrypt_blocks(keys, &mut blocks),
        }
        let mut authentication = [0; 16];
        let mut encryption = [0; KEY_LEN];
        let (first, rest) = blocks.split_at(2);
        for (half, block) in authentication.chunks_mut(8).zip(first) {
            half.copy_from_slice(&block[..8]);
        }
        for (half, block) in encryption.chunks_mut(8).zip(rest) {
            half.copy_from_slice(&block[..8]);
        }
        let derived = MessageKeys {
            authentication,
            encryption: self.expand(&encryption),
        };
        secret::wipe(blocks.as_flattened_mut());
        secret::wipe(&mut authentication);
        secret::wipe(&mut encryption);
        derived
    }

    /// Decrypts `in_out` and returns the POLYVAL of `aad`, the plaintext and
    /// `length_block`.
    #[inline(always)]
    fn decrypt_and_hash(
        self,
        keys: &MessageKeys<Self::RoundKeys>,
        counter: &Block,
        aad: &[u8],
        in_out: &mut [u8],
        length_block: &Block,
    ) -> Block {
        self.ctr32_xor(&keys.encryption, counter, in_out);
        self.polyval(&keys.authentication, aad, in_out, length_block)
    }
}

impl GcmSiv<16> for Portable {}
impl GcmSiv<32> for Portable {}
