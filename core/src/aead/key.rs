//! A key and its calls, with their documentation.
//!
//! The calls check nothing and compute nothing. They are small, and compiled in the crate that uses
//! them. The functions behind them are in [`calls`](super::calls), and compiled here.

use super::arrays::DetachedTag;
use super::keys::*;
use crate::tag::Tag;
use crate::tier::Tier;
use core::fmt;

/// A key of an AEAD that is known when the program is compiled.
///
/// Its types have names: [`Aes256GcmSiv`](crate::Aes256GcmSiv) and the others at the [front
/// page](crate), which gives limits and errors of each. All have these calls. A nonce is an array,
/// empty (`&[]`) for algorithms without nonces. A tag is a [`Tag`], or, if keys choose its length,
/// a [`LongTag`](crate::LongTag).
///
/// Only keys that draw nonces, or need none, have [`seal`](Self::seal) and
/// [`open`](Self::open).
pub struct Key<C: Cipher> {
    pub(crate) engine: Engine<C>,
}

/// Ciphers whose keys have `seal`: their nonces may be random, or there are none.
pub trait Draws: Calls {}

/// Those whose nonces are random.
pub trait DrawsRandom: Draws {}

impl<C: Cipher> fmt::Debug for Key<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.engine.cipher().algorithm().name())
            .field("tier", &self.engine.tier())
            .finish_non_exhaustive()
    }
}

