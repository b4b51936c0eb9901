//! Batches: many messages, one key, one call.
//!
//! The caller keeps the memory. Texts and AADs are slices of their own, or are one
//! after another in one buffer with offsets between them (the layout of Arrow's and
//! NumPy's variable-length arrays); nonces, tags and statuses are one slice each.

use crate::error::Error;
use crate::mode::batch::Status;
use crate::mode::batch::parts::{Aads, Rows, Texts};

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

impl<'a> BatchAad<'a> {
    /// Checks that there is one for every one of `messages`.
    pub(crate) fn check(&self, messages: usize) -> Result<(), Error> {
        match self {
            Self::Common(_) => Ok(()),
            Self::Slices(aads) => check_count("aads", messages, aads.len()),
            Self::Contiguous { bytes, offsets } => {
                check_offsets("aad offsets", messages, offsets, bytes.len())
            }
        }
    }

    /// The length of that of message `i`, in bytes.
    pub(crate) fn len_of(&self, i: usize) -> usize {
        match self {
            Self::Common(aad) => aad.len(),
            Self::Slices(aads) => aads[i].len(),
            Self::Contiguous { offsets, .. } => offsets[i + 1] - offsets[i],
        }
    }

    /// Those of the messages from number `first` on.
    pub(crate) fn from(self, first: usize) -> Aads<'a> {
        match self {
            Self::Common(aad) => Aads::Common(aad),
            Self::Slices(aads) => Aads::Slices(&aads[first..]),
            Self::Contiguous { bytes, offsets } => Aads::Contiguous(bytes, &offsets[first..]),
        }
    }
}

impl<'a, 'b> BatchText<'a, 'b> {
    /// Checks that there is one for every one of `messages`.
    pub(crate) fn check(&self, messages: usize) -> Result<(), Error> {
        match self {
            Self::Slices(texts) => check_count("texts", messages, texts.len()),
            Self::Contiguous { bytes, offsets } => {
                check_offsets("text offsets", messages, offsets, bytes.len())
            }
        }
    }

    /// The length of that of message `i`, in bytes.
    #[cfg(feature = "getrandom")]
    pub(crate) fn len_of(&self, i: usize) -> usize {
        match self {
            Self::Slices(texts) => texts[i].len(),
            Self::Contiguous { offsets, .. } => offsets[i + 1] - offsets[i],
        }
    }

    pub(crate) fn texts(self) -> Texts<'a, 'b> {
        match self {
            Self::Slices(texts) => Texts::Slices(texts),
            Self::Contiguous { bytes: to, offsets } => {
                Texts::Contiguous { to, rows: Rows::adjacent(offsets), from: None }
            }
        }
    }
}

pub(crate) fn check_count(what: &'static str, expected: usize, given: usize) -> Result<(), Error> {
    if given == expected { Ok(()) } else { Err(Error::BatchShape { what, expected, given }) }
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
            return Err(Error::BatchShape { what, expected: least, given });
        }
        least = given;
    }
    if least > buffer_len {
        return Err(Error::BatchShape { what, expected: buffer_len, given: least });
    }
    Ok(())
}

/// Whether every message was done; the statuses say which were not.
pub(crate) fn verdict(statuses: &[Status]) -> Result<(), Error> {
    match statuses.iter().filter(|status| **status != Status::Done).count() {
        0 => Ok(()),
        failed => Err(Error::Batch { failed }),
    }
}
