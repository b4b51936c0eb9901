//! Kuznyechik-MGM keys (RFC 9058).

use super::key::{TierKey, on_tier};
use crate::batch::{self, BatchAad, BatchText, Job, Jobs, Status};
use crate::error::Error;
use crate::mode::mgm::{self, MAX_LEN, NONCE_LEN};
use crate::tag::Tag;
use crate::tier::{Tier, Token};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use zeroize::Zeroize;

/// Kuznyechik-MGM (RFC 9058): authenticated encryption with Kuznyechik, with 16-byte tags.
///
/// In the terms of RFC 9771: **not** misuse-resistant (two messages sealed under one nonce
/// reveal the difference of their plaintexts, and the tags' protection is lost), not
/// key-committing (a ciphertext can be made that opens under two keys). With random
/// nonces of 127 bits, [`seal`](Self::seal) repeats none in practice.
///
/// # Limits
///
/// A nonce has 127 bits: the first bit of its 16 bytes must be zero. Plaintext and AAD
/// together have at least one byte and fewer than 2^61 bytes (section 4.1); what is longer
/// is refused.
///
/// RFC 9058 sets no number of messages after which to change the key, so none is enforced
/// here. By the analysis that its section 6 refers to, an attacker's advantage over `q`
/// messages with `s` blocks of plaintext and AAD in all, those of forgeries included, is a
/// small multiple of (s + 4·q)^2 / 2^128: while s + 4·q stays below 2^47, it is about 2^-32.
/// The caller counts.
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
    pub(super) key: TierKey,
}

/// What section 4.1 asks of a message before it is sealed.
pub(super) fn check(
    nonce: &[u8; NONCE_LEN],
    aad_len: u64,
    plaintext_len: u64,
) -> Result<(), Error> {
    if !mgm::is_nonce(nonce) {
        return Err(Error::Nonce);
    }
    if aad_len == 0 && plaintext_len == 0 {
        return Err(Error::Empty);
    }
    check_len("aad", aad_len)?;
    check_len(
        "aad and plaintext together",
        aad_len.saturating_add(plaintext_len),
    )
}

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

