//! The calls of every AEAD key, with their documentation.
//!
//! They check nothing and compute nothing: [`Engine`](super::engine::Engine) does.

use crate::batch::BatchTags;
use crate::tag::Tag;
use crate::tag::{LongTag, TagLen};

/// A detached tag as a key's calls have it.
pub(crate) trait DetachedTag: Copy {
    type Bytes: ?Sized;

    /// A tag of `len` zeros.
    fn zeros(len: usize) -> Self;
    fn out(&mut self) -> &mut Self::Bytes;
    fn bytes(&self) -> &Self::Bytes;
    fn all_out(tags: &mut [Self], len: usize) -> BatchTags<'_>;
    fn all_in(tags: &[Self]) -> BatchTags<'_>;
}

impl DetachedTag for Tag {
    type Bytes = [u8; Tag::LEN];

    #[inline(always)]
    fn zeros(_len: usize) -> Self {
        Self::from([0; Tag::LEN])
    }

    #[inline(always)]
    fn out(&mut self) -> &mut [u8; Tag::LEN] {
        self.as_bytes_mut()
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8; Tag::LEN] {
        self.as_bytes()
    }

    fn all_out(tags: &mut [Self], _len: usize) -> BatchTags<'_> {
        BatchTags::ShortOut(tags)
    }

    fn all_in(tags: &[Self]) -> BatchTags<'_> {
        BatchTags::ShortIn(tags)
    }
}

impl DetachedTag for LongTag {
    type Bytes = [u8];

    #[inline(always)]
    fn zeros(len: usize) -> Self {
        let mut tag = Self::from([0; 32]);
        tag.blank(TagLen::of_bytes(len));
        tag
    }

    #[inline(always)]
    fn out(&mut self) -> &mut [u8] {
        self.as_bytes_mut()
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn all_out(tags: &mut [Self], len: usize) -> BatchTags<'_> {
        BatchTags::LongOut(tags, TagLen::of_bytes(len))
    }

    fn all_in(tags: &[Self]) -> BatchTags<'_> {
        BatchTags::LongIn(tags)
    }
}

/// The first of two expressions, if there is one.
macro_rules! either {
    ([$first:expr] [$second:expr]) => {
        $first
    };
    ([] [$second:expr]) => {
        $second
    };
}
pub(crate) use either;

