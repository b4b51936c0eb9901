//! Batches: many messages, one key, one call.
//!
//! The caller keeps the memory. Texts and AADs are slices of their own, or are one
//! after another in one buffer with offsets between them (the layout of Arrow's and
//! NumPy's variable-length arrays); nonces, tags and statuses are one slice each.

use crate::error::Error;
use crate::kernel::Block;
use crate::mode::batch::parts::{Aads, Flat, Tags, Texts};
use crate::mode::batch::row::Row;
use crate::mode::batch::{Batch, Places};
use crate::mode::message::Status;
use crate::tag::Tag;
use crate::tag::{LongTag, TagLen};

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
        aad.check(messages)?;
        Ok(Self { aad, in_out })
    }

    /// The messages, of which `admit` says which are worked on: as [`Batch::admit`].
    pub(crate) fn with<N, T: Tags<'a>, Admit>(
        self,
        nonces: &'a [N],
        tags: T,
        statuses: &'a mut [Status],
        admit: Admit,
    ) -> Batch<'a, 'b, N, T, Admit> {
        Batch {
            nonces,
            aads: self.aad.from(0),
            places: Places::Apart(
                match self.in_out {
                    BatchText::Slices(texts) => Texts::Slices(texts),
                    BatchText::Contiguous { bytes, offsets } => {
                        let start = offsets.first().copied().unwrap_or(0);
                        Texts::Contiguous(&mut bytes[start..], offsets)
                    }
                },
                tags,
            ),
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
        let lens =
            (0..count).map(|i| (self.aad.len_of(i) as u64).saturating_add(text_len(i) as u64));
        lens.max().unwrap_or(0)
    }
}

/// Where the tags of a batch go.
pub(crate) enum TagsOut<'a> {
    /// One after another.
    Flat(Flat<&'a mut [u8]>),
    Short(&'a mut [Tag]),
    /// Tags of the given length.
    Long(&'a mut [LongTag], TagLen),
}

impl<'a> Tags<'a> for TagsOut<'a> {
    type Tag = &'a mut [u8];

    #[inline(always)]
    fn none() -> Self {
        Self::Short(&mut [])
    }

    #[inline(always)]
    fn split_off(&mut self, count: usize) -> Self {
        match self {
            Self::Flat(tags) => Self::Flat(tags.split_off(count)),
            Self::Short(tags) => Self::Short(tags.split_off_mut(..count).unwrap_or_default()),
            Self::Long(tags, len) => {
                Self::Long(tags.split_off_mut(..count).unwrap_or_default(), *len)
            }
        }
    }

    #[inline(always)]
    fn split_off_first(&mut self) -> Option<Self::Tag> {
        match self {
            Self::Flat(tags) => tags.bytes.split_off_mut(..tags.len),
            Self::Short(tags) => Some(tags.split_off_first_mut()?.as_bytes_mut()),
            Self::Long(tags, len) => Some(tags.split_off_first_mut()?.blank(*len)),
        }
    }

    #[inline(always)]
    fn first_place(&self) -> &[u8] {
        match self {
            Self::Flat(tags) => tags.bytes,
            Self::Short(tags) => tags.first().map_or(&[], |tag| tag.as_bytes()),
            Self::Long(..) => &[],
        }
    }

    #[inline(always)]
    fn exchange(&mut self, tags: &mut [Block]) {
        match self {
            Self::Flat(places) => {
                let (places, _) = places.bytes.as_chunks_mut();
                for (place, tag) in places.iter_mut().zip(tags) {
                    *place = *tag;
                }
            }
            Self::Short(places) => {
                for (place, tag) in places.iter_mut().zip(tags) {
                    *place.as_bytes_mut() = *tag;
                }
            }
            // No algorithm with such tags takes messages of one length at once.
            Self::Long(..) => {}
        }
    }

    #[inline(always)]
    fn of_row(row: Row<'a>, nonce: &[u8]) -> Option<(&'a mut [u8], Self::Tag)> {
        row.into_sealed(nonce)
    }
}

/// Where the tags of a batch are.
pub(crate) enum TagsIn<'a> {
    /// One after another.
    Flat(Flat<&'a [u8]>),
    Short(&'a [Tag]),
    Long(&'a [LongTag]),
}

impl<'a> Tags<'a> for TagsIn<'a> {
    type Tag = &'a [u8];

    #[inline(always)]
    fn none() -> Self {
        Self::Short(&[])
    }

    #[inline(always)]
    fn split_off(&mut self, count: usize) -> Self {
        match self {
            Self::Flat(tags) => Self::Flat(tags.split_off(count)),
            Self::Short(tags) => Self::Short(tags.split_off(..count).unwrap_or_default()),
            Self::Long(tags) => Self::Long(tags.split_off(..count).unwrap_or_default()),
        }
    }

    #[inline(always)]
    fn split_off_first(&mut self) -> Option<Self::Tag> {
        match self {
            Self::Flat(tags) => tags.bytes.split_off(..tags.len),
            Self::Short(tags) => Some(tags.split_off_first()?.as_bytes()),
            Self::Long(tags) => Some(tags.split_off_first()?.as_bytes()),
        }
    }

    #[inline(always)]
    fn first_place(&self) -> &[u8] {
        match self {
            Self::Flat(tags) => tags.bytes,
            Self::Short(tags) => tags.first().map_or(&[], |tag| tag.as_bytes()),
            Self::Long(_) => &[],
        }
    }

    #[inline(always)]
    fn exchange(&mut self, tags: &mut [Block]) {
        match self {
            Self::Flat(given) => {
                let (given, _) = given.bytes.as_chunks();
                for (place, tag) in tags.iter_mut().zip(given) {
                    *place = *tag;
                }
            }
            Self::Short(given) => {
                for (place, tag) in tags.iter_mut().zip(*given) {
                    *place = *tag.as_bytes();
                }
            }
            // As above.
            Self::Long(_) => {}
        }
    }

    #[inline(always)]
    fn of_row(row: Row<'a>, _nonce: &[u8]) -> Option<(&'a mut [u8], Self::Tag)> {
        row.into_opened()
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
