//! The steps of RFC 8452 section 4 one by one.

use super::ctr32::Ctr32;
use super::lanes::{GcmSivLanes, NoLanes};
use super::{GcmSiv, Sealed, UnderWay, Unsealed};
use crate::kernel::Block;
use crate::kernel::aes::portable::encrypt_up_to;
use crate::kernel::polyval::portable::polyval;
use crate::tier::{Portable, secret};

/// The message-authentication key and the message-encryption key of one nonce.
pub(crate) struct MessageKeys<RoundKeys> {
    pub(crate) authentication: AuthenticationKey,
    pub(crate) encryption: RoundKeys,
}

/// The message-authentication key.
pub(crate) struct AuthenticationKey(pub(crate) Block);

impl Drop for AuthenticationKey {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(&mut self.0);
    }
}

/// The steps of a tier.
pub(crate) trait Steps<const KEY_LEN: usize>: Ctr32<KEY_LEN> {
    /// [`GcmSiv::Lanes`].
    type InLanes: GcmSivLanes<RoundKeys = Self::RoundKeys>;

    /// [`GcmSiv::lanes`].
    fn in_lanes(self) -> Option<Self::InLanes>;

    /// Encrypts each block on its own. Meant for a handful of blocks.
    fn encrypt_blocks<const N: usize>(self, keys: &Self::RoundKeys, blocks: &mut [Block; N]);

    /// POLYVAL of a message.
    fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block;

    /// Decrypts, and computes POLYVAL of the result.
    #[inline(always)]
    fn decrypt_and_hash(self, keys: &MessageKeys<Self::RoundKeys>, message: Sealed<'_>) -> Block {
        let Sealed { counter, aad, from, in_out, length_block, .. } = message;
        self.ctr32_xor(&keys.encryption, counter, from, in_out);
        self.polyval(&keys.authentication.0, aad, in_out, length_block)
    }

    /// `derive_keys`: every block of little-endian counter and nonce gives the first half of its
    /// encryption; the other half is thrown away. Six halves make the two keys of AES-256. AES-128
    /// needs the first four; the rest means nothing.
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
            authentication: AuthenticationKey(derived[0]),
            // Thirty-two bytes always hold a key of 16 or 32.
            encryption: self.expand(encryption_key.unwrap_or(&[0; KEY_LEN])),
        };
        secret::wipe(derived.as_flattened_mut());
        keys
    }

    /// The tag is the encryption of S_s XOR nonce with the top bit cleared.
    #[inline(always)]
    fn tag(self, keys: &Self::RoundKeys, nonce: &[u8; 12], s_s: Block) -> Block {
        const TOP_BIT_CLEAR: Block = (u128::MAX >> 1).to_le_bytes();
        let mut padded_nonce = [0; 16];
        padded_nonce[..12].copy_from_slice(nonce);
        // All sixteen bytes alike, so that the block stays in a vector register.
        let mut block = [core::array::from_fn(|i| (s_s[i] ^ padded_nonce[i]) & TOP_BIT_CLEAR[i])];
        self.encrypt_blocks(keys, &mut block);
        block[0]
    }

    /// The tag of a text, and what encrypts it.
    #[inline(always)]
    fn authenticate(
        self,
        key_generating_key: &Self::RoundKeys,
        (nonce, aad, text): (&[u8; 12], &[u8], &[u8]),
        length_block: &Block,
    ) -> (Block, UnderWay<Self::RoundKeys>) {
        let keys = self.derive(key_generating_key, nonce);
        let s_s = self.polyval(&keys.authentication.0, aad, text, length_block);
        let tag = self.tag(&keys.encryption, nonce, s_s);
        let counter = Sealed::initial_counter(&tag);
        let under_way = UnderWay { keys: keys.encryption, counter };
        (tag, under_way)
    }
}

impl<T: Steps<KEY_LEN>, const KEY_LEN: usize> GcmSiv<KEY_LEN> for T {
    type Lanes = T::InLanes;

    #[inline(always)]
    fn derive_and_seal(self, key_generating_key: &Self::RoundKeys, message: Unsealed<'_>) -> Block {
        let Unsealed { nonce, aad, from, in_out, length_block } = message;
        let text = from.unwrap_or(in_out);
        let (tag, UnderWay { keys, counter }) =
            self.authenticate(key_generating_key, (nonce, aad, text), length_block);
        self.ctr32_xor(&keys, &counter, from, in_out);
        tag
    }

    #[inline(always)]
    fn derive_and_open(self, key_generating_key: &Self::RoundKeys, message: Sealed<'_>) -> Block {
        let nonce = message.nonce;
        let keys = self.derive(key_generating_key, nonce);
        let s_s = self.decrypt_and_hash(&keys, message);
        self.tag(&keys.encryption, nonce, s_s)
    }

    #[inline(always)]
    fn seal_beside(
        self,
        key_generating_key: &Self::RoundKeys,
        under_way: &mut UnderWay<Self::RoundKeys>,
        (from, in_out): (Option<&[u8]>, &mut [u8]),
        message: (&[u8; 12], &[u8], &[u8]),
        length_block: &Block,
    ) -> Block {
        self.ctr32_xor(&under_way.keys, &under_way.counter, from, in_out);
        let (tag, next) = self.authenticate(key_generating_key, message, length_block);
        *under_way = next;
        tag
    }

    #[inline(always)]
    fn lanes(self) -> Option<Self::Lanes> {
        self.in_lanes()
    }
}

macro_rules! portable {
    ($key_len:literal) => {
        impl Steps<$key_len> for Portable {
            type InLanes = NoLanes<Self::RoundKeys>;

            fn in_lanes(self) -> Option<Self::InLanes> {
                None
            }

            fn encrypt_blocks<const N: usize>(
                self,
                keys: &Self::RoundKeys,
                blocks: &mut [Block; N],
            ) {
                for group in blocks.chunks_mut(8) {
                    if group.len() > 4 {
                        encrypt_up_to::<2, _>(keys, group);
                    } else {
                        encrypt_up_to::<1, _>(keys, group);
                    }
                }
            }

            fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
                polyval(h, aad, text, length_block)
            }
        }
    };
}
portable!(16);
portable!(32);
