//! Batches: many messages, one key, one call.
//!
//! The caller keeps the memory. Texts and AADs are slices of their own or stand one
//! after another in one buffer with offsets between them (the layout of Arrow's and
//! NumPy's variable-length arrays); nonces, tags and statuses are one slice each.

use crate::error::Error;
use core::{mem, slice};

/// The texts of a batch: plaintexts before sealing, ciphertexts after, in place.
#[derive(Debug)]
pub enum BatchText<'a, 'b> {
    /// One slice a message.
    Slices(&'a mut [&'b mut [u8]]),
    /// All texts in one buffer: text `i` is `bytes[offsets[i]..offsets[i + 1]]`, so there
    /// is one offset more than there are messages.
    Contiguous {
        /// The buffer.
        bytes: &'a mut [u8],
        /// Ascending, each at most the length of the buffer.
        offsets: &'a [usize],
    },
}

impl BatchText<'_, '_> {
    /// The length of the longest text in bytes.
    #[cfg(feature = "getrandom")]
    pub(crate) fn longest(&self) -> usize {
        match self {
            Self::Slices(texts) => texts.iter().map(|text| text.len()).max().unwrap_or(0),
            Self::Contiguous { offsets, .. } => offsets
                .windows(2)
                .map(|ends| ends[1].saturating_sub(ends[0]))
                .max()
                .unwrap_or(0),
        }
    }
}

/// The AADs of a batch.
#[derive(Clone, Copy, Debug)]
pub enum BatchAad<'a> {
    /// The same for every message.
    Common(&'a [u8]),
    /// One slice a message.
    Slices(&'a [&'a [u8]]),
    /// All AADs in one buffer, as [`BatchText::Contiguous`].
    Contiguous {
        /// The buffer.
        bytes: &'a [u8],
        /// Ascending, each at most the length of the buffer.
        offsets: &'a [usize],
    },
}

/// What became of one message of a batch: one byte, so that a million of them stay
/// out of the way of the messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Status {
    /// Sealed, or opened.
    #[default]
    Done = 0,
    /// Does not open under its key, nonce, AAD and tag. Its text was wiped.
    NotOpened = 1,
    /// The text or the AAD is longer than the algorithm allows. Its text is as it was.
    TooLong = 2,
    /// The algorithm refuses such a nonce, or a message that is empty in every part; or
    /// the tag is not as long as the key's. Its text is as it was.
    Refused = 3,
}

impl From<Result<(), Error>> for Status {
    fn from(result: Result<(), Error>) -> Self {
        match result {
            Ok(()) => Self::Done,
            Err(Error::Open) => Self::NotOpened,
            Err(Error::TooLong { .. }) => Self::TooLong,
            Err(_) => Self::Refused,
        }
    }
}

/// What a mode is handed for one message of a batch.
pub(crate) struct Job<'a, const NONCE_LEN: usize> {
    pub(crate) nonce: &'a [u8; NONCE_LEN],
    pub(crate) aad: &'a [u8],
    pub(crate) in_out: &'a mut [u8],
}

/// The messages of a batch in order, once its parts are known to fit together.
pub(crate) struct Jobs<'a, 'b, const NONCE_LEN: usize> {
    nonces: slice::Iter<'a, [u8; NONCE_LEN]>,
    aads: Aads<'a>,
    texts: Texts<'a, 'b>,
}

enum Aads<'a> {
    Common(&'a [u8]),
    Slices(slice::Iter<'a, &'a [u8]>),
    Contiguous(&'a [u8], slice::Windows<'a, usize>),
}

enum Texts<'a, 'b> {
    Slices(slice::IterMut<'a, &'b mut [u8]>),
    /// What is left of the buffer, and its texts' bounds from the first offset on.
    Contiguous(&'a mut [u8], slice::Windows<'a, usize>),
}

