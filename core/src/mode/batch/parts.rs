//! The parts of a batch. Each has one way forward: `split_off` and `split_off_first` take the
//! part of the next messages. Only [`Batch`](super::Batch) calls it, for all parts at once.

use super::bounds::{distances, one_len};
use super::row::Row;
use crate::kernel::Block;

/// The AADs of messages.
pub(crate) enum Aads<'a> {
    Common(&'a [u8]),
    Slices(&'a [&'a [u8]]),
    /// One buffer, and the bounds in it: one more than messages.
    Contiguous(&'a [u8], &'a [usize]),
}

impl<'a> Aads<'a> {
    /// The length of the next `count`, if they are of one.
    #[inline(always)]
    pub(super) fn len_of_all(&self, count: usize) -> Option<usize> {
        match self {
            Self::Common(aad) => Some(aad.len()),
            Self::Slices(aads) => one_len(aads.get(..count)?.iter().map(|aad| aad.len())),
            Self::Contiguous(_, bounds) => one_len(distances(bounds.get(..=count)?)),
        }
    }

    /// The AADs of the next messages, one a place.
    #[inline(always)]
    pub(super) fn split_off(&mut self, places: &mut [&'a [u8]]) {
        if let Self::Common(aad) = self {
            return places.fill(aad);
        }
        for place in places {
            *place = self.split_off_first().unwrap_or_default();
        }
    }

    #[inline(always)]
    pub(super) fn split_off_first(&mut self) -> Option<&'a [u8]> {
        match self {
            Self::Common(aad) => Some(aad),
            Self::Slices(aads) => aads.split_off_first().copied(),
            Self::Contiguous(bytes, bounds) => {
                let start = *bounds.split_off_first()?;
                bytes.get(start..*bounds.first()?)
            }
        }
    }
}

/// The texts of messages, in place.
pub(crate) enum Texts<'a, 'b> {
    Slices(&'a mut [&'b mut [u8]]),
    /// The buffer from the first bound on, and the bounds: one more than messages.
    Contiguous(&'a mut [u8], &'a [usize]),
}

impl<'a> Texts<'a, '_> {
    /// The length of the next `count`, if they are of one.
    #[inline(always)]
    pub(super) fn len_of_all(&self, count: usize) -> Option<usize> {
        match self {
            Self::Slices(texts) => one_len(texts.get(..count)?.iter().map(|text| text.len())),
            Self::Contiguous(_, bounds) => one_len(distances(bounds.get(..=count)?)),
        }
    }

    /// The texts of the next messages, one a place.
    #[inline(always)]
    pub(super) fn split_off(&mut self, places: &mut [&'a mut [u8]]) {
        if let Self::Slices(left) = self
            && let Some(texts) = left.split_off_mut(..places.len())
        {
            for (place, text) in places.iter_mut().zip(texts) {
                *place = text;
            }
            return;
        }
        for place in places {
            *place = self.split_off_first().unwrap_or_default();
        }
    }

    #[inline(always)]
    pub(super) fn split_off_first(&mut self) -> Option<&'a mut [u8]> {
        match self {
            Self::Slices(texts) => texts.split_off_first_mut().map(|text| &mut **text),
            Self::Contiguous(left, bounds) => {
                let start = *bounds.split_off_first()?;
                left.split_off_mut(..*bounds.first()? - start)
            }
        }
    }
}

/// The tags of messages, in order: to be written, or to be found right.
pub(crate) trait Tags<'a>: Sized {
    /// The place of one tag.
    type Tag: AsRef<[u8]> + Default;

    /// No tags.
    fn none() -> Self;

    fn split_off(&mut self, count: usize) -> Self;

    fn split_off_first(&mut self) -> Option<Self::Tag>;

    /// The bytes of the first one.
    fn first_place(&self) -> &[u8];

    /// Tags of 16 bytes each: those to be written come from `tags`, those to be found right go
    /// there.
    fn exchange(&mut self, tags: &mut [Block]);

    /// The text of a row, in place, and its tag.
    fn of_row(row: Row<'a>, nonce: &[u8]) -> Option<(&'a mut [u8], Self::Tag)>;
}

/// Tags of one length, one after another.
pub(crate) struct Flat<Bytes> {
    pub(crate) bytes: Bytes,
    /// Of each, in bytes.
    pub(crate) len: usize,
}

impl Flat<&mut [u8]> {
    #[inline(always)]
    pub(crate) fn split_off(&mut self, count: usize) -> Self {
        Self {
            bytes: self
                .bytes
                .split_off_mut(..count * self.len)
                .unwrap_or_default(),
            len: self.len,
        }
    }
}

impl Flat<&[u8]> {
    #[inline(always)]
    pub(crate) fn split_off(&mut self, count: usize) -> Self {
        Self {
            bytes: self.bytes.split_off(..count * self.len).unwrap_or_default(),
            len: self.len,
        }
    }
}
