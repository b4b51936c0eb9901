//! Kuznyechik in OMAC: a message authentication code.

use super::key::{TierKey, TierKeys, on_key};
use crate::error::Error;
use crate::kernel::Block;
use crate::mode::omac;
use crate::tier::Tier;
use crate::tier::secret::publish;
use crate::tier::stack::Depth;
use core::fmt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// OMAC over Kuznyechik (GOST R 34.13-2015 section 5.6, CMAC): a message authentication code
/// with tags of `TAG_LEN` bytes, 4 to 16.
///
/// Each block waits for the one before it, so that OMAC runs at the speed of one block at
/// a time on every tier.
///
/// # The length of a tag
///
/// A shorter tag is the beginning of a longer one. An attacker who may choose the length needs to
/// guess only the bytes of the shortest. Here the key's type fixes it: a forgery succeeds with a
/// chance of one in 2^(8 · `TAG_LEN`). Use the bytes of a key for one length only.
///
/// ```compile_fail
/// use sivka::KuznyechikOmac;
///
/// let key = KuznyechikOmac::<16>::new(&[7; 32]);
/// let beginning: [u8; 8] = [0; 8];
/// let _ = key.verify(b"message", &beginning); // expected an array of 16 bytes
/// ```
///
/// No key has tags of 3 or 17 bytes; the first line that makes one does not compile:
///
/// ```compile_fail
/// let _ = sivka::KuznyechikOmac::<3>::new(&[7; 32]);
/// ```
///
/// # Example
///
/// ```
/// use sivka::KuznyechikOmac;
///
/// let mut key = KuznyechikOmac::<8>::new(&[7; 32]);
/// let tag: [u8; 8] = key.tag(b"message")?;
/// key.verify(b"message", &tag)?;
///
/// key.update(b"mess")?;
/// key.update(b"age")?;
/// assert_eq!(key.finish()?, tag);
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct KuznyechikOmac<const TAG_LEN: usize>(Keyed);

impl<const TAG_LEN: usize> KuznyechikOmac<TAG_LEN> {
    /// Makes a key for the widest tier of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self::with_tier(key, Tier::detect())
    }

    /// As [`new`](Self::new) on a given tier, for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tier(key: &[u8; 32], tier: Tier) -> Self {
        const {
            assert!(TAG_LEN >= 4 && TAG_LEN <= 16, "tags of OMAC have 4 to 16 bytes");
        }
        Depth::Middle.making_key(tier, || {
            Self(Keyed { key: TierKey::new(key, tier), running: omac::Running::new() })
        })
    }

    /// The tag of `message`. A message in pieces is not touched.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`].
    pub fn tag(&self, message: &[u8]) -> Result<[u8; TAG_LEN], Error> {
        self.0.tag(message).map(|whole| first(&whole))
    }

    /// Whether `tag` is that of `message`; takes the same time whatever the bytes are.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if it is not; [`Error::SelfCheck`].
    pub fn verify(&self, message: &[u8], tag: &[u8; TAG_LEN]) -> Result<(), Error> {
        compare(&Zeroizing::new(self.tag(message)?), tag)
    }

    /// Goes on with the message in pieces by the bytes of `piece`, any number of them.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`].
    pub fn update(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.0.update(piece)
    }

    /// The tag of all pieces since the key was made or a message last ended. That ends the
    /// message: the next piece is the first of another one.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`].
    pub fn finish(&mut self) -> Result<[u8; TAG_LEN], Error> {
        self.0.finish().map(|whole| first(&whole))
    }

    /// As [`finish`](Self::finish), and says whether the tag is `tag`, as
    /// [`verify`](Self::verify) does.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if it is not; [`Error::SelfCheck`]. The message has ended either way.
    pub fn finish_and_verify(&mut self, tag: &[u8; TAG_LEN]) -> Result<(), Error> {
        compare(&Zeroizing::new(self.finish()?), tag)
    }
}

/// The key and the message in pieces, whatever the length of a tag: so there are not thirteen
/// copies of this code.
struct Keyed {
    key: TierKey,
    running: omac::Running,
}

impl Keyed {
    fn tag(&self, message: &[u8]) -> Result<Block, Error> {
        on_key!(TierKeys, self.key, message.len(), |t, keys| {
            let mut running = omac::Running::new();
            running.absorb(t, keys, message);
            running.tag(t, keys)
        })
    }

    fn update(&mut self, piece: &[u8]) -> Result<(), Error> {
        let running = &mut self.running;
        on_key!(TierKeys, self.key, piece.len(), |t, keys| running.absorb(t, keys, piece))
    }

    fn finish(&mut self) -> Result<Block, Error> {
        let running = core::mem::replace(&mut self.running, omac::Running::new());
        on_key!(TierKeys, self.key, 16, |t, keys| running.tag(t, keys))
    }
}

fn first<const TAG_LEN: usize>(whole: &Block) -> [u8; TAG_LEN] {
    core::array::from_fn(|at| whole[at])
}

fn compare<const TAG_LEN: usize>(
    expected: &[u8; TAG_LEN],
    tag: &[u8; TAG_LEN],
) -> Result<(), Error> {
    if publish(expected.ct_eq(tag)) { Ok(()) } else { Err(Error::Open) }
}

impl<const TAG_LEN: usize> fmt::Debug for KuznyechikOmac<TAG_LEN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KuznyechikOmac")
            .field("tag_len", &TAG_LEN)
            .field("tier", &self.0.key.tier)
            .finish_non_exhaustive()
    }
}
