//! AES-GCM-SIV (RFC 8452): the trait of a tier.
//!
//! `portable` has the steps one by one. Other kernels do the same work with fewer trips through
//! memory, or with two units busy at once.

#![allow(clippy::too_many_arguments, reason = "a struct would be read back in other widths")]

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod chains;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod ctr32;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod fused;
// Without vectors no group is taken, and nothing reads the stage.
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
mod portable;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod tag_block;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vaes256;

use super::Block;
use super::aes::Aes;
use crate::tier::secret;
use lanes::GcmSivLanes;

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

pub(crate) trait GcmSiv<const KEY_LEN: usize>: Aes<KEY_LEN> {
    /// The tier, or [`NoLanes`](lanes::NoLanes).
    type Lanes: GcmSivLanes<RoundKeys = Self::RoundKeys>;

    /// Encrypts a message, and returns its tag.
    fn derive_and_seal(self, key_generating_key: &Self::RoundKeys, message: Unsealed<'_>) -> Block;

    /// Decrypts a message, and returns the tag that its AAD and plaintext have under its keys.
    fn derive_and_open(self, key_generating_key: &Self::RoundKeys, message: Sealed<'_>) -> Block;

    /// Texts from so many bytes on are sealed sooner by [`seal_beside`](Self::seal_beside).
    const BESIDE_LEN: usize = usize::MAX;

    /// Encrypts the text of the message that is under way, and makes the tag of the one after
    /// it, which then is under way: POLYVAL of one message beside the keystream of another.
    fn seal_beside(
        self,
        key_generating_key: &Self::RoundKeys,
        under_way: &mut UnderWay<Self::RoundKeys>,
        before: (Option<&[u8]>, &mut [u8]),
        message: (&[u8; 12], &[u8], &[u8]),
        length_block: &Block,
    ) -> Block;

    /// XORs the keystream into `in_out`, or, if there is a `from`,
    /// which is as long, writes it XORed with that. The counter is the first four bytes of
    /// the block, little-endian, and wraps modulo 2^32. The counter is public.
    fn ctr32_xor(
        self,
        keys: &Self::RoundKeys,
        counter: &Block,
        from: Option<&[u8]>,
        in_out: &mut [u8],
    );

    /// The steps for many short messages at once, if the tier has something better than
    /// one message at a time.
    fn lanes(self) -> Option<Self::Lanes>;
}
