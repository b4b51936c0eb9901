//! The parts of a batch, each found by the number of its message.

use super::{Direction, TagPlace};
use crate::kernel::Block;
use core::ops::Range;

/// Properties of some lengths, in bytes.
pub(super) struct Lens {
    /// No length has a bit that this has not, so none is greater.
    pub(super) bits: usize,
    are_equal: bool,
}

impl Lens {
    #[inline(always)]
    pub(super) fn of(mut lens: impl Iterator<Item = usize>) -> Self {
        let first = lens.next().unwrap_or(0);
        let seen = lens
            .fold((first, 0), |(bits, differences), len| (bits | len, differences | len ^ first));
        Self { bits: seen.0, are_equal: seen.1 == 0 }
    }

    /// Of messages that come one after the other, each from a bound to the next.
    #[inline(always)]
    pub(super) fn between(bounds: &[usize]) -> Self {
        Self::of(bounds.windows(2).map(|bounds| bounds[1] - bounds[0]))
    }

    pub(super) fn are_equal(&self) -> bool {
        self.are_equal
    }
}

/// The AADs of messages.
pub(crate) enum Aads<'a> {
    Common(&'a [u8]),
    Slices(&'a [&'a [u8]]),
    /// One buffer, and the bounds in it: one more than messages.
    Contiguous(&'a [u8], &'a [usize]),
}

impl<'a> Aads<'a> {
    #[inline(always)]
    pub(super) fn lens_of(&self, messages: Range<usize>) -> Lens {
        match self {
            Self::Common(aad) => Lens::of(core::iter::once(aad.len())),
            Self::Slices(aads) => Lens::of(aads[messages].iter().map(|aad| aad.len())),
            Self::Contiguous(_, bounds) => Lens::between(&bounds[messages.start..=messages.end]),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> &'a [u8] {
        match self {
            Self::Common(aad) => aad,
            Self::Slices(aads) => aads[i],
            Self::Contiguous(bytes, bounds) => &bytes[bounds[i]..bounds[i + 1]],
        }
    }
}

/// The texts of messages, in place.
pub(crate) enum Texts<'a, 'b> {
    Slices(&'a mut [&'b mut [u8]]),
    /// One buffer, and the bounds in it: one more than messages.
    Contiguous(&'a mut [u8], &'a [usize]),
}

impl Texts<'_, '_> {
    #[inline(always)]
    pub(super) fn lens_of(&self, messages: Range<usize>) -> Lens {
        match self {
            Self::Slices(texts) => Lens::of(texts[messages].iter().map(|text| text.len())),
            Self::Contiguous(_, bounds) => Lens::between(&bounds[messages.start..=messages.end]),
        }
    }

    /// In bytes.
    #[inline(always)]
    pub(super) fn len_of(&self, i: usize) -> usize {
        match self {
            Self::Slices(texts) => texts[i].len(),
            Self::Contiguous(_, bounds) => bounds[i + 1] - bounds[i],
        }
    }