/// The calls that every AEAD key has, and its [`Aead`](super::Aead).
///
/// `$key` makes a key in an example. `$once` warns of nonces, `$refused` names the errors of
/// sealing beside [`Error::SelfCheck`](crate::Error::SelfCheck), and `$not_opened` those of
/// opening beside it.
macro_rules! aead_key {
    (
        $name:ident, $cipher:ty, $tag:ident, $key_len:literal, |$engine:ident| $algorithm:expr,
        $([$nonce:ident; $nonce_len:literal],)?
        key: $key:literal, tag: $blank:literal, nonces: $nonces:literal,
        once: $once:literal, refused: $refused:literal, not_opened: $not_opened:literal,
    ) => {
        impl $name {
            /// The length of a key in bytes.
            pub const KEY_LEN: usize = $key_len;
            $(
            /// The length of a nonce in bytes.
            pub const NONCE_LEN: usize = $nonce_len;
            )?

            /// Draws the bytes of a key from the operating system, for `new`. They are wiped when
            /// they are dropped. A key does not give its bytes back: store these first, where
            /// only their owner reads.
            ///
            /// # Errors
            ///
            /// [`Error::Random`] if the operating system gives none.
            #[cfg(feature = "getrandom")]
            pub fn generate_key() -> Result<$crate::Zeroizing<[u8; $key_len]>, Error> {
                let mut key = $crate::Zeroizing::new([0; $key_len]);
                $crate::random::from_system(&mut *key)?;
                Ok(key)
            }

            /// The name of the tier that this key runs on.
            #[must_use]
            pub fn tier_name(&self) -> &'static str {
                self.engine.tier().name()
            }

            #[doc = concat!("Encrypts `plaintext` to `ciphertext`, which is as long", $once, ", and")]
            /// returns the tag. Allocates nothing, and is not slower than to copy and seal in
            /// place.
            ///
            /// # Errors
            ///
            /// [`Error::OutputLen`],
            #[doc = concat!($refused, ",")]
            /// [`Error::SelfCheck`]; `ciphertext` is then as it was.
            pub fn seal_into(
                &self,
                $($nonce: &[u8; $nonce_len],)?
                plaintext: &[u8],
                aad: &[u8],
                ciphertext: &mut [u8],
            ) -> Result<$tag, Error> {
                let nonce = $crate::aead::methods::either!([$($nonce)?] [&[]]);
                let mut tag = <$tag as DetachedTag>::zeros(self.engine.cipher().tag_len());
                self.engine.seal(nonce, aad, Some(plaintext), ciphertext, tag.out())?;
                Ok(tag)
            }

            /// Decrypts `ciphertext` to `plaintext`, which is as long, if `tag` is right.
            /// Allocates nothing, and is not slower than to copy and open in place.
            ///
            /// # Errors
            ///
            #[doc = concat!($not_opened, ";")]
            /// `plaintext` is then all zeros. [`Error::OutputLen`], [`Error::TooLong`] for inputs
            /// over the limits, [`Error::TagLen`] for a tag whose length is not this key's, and
            /// [`Error::SelfCheck`]; `plaintext` is then as it was.
            pub fn open_into(
                &self,
                $($nonce: &[u8; $nonce_len],)?
                ciphertext: &[u8],
                aad: &[u8],
                tag: &$tag,
                plaintext: &mut [u8],
            ) -> Result<(), Error> {
                let nonce = $crate::aead::methods::either!([$($nonce)?] [&[]]);
                self.engine.open(nonce, aad, Some(ciphertext), plaintext, tag.bytes())
            }

            #[doc = concat!("Encrypts `in_out` in place", $once, ", and returns the tag.")]
            /// Allocates nothing.
            ///
            /// # Errors
            ///
            #[doc = concat!($refused, ",")]
            /// [`Error::SelfCheck`]; `in_out` is then as it was.
            pub fn seal_in_place(
                &self,
                $($nonce: &[u8; $nonce_len],)?
                aad: &[u8],
                in_out: &mut [u8],
            ) -> Result<$tag, Error> {
                let nonce = $crate::aead::methods::either!([$($nonce)?] [&[]]);
                let mut tag = <$tag as DetachedTag>::zeros(self.engine.cipher().tag_len());
                self.engine.seal(nonce, aad, None, in_out, tag.out())?;
                Ok(tag)
            }

            /// Decrypts `in_out` in place if `tag` is right. Allocates nothing.
            ///
            /// # Errors
            ///
            #[doc = concat!($not_opened, ";")]
            /// `in_out` is then all zeros. [`Error::TooLong`] for inputs over the limits,
            /// [`Error::TagLen`] for a tag whose length is not this key's, and
            /// [`Error::SelfCheck`]; `in_out` is then as it was.
            pub fn open_in_place(
                &self,
                $($nonce: &[u8; $nonce_len],)?
                aad: &[u8],
                in_out: &mut [u8],
                tag: &$tag,
            ) -> Result<(), Error> {
                let nonce = $crate::aead::methods::either!([$($nonce)?] [&[]]);
                self.engine.open(nonce, aad, None, in_out, tag.bytes())
            }

            /// Seals many messages in place and writes their tags: the same bytes as
            /// [`seal_in_place`](Self::seal_in_place) one by one, but messages share the CPU,
            /// and several times as many short ones are done in a second. Message `i` has
            /// `tags[i]`, `statuses[i]` and, where there is one, `nonces[i]`; what is in `tags`
            /// before does not matter. Allocates nothing.
            ///
            /// # Errors
            ///
            /// [`Error::BatchShape`] if the parts are not of one length, and
            /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages
            /// cannot be sealed: their statuses say why, their texts are as they were, and every
            /// other message is sealed.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("use sivka::{BatchAad, BatchText, Status, ", stringify!($tag), ", ", stringify!($name), "};")]
            ///
            #[doc = concat!("let key = ", $key, ";")]
            #[doc = concat!("let (mut tags, mut statuses) = ([", $blank, "; 2], [Status::Done; 2]);")]
            /// let (mut bytes, offsets) = (*b"firstsecond", [0, 5, 11]);
            /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
            #[doc = concat!("key.seal_batch(", $nonces, "BatchAad::Common(b\"aad\"), text, &mut tags, &mut statuses)?;")]
            ///
            /// tags[0] = tags[1]; // forge the first message
            /// let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
            #[doc = concat!("let opened = key.open_batch(", $nonces, "BatchAad::Common(b\"aad\"), text, &tags, &mut statuses);")]
            /// assert_eq!(opened, Err(sivka::Error::Batch { failed: 1 }));
            /// assert_eq!(statuses, [Status::NotOpened, Status::Done]);
            /// assert_eq!(&bytes, b"\0\0\0\0\0second");
            /// # Ok::<(), sivka::Error>(())
            /// ```
            pub fn seal_batch(
                &self,
                $($nonce: &[[u8; $nonce_len]],)?
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &mut [$tag],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                let nonces = $crate::aead::methods::either!([$($nonce)?] [no_nonces(statuses.len())]);
                batch::check_count("tags", nonces.len(), tags.len())?;
                batch::check_count("statuses", nonces.len(), statuses.len())?;
                let parts = Parts::new(nonces.len(), aad, in_out)?;
                let tags = <$tag as DetachedTag>::all_out(tags, self.engine.cipher().tag_len());
                self.engine.crypt_batch(nonces, parts, tags, statuses, Direction::Seal)
            }

            /// Opens many messages in place, each under its own tag and, where there is one,
            /// nonce. One that does not open is wiped and hides none of the others. Allocates
            /// nothing.
            ///
            /// # Errors
            ///
            /// [`Error::BatchShape`] if the parts are not of one length, and
            /// [`Error::SelfCheck`]: nothing was written. [`Error::Batch`] if some messages did
            /// not open: their statuses are [`Status::NotOpened`] and their texts zeros, or
            /// [`Status::TooLong`], or [`Status::Refused`] for a tag whose length is not this
            /// key's, and their texts as they were; every other message is open.
            pub fn open_batch(
                &self,
                $($nonce: &[[u8; $nonce_len]],)?
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &[$tag],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                let nonces = $crate::aead::methods::either!([$($nonce)?] [no_nonces(statuses.len())]);
                batch::check_count("tags", nonces.len(), tags.len())?;
                batch::check_count("statuses", nonces.len(), statuses.len())?;
                let parts = Parts::new(nonces.len(), aad, in_out)?;
                let tags = <$tag as DetachedTag>::all_in(tags);
                self.engine.crypt_batch(nonces, parts, tags, statuses, Direction::Open)
            }
        }

        impl Keyed for $name {
            type Cipher = $cipher;
        }

        impl $crate::aead::sealed::Sealed for $name {}

        impl Aead for $name {
            fn algorithm(&self) -> &'static Algorithm {
                let $engine = &self.engine;
                $algorithm
            }

            fn tier_name(&self) -> &'static str {
                self.engine.tier().name()
            }

            fn seal_into(
                &self,
                nonce: &[u8],
                plaintext: &[u8],
                aad: &[u8],
                ciphertext: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                self.engine.seal_slices(nonce, aad, Some(plaintext), ciphertext, tag)
            }

            fn open_into(
                &self,
                nonce: &[u8],
                ciphertext: &[u8],
                aad: &[u8],
                tag: &[u8],
                plaintext: &mut [u8],
            ) -> Result<(), Error> {
                self.engine.open_slices(nonce, aad, Some(ciphertext), plaintext, tag)
            }

            fn seal_in_place(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                self.engine.seal_slices(nonce, aad, None, in_out, tag)
            }

            fn open_in_place(
                &self,
                nonce: &[u8],
                aad: &[u8],
                in_out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Error> {
                self.engine.open_slices(nonce, aad, None, in_out, tag)
            }

            fn seal_batch(
                &self,
                nonces: &[u8],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &mut [u8],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                let tags_len = tags.len();
                let tags = BatchTags::FlatOut(tags, self.engine.cipher().tag_len());
                let direction = Direction::Seal;
                self.engine.crypt_batch_slices(nonces, aad, in_out, (tags, tags_len), statuses, direction)
            }

            fn open_batch(
                &self,
                nonces: &[u8],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &[u8],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                let tags_len = tags.len();
                let tags = BatchTags::FlatIn(tags, self.engine.cipher().tag_len());
                let direction = Direction::Open;
                self.engine.crypt_batch_slices(nonces, aad, in_out, (tags, tags_len), statuses, direction)
            }

            fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Error> {
                self.engine.sealed_column_len(values)
            }

            fn seal_column(
                &self,
                nonces: ColumnNonces<'_>,
                values: &Column<'_>,
                aad: BatchAad<'_>,
                sealed: &mut [u8],
                offsets: OffsetsMut<'_>,
            ) -> Result<(), Error> {
                self.engine.seal_column(nonces, values, aad, sealed, offsets)
            }

            fn opened_column_len(&self, sealed: &Column<'_>) -> Result<usize, Error> {
                self.engine.opened_column_len(sealed)
            }

            fn open_column(
                &self,
                sealed: &Column<'_>,
                aad: BatchAad<'_>,
                values: &mut [u8],
                offsets: OffsetsMut<'_>,
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                self.engine.open_column(sealed, aad, values, offsets, statuses)
            }

            #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
            fn set_usage_bound(&mut self, bound: UsageBound) {
                self.engine.set_usage_bound(bound);
            }

            #[cfg(feature = "getrandom")]
            fn draw_nonces(&self, nonces: &mut [u8], message_len: u64) -> Result<(), Error> {
                self.engine.draw_nonces(nonces, message_len)
            }

            #[cfg(feature = "getrandom")]
            fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.engine.seal_after_nonce(plaintext, aad)
            }

            #[cfg(feature = "alloc")]
            fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.engine.open_after_nonce(sealed, aad)
            }

            #[cfg(feature = "alloc")]
            fn seal_with_nonce(
                &self,
                nonce: &[u8],
                plaintext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.engine.seal_to_vec_slices(nonce, plaintext, aad)
            }

            #[cfg(feature = "alloc")]
            fn open_with_nonce(
                &self,
                nonce: &[u8],
                ciphertext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.engine.open_to_vec_slices(nonce, ciphertext, aad)
            }
        }
    };
}
pub(crate) use aead_key;

