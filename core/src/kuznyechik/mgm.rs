//! Kuznyechik-MGM keys (RFC 9058).

use super::key::TierKeys;
use crate::aead::key::*;
use crate::mode::mgm::{self, MAX_LEN, NONCE_LEN};
use crate::tag::Tag;
use crate::tier::depth::{Depth, making_key_within};
use crate::tier::stack::WipeExtent;
use crate::tier::{Tier, on_kept};
use core::fmt;

/// A test has the oracle compute it.
pub(super) const KNOWN_ANSWER: KnownAnswer = KnownAnswer {
    lens: &[0, 1, 16, 47, 96, 128, 255, 272, 1031, 2112],
    tag: &[
        0x55, 0x1c, 0x78, 0x8a, 0x44, 0xe5, 0xd9, 0x1d, 0xf9, 0x87, 0xab, 0x89, 0xde, 0xfa, 0x86,
        0xe5,
    ],
    very_long: None,
};

/// Whether MGM, and with it encryption, gives the known answer on `tier`.
pub(super) fn known_answer_holds(tier: Tier) -> bool {
    let keys = TierKeys::expand(&known_answer::key(), tier);
    let engine = Engine::new(keys, tier);
    KNOWN_ANSWER.holds(&KuznyechikMgm { engine })
}

impl Cipher for TierKeys {
    const KEY_LEN: usize = 32;
    // Section 4: a nonce has 127 bits.
    const NONCE: NonceRule = NonceRule::Random {
        first_byte_mask: 0x7f,
        may_repeat: false,
    };
    // Section 4.1.
    const LIMITS: Limits = Limits {
        text: MAX_LEN,
        aad: MAX_LEN,
        together: MAX_LEN,
        empty: false,
    };
    type Nonce = [u8; NONCE_LEN];
    type Tag = [u8; Tag::LEN];

    #[inline(always)]
    fn tag_len(&self) -> usize {
        Tag::LEN
    }

    fn seal(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut [u8; Tag::LEN],
    ) -> Option<()> {
        let extent = WipeExtent::of_message(aad.len() + in_out.len());
        on_kept!(self, TierKeys, extent, |t, keys| {
            if let Some(from) = from {
                in_out.copy_from_slice(from);
            }
            *tag = mgm::seal(t, keys, nonce, aad, in_out);
        })
    }

    fn open(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &[u8; Tag::LEN],
    ) -> Option<bool> {
        let extent = WipeExtent::of_message(aad.len() + in_out.len());
        on_kept!(self, TierKeys, extent, |t, keys| {
            if let Some(from) = from {
                in_out.copy_from_slice(from);
            }
            mgm::open(t, keys, nonce, aad, in_out, tag)
        })
    }

    #[inline(always)]
    fn few(&self) -> Option<usize> {
        (!matches!(self, Self::Refused)).then_some(1)
    }

    #[inline(never)]
    fn crypt_batch(&self, batch: &mut Batch<'_, '_, [u8; NONCE_LEN], BatchTags<'_>>) -> Option<()> {
        on_kept!(self, TierKeys, WipeExtent::BELOW_BATCH, |t, keys| {
            mgm::batch::crypt_batch(t, keys, batch);
        })
    }
}

/// Kuznyechik-MGM (RFC 9058): authenticated encryption with Kuznyechik, with 16-byte tags.
///
/// In the terms of RFC 9771, it is **not** misuse-resistant: two messages sealed under one
/// nonce reveal the difference of their plaintexts, and the tags' protection is lost. It is
/// not key-committing: a ciphertext can be made that opens under two keys. With random
/// nonces of 127 bits, [`seal`](Self::seal) repeats none in practice.
///
/// # Limits
///
/// A nonce has 127 bits: the first bit of its 16 bytes must be zero. Plaintext and AAD
/// together have at least one byte and fewer than 2^61 bytes (section 4.1); what is longer
/// is refused.
///
/// RFC 9058 sets no number of messages after which to change the key, so none is enforced
/// here. Its section 6 refers to an analysis. Take `q` messages with `s` blocks of plaintext
/// and AAD in all, those of forgeries included. An attacker's advantage is a small multiple of
/// (s + 4·q)^2 / 2^128: while s + 4·q stays below 2^47, it is about 2^-32. The caller counts.
///
/// # Example
///
/// ```
/// use sivka::KuznyechikMgm;
///
/// let key = KuznyechikMgm::new(&[7; 32]);
/// let mut message = *b"in the caller's buffer";
/// let tag = key.seal_in_place(&[0; 16], b"aad", &mut message)?;
/// key.open_in_place(&[0; 16], b"aad", &mut message, &tag)?;
/// assert_eq!(&message, b"in the caller's buffer");
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct KuznyechikMgm {
    engine: Engine<TierKeys>,
}

impl KuznyechikMgm {
    /// The length of a tag in bytes.
    pub const TAG_LEN: usize = Tag::LEN;

    /// Makes a key from uniformly random bytes, for the widest tier of this CPU.
    ///
    /// If that tier's kernels fail their known-answer check, which no working machine
    /// does, every call of the key returns [`Error::SelfCheck`].
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self::with_tier(key, Tier::detect())
    }

    /// Makes a key for a given tier, for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tier(key: &[u8; 32], tier: Tier) -> Self {
        making_key_within(Depth::Middle, tier, || {
            Self::from_keys(TierKeys::new(key, tier), tier)
        })
    }

    pub(super) fn from_keys(keys: TierKeys, tier: Tier) -> Self {
        Self {
            engine: Engine::new(keys, tier),
        }
    }
}

impl fmt::Debug for KuznyechikMgm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KuznyechikMgm")
            .field("tier", &self.engine.tier())
            .finish_non_exhaustive()
    }
}

aead_key! {
    KuznyechikMgm, TierKeys, Tag, 32, |_engine| &KUZNYECHIK_MGM,
    [nonce; 16],
    key: "KuznyechikMgm::new(&[7; 32])", tag: "Tag::from([0; 16])",
    nonces: "&[[1; 16], [2; 16]], ",
    once: " under the given nonce, which must never be used twice with one key",
    refused: "[`Error::Nonce`] if the nonce's first bit is set, [`Error::Empty`] if plaintext and AAD are both empty, [`Error::TooLong`] for inputs over the limits",
    not_opened: "[`Error::Open`] if the message does not open, or cannot have been sealed at all (a nonce whose first bit is set, no ciphertext and no AAD)",
}

aead_key_with_nonces! {
    KuznyechikMgm, nonce: 16,
    once: ", which must never be used twice with one key",
    refused: "[`Error::Nonce`] if the nonce's first bit is set, [`Error::Empty`] if plaintext and AAD are both empty, [`Error::TooLong`] for inputs over the limits",
    not_opened: "[`Error::Open`] if it does not open under this key, nonce and AAD, cannot have been sealed at all",
}

aead_key_with_random_nonces! {
    KuznyechikMgm, nonce: 16, tag: Tag,
    random: "a random nonce of 127 bits",
    refused: "[`Error::Empty`] if plaintext and AAD are both empty, [`Error::TooLong`] for inputs over the limits",
    not_opened: "[`Error::Open`] if it does not open under this key and AAD, cannot have been sealed at all (a nonce whose first bit is set, no ciphertext and no AAD),",
}

rows! {
    KUZNYECHIK_MGM: "Kuznyechik-MGM", KuznyechikMgm, Tag::LEN;
}
