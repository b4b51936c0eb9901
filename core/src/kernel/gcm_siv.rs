//! Steps of AES-GCM-SIV (RFC 8452) that a tier may fuse.
//!
//! The defaults say what the steps are; a tier that overrides one does the same
//! work with fewer trips through memory or with two units busy at once.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod chains;
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
mod tag_block;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vaes256;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vector;

use super::Block;
use super::polyval::Polyval;
use crate::tier::{Portable, secret};
use ctr32::Ctr32;
use lanes::{GcmSivLanes, NoLanes};

/// Section 4: the tag is the encryption of S_s XOR nonce with the top bit cleared.
#[inline(always)]
pub(crate) fn tag<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    nonce: &[u8; 12],
    s_s: Block,
) -> Block {
    const TOP_BIT_CLEAR: Block = (u128::MAX >> 1).to_le_bytes();
    let mut padded_nonce = [0; 16];
    padded_nonce[..12].copy_from_slice(nonce);
    // All sixteen bytes alike, so that the block stays in a vector register.
    let mut block = [core::array::from_fn(|i| {
        (s_s[i] ^ padded_nonce[i]) & TOP_BIT_CLEAR[i]
    })];
    t.encrypt_blocks(keys, &mut block);
    block[0]
}

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

/// The counter so many blocks later: its first four bytes count, little-endian.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn counter_after(counter: &Block, blocks: usize) -> Block {
    let [a, b, c, d, ..] = *counter;
    let mut later = *counter;
    let count = u32::from_le_bytes([a, b, c, d]).wrapping_add(blocks as u32);
    later[..4].copy_from_slice(&count.to_le_bytes());
    later
}

/// A message to be sealed: `from`, which is as long, is encrypted to `in_out`, or `in_out` in
/// place if there is no `from`.
pub(crate) struct Unsealed<'a> {
    pub(crate) nonce: &'a [u8; 12],
    pub(crate) aad: &'a [u8],
    pub(crate) from: Option<&'a [u8]>,
    pub(crate) in_out: &'a mut [u8],
    pub(crate) length_block: &'a Block,
}

/// A message whose tag was made and whose text is yet to be encrypted.
pub(crate) struct UnderWay<RoundKeys> {
    /// Of its message-encryption key.
    pub(crate) keys: RoundKeys,
    /// The initial one.
    pub(crate) counter: Block,
}

/// A message to be opened: `from`, which is as long, is decrypted to `in_out`, or `in_out` in
/// place if there is no `from`.
pub(crate) struct Sealed<'a> {
    pub(crate) nonce: &'a [u8; 12],
    /// The initial one.
    pub(crate) counter: &'a Block,
    pub(crate) aad: &'a [u8],
    pub(crate) from: Option<&'a [u8]>,
    pub(crate) in_out: &'a mut [u8],
    pub(crate) length_block: &'a Block,
}

impl Sealed<'_> {
    /// Section 4: the initial counter block is the tag with the top bit set. It is as public
    /// as the tag is, and a kernel may index by it.
    #[inline(always)]
    pub(crate) fn initial_counter(tag: &Block) -> Block {
        const TOP_BIT: Block = (1_u128 << 127).to_le_bytes();
        secret::public(core::array::from_fn(|i| tag[i] | TOP_BIT[i]))
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
            authentication: AuthenticationKey(derived[0]),
            // Thirty-two bytes always hold a key of 16 or 32.
            encryption: self.expand(encryption_key.unwrap_or(&[0; KEY_LEN])),
        };
        secret::wipe(derived.as_flattened_mut());
        keys
    }

    /// Encrypts a message, and returns its tag.
    #[inline(always)]
    fn derive_and_seal(self, key_generating_key: &Self::RoundKeys, message: Unsealed<'_>) -> Block {
        let Unsealed {
            nonce,
            aad,
            from,
            in_out,
            length_block,
        } = message;
        let keys = self.derive(key_generating_key, nonce);
        let plaintext = from.unwrap_or(in_out);
        let s_s = self.polyval(&keys.authentication.0, aad, plaintext, length_block);
        let tag = tag(self, &keys.encryption, nonce, s_s);
        let counter = Sealed::initial_counter(&tag);
        self.ctr32_xor(&keys.encryption, &counter, from, in_out);
        tag
    }

    /// Texts from so many bytes on are sealed sooner by [`seal_beside`](Self::seal_beside).
    const BESIDE_LEN: usize = usize::MAX;

    /// Encrypts the text of the message that is under way, and makes the tag of the one after
    /// it, which then is under way: POLYVAL of one message beside the keystream of another.
    #[inline(always)]
    fn seal_beside(
        self,
        key_generating_key: &Self::RoundKeys,
        under_way: &mut UnderWay<Self::RoundKeys>,
        (from, in_out): (Option<&[u8]>, &mut [u8]),
        (nonce, aad, text): (&[u8; 12], &[u8], &[u8]),
        length_block: &Block,
    ) -> Block {
        self.ctr32_xor(&under_way.keys, &under_way.counter, from, in_out);
        let keys = self.derive(key_generating_key, nonce);
        let s_s = self.polyval(&keys.authentication.0, aad, text, length_block);
        let tag = tag(self, &keys.encryption, nonce, s_s);
        *under_way = UnderWay {
            keys: keys.encryption,
            counter: Sealed::initial_counter(&tag),
        };
        tag
    }

    /// Decrypts a message, and returns the tag that its AAD and plaintext have under its keys.
    #[inline(always)]
    fn derive_and_open(self, key_generating_key: &Self::RoundKeys, message: Sealed<'_>) -> Block {
        let Sealed {
            nonce,
            counter,
            aad,
            from,
            in_out,
            length_block,
        } = message;
        let keys = self.derive(key_generating_key, nonce);
        self.ctr32_xor(&keys.encryption, counter, from, in_out);
        let s_s = self.polyval(&keys.authentication.0, aad, in_out, length_block);
        tag(self, &keys.encryption, nonce, s_s)
    }

    /// The steps for many short messages at once, if the tier has something better than
    /// one message at a time.
    fn lanes(self) -> Option<Self::Lanes>;
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