impl KuznyechikMgm {
    /// The length of a key in bytes.
    pub const KEY_LEN: usize = 32;
    /// The length of a nonce in bytes, of which the first bit is zero.
    pub const NONCE_LEN: usize = NONCE_LEN;
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
        Self {
            key: TierKey::new(key, tier),
        }
    }

    /// The name of the tier that this key runs on.
    #[must_use]
    pub fn tier_name(&self) -> &'static str {
        self.key.tier.name()
    }

    /// Seals under a random nonce of 127 bits. Returns nonce ‖ ciphertext ‖ tag, 32 bytes
    /// more than the plaintext.
    ///
    /// # Errors
    ///
    /// [`Error::Empty`] if plaintext and AAD are both empty, [`Error::TooLong`] for inputs
    /// over the limits, [`Error::Random`] if the operating system gives no random bytes,
    /// [`Error::SelfCheck`].
    #[cfg(feature = "getrandom")]
    pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        check(&[0; NONCE_LEN], aad.len() as u64, plaintext.len() as u64)?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| Error::Random)?;
        nonce[0] &= 0x7f;
        let mut sealed = Vec::with_capacity(NONCE_LEN + plaintext.len() + Tag::LEN);
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(plaintext);
        let tag = self.seal_in_place(&nonce, aad, &mut sealed[NONCE_LEN..])?;
        sealed.extend_from_slice(tag.as_bytes());
        Ok(sealed)
    }

    /// Opens what [`seal`](Self::seal) returned: nonce ‖ ciphertext ‖ tag.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if it does not open under this key and AAD, is too short to be a
    /// sealed message, or cannot have been sealed at all (a nonce whose first bit is set,
    /// no ciphertext and no AAD); [`Error::SelfCheck`]. No plaintext is returned or left
    /// in memory.
    #[cfg(feature = "alloc")]
    pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let (nonce, ciphertext) = sealed.split_first_chunk().ok_or(Error::Open)?;
        self.open_with_nonce(nonce, ciphertext, aad)
    }

    /// Seals under the given nonce, which must never be used twice with one key. Returns
    /// ciphertext ‖ tag, 16 bytes more than the plaintext.
    ///
    /// # Errors
    ///
    /// [`Error::Nonce`] if the nonce's first bit is set, [`Error::Empty`] if plaintext and
    /// AAD are both empty, [`Error::TooLong`] for inputs over the limits,
    /// [`Error::SelfCheck`].
    #[cfg(feature = "alloc")]
    pub fn seal_with_nonce(
        &self,
        nonce: &[u8; NONCE_LEN],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        check(nonce, aad.len() as u64, plaintext.len() as u64)?;
        let mut sealed = Vec::with_capacity(plaintext.len() + Tag::LEN);
        sealed.extend_from_slice(plaintext);
        let tag = self.seal_in_place(nonce, aad, &mut sealed)?;
        sealed.extend_from_slice(tag.as_bytes());
        Ok(sealed)
    }

    /// Opens ciphertext ‖ tag under the given nonce.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    #[cfg(feature = "alloc")]
    pub fn open_with_nonce(
        &self,
        nonce: &[u8; NONCE_LEN],
        ciphertext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let (ciphertext, tag) = ciphertext.split_last_chunk().ok_or(Error::Open)?;
        let mut plaintext = ciphertext.to_vec();
        self.open_in_place(nonce, aad, &mut plaintext, &Tag::from(*tag))?;
        Ok(plaintext)
    }

    /// Encrypts `in_out` in place and returns the tag. Allocates nothing.
    ///
    /// # Errors
    ///
    /// As [`seal_with_nonce`](Self::seal_with_nonce); `in_out` is then as it was.
    pub fn seal_in_place(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        in_out: &mut [u8],
    ) -> Result<Tag, Error> {
        check(nonce, aad.len() as u64, in_out.len() as u64)?;
        on_tier!(self.key, |t, keys| mgm::seal(t, keys, nonce, aad, in_out)).map(Tag::from)
    }

    /// Decrypts `in_out` in place if `tag` is right. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if the message does not open, or cannot have been sealed at all;
    /// `in_out` is then all zeros. [`Error::SelfCheck`]; `in_out` is then as it was.
    pub fn open_in_place(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &Tag,
    ) -> Result<(), Error> {
        if check(nonce, aad.len() as u64, in_out.len() as u64).is_err() {
            in_out.zeroize();
            return Err(Error::Open);
        }
        let authentic = on_tier!(self.key, |t, keys| mgm::open(
            t,
            keys,
            nonce,
            aad,
            in_out,
            tag.as_bytes()
        ))?;
        if authentic { Ok(()) } else { Err(Error::Open) }
    }
}

impl KuznyechikMgm {
    /// Seals many messages in place, each under its own nonce, and writes their tags: the
    /// same bytes as [`seal_in_place`](Self::seal_in_place) one by one, but short messages
    /// share the CPU. Message `i` has `nonces[i]`, `tags[i]` and `statuses[i]`. Allocates
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts are not of one length, and [`Error::SelfCheck`]:
    /// nothing was written. [`Error::Batch`] if some messages cannot be sealed: their
    /// statuses say why, their texts are
    /// as they were, and every other message is sealed.
    ///
    /// # Example
    ///
    /// ```
    /// use sivka::{BatchAad, BatchText, KuznyechikMgm, Status, Tag};
    ///
    /// let key = KuznyechikMgm::new(&[7; 32]);
    /// let nonces = [[1; 16], [2; 16]];
    /// let mut tags = [Tag::from([0; 16]); 2];
    /// let mut statuses = [Status::Done; 2];
    /// let (mut bytes, offsets) = (*b"firstsecond", [0, 5, 11]);
    /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    /// key.seal_batch(&nonces, BatchAad::Common(b"aad"), text, &mut tags, &mut statuses)?;
    ///
    /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    /// key.open_batch(&nonces, BatchAad::Common(b"aad"), text, &tags, &mut statuses)?;
    /// assert_eq!(&bytes, b"firstsecond");
    /// # Ok::<(), sivka::Error>(())
    /// ```
    pub fn seal_batch(
        &self,
        nonces: &[[u8; NONCE_LEN]],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [Tag],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let jobs = Jobs::new(nonces, aad, in_out, tags.len(), statuses.len())?;
        let cells = Cell::from_mut(&mut *statuses).as_slice_of_cells();
        let no_tag = |_| [0; Tag::LEN];
        on_tier!(self.key, |t, keys| mgm::batch::seal_batch(
            t,
            keys,
            checked(jobs, cells, no_tag, |error, _| error),
            |message| tags[message.index] = Tag::from(message.tag)
        ))?;
        batch::verdict(statuses)
    }

