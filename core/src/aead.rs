//! The common part of all AEAD keys of this crate: one trait, and one engine.

pub(crate) mod algorithm;
mod arrays;
pub(crate) mod calls;
mod column;
pub(crate) mod engine;
mod key;
pub(crate) mod known_answer;
mod one_by_one;
#[cfg(feature = "aead")]
mod rustcrypto;
#[cfg(test)]
pub(crate) mod tests;

pub use algorithm::Algorithm;
pub use key::Key;

/// Lengths and names for a file of keys.
pub(crate) mod keys {
    pub(crate) use super::algorithm::Algorithm;
    pub(crate) use super::arrays::Bytes;
    pub(crate) use super::calls::{Calls, calls};
    pub(crate) use super::engine::{Cipher, Engine, Limits, check_output};
    pub(crate) use super::key::{Draws, DrawsRandom, Key};
    pub(crate) use super::known_answer::{self, KnownAnswer};
    pub(crate) use super::{Aead, NonceRule};
    pub(crate) use crate::batch::{BatchAad, BatchText};
    pub(crate) use crate::column::{Column, ColumnNonces, OffsetsMut};
    pub(crate) use crate::error::Error;
    pub(crate) use crate::mode::batch::{Batch, Direction, Status, TagPlace};
    #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
    pub(crate) use crate::usage_bound::UsageBound;
    #[cfg(feature = "alloc")]
    pub(crate) use alloc::vec::Vec;
}

#[cfg(feature = "getrandom")]
use crate::{random, tier::Tier};
use core::any::Any;
use core::fmt;
use keys::*;

pub(crate) mod sealed {
    /// Only the keys of this crate are [`Aead`](super::Aead)s.
    pub trait Sealed {}
}

/// How the nonces of an algorithm come to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NonceRule {
    /// There is none.
    Absent,
    /// The caller counts: random nonces of this length repeat too soon, and none are drawn.
    Counter,
    /// They may be random.
    Random {
        /// Bits that a nonce's first byte may have; all others of that byte are zero.
        first_byte_mask: u8,
        /// Whether a nonce that repeats tells no more than whether two messages are equal.
        may_repeat: bool,
    },
}

impl NonceRule {
    /// Whether the bits of `nonce` are allowed. Says nothing about its length, or about
    /// whether it was used before.
    #[must_use]
    #[inline(always)]
    pub fn allows(self, nonce: &[u8]) -> bool {
        match self {
            Self::Random { first_byte_mask, .. } => {
                nonce.first().is_none_or(|first| first & !first_byte_mask == 0)
            }
            Self::Absent | Self::Counter => true,
        }
    }

    /// Fills `nonces` with random nonces of `nonce_len` bytes, one after the other. All nonces are
    /// drawn here. Nonces that must not repeat come from the operating system alone: no copy of
    /// this process's memory can give one a second time.
    #[cfg(feature = "getrandom")]
    #[inline]
    fn fill(self, tier: Tier, nonce_len: usize, nonces: &mut [u8]) -> Result<(), Error> {
        // Most calls are for one nonce, which needs no division.
        let is_one = nonces.len() == nonce_len;
        if !is_one && nonces.len().checked_rem(nonce_len).unwrap_or(nonces.len()) != 0 {
            return Err(Error::NonceLen { expected: nonce_len, given: nonces.len() });
        }
        match self {
            Self::Absent => Ok(()),
            Self::Counter => Err(Error::NoRandomNonce),
            Self::Random { first_byte_mask, may_repeat } => {
                if may_repeat {
                    random::fill(tier, nonces)?;
                } else {
                    random::from_system(nonces)?;
                }
                // Writing a byte here would delay a load of the nonce directly after it.
                if first_byte_mask != u8::MAX {
                    let firsts = nonces.iter_mut().step_by(nonce_len.max(1));
                    firsts.for_each(|first| *first &= first_byte_mask);
                }
                Ok(())
            }
        }
    }
}