impl<C: Calls> Key<C>
where
    Self: Aead,
{
    /// The length of a key in bytes.
    pub const KEY_LEN: usize = C::Key::LEN;
    /// The length of a nonce in bytes; 0 for an algorithm without nonces.
    pub const NONCE_LEN: usize = C::Nonce::LEN;

    /// Makes a key from uniformly random bytes, for the widest tier of this CPU. Tags are of
    /// 16 bytes, or of 32 where their length may be chosen.
    ///
    /// If that tier's kernels fail their known-answer check, which no working machine does,
    /// every call of the key returns [`Error::SelfCheck`].
    #[must_use]
    pub fn new(key: &C::Key) -> Self {
        Self::with_tier(key, Tier::detect())
    }

    /// Makes a key for a given tier, for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tier(key: &C::Key, tier: Tier) -> Self {
        C::make(key, C::Tag::USUAL_LEN, tier)
    }

    /// Whether such keys give their known answers on `tier`.
    #[cfg(sivka_stateless)]
    #[doc(hidden)]
    #[must_use]
    pub fn __gives_known_answers(tier: Tier) -> bool {
        C::gives_known_answers(tier)
    }

    /// Draws the bytes of a key from the operating system, for `new`. They are wiped when
    /// they are dropped. A key does not give its bytes back: store these first, where
    /// only their owner reads.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the operating system gives none.
    #[cfg(feature = "getrandom")]
    pub fn generate_key() -> Result<crate::Zeroizing<C::Key>, Error> {
        let mut key = crate::Zeroizing::new(C::Key::ZEROS);
        crate::random::from_system(key.as_mut())?;
        Ok(key)
    }

    /// The algorithm of the key: its lengths, its limits, its nonces.
    #[must_use]
    pub fn algorithm(&self) -> &'static Algorithm {
        self.engine.cipher().algorithm()
    }

    /// The name of the tier that this key runs on.
    #[must_use]
    pub fn tier_name(&self) -> &'static str {
        self.engine.tier().name()
    }

    fn blank_tag(&self) -> C::Tag {
        C::Tag::zeros(self.engine.cipher().tag_len())
    }

    /// Encrypts `plaintext` to `ciphertext`, which is as long, and returns the tag. Unless
    /// the algorithm survives it, no two messages under one key may have one nonce. Allocates
    /// nothing, and is not slower than to copy and seal in place.
    ///
    /// # Errors
    ///
    /// [`Error::OutputLen`], [`Error::TooLong`] for inputs over the limits, [`Error::Nonce`]
    /// and [`Error::Empty`] where the algorithm refuses such a nonce or an empty message,
    /// [`Error::SelfCheck`]; `ciphertext` is then as it was.
    pub fn seal_into(
        &self,
        nonce: &C::Nonce,
        plaintext: &[u8],
        aad: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<C::Tag, Error> {
        let mut tag = self.blank_tag();
        Aead::seal_into(self, nonce.as_ref(), plaintext, aad, ciphertext, tag.out())?;
        Ok(tag)
    }

    /// Decrypts `ciphertext` to `plaintext`, which is as long, if `tag` is right.
    /// Allocates nothing, and is not slower than to copy and open in place.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if the message does not open under this key, nonce and AAD, or cannot
    /// have been sealed at all; `plaintext` is then all zeros. [`Error::OutputLen`],
    /// [`Error::TooLong`] for inputs over the limits, [`Error::TagLen`] for a tag whose length
    /// is not this key's, and [`Error::SelfCheck`]; `plaintext` is then as it was.
    pub fn open_into(
        &self,
        nonce: &C::Nonce,
        ciphertext: &[u8],
        aad: &[u8],
        tag: &C::Tag,
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        Aead::open_into(self, nonce.as_ref(), ciphertext, aad, tag.as_ref(), plaintext)
    }

    /// Encrypts `in_out` in place and returns the tag. Unless the algorithm survives it, no
    /// two messages under one key may have one nonce. Allocates nothing.
    ///
    /// # Errors
    ///
    /// As [`seal_into`](Self::seal_into); `in_out` is then as it was.
    pub fn seal_in_place(
        &self,
        nonce: &C::Nonce,
        aad: &[u8],
        in_out: &mut [u8],
    ) -> Result<C::Tag, Error> {
        let mut tag = self.blank_tag();
        Aead::seal_in_place(self, nonce.as_ref(), aad, in_out, tag.out())?;
        Ok(tag)
    }

    /// Decrypts `in_out` in place if `tag` is right. Allocates nothing.
    ///
    /// # Errors
    ///
    /// As [`open_into`](Self::open_into): after [`Error::Open`], `in_out` is all zeros, after
    /// others as it was.
    pub fn open_in_place(
        &self,
        nonce: &C::Nonce,
        aad: &[u8],
        in_out: &mut [u8],
        tag: &C::Tag,
    ) -> Result<(), Error> {
        Aead::open_in_place(self, nonce.as_ref(), aad, in_out, tag.as_ref())
    }

    /// Seals as many messages as there are `statuses`, in place, and writes their tags. The bytes
    /// are those of [`seal_in_place`](Self::seal_in_place) one by one, but the CPU works on several
    /// messages at once, which is several times as fast for short ones. `nonces` and `tags` are one
    /// after the other, without gaps; the old content of `tags` does not matter. Allocates nothing,
    /// and takes up to 53 KiB of the stack.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts do not match, and [`Error::SelfCheck`]: nothing was
    /// written. [`Error::Batch`] if some messages cannot be sealed: their statuses give the reason,
    /// their texts and tags are unchanged, and every other message is sealed.
    ///
    /// # Example
    ///
    /// ```
    /// # #[cfg(all(feature = "aes-gcm-siv", feature = "getrandom"))] {
    /// use sivka::{Aes256GcmSiv, BatchAad, BatchText, Status};
    ///
    /// let (key, nonces) = (Aes256GcmSiv::new(&[7; 32]), [[1; 12], [2; 12]]);
    /// let (nonces, aad) = (nonces.as_flattened(), BatchAad::Common(b"aad"));
    /// let (mut tags, mut statuses) = ([[0; 16]; 2], [Status::Done; 2]);
    /// let (mut bytes, offsets) = (*b"firstsecond", [0, 5, 11]);
    /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    /// key.seal_batch(nonces, aad, text, tags.as_flattened_mut(), &mut statuses)?;
    ///
    /// tags[0] = tags[1]; // forge the first message
    /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
    /// let opened = key.open_batch(nonces, aad, text, tags.as_flattened(), &mut statuses);
    /// assert_eq!(opened, Err(sivka::Error::Batch { failed: 1 }));
    /// assert_eq!(statuses, [Status::NotOpened, Status::Done]);
    /// assert_eq!(&bytes, b"\0\0\0\0\0second");
    /// # }
    /// # Ok::<(), sivka::Error>(())
    /// ```
    pub fn seal_batch(
        &self,
        nonces: &[u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [u8],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        Aead::seal_batch(self, nonces, aad, in_out, tags, statuses)
    }

    /// Opens as many messages as there are `statuses`, in place, each under its own nonce and tag,
    /// which are one after the other, without gaps. A message that does not open is wiped; the
    /// others open. Allocates nothing, and takes up to 53 KiB of the stack.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts do not match, and [`Error::SelfCheck`]: nothing was
    /// written. [`Error::Batch`] if some messages did not open: their statuses are
    /// [`Status::NotOpened`] and their texts zeros, or [`Status::TooLong`] and their texts
    /// unchanged; every other message is open.
    pub fn open_batch(
        &self,
        nonces: &[u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &[u8],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        Aead::open_batch(self, nonces, aad, in_out, tags, statuses)
    }

    /// The bytes that [`seal_column`](Self::seal_column) writes for these values.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts of the column do not match.
    pub fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Error> {
        Aead::sealed_column_len(self, values)
    }

    /// Seals every value of a column to a row that is ready to store: nonce ‖ ciphertext ‖ tag, or
    /// nonce ‖ tag ‖ ciphertext if [`Algorithm::tag_first`] is true. `open` takes a row. The rows
    /// are one after the other in `sealed`, whose length is
    /// [`sealed_column_len`](Self::sealed_column_len). `offsets` gets their bounds, from zero on:
    /// one more than there are values. A null has no bytes; the same bitmap shows it. Allocates
    /// nothing, and takes up to 104 KiB of the stack.
    ///
    /// # Errors
    ///
    /// Nothing was sealed after these:
    ///
    /// - [`Error::BatchShape`] if parts do not match;
    /// - [`Error::OutputLen`] if `sealed` is of another length;
    /// - [`Error::TooLong`] for a value or an AAD over the limits, or more bytes than `offsets`
    ///   can say;
    /// - [`Error::Nonce`], [`Error::Empty`], [`Error::NoRandomNonce`] and [`Error::UsageBound`]
    ///   as `seal` of the key, and [`Error::SelfCheck`].
    ///
    /// [`Error::Random`] if the operating system gives no random bytes: do not use `sealed` and
    /// `offsets` then.
    ///
    /// # Example
    ///
    /// ```
    /// # #[cfg(all(feature = "getrandom", feature = "aes-gcm-siv"))] {
    /// use sivka::{Aes256GcmSiv, BatchAad, Column, ColumnNonces, Offsets, OffsetsMut, Status};
    ///
    /// let key = Aes256GcmSiv::new(&[7; 32]);
    /// let aad = BatchAad::Common(b"orders.note");
    /// let values = Column { bytes: b"firstsecond", offsets: Offsets::Bits32(&[0, 5, 11]), validity: None };
    /// let mut sealed = vec![0; key.sealed_column_len(&values)?];
    /// let mut offsets = [0_i32; 3];
    /// key.seal_column(ColumnNonces::Random, &values, aad, &mut sealed, OffsetsMut::Bits32(&mut offsets))?;
    /// assert_eq!(offsets, [0, 12 + 5 + 16, 2 * (12 + 16) + 11]);
    /// assert_eq!(key.open(&sealed[..33], b"orders.note")?, b"first");
    ///
    /// let rows = Column { bytes: &sealed, offsets: Offsets::Bits32(&offsets), validity: None };
    /// let (mut opened, mut bounds) = (vec![0; key.opened_column_len(&rows)?], [0_i32; 3]);
    /// let mut statuses = [Status::Done; 2];
    /// key.open_column(&rows, aad, &mut opened, OffsetsMut::Bits32(&mut bounds), &mut statuses)?;
    /// assert_eq!((&opened[..], bounds), (&b"firstsecond"[..], [0, 5, 11]));
    /// # }
    /// # Ok::<(), sivka::Error>(())
    /// ```
    pub fn seal_column(
        &self,
        nonces: ColumnNonces<'_>,
        values: &Column<'_>,
        aad: BatchAad<'_>,
        sealed: &mut [u8],
        offsets: OffsetsMut<'_>,
    ) -> Result<(), Error> {
        Aead::seal_column(self, nonces, values, aad, sealed, offsets)
    }

    /// The bytes that [`open_column`](Self::open_column) writes for these rows.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`] if the parts of the column do not match.
    pub fn opened_column_len(&self, sealed: &Column<'_>) -> Result<usize, Error> {
        Aead::opened_column_len(self, sealed)
    }

    /// Opens every row of a column that [`seal_column`](Self::seal_column) wrote, or that holds
    /// what `seal` returned. The values are one after the other in `values`,
    /// which is as long as [`opened_column_len`](Self::opened_column_len) says, and `offsets`,
    /// from zero on, say where. Each row gets its status; that of a null is [`Status::Done`],
    /// with no bytes. Allocates nothing, and takes up to 104 KiB of the stack.
    ///
    /// # Errors
    ///
    /// [`Error::BatchShape`], [`Error::OutputLen`], and [`Error::TooLong`] for the column as a
    /// whole: nothing was written. [`Error::SelfCheck`]: nothing was opened, and `offsets` is
    /// not to be used. [`Error::Batch`] if some rows did not open. [`Status::NotOpened`]: the value
    /// is zeros, or of no bytes if the row is shorter than a nonce and a tag. [`Status::TooLong`]:
    /// the row or its AAD is over the limits, and the value has no bytes. After an AAD that is too
    /// long, `offsets` end before `values` does, and the rest of `values` is zeros. Every other row
    /// is open.
    pub fn open_column(
        &self,
        sealed: &Column<'_>,
        aad: BatchAad<'_>,
        values: &mut [u8],
        offsets: OffsetsMut<'_>,
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        Aead::open_column(self, sealed, aad, values, offsets, statuses)
    }

    /// Seals under the given nonce. Returns ciphertext ‖ tag, or tag ‖ ciphertext of AES-SIV.
    /// Unless the algorithm survives it, no two messages under one key may have one nonce.
    ///
    /// # Errors
    ///
    /// As [`seal_into`](Self::seal_into).
    #[cfg(feature = "alloc")]
    pub fn seal_with_nonce(
        &self,
        nonce: &C::Nonce,
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        Aead::seal_with_nonce(self, nonce.as_ref(), plaintext, aad)
    }

    /// Opens a result of [`seal_with_nonce`](Self::seal_with_nonce).
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if the message does not open under this key, nonce and AAD, cannot have been
    /// sealed at all, or is too short; [`Error::TooLong`] for inputs over the limits;
    /// [`Error::SelfCheck`]. No plaintext is returned or left in memory.
    #[cfg(feature = "alloc")]
    pub fn open_with_nonce(
        &self,
        nonce: &C::Nonce,
        sealed: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error> {
        Aead::open_with_nonce(self, nonce.as_ref(), sealed, aad)
    }
}

impl<C: Calls<Tag = Tag>> Key<C>
where
    Self: Aead,
{
    /// The length of a tag in bytes: 16.
    pub const TAG_LEN: usize = Tag::LEN;
}

impl<C: Draws> Key<C>
where
    Self: Aead,
{
    /// Seals under a random nonce, or none if the algorithm has none. Returns
    /// nonce ‖ ciphertext ‖ tag, or tag ‖ ciphertext of AES-SIV.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] for inputs over the limits. [`Error::Empty`] if the algorithm refuses an
    /// empty message. [`Error::UsageBound`] when a bound set by
    /// [`with_usage_bound`](Self::with_usage_bound) is spent. [`Error::Random`] if the operating
    /// system gives no random bytes. [`Error::SelfCheck`].
    #[cfg(feature = "getrandom")]
    pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        Aead::seal(self, plaintext, aad)
    }

    /// Opens a result of [`seal`](Self::seal).
    ///
    /// # Errors
    ///
    /// As [`open_with_nonce`](Self::open_with_nonce).
    #[cfg(feature = "alloc")]
    pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        Aead::open(self, sealed, aad)
    }

    /// Seals many plaintexts under one AAD, in less time than [`seal`](Self::seal) one by one. The
    /// results are in the order of the plaintexts.
    ///
    /// # Errors
    ///
    /// As [`seal`](Self::seal), for the whole list: none is then sealed.
    ///
    /// # Example
    ///
    /// ```
    /// # #[cfg(all(feature = "aes-gcm-siv", feature = "getrandom"))] {
    /// use sivka::Aes256GcmSiv;
    ///
    /// let key = Aes256GcmSiv::new(&[7; 32]);
    /// let sealed = key.seal_all([&b"first"[..], b"second"], b"orders.note")?;
    /// assert_eq!(key.open(&sealed[1], b"orders.note")?, b"second");
    /// # }
    /// # Ok::<(), sivka::Error>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn seal_all<'a>(
        &self,
        plaintexts: impl IntoIterator<Item = &'a [u8]>,
        aad: &[u8],
    ) -> Result<Vec<Vec<u8>>, Error> {
        let plaintexts: Vec<&[u8]> = plaintexts.into_iter().collect();
        super::calls::seal_all(self, &plaintexts, aad)
    }
}

