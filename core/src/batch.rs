//! Batches: many messages, one key, one call.
//!
//! The caller keeps the memory. Texts and AADs are slices of their own or stand one
//! after another in one buffer with offsets between them (the layout of Arrow's and
//! NumPy's variable-length arrays); nonces, tags and statuses are one slice each.

use crate::chacha20_blake2b::{LongTag, TagLen};
use crate::error::Error;
use crate::kernel::Block;
use crate::mode::batch::{Aads, Batch, Flat, Tags, Texts};
use crate::mode::message::Status;
use crate::tag::Tag;
use core::slice;

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

    /// The messages, of which `admit` says which are worked on: as [`Batch::admit`].
    pub(crate) fn with<N, T: Tags, Admit>(
        self,
        nonces: &'a [N],
        tags: T,
        statuses: &'a mut [Status],
        admit: Admit,
    ) -> Batch<'a, 'b, N, T, Admit> {
        Batch {
            nonces,
            aads: match self.aad {
                BatchAad::Common(aad) => Aads::Common(aad),
                BatchAad::Slices(aads) => Aads::Slices(aads),
                BatchAad::Contiguous { bytes, offsets } => Aads::Contiguous(bytes, offsets),
            },
            texts: match self.in_out {
                BatchText::Slices(texts) => Texts::Slices(texts),
                BatchText::Contiguous { bytes, offsets } => {
                    let start = offsets.first().copied().unwrap_or(0);
                    Texts::Contiguous(&mut bytes[start..], offsets)
                }
            },
            tags,
            statuses,
            admit,
        }
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
    Flat(Flat<&'a mut [u8]>),
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

impl Tags for TagsOut<'_> {
    #[inline(always)]
    fn pass(&mut self, tags: &mut [Block]) {
        if let Self::Flat(places) = self {
            return places.pass(tags);
        }
        for (tag, place) in tags.iter().zip(self) {
            place.copy_from_slice(tag);
        }
    }

    #[inline(always)]
    fn ahead(&self, i: usize) -> &[u8] {
        match self {
            Self::Flat(tags) => tags.ahead(i),
            Self::Short(tags) => tags.as_slice().get(i).map_or(&[], |tag| tag.as_bytes()),
            Self::Long(..) => &[],
        }
    }
}

/// Where the tags of a batch are.
pub(crate) enum TagsIn<'a> {
    /// One behind the other.
    Flat(Flat<&'a [u8]>),
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

impl Tags for TagsIn<'_> {
    #[inline(always)]
    fn pass(&mut self, tags: &mut [Block]) {
        if let Self::Flat(places) = self {
            return places.pass(tags);
        }
        for (place, tag) in tags.iter_mut().zip(self) {
            place.copy_from_slice(tag);
        }
    }

    #[inline(always)]
    fn ahead(&self, i: usize) -> &[u8] {
        match self {
            Self::Flat(tags) => tags.ahead(i),
            Self::Short(tags) => tags.as_slice().get(i).map_or(&[], |tag| tag.as_bytes()),
            Self::Long(_) => &[],
        }
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
