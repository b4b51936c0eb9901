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
            Self::Contiguous(_, bounds) => {
                let bounds = bounds[messages.start..=messages.end].windows(2);
                Lens::of(bounds.map(|bounds| bounds[1] - bounds[0]))
            }
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

/// Where each text is in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// Where each row begins and the one before ends: one bound more than rows.
    pub(crate) bounds: &'a [usize],
    /// The bytes of a row before its text, and after it. A row of no bytes has no text.
    pub(crate) before: usize,
    pub(crate) after: usize,
}

impl<'a> Rows<'a> {
    /// Texts one after the other.
    pub(crate) fn adjacent(bounds: &'a [usize]) -> Self {
        Self { bounds, before: 0, after: 0 }
    }

    #[inline(always)]
    fn range(&self, i: usize) -> Range<usize> {
        self.bounds[i] + self.before..self.bounds[i + 1] - self.after
    }

    /// The same of four rows from `first` on.
    #[inline(always)]
    fn four(&self, first: usize) -> Option<[Range<usize>; 4]> {
        let [a, b, c, d, e] = *self.bounds.get(first..)?.first_chunk()?;
        let text = |start: usize, end: usize| start + self.before..end - self.after;
        Some([text(a, b), text(b, c), text(c, d), text(d, e)])
    }

    /// The length of a text, in bytes.
    #[inline(always)]
    fn len(&self, i: usize) -> usize {
        (self.bounds[i + 1] - self.bounds[i]).saturating_sub(self.before + self.after)
    }

    #[inline(always)]
    fn lens(&self, rows: Range<usize>) -> Lens {
        let bounds = self.bounds[rows.start..=rows.end].windows(2);
        let more = self.before + self.after;
        Lens::of(bounds.map(|bounds| (bounds[1] - bounds[0]).saturating_sub(more)))
    }
}

/// The texts of messages.
pub(crate) enum Texts<'a, 'b> {
    /// In place.
    Slices(&'a mut [&'b mut [u8]]),
    /// In one buffer. They are read in another one, if there is one.
    Contiguous { to: &'a mut [u8], rows: Rows<'a>, from: Option<(&'a [u8], Rows<'a>)> },
}

impl Texts<'_, '_> {
    #[inline(always)]
    pub(super) fn lens_of(&self, messages: Range<usize>) -> Lens {
        match self {
            Self::Slices(texts) => Lens::of(texts[messages].iter().map(|text| text.len())),
            Self::Contiguous { rows, .. } => rows.lens(messages),
        }
    }

    /// In bytes.
    #[inline(always)]
    pub(crate) fn len_of(&self, i: usize) -> usize {
        match self {
            Self::Slices(texts) => texts[i].len(),
            Self::Contiguous { rows, .. } => rows.len(i),
        }
    }

    /// The text as it was given.
    #[inline(always)]
    pub(super) fn source(&self, i: usize) -> &[u8] {
        match self {
            Self::Contiguous { from: Some((from, rows)), .. } => &from[rows.range(i)],
            _ => self.get(i),
        }
    }

    /// The same of four messages from `first` on.
    #[inline(always)]
    pub(super) fn four_sources(&self, first: usize) -> Option<[&[u8]; 4]> {
        let (bytes, rows) = match self {
            Self::Slices(texts) => {
                let [a, b, c, d] = texts.get(first..)?.first_chunk()?;
                return Some([a, b, c, d]);
            }
            Self::Contiguous { from: Some((from, rows)), .. } => (*from, rows),
            Self::Contiguous { to, rows, .. } => (&**to, rows),
        };
        let [a, b, c, d] = rows.four(first)?;
        Some([bytes.get(a)?, bytes.get(b)?, bytes.get(c)?, bytes.get(d)?])
    }

    /// The text where it is made, as it is now.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> &[u8] {
        match self {
            Self::Slices(texts) => texts[i],
            Self::Contiguous { to, rows, .. } => &to[rows.range(i)],
        }
    }

    /// The same, to be written, and where it is read if that is elsewhere.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, i: usize) -> (Option<&[u8]>, &mut [u8]) {
        match self {
            Self::Slices(texts) => (None, texts[i]),
            Self::Contiguous { to, rows, from } => {
                let from = from.map(|(from, rows)| &from[rows.range(i)]);
                (from, &mut to[rows.range(i)])
            }
        }
    }

    /// The same of a message, and the text that is given of another, whose number is higher.
    #[inline(always)]
    pub(super) fn text_and_source(
        &mut self,
        i: usize,
        other: usize,
    ) -> (Option<&[u8]>, &mut [u8], &[u8]) {
        if let Self::Contiguous { to, rows, from: Some((from, from_rows)) } = self {
            let [text, other] = [i, other].map(|i| &from[from_rows.range(i)]);
            return (Some(text), &mut to[rows.range(i)], other);
        }
        let mut both = <[&mut [u8]; 2]>::default();
        self.rising_mut([i, other].into_iter(), &mut both);
        let [text, other] = both;
        (None, text, other)
    }

    /// Those of four messages from `first` on, to be written.
    #[inline(always)]
    pub(super) fn four_mut(&mut self, first: usize) -> Option<[&mut [u8]; 4]> {
        match self {
            Self::Slices(texts) => {
                let [a, b, c, d] = texts.get_mut(first..)?.first_chunk_mut()?;
                Some([a, b, c, d])
            }
            Self::Contiguous { to, rows, .. } => four_disjoint_mut(to, rows.four(first)?),
        }
    }

    /// The same of four different messages.
    #[inline(always)]
    pub(super) fn of_mut(&mut self, messages: [usize; 4]) -> Option<[&mut [u8]; 4]> {
        match self {
            Self::Slices(texts) => {
                let [a, b, c, d] = texts.get_disjoint_mut(messages).ok()?;
                Some([a, b, c, d])
            }
            Self::Contiguous { to, rows, .. } => {
                let [a, b, c, d] = messages;
                four_disjoint_mut(to, [rows.range(a), rows.range(b), rows.range(c), rows.range(d)])
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
            Self::Contiguous { to, rows, .. } => {
                let (mut rest, mut start) = (&mut **to, 0);
                for (range, place) in messages.map(|i| rows.range(i)).zip(places) {
                    let (before, after) = rest.split_at_mut(range.end - start);
                    *place = &mut before[range.start - start..];
                    (rest, start) = (after, range.end);
                }
            }
        }
    }

    /// The memory of at most four messages from `first` on, before number `end`.
    #[inline(always)]
    pub(super) fn memory_of_four(&self, first: usize, end: usize) -> [&[u8]; 4] {
        match self {
            Self::Slices(_) => [0, 1, 2, 3].map(|i| self.get((first + i).min(end - 1))),
            Self::Contiguous { to, rows, from } => {
                let from = from
                    .map_or(&[][..], |(from, rows)| &from[rows.bounds[first]..rows.bounds[end]]);
                [&to[rows.bounds[first]..rows.bounds[end]], from, &[], &[]]
            }
        }
    }
}

/// Four ranges of bytes, which mostly are in order.
#[inline(always)]
fn four_disjoint_mut(bytes: &mut [u8], [a, b, c, d]: [Range<usize>; 4]) -> Option<[&mut [u8]; 4]> {
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