/// The calls of a key that is given its nonces.
macro_rules! aead_key_with_nonces {
    (
        $name:ident, nonce: $nonce_len:literal,
        once: $once:literal, refused: $refused:literal, not_opened: $not_opened:literal,
    ) => {
        impl $name {
            #[doc = concat!("Seals under the given nonce", $once, ".")]
            /// Returns ciphertext ‖ tag.
            ///
            /// # Errors
            ///
            #[doc = concat!($refused, ",")]
            /// [`Error::SelfCheck`].
            #[cfg(feature = "alloc")]
            pub fn seal_with_nonce(
                &self,
                nonce: &[u8; $nonce_len],
                plaintext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.engine.seal_to_vec(&[], nonce, plaintext, aad)
            }

            /// Opens ciphertext ‖ tag under the given nonce.
            ///
            /// # Errors
            ///
            #[doc = concat!($not_opened, ",")]
            /// or is too short to be a sealed message; [`Error::TooLong`] for inputs over the
            /// limits; [`Error::SelfCheck`]. No plaintext is returned or left in memory.
            #[cfg(feature = "alloc")]
            pub fn open_with_nonce(
                &self,
                nonce: &[u8; $nonce_len],
                ciphertext: &[u8],
                aad: &[u8],
            ) -> Result<Vec<u8>, Error> {
                self.engine.open_to_vec(nonce, ciphertext, aad)
            }
        }
    };
}
pub(crate) use aead_key_with_nonces;

