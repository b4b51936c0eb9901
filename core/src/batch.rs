//! Batches: many messages, one key, one call.
//!
//! The caller keeps the memory. Texts and AADs are slices of their own or stand one
//! after another in one buffer with offsets between them (the layout of Arrow's and
//! NumPy's variable-length arrays); nonces, tags and statuses are one slice each.

use crate::chacha20_blake2b::{LongTag, TagLen};
use crate::error::Error;
use crate::mode::message::{Message, Status};
use crate::tag::Tag;
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

/// The parts of a batch that every algorithm has, once they are known to fit together.
pub(crate) struct Parts<'a, 'b> {
    aad: BatchAad<'a>,
    in_out: BatchText<'a, 'b>,
}

impl<'a, 'b> Parts<'a, 'b> {
    /// Checks that every part is there for every one of `messages` and that offsets ascend
    /// within their buffers.
    pub(crate) fn new(
        messages: usize,
        aad: BatchAad<'a>,
        in_out: BatchText<'a, 'b>,
    ) -> Result<Self, Error> {
        match &in_out {
            BatchText::Slices(texts) => check_count("texts", messages, texts.len())?,
            BatchText::Contiguous { bytes, offsets } => {
                check_offsets("text offsets", messages, offsets, bytes.len())?;
            }
        }
        match &aad {
            BatchAad::Common(_) => {}
            BatchAad::Slices(aads) => check_count("aads", messages, aads.len())?,
            BatchAad::Contiguous { bytes, offsets } => {
                check_offsets("aad offsets", messages, offsets, bytes.len())?;
            }
        }
        Ok(Self { aad, in_out })
    }

    /// The length of the longest message in bytes, text and AAD together.
    #[cfg(feature = "getrandom")]
    pub(crate) fn longest(&self) -> u64 {
        let count = match &self.in_out {
            BatchText::Slices(texts) => texts.len(),
            BatchText::Contiguous { offsets, .. } => offsets.len().saturating_sub(1),
        };
        let text_len = |i: usize| match &self.in_out {
            BatchText::Slices(texts) => texts[i].len(),
            BatchText::Contiguous { offsets, .. } => offsets[i + 1] - offsets[i],
        };
        let aad_len = |i: usize| match &self.aad {
            BatchAad::Common(aad) => aad.len(),
            BatchAad::Slices(aads) => aads[i].len(),
            BatchAad::Contiguous { offsets, .. } => offsets[i + 1] - offsets[i],
        };
        let lens = (0..count).map(|i| (aad_len(i) as u64).saturating_add(text_len(i) as u64));
        lens.max().unwrap_or(0)
    }
}

/// Where the tags of a batch go.
pub(crate) enum TagsOut<'a> {
    /// One behind the other.
    Flat(slice::ChunksExactMut<'a, u8>),
    Short(slice::IterMut<'a, Tag>),
    /// Tags of the given length.
    Long(slice::IterMut<'a, LongTag>, TagLen),
}

impl<'a> Iterator for TagsOut<'a> {
    type Item = &'a mut [u8];

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Flat(tags) => tags.next(),
            Self::Short(tags) => tags.next().map(|tag| &mut tag.as_bytes_mut()[..]),
            Self::Long(tags, len) => tags.next().map(|tag| tag.blank(*len)),
        }
    }
}

/// Where the tags of a batch are.
pub(crate) enum TagsIn<'a> {
    /// One behind the other.
    Flat(slice::ChunksExact<'a, u8>),
    Short(slice::Iter<'a, Tag>),
    Long(slice::Iter<'a, LongTag>),
}

impl<'a> Iterator for TagsIn<'a> {
    type Item = &'a [u8];

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Flat(tags) => tags.next(),
            Self::Short(tags) => tags.next().map(|tag| &tag.as_bytes()[..]),
            Self::Long(tags) => tags.next().map(LongTag::as_bytes),
        }
    }
}

/// The messages of a batch in order, for as many as there are nonces.
pub(crate) struct Jobs<'a, 'b, N, Tags> {
    nonces: slice::Iter<'a, N>,
    aads: Aads<'a>,
    texts: Texts<'a, 'b>,
    tags: Tags,
    statuses: slice::IterMut<'a, Status>,
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

impl<'a, 'b, N, Tags> Jobs<'a, 'b, N, Tags> {
    pub(crate) fn new(
        nonces: &'a [N],
        parts: Parts<'a, 'b>,
        tags: Tags,
        statuses: &'a mut [Status],
    ) -> Self {
        let texts = match parts.in_out {
            BatchText::Slices(texts) => Texts::Slices(texts.iter_mut()),
            BatchText::Contiguous { bytes, offsets } => {
                let start = offsets.first().copied().unwrap_or(0);
                Texts::Contiguous(&mut bytes[start..], offsets.windows(2))
            }
        };
        let aads = match parts.aad {
            BatchAad::Common(aad) => Aads::Common(aad),
            BatchAad::Slices(aads) => Aads::Slices(aads.iter()),
            BatchAad::Contiguous { bytes, offsets } => Aads::Contiguous(bytes, offsets.windows(2)),
        };
        Self {
            nonces: nonces.iter(),
            aads,
            texts,
            tags,
            statuses: statuses.iter_mut(),
        }
    }
}

impl<'a, N, Tags: Iterator> Iterator for Jobs<'a, '_, N, Tags> {
    type Item = Message<'a, N, Tags::Item>;

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
        Some(Message {
            nonce: self.nonces.next()?,
            aad,
            in_out,
            tag: self.tags.next()?,
            status: self.statuses.next()?,
        })
    }
}

pub(crate) fn check_count(what: &'static str, expected: usize, given: usize) -> Result<(), Error> {
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
