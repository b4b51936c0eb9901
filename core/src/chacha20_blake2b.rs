//! ChaCha20-BLAKE2b keys, byte-compatible with the C# library of 2022 (version 2.0.1).

#[cfg(feature = "aead")]
mod aead_traits;
mod batch;
mod long_tag;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::mode::chacha20_blake2b::{self as mode, Extended, Keys, MAX_LEN, Short};
use crate::self_check::KnownAnswers;
use crate::tier::secret::Erased;
use crate::tier::{Kind, Tier, Token};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
pub use long_tag::{LongTag, TagLen};

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

/// One `match`, one `run`: `$body` sees the token of `$tier`.
macro_rules! on_tier {
    ($tier:expr, |$t:ident| $body:expr) => {
        match $tier.0 {
            Kind::Portable($t) => $t.run(|| $body),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2($t) => $t.run(|| $body),
            #[cfg(target_arch = "x86_64")]
            Kind::Vaes256($t) => $t.run(|| $body),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512($t) => $t.run(|| $body),
        }
    };
}
use on_tier;

/// Whether the whole family gives the known answer on `tier`.
fn known_answers_hold(tier: Tier) -> bool {
    KNOWN_ANSWERS.hold(tier, || on_tier!(tier, |t| mode::known_answers_hold(t)))
}

/// The C# library's signed 32-bit lengths; the format has no wider ones.
fn check_len(what: &'static str, given: u64) -> Result<(), Error> {
    if given > MAX_LEN {
        Err(Error::TooLong {
            what,
            limit: MAX_LEN,
            given,
        })
    } else {
        Ok(())
    }
}

/// What every key of the family holds.
struct Key {
    tier: Tier,
    tag_len: TagLen,
    /// `None` if the tier's kernels gave a wrong known answer.
    keys: Option<Keys>,
}

impl Key {
    fn new(tier: Tier, tag_len: TagLen, expand: impl FnOnce() -> Keys) -> Self {
        let keys = known_answers_hold(tier).then(expand);
        Self {
            tier,
            tag_len,
            keys,
        }
    }

    fn keys(&self) -> Result<&Keys, Error> {
        let refused = Error::SelfCheck {
            tier: self.tier.name(),
        };
        self.keys.as_ref().ok_or(refused)
    }

    fn check_tag_len(&self, tag: &LongTag) -> Result<(), Error> {
        if tag.len() == self.tag_len {
            Ok(())
        } else {
            Err(Error::TagLen {
                expected: self.tag_len.bytes(),
                given: tag.len().bytes(),
            })
        }
    }

    /// Runs `seal` on an input within the limits.
    fn seal(
        &self,
        aad: &[u8],
        in_out: &mut [u8],
        seal: impl FnOnce(&Keys, &mut [u8]) -> mode::TagBytes,
    ) -> Result<LongTag, Error> {
        check_len("plaintext", in_out.len() as u64)?;
        check_len("aad", aad.len() as u64)?;
        Ok(LongTag::new(seal(self.keys()?, in_out), self.tag_len))
    }

    /// Runs `open` on an input within the limits, with a tag of the right length.
    fn open(
        &self,
        aad: &[u8],
        in_out: &mut [u8],
        tag: &LongTag,
        open: impl FnOnce(&Keys, &mut [u8]) -> bool,
    ) -> Result<(), Error> {
        check_len("ciphertext", in_out.len() as u64)?;
        check_len("aad", aad.len() as u64)?;
        self.check_tag_len(tag)?;
        if open(self.keys()?, in_out) {
            Ok(())
        } else {
            Err(Error::Open)
        }
    }

    /// Seals a copy of `plaintext` behind `prefix`.
    #[cfg(feature = "alloc")]
    fn seal_to_vec(
        &self,
        prefix: &[u8],
        plaintext: &[u8],
        seal_in_place: impl FnOnce(&mut [u8]) -> Result<LongTag, Error>,
    ) -> Result<Vec<u8>, Error> {
        check_len("plaintext", plaintext.len() as u64)?;
        let tag_len = self.tag_len.bytes();
        let mut sealed = Vec::with_capacity(prefix.len() + plaintext.len() + tag_len);
        sealed.extend_from_slice(prefix);
        sealed.extend_from_slice(plaintext);
        let tag = seal_in_place(&mut sealed[prefix.len()..])?;
        sealed.extend_from_slice(tag.as_bytes());
        Ok(sealed)
    }