/// The calls of a key that draws its nonces.
macro_rules! aead_key_with_random_nonces {
    (
        $name:ident, nonce: $nonce_len:literal, tag: $tag:ident,
        random: $random:literal, refused: $refused:literal, not_opened: $not_opened:literal,
    ) => {
        impl $name {
            /// Counts the nonces that are drawn for this key from now on, by
            /// [`seal`](Self::seal),
            /// [`seal_batch_with_random_nonces`](Self::seal_batch_with_random_nonces) and
            /// columns with random nonces, and refuses once `bound` is spent. The other calls, whose nonces the caller chooses,
            /// are not counted.
            #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
            #[must_use]
            pub fn with_usage_bound(mut self, bound: UsageBound) -> Self {
                self.engine.set_usage_bound(bound);
                self
            }

            #[doc = concat!("Seals under ", $random, ". Returns nonce ‖ ciphertext ‖ tag.")]
            ///
            /// # Errors
            ///
            #[doc = concat!($refused, ",")]
            /// [`Error::UsageBound`] when a bound set by
            /// [`with_usage_bound`](Self::with_usage_bound) is spent, [`Error::Random`] if the
            /// operating system gives no random bytes, [`Error::SelfCheck`].
            #[cfg(feature = "getrandom")]
            pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.engine.seal_after_nonce(plaintext, aad)
            }

            /// Opens what [`seal`](Self::seal) returned: nonce ‖ ciphertext ‖ tag.
            ///
            /// # Errors
            ///
            #[doc = concat!($not_opened, ",")]
            /// or is too short to be a sealed message; [`Error::TooLong`] for inputs over the
            /// limits; [`Error::SelfCheck`]. No plaintext is returned or left in memory.
            #[cfg(feature = "alloc")]
            pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.engine.open_after_nonce(sealed, aad)
            }

            #[doc = concat!("[`seal_batch`](Self::seal_batch) under nonces drawn as ", $random, " each, which it")]
            /// writes to `nonces`. Every message counts against a bound set by
            /// [`with_usage_bound`](Self::with_usage_bound).
            ///
            /// # Errors
            ///
            /// As [`seal_batch`](Self::seal_batch), and as [`seal`](Self::seal) for
            /// [`Error::UsageBound`] and [`Error::Random`], with nothing written but nonces.
            #[cfg(feature = "getrandom")]
            pub fn seal_batch_with_random_nonces(
                &self,
                nonces: &mut [[u8; $nonce_len]],
                aad: BatchAad<'_>,
                in_out: BatchText<'_, '_>,
                tags: &mut [$tag],
                statuses: &mut [Status],
            ) -> Result<(), Error> {
                batch::check_count("tags", nonces.len(), tags.len())?;
                batch::check_count("statuses", nonces.len(), statuses.len())?;
                let parts = Parts::new(nonces.len(), aad, in_out)?;
                // After everything that a caller can get wrong: what is refused for its shape
                // spends nothing of a bound.
                self.engine.draw_nonces(nonces.as_flattened_mut(), parts.longest())?;
                let tags = <$tag as DetachedTag>::all_out(tags, self.engine.cipher().tag_len());
                self.engine.crypt_batch(nonces, parts, tags, statuses, Direction::Seal)
            }
        }
    };
}
pub(crate) use aead_key_with_random_nonces;