/// A key of some AEAD, whose algorithm is known only when the program runs.
///
/// Programs that know their algorithm use the key's own calls, such as [`Key::seal`], which take
/// arrays where this trait takes slices. [`Algorithm::new_key`] makes a `Box<dyn Aead>`.
///
/// The calls are those of [`Key`], where each is documented, with the same bytes, limits and errors,
/// and the same content of each buffer after an error. A slice of a wrong length is an
/// [`Error::NonceLen`] or [`Error::TagLen`], and nothing is written. An algorithm without a nonce
/// takes an empty one. Calls of one type of key alone, such as the lists of
/// [`AesSiv512`](crate::AesSiv512), are found through [`Any`].
///
/// # Example
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// let algorithm = sivka::Algorithm::find("XChaCha20-BLAKE2b").ok_or("unknown")?;
/// let key = algorithm.new_key(&[7; 32])?;
/// let sealed = key.seal(b"meet at noon", b"to: alice")?;
/// assert_eq!(sealed.len(), algorithm.nonce_len() + 12 + algorithm.tag_len());
/// assert_eq!(key.open(&sealed, b"to: alice")?, b"meet at noon");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(clippy::missing_errors_doc, reason = "they stand at the calls of `Key`")]
pub trait Aead: Any + sealed::Sealed + Send + Sync + fmt::Debug {
    /// The algorithm of the key: its lengths, its limits, its nonces.
    fn algorithm(&self) -> &'static Algorithm;

    /// The name of the tier that this key runs on.
    fn tier_name(&self) -> &'static str;

    /// [`Key::seal_into`], which writes the tag to `tag`; after an error that is as it was.
    fn seal_into(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// [`Key::open_into`].
    fn open_into(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
        tag: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error>;

    /// [`Key::seal_in_place`], which writes the tag to `tag`; after an error that is as it was.
    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// [`Key::open_in_place`].
    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error>;

    /// [`Key::seal_batch`].
    fn seal_batch(
        &self,
        nonces: &[u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &mut [u8],
        statuses: &mut [Status],
    ) -> Result<(), Error>;

    /// [`Key::open_batch`].
    fn open_batch(
        &self,
        nonces: &[u8],
        aad: BatchAad<'_>,
        in_out: BatchText<'_, '_>,
        tags: &[u8],
        statuses: &mut [Status],
    ) -> Result<(), Error>;

    /// [`Key::sealed_column_len`].
    fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Error>;

    /// [`Key::seal_column`].
    fn seal_column(
        &self,
        nonces: ColumnNonces<'_>,
        values: &Column<'_>,
        aad: BatchAad<'_>,
        sealed: &mut [u8],
        offsets: OffsetsMut<'_>,
    ) -> Result<(), Error>;

    /// [`Key::opened_column_len`].
    fn opened_column_len(&self, sealed: &Column<'_>) -> Result<usize, Error>;

    /// [`Key::open_column`].
    fn open_column(
        &self,
        sealed: &Column<'_>,
        aad: BatchAad<'_>,
        values: &mut [u8],
        offsets: OffsetsMut<'_>,
        statuses: &mut [Status],
    ) -> Result<(), Error>;

    /// Counts the nonces that are drawn for this key from now on, and refuses once `bound`
    /// is spent. An algorithm that draws none counts nothing.
    #[cfg(all(feature = "getrandom", target_has_atomic = "64"))]
    fn set_usage_bound(&mut self, bound: UsageBound);

    /// Draws a random nonce for each message, one after the other, and counts the messages. None
    /// may be longer than `message_len` bytes, plaintext and AAD together. Draws nothing for an
    /// algorithm without nonces.
    ///
    /// # Errors
    ///
    /// [`Error::NoRandomNonce`] if the algorithm's nonces must be counted, [`Error::NonceLen`] if
    /// `nonces` is not a whole number of nonces, [`Error::UsageBound`], [`Error::TooLong`] under a
    /// usage bound. [`Error::Random`]: the messages are counted nevertheless.
    #[cfg(feature = "getrandom")]
    fn draw_nonces(&self, nonces: &mut [u8], message_len: u64) -> Result<(), Error>;

    /// [`Key::seal`]; [`Error::NoRandomNonce`] if the algorithm's nonces must be counted. Like the
    /// calls below, it returns the tag before the ciphertext if [`Algorithm::tag_first`] is true.
    #[cfg(feature = "getrandom")]
    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error>;

    /// [`Key::open`]; [`Error::NoRandomNonce`] as [`seal`](Self::seal).
    #[cfg(feature = "alloc")]
    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error>;

    /// [`Key::seal_with_nonce`].
    #[cfg(feature = "alloc")]
    fn seal_with_nonce(&self, nonce: &[u8], plaintext: &[u8], aad: &[u8])
    -> Result<Vec<u8>, Error>;

    /// [`Key::open_with_nonce`].
    #[cfg(feature = "alloc")]
    fn open_with_nonce(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Error>;
}