    /// Opens a copy of ciphertext ‖ tag.
    #[cfg(feature = "alloc")]
    fn open_to_vec(
        &self,
        sealed: &[u8],
        open_in_place: impl FnOnce(&mut [u8], &LongTag) -> Result<(), Error>,
    ) -> Result<Vec<u8>, Error> {
        let ciphertext_len = sealed
            .len()
            .checked_sub(self.tag_len.bytes())
            .ok_or(Error::Open)?;
        check_len("ciphertext", ciphertext_len as u64)?;
        let (ciphertext, tag) = sealed.split_at(ciphertext_len);
        let mut plaintext = ciphertext.to_vec();
        open_in_place(&mut plaintext, &LongTag::try_from(tag)?)?;
        Ok(plaintext)
    }
}

/// What all three types offer, and how they are made.
macro_rules! common {
    ($name:ident, $module:ident, |$t:ident, $key:ident, $tag_len:ident| $expand:expr) => {
        impl $name {
            /// The length of a key in bytes.
            pub const KEY_LEN: usize = 32;
            /// The most bytes of a plaintext, and of an AAD: 2^31 - 1.
            pub const MAX_LEN: u64 = MAX_LEN;

            /// Makes a key with tags of 32 bytes from uniformly random bytes, for the widest
            /// tier of this CPU.
            ///
            /// If that tier's kernels fail their known-answer check, which no working
            /// machine does, every call of the key returns [`Error::SelfCheck`].
            #[must_use]
            pub fn new(key: &[u8; 32]) -> Self {
                Self::with_tag_len(key, TagLen::Bytes32)
            }

            /// Makes a key with tags of the given length. A sealed message does not say how
            /// long its tag is: both sides must agree on it.
            #[must_use]
            pub fn with_tag_len(key: &[u8; 32], tag_len: TagLen) -> Self {
                Self::with_tier(key, tag_len, Tier::detect())
            }

            /// Makes a key for a given tier, for tests and benchmarks.
            #[doc(hidden)]
            #[must_use]
            pub fn with_tier($key: &[u8; 32], $tag_len: TagLen, tier: Tier) -> Self {
                let key = Key::new(tier, $tag_len, || on_tier!(tier, |$t| $expand));
                Self(Erased::new(key))
            }

            /// The length of this key's tags.
            #[must_use]
            pub fn tag_len(&self) -> TagLen {
                self.0.tag_len
            }

            /// The name of the tier that this key runs on.
            #[must_use]
            pub fn tier_name(&self) -> &'static str {
                self.0.tier.name()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("tier", &self.0.tier)
                    .field("tag_len", &self.0.tag_len)
                    .finish_non_exhaustive()
            }
        }
    };
}

common!(
    ChaCha20Blake2b,
    chacha20,
    |t, key, _tag_len| mode::expand::<_, Short>(t, key)
);
common!(
    XChaCha20Blake2b,
    xchacha20,
    |t, key, _tag_len| mode::expand::<_, Extended>(t, key)
);
common!(
    XChaCha20Blake2bSiv,
    siv,
    |t, key, tag_len| mode::expand_siv(t, key, tag_len.bytes())
);

/// ChaCha20-BLAKE2b: a committing AEAD with an 8-byte nonce that must be a counter.
///
/// In the terms of RFC 9771: fully committing (CMT-4: a ciphertext opens under one
/// key, nonce and AAD only) with four bits of strength for each byte of tag, 128 at
/// 32 bytes, as far as BLAKE2b resists collisions. Not nonce-misuse resistant: a
/// repeated nonce reveals the XOR of two plaintexts and lets tags be forged for neither.
///
/// # Nonces
///
/// The nonce is eight bytes: among random ones a repetition is likely after a few
/// billion messages and has chance 2^-32 after 100 000 already, so this type draws none. Use a
/// counter that never repeats under one key, or [`XChaCha20Blake2b`].
///
/// # Compatibility
///
/// The bytes are those of the ChaCha20-BLAKE2b library for C#, version 2.0.1 (2022),
/// except that it refuses an empty plaintext, which this type seals and opens. This is
/// *not* draft-lucas-generalised-committing-aead (12-byte nonce, 64-bit lengths, other
/// contexts) and not PASETO v4. Plaintext and AAD are at most 2^31 - 1 bytes each.
///
/// # Example
///
/// ```
/// use sivka::ChaCha20Blake2b;
///
/// let key = ChaCha20Blake2b::new(&[7; 32]);
/// let mut counter = 0_u64;
/// let mut message = *b"in the caller's buffer";
/// let nonce = counter.to_le_bytes();
/// counter += 1; // kept with the key, and never turned back
/// let tag = key.seal_in_place(&nonce, b"aad", &mut message)?;
/// key.open_in_place(&nonce, b"aad", &mut message, &tag)?;
/// assert_eq!(&message, b"in the caller's buffer");
/// # assert_eq!(counter, 1);
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct ChaCha20Blake2b(Erased<Key>);