impl<C: DrawsRandom> Key<C>
where
    Self: Aead,
{
    /// Counts the nonces that are drawn for this key from now on, by [`seal`](Self::seal),
    /// [`seal_all`](Self::seal_all),
    /// [`seal_batch_with_random_nonces`](Self::seal_batch_with_random_nonces) and columns with
    /// random nonces, and refuses once `bound` is spent. The other calls, whose nonces the
    /// caller chooses, are not counted.
    #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
    #[must_use]
    pub fn with_usage_bound(mut self, bound: UsageBound) -> Self {
        self.engine.set_usage_bound(bound);
        self
    }

    /// [`seal_batch`](Self::seal_batch) under a random nonce each, which it writes to `nonces`.
    /// Every message counts against a bound set by
    /// [`with_usage_bound`](Self::with_usage_bound).
    ///
    /// # Errors
    ///
    /// As [`seal_batch`](Self::seal_batch), and as [`seal`](Self::seal) for
    /// [`Error::UsageBound`] and [`Error::Random`], with nothing written but nonces.
    #[cfg(feature = "getrandom")]
    pub fn seal_batch_with_random_nonces(
        &self,
        nonces: &mut [u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [u8],
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        super::calls::seal_batch_with_random_nonces(self, nonces, aad, in_out, tags, statuses)
    }
}
