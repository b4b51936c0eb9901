//! Properties of each algorithm, in one row.

use super::NonceRule;
use super::arrays::Bytes;
use super::engine::Cipher;
use core::fmt;
#[cfg(feature = "alloc")]
use {
    super::calls::Calls,
    super::{Aead, Key},
    crate::error::Error,
    crate::tier::{Tier, stack::Depth},
    alloc::boxed::Box,
};

/// Properties of an AEAD: its name, its lengths, its limits.
///
/// Keys of the ChaCha20-BLAKE2b family choose the length of their tags; each length is an
/// algorithm of its own here.
pub struct Algorithm {
    name: &'static str,
    key_len: usize,
    nonce_len: usize,
    tag_len: usize,
    tag_first: bool,
    nonce_rule: NonceRule,
    max_plaintext_len: u64,
    max_aad_len: u64,
    #[cfg(feature = "alloc")]
    new_key: NewKey,
}

/// Makes a key of some bytes, if they are as many as a key has.
#[cfg(feature = "alloc")]
pub(crate) type NewKey = fn(&[u8], Tier) -> Option<Box<dyn Aead>>;

impl Algorithm {
    /// The row of a cipher with tags of one length.
    pub(crate) const fn of<C: Cipher>(
        name: &'static str,
        tag_len: usize,
        #[cfg(feature = "alloc")] new_key: NewKey,
    ) -> Self {
        Self {
            name,
            key_len: C::Key::LEN,
            nonce_len: <C as Cipher>::Nonce::LEN,
            tag_len,
            tag_first: C::TAG_FIRST,
            nonce_rule: C::NONCE,
            max_plaintext_len: least(C::LIMITS.text, C::LIMITS.together),
            max_aad_len: least(C::LIMITS.aad, C::LIMITS.together),
            #[cfg(feature = "alloc")]
            new_key,
        }
    }

    /// The name, as `AES-256-GCM-SIV`; a tag that is not the family's shortest shows in it, as
    /// `ChaCha20-BLAKE2b-Tag48`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The length of a key in bytes.
    #[must_use]
    pub fn key_len(&self) -> usize {
        self.key_len
    }

    /// Draws the bytes of a key from the operating system. They are wiped when they are dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the operating system gives none.
    #[cfg(feature = "getrandom")]
    pub fn generate_key(&self) -> Result<crate::Zeroizing<alloc::vec::Vec<u8>>, Error> {
        let mut key = crate::Zeroizing::new(alloc::vec![0; self.key_len]);
        crate::random::from_system(&mut key)?;
        Ok(key)
    }

    /// The length of a nonce in bytes; 0 for an algorithm without one.
    #[must_use]
    pub fn nonce_len(&self) -> usize {
        self.nonce_len
    }

    /// The length of a tag in bytes.
    #[must_use]
    pub fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// Whether the tag comes before the ciphertext where both are in one piece, as AES-SIV
    /// has it; else after it.
    #[must_use]
    pub fn tag_first(&self) -> bool {
        self.tag_first
    }

    /// How nonces come to be.
    #[must_use]
    pub fn nonce_rule(&self) -> NonceRule {
        self.nonce_rule
    }

    /// The longest plaintext in bytes.
    #[must_use]
    pub fn max_plaintext_len(&self) -> u64 {
        self.max_plaintext_len
    }

    /// The longest AAD in bytes.
    #[must_use]
    pub fn max_aad_len(&self) -> u64 {
        self.max_aad_len
    }

    /// Whether `nonce` is one of this algorithm: its length, and bits that must be zero. Says
    /// nothing about whether it was used before.
    #[must_use]
    pub fn allows_nonce(&self, nonce: &[u8]) -> bool {
        nonce.len() == self.nonce_len && self.nonce_rule.allows(nonce)
    }

    /// Fills `nonces` with random nonces, one after the other. Nothing is counted: see
    /// [`Aead::draw_nonces`](super::Aead::draw_nonces).
    ///
    /// # Errors
    ///
    /// - [`Error::NoRandomNonce`] if the nonces must be counted;
    /// - [`Error::NonceLen`] if `nonces` is not a whole number of nonces;
    /// - [`Error::Random`] if the operating system gives no random bytes;
    /// - [`Error::SelfCheck`] if the kernel of ChaCha20 is wrong, which makes the nonces of
    ///   AES-GCM-SIV.
    #[cfg(feature = "getrandom")]
    pub fn fill_nonces(&self, nonces: &mut [u8]) -> Result<(), Error> {
        self.nonce_rule.fill(Tier::detect(), self.nonce_len, nonces)
    }

    /// Makes a key from uniformly random bytes, for the widest tier of this CPU.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLen`] if there are not [`key_len`](Self::key_len) bytes.
    #[cfg(feature = "alloc")]
    pub fn new_key(&self, key: &[u8]) -> Result<Box<dyn Aead>, Error> {
        self.new_key_with_tier(key, Tier::detect())
    }

    /// Makes a key for a given tier, for tests and benchmarks.
    ///
    /// # Errors
    ///
    /// As [`new_key`](Self::new_key).
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    pub fn new_key_with_tier(&self, key: &[u8], tier: Tier) -> Result<Box<dyn Aead>, Error> {
        Depth::Middle
            .making_key(tier, || (self.new_key)(key, tier))
            .ok_or(Error::KeyLen { expected: self.key_len, given: key.len() })
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const fn least(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

/// Makes the rows of ciphers: their names, the lengths of their tags, and what their keys are
/// told of these.
macro_rules! rows {
    ($($row:ident: $name:literal, $cipher:ty, $tag_len:expr, $choice:expr;)*) => {
        $(pub(crate) static $row: Algorithm = Algorithm::of::<$cipher>(
            $name,
            $tag_len,
            #[cfg(feature = "alloc")]
            |key, tier| $crate::aead::algorithm::boxed::<$cipher>(key, $choice, tier),
        );)*
    };
}
pub(crate) use rows;

#[cfg(feature = "alloc")]
pub(crate) fn boxed<C: Calls>(key: &[u8], choice: C::Choice, tier: Tier) -> Option<Box<dyn Aead>>
where
    Key<C>: Aead,
{
    Some(Box::new(C::make(C::Key::of(key)?, choice, tier)))
}