/// XChaCha20-BLAKE2b: a committing AEAD whose 24-byte nonces may be random.
///
/// In the terms of RFC 9771: fully committing (CMT-4: a ciphertext opens under one
/// key, nonce and AAD only) with four bits of strength for each byte of tag, 128 at
/// 32 bytes, as far as BLAKE2b resists collisions. Not nonce-misuse resistant: a
/// repeated nonce reveals the XOR of two plaintexts. Random nonces do not repeat: 2^80
/// messages have a chance of 2^-33.
///
/// # Compatibility
///
/// The bytes are those of the ChaCha20-BLAKE2b library for C#, version 2.0.1 (2022),
/// except that it refuses an empty plaintext, which this type seals and opens. This is
/// *not* draft-lucas-generalised-committing-aead and not PASETO v4. Plaintext and AAD
/// are at most 2^31 - 1 bytes each.
///
/// # Example
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use sivka::{TagLen, XChaCha20Blake2b};
///
/// let key = XChaCha20Blake2b::with_tag_len(&[7; 32], TagLen::Bytes48);
/// let sealed = key.seal(b"the plaintext", b"aad")?;
/// assert_eq!(sealed.len(), 24 + 13 + 48);
/// assert_eq!(key.open(&sealed, b"aad")?, b"the plaintext");
/// # }
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct XChaCha20Blake2b(Erased<Key>);

/// XChaCha20-BLAKE2b-SIV: a committing AEAD without a nonce.
///
/// Deterministic: the same key, AAD and plaintext always give the same sealed message,
/// so whoever sees two can tell that they are equal, and no more. Put something that
/// differs, a record number for example, into the AAD where that matters.
///
/// In the terms of RFC 9771: nonce-misuse resistant for want of a nonce, and fully
/// committing (CMT-4) with four bits of strength for each byte of tag, 128 at 32 bytes, as
/// far as BLAKE2b resists collisions.
///
/// # Compatibility
///
/// As for [`XChaCha20Blake2b`], with the same limits. Sealing reads the plaintext twice
/// and is slower than opening.
///
/// # Example
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use sivka::XChaCha20Blake2bSiv;
///
/// let key = XChaCha20Blake2bSiv::new(&[7; 32]);
/// let sealed = key.seal(b"the plaintext", b"aad")?;
/// assert_eq!(sealed, key.seal(b"the plaintext", b"aad")?);
/// assert_eq!(key.open(&sealed, b"aad")?, b"the plaintext");
/// # }
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct XChaCha20Blake2bSiv(Erased<Key>);

macro_rules! with_nonce {
    ($name:ident, $variant:ident, $nonce_len:literal) => {
        impl $name {
            /// The length of a nonce in bytes.
            pub const NONCE_LEN: usize = $nonce_len;

            /// Seals under the given nonce, which no other message under this key may have.
            /// Returns ciphertext ‖ tag.
            ///
            /// # Errors
            ///
            /// [`Error::TooLong`] for inputs over 2^31 - 1 bytes, [`Error::SelfCheck`].
            #[cfg(feature = "alloc")]
            pub fn seal_with_nonce(
                &self,
                nonce: &[u8; $nonce_len],
                plaintext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.0.seal_to_vec(&[], plaintext, |in_out| {
                    self.seal_in_place(nonce, aad, in_out)
                })
            }

            /// Opens ciphertext ‖ tag under the given nonce.
            ///
            /// # Errors
            ///
            /// [`Error::Open`] if it does not open under this key, nonce and AAD or is too
            /// short to be a sealed message; [`Error::TooLong`] for inputs over the limits;
            /// [`Error::SelfCheck`]. No plaintext is returned or left in memory.
            #[cfg(feature = "alloc")]
            pub fn open_with_nonce(
                &self,
                nonce: &[u8; $nonce_len],
                ciphertext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.0.open_to_vec(ciphertext, |in_out, tag| {
                    self.open_in_place(nonce, aad, in_out, tag)
                })
            }

            /// Encrypts `in_out` in place under the given nonce, which no other message under
            /// this key may have, and returns the tag. Allocates nothing.
            ///
            /// # Errors
            ///
            /// [`Error::TooLong`] for inputs over 2^31 - 1 bytes, [`Error::SelfCheck`];
            /// `in_out` is then as it was.
            pub fn seal_in_place(
                &self,
                nonce: &[u8; $nonce_len],
                aad: &[u8],
                in_out: &mut [u8],
            ) -> Result<LongTag, Error> {
                let tag_len = self.0.tag_len.bytes();
                self.0.seal(aad, in_out, |keys, in_out| {
                    on_tier!(self.0.tier, |t| mode::seal::<_, $variant>(
                        t, keys, tag_len, nonce, aad, in_out
                    ))
                })
            }

            /// Decrypts `in_out` in place if `tag` is right. Allocates nothing.
            ///
            /// # Errors
            ///
            /// [`Error::Open`] if the message does not open; `in_out` is then all zeros.
            /// [`Error::TagLen`] for a tag whose length is not this key's, [`Error::TooLong`]
            /// for inputs over 2^31 - 1 bytes and [`Error::SelfCheck`]; `in_out` is then as it
            /// was.
            pub fn open_in_place(
                &self,
                nonce: &[u8; $nonce_len],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &LongTag,
            ) -> Result<(), Error> {
                self.0.open(aad, in_out, tag, |keys, in_out| {
                    on_tier!(self.0.tier, |t| mode::open::<_, $variant>(
                        t,
                        keys,
                        nonce,
                        aad,
                        in_out,
                        tag.as_bytes()
                    ))
                })
            }
        }
    };
}
with_nonce!(ChaCha20Blake2b, Short, 8);
with_nonce!(XChaCha20Blake2b, Extended, 24);