    /// [`seal_batch`](Self::seal_batch) under random nonces of 127 bits, which it writes to
    /// `nonces`.
    ///
    /// # Errors
    ///
    /// As [`seal_batch`](Self::seal_batch), and [`Error::Random`] if the operating system
    /// gives no random bytes, with nothing written but nonces.
    #[cfg(feature = "getrandom")]
    pub fn seal_batch_with_random_nonces(
        &self,
        nonces: &mut [[u8; NONCE_LEN]],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [Tag],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        getrandom::fill(nonces.as_flattened_mut()).map_err(|_| Error::Random)?;
        for nonce in nonces.iter_mut() {
            nonce[0] &= 0x7f;
        }
        self.seal_batch(nonces, aad, in_out, tags, statuses)
    }

    /// Opens many messages in place, each under its own nonce and tag. One that does not
    /// open is wiped and hides none of the others. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts are not of one length, and [`Error::SelfCheck`]:
    /// nothing was written. [`Error::Batch`] if some messages did not open: their statuses
    /// are [`Status::NotOpened`] and their texts zeros; every other message is open.
    pub fn open_batch(
        &self,
        nonces: &[[u8; NONCE_LEN]],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &[Tag],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let jobs = Jobs::new(nonces, aad, in_out, tags.len(), statuses.len())?;
        let cells = Cell::from_mut(&mut *statuses).as_slice_of_cells();
        let wiped = |_, in_out: &mut [u8]| {
            in_out.zeroize();
            Error::Open
        };
        on_tier!(self.key, |t, keys| mgm::batch::open_batch(
            t,
            keys,
            checked(jobs, cells, |i| tags[i].into(), wiped),
            |message| {
                if !message.authentic {
                    cells[message.index].set(Status::NotOpened);
                }
            }
        ))?;
        batch::verdict(statuses)
    }
}

/// The messages of a batch that the standard allows; every message gets its status, good
/// until something else is found, and for the others what `refused` makes of the error.
#[inline(always)]
fn checked<'a>(
    jobs: Jobs<'a, '_, NONCE_LEN>,
    statuses: &[Cell<Status>],
    tag_of: impl Fn(usize) -> [u8; Tag::LEN],
    refused: impl Fn(Error, &mut [u8]) -> Error,
) -> impl Iterator<Item = mgm::batch::Message<'a>> {
    jobs.enumerate().filter_map(move |(index, job)| {
        let Job { nonce, aad, in_out } = job;
        let checked = check(nonce, aad.len() as u64, in_out.len() as u64)
            .map_err(|error| refused(error, in_out));
        statuses[index].set(checked.into());
        checked.ok().map(|()| mgm::batch::Message {
            index,
            nonce: *nonce,
            aad,
            in_out,
            tag: tag_of(index),
            authentic: false,
        })
    })
}

impl fmt::Debug for KuznyechikMgm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KuznyechikMgm")
            .field("tier", &self.key.tier)
            .finish_non_exhaustive()
    }
}