impl<'a, 'b, const NONCE_LEN: usize> Jobs<'a, 'b, NONCE_LEN> {
    /// Checks that every part is there for every message (`tags` and `statuses` are how
    /// many there are) and that offsets ascend within their buffers.
    pub(crate) fn new(
        nonces: &'a [[u8; NONCE_LEN]],
        aad: BatchAad<'a>,
        in_out: BatchText<'a, 'b>,
        tags: usize,
        statuses: usize,
    ) -> Result<Self, Error> {
        let messages = nonces.len();
        check_count("tags", messages, tags)?;
        check_count("statuses", messages, statuses)?;
        let texts = match in_out {
            BatchText::Slices(texts) => {
                check_count("texts", messages, texts.len())?;
                Texts::Slices(texts.iter_mut())
            }
            BatchText::Contiguous { bytes, offsets } => {
                check_offsets("text offsets", messages, offsets, bytes.len())?;
                let start = offsets.first().copied().unwrap_or(0);
                Texts::Contiguous(&mut bytes[start..], offsets.windows(2))
            }
        };
        let aads = match aad {
            BatchAad::Common(aad) => Aads::Common(aad),
            BatchAad::Slices(aads) => {
                check_count("aads", messages, aads.len())?;
                Aads::Slices(aads.iter())
            }
            BatchAad::Contiguous { bytes, offsets } => {
                check_offsets("aad offsets", messages, offsets, bytes.len())?;
                Aads::Contiguous(bytes, offsets.windows(2))
            }
        };
        Ok(Self {
            nonces: nonces.iter(),
            aads,
            texts,
        })
    }
}

/// As many nonces of no bytes as there can be messages. They take no memory.
static NO_NONCES: [[u8; 0]; usize::MAX] = [[]; usize::MAX];

impl<'a, 'b> Jobs<'a, 'b, 0> {
    /// [`new`](Self::new) for an algorithm without nonces: there are as many messages as
    /// statuses.
    pub(crate) fn without_nonces(
        aad: BatchAad<'a>,
        in_out: BatchText<'a, 'b>,
        tags: usize,
        statuses: usize,
    ) -> Result<Self, Error> {
        Self::new(&NO_NONCES[..statuses], aad, in_out, tags, statuses)
    }
}

impl<'a, const NONCE_LEN: usize> Iterator for Jobs<'a, '_, NONCE_LEN> {
    type Item = Job<'a, NONCE_LEN>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let aad = match &mut self.aads {
            Aads::Common(aad) => aad,
            Aads::Slices(aads) => aads.next()?,
            Aads::Contiguous(bytes, bounds) => {
                let bounds = bounds.next()?;
                &bytes[bounds[0]..bounds[1]]
            }
        };
        let in_out = match &mut self.texts {
            Texts::Slices(texts) => &mut **texts.next()?,
            Texts::Contiguous(left, bounds) => {
                let bounds = bounds.next()?;
                let (text, rest) = mem::take(left).split_at_mut(bounds[1] - bounds[0]);
                *left = rest;
                text
            }
        };
        Some(Job {
            nonce: self.nonces.next()?,
            aad,
            in_out,
        })
    }
}

fn check_count(what: &'static str, expected: usize, given: usize) -> Result<(), Error> {
    if given == expected {
        Ok(())
    } else {
        Err(Error::BatchShape {
            what,
            expected,
            given,
        })
    }
}

/// One offset more than messages, ascending, none beyond the buffer.
fn check_offsets(
    what: &'static str,
    messages: usize,
    offsets: &[usize],
    buffer_len: usize,
) -> Result<(), Error> {
    check_count(what, messages + 1, offsets.len())?;
    let mut least = 0;
    for &given in offsets {
        if given < least {
            return Err(Error::BatchShape {
                what,
                expected: least,
                given,
            });
        }
        least = given;
    }
    if least > buffer_len {
        return Err(Error::BatchShape {
            what,
            expected: buffer_len,
            given: least,
        });
    }
    Ok(())
}

/// Whether every message was done; the statuses say which were not.
pub(crate) fn verdict(statuses: &[Status]) -> Result<(), Error> {
    match statuses
        .iter()
        .filter(|status| **status != Status::Done)
        .count()
    {
        0 => Ok(()),
        failed => Err(Error::Batch { failed }),
    }
}