impl XChaCha20Blake2b {
    /// Seals under a random nonce. Returns nonce ‖ ciphertext ‖ tag.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] for inputs over 2^31 - 1 bytes, [`Error::Random`] if the
    /// operating system gives no random bytes, [`Error::SelfCheck`].
    #[cfg(feature = "getrandom")]
    pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        check_len("plaintext", plaintext.len() as u64)?;
        check_len("aad", aad.len() as u64)?;
        let mut nonce = [0; 24];
        getrandom::fill(&mut nonce).map_err(|_| Error::Random)?;
        self.0.seal_to_vec(&nonce, plaintext, |in_out| {
            self.seal_in_place(&nonce, aad, in_out)
        })
    }

    /// Opens what [`seal`](Self::seal) returned: nonce ‖ ciphertext ‖ tag.
    ///
    /// # Errors
    ///
    /// As [`open_with_nonce`](Self::open_with_nonce).
    #[cfg(feature = "alloc")]
    pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let (nonce, ciphertext) = sealed.split_first_chunk().ok_or(Error::Open)?;
        self.open_with_nonce(nonce, ciphertext, aad)
    }
}

impl XChaCha20Blake2bSiv {
    /// Seals. Returns ciphertext ‖ tag, always the same for the same arguments.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] for inputs over 2^31 - 1 bytes, [`Error::SelfCheck`].
    #[cfg(feature = "alloc")]
    pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        self.0
            .seal_to_vec(&[], plaintext, |in_out| self.seal_in_place(aad, in_out))
    }

    /// Opens ciphertext ‖ tag.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if it does not open under this key and AAD or is too short to be a
    /// sealed message; [`Error::TooLong`] for inputs over the limits;
    /// [`Error::SelfCheck`]. No plaintext is returned or left in memory.
    #[cfg(feature = "alloc")]
    pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        self.0
            .open_to_vec(sealed, |in_out, tag| self.open_in_place(aad, in_out, tag))
    }

    /// Encrypts `in_out` in place and returns the tag. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] for inputs over 2^31 - 1 bytes, [`Error::SelfCheck`]; `in_out` is
    /// then as it was.
    pub fn seal_in_place(&self, aad: &[u8], in_out: &mut [u8]) -> Result<LongTag, Error> {
        self.0.seal(aad, in_out, |keys, in_out| {
            on_tier!(self.0.tier, |t| mode::seal_siv(t, keys, aad, in_out))
        })
    }

    /// Decrypts `in_out` in place if `tag` is right. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if the message does not open; `in_out` is then all zeros.
    /// [`Error::TagLen`] for a tag whose length is not this key's, [`Error::TooLong`] for
    /// inputs over 2^31 - 1 bytes and [`Error::SelfCheck`]; `in_out` is then as it was.
    pub fn open_in_place(&self, aad: &[u8], in_out: &mut [u8], tag: &LongTag) -> Result<(), Error> {
        self.0.open(aad, in_out, tag, |keys, in_out| {
            on_tier!(self.0.tier, |t| mode::open_siv(
                t,
                keys,
                aad,
                in_out,
                tag.as_bytes()
            ))
        })
    }
}