    pub(super) fn len_of_all(&self) -> usize {
        match self {
            Self::Slices(texts) => texts.iter().map(|text| text.len()).sum(),
            Self::Contiguous(bytes, _) => bytes.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> &[u8] {
        match self {
            Self::Slices(texts) => texts[i],
            Self::Contiguous(bytes, bounds) => &bytes[bounds[i]..bounds[i + 1]],
        }
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, i: usize) -> &mut [u8] {
        match self {
            Self::Slices(texts) => texts[i],
            Self::Contiguous(bytes, bounds) => &mut bytes[bounds[i]..bounds[i + 1]],
        }
    }
}

impl Texts<'_, '_> {
    /// Those of four messages from `first` on.
    #[inline(always)]
    pub(super) fn get_four(&self, first: usize) -> Option<[&[u8]; 4]> {
        match self {
            Self::Slices(texts) => {
                let [a, b, c, d] = texts.get(first..)?.first_chunk()?;
                Some([a, b, c, d])
            }
            Self::Contiguous(bytes, bounds) => four_adjacent(bytes, bounds, first),
        }
    }

    /// The same, to be written.
    #[inline(always)]
    pub(super) fn get_four_mut(&mut self, first: usize) -> Option<[&mut [u8]; 4]> {
        match self {
            Self::Slices(texts) => {
                let [a, b, c, d] = texts.get_mut(first..)?.first_chunk_mut()?;
                Some([a, b, c, d])
            }
            Self::Contiguous(bytes, bounds) => four_adjacent_mut(bytes, bounds, first),
        }
    }

    /// Those of four messages, if they are different ones.
    #[inline(always)]
    pub(super) fn of_mut(&mut self, messages: [usize; 4]) -> Option<[&mut [u8]; 4]> {
        match self {
            Self::Slices(texts) => {
                let [a, b, c, d] = texts.get_disjoint_mut(messages).ok()?;
                Some([a, b, c, d])
            }
            Self::Contiguous(bytes, bounds) => {
                let [a, b, c, d] = messages;
                let range = |i: usize| bounds[i]..bounds[i + 1];
                four_disjoint_mut(bytes, [range(a), range(b), range(c), range(d)])
            }
        }
    }

    /// Those of messages whose numbers rise.
    #[inline(always)]
    pub(super) fn rising_mut<'t>(
        &'t mut self,
        messages: impl Iterator<Item = usize>,
        places: &mut [&'t mut [u8]],
    ) {
        match self {
            Self::Slices(texts) => {
                let (mut rest, mut start) = (&mut **texts, 0);
                for (i, place) in messages.zip(places) {
                    let (before, after) = rest.split_at_mut(i + 1 - start);
                    (rest, start) = (after, i + 1);
                    if let [.., text] = before {
                        *place = text;
                    }
                }
            }
            Self::Contiguous(bytes, bounds) => {
                rising_mut(bytes, messages.map(|i| bounds[i]..bounds[i + 1]), places);
            }
        }
    }
}

/// The lengths between the bounds of four messages that come one after the other.
#[inline(always)]
pub(super) fn four_adjacent<'a>(
    bytes: &'a [u8],
    bounds: &[usize],
    first: usize,
) -> Option<[&'a [u8]; 4]> {
    let [a, b, c, d, e] = *bounds.get(first..)?.first_chunk()?;
    let (a, rest) = bytes.get(a..e)?.split_at_checked(b - a)?;
    let (b, rest) = rest.split_at_checked(c - b)?;
    let (c, d) = rest.split_at_checked(d - c)?;
    Some([a, b, c, d])
}

/// The same, to be written.
#[inline(always)]
pub(super) fn four_adjacent_mut<'a>(
    bytes: &'a mut [u8],
    bounds: &[usize],
    first: usize,
) -> Option<[&'a mut [u8]; 4]> {
    let [a, b, c, d, e] = *bounds.get(first..)?.first_chunk()?;
    let (a, rest) = bytes.get_mut(a..e)?.split_at_mut_checked(b - a)?;
    let (b, rest) = rest.split_at_mut_checked(c - b)?;
    let (c, d) = rest.split_at_mut_checked(d - c)?;
    Some([a, b, c, d])
}

/// Four ranges of bytes, which mostly are in order.
#[inline(always)]
pub(super) fn four_disjoint_mut(
    bytes: &mut [u8],
    [a, b, c, d]: [Range<usize>; 4],
) -> Option<[&mut [u8]; 4]> {
    if a.end > b.start || b.end > c.start || c.end > d.start {
        return bytes.get_disjoint_mut([a, b, c, d]).ok();
    }
    let (bytes, from_d) = bytes.split_at_mut_checked(d.start)?;
    let (bytes, from_c) = bytes.split_at_mut_checked(c.start)?;
    let (bytes, from_b) = bytes.split_at_mut_checked(b.start)?;
    Some([
        bytes.get_mut(a)?,
        from_b.get_mut(..b.end - b.start)?,
        from_c.get_mut(..c.end - c.start)?,
        from_d.get_mut(..d.end - d.start)?,
    ])
}

/// Ranges of bytes that rise.
#[inline(always)]
pub(super) fn rising_mut<'t>(
    bytes: &'t mut [u8],
    ranges: impl Iterator<Item = Range<usize>>,
    places: &mut [&'t mut [u8]],
) {
    let (mut rest, mut start) = (bytes, 0);
    for (range, place) in ranges.zip(places) {
        let (before, after) = rest.split_at_mut(range.end - start);
        *place = &mut before[range.start - start..];
        (rest, start) = (after, range.end);
    }
}

impl TagPlace<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Made(tags) => tags.len(),
            Self::Given(tags) => tags.len(),
        }
    }

    pub(crate) fn direction(&self) -> Direction {
        match self {
            Self::Made(_) => Direction::Seal,
            Self::Given(_) => Direction::Open,
        }
    }

    /// The one of message `i`, where each has `len` bytes.
    #[inline(always)]
    pub(super) fn get(&self, i: usize, len: usize) -> &[u8] {
        match self {
            Self::Made(tags) => &tags[i * len..][..len],
            Self::Given(tags) => &tags[i * len..][..len],
        }
    }

    #[inline(always)]
    pub(super) fn place(&mut self, i: usize, len: usize) -> TagPlace<'_> {
        match self {
            Self::Made(tags) => TagPlace::Made(&mut tags[i * len..][..len]),
            Self::Given(tags) => TagPlace::Given(&tags[i * len..][..len]),
        }
    }

    /// Writes tags of 16 bytes, from that of message `i` on.
    #[inline(always)]
    pub(super) fn put_all(&mut self, i: usize, made: &[Block]) {
        if let Self::Made(tags) = self {
            tags.as_chunks_mut().0[i..][..made.len()].copy_from_slice(made);
        }
    }

    /// Reads tags of 16 bytes.
    #[inline(always)]
    pub(super) fn get_all(&self, i: usize, given: &mut [Block]) {
        if let Self::Given(tags) = self {
            given.copy_from_slice(&tags.as_chunks().0[i..][..given.len()]);
        }
    }
}
