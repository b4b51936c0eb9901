//! The rows of a column: nonce ‖ ciphertext ‖ tag, or nonce ‖ tag ‖ ciphertext.

use super::parts::{Lens, four_adjacent, four_adjacent_mut, four_disjoint_mut, rising_mut};
use super::{Direction, Status, TagPlace};
use crate::kernel::Block;
use core::ops::Range;

/// The parts of every row beside its text.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// Of a nonce, in bytes.
    pub(crate) nonce_len: usize,
    /// Of a tag, in bytes.
    pub(crate) tag_len: usize,
    /// Whether the tag comes before the ciphertext.
    pub(crate) tag_first: bool,
}

impl Frame {
    /// The bytes of a row beyond its text.
    #[inline(always)]
    pub(crate) fn overhead(self) -> usize {
        self.nonce_len + self.tag_len
    }

    /// The text of a row, and its tag of one block to `tag`.
    #[inline(always)]
    fn take<'r>(self, row: &'r [u8], tag: &mut Block) -> Option<&'r [u8]> {
        let after_nonce = row.get(self.nonce_len..)?;
        let (text, given) = if self.tag_first {
            let (given, text) = after_nonce.split_first_chunk()?;
            (text, given)
        } else {
            after_nonce.split_last_chunk()?
        };
        *tag = *given;
        Some(text)
    }

    /// The place of the text in a row that gets its nonce and its tag of one block.
    #[inline(always)]
    fn put<'r>(self, row: &'r mut [u8], nonce: &[u8], tag: &Block) -> Option<&'r mut [u8]> {
        let (nonce_place, after_nonce) = row.split_at_mut_checked(nonce.len())?;
        nonce_place.copy_from_slice(nonce);
        let (text, place) = if self.tag_first {
            let (place, text) = after_nonce.split_first_chunk_mut()?;
            (text, place)
        } else {
            after_nonce.split_last_chunk_mut()?
        };
        *place = *tag;
        Some(text)
    }

    /// The same of four rows, or these themselves if they are opened to.
    #[inline(always)]
    fn put_four<'r, N: AsRef<[u8]>>(
        self,
        direction: Direction,
        [a, b, c, d]: [&'r mut [u8]; 4],
        nonces: [&N; 4],
        tags: &[Block; 4],
    ) -> Option<[&'r mut [u8]; 4]> {
        if direction == Direction::Open {
            return Some([a, b, c, d]);
        }
        Some([
            self.put(a, nonces[0].as_ref(), &tags[0])?,
            self.put(b, nonces[1].as_ref(), &tags[1])?,
            self.put(c, nonces[2].as_ref(), &tags[2])?,
            self.put(d, nonces[3].as_ref(), &tags[3])?,
        ])
    }

    /// Where text and tag are in a row.
    #[inline(always)]
    fn parts(self, row: Range<usize>) -> (Range<usize>, Range<usize>) {
        let start = row.start + self.nonce_len;
        if self.tag_first {
            let text = start + self.tag_len;
            (text..row.end, start..text)
        } else {
            let tag = row.end.saturating_sub(self.tag_len);
            (start..tag, tag..row.end)
        }
    }
}

/// Values that are sealed to rows, or rows that are opened to values.
pub(crate) struct Rows<'a> {
    pub(crate) from: &'a [u8],
    /// Where each begins and ends in `from`: one more than rows.
    pub(crate) bounds: &'a [usize],
    pub(crate) to: &'a mut [u8],
    /// The same in `to`.
    pub(crate) ends: &'a [usize],
    /// The status of each row without a message; empty if every row is one.
    pub(crate) absences: &'a [Option<Status>],
    pub(crate) frame: Frame,
    pub(crate) direction: Direction,
}

impl Rows<'_> {
    #[inline(always)]
    pub(super) fn may_be_absent(&self) -> bool {
        !self.absences.is_empty()
    }

    #[inline(always)]
    pub(super) fn absence(&self, i: usize) -> Option<Status> {
        self.absences.get(i).copied().flatten()
    }

    /// Of a row that is there, in bytes.
    #[inline(always)]
    pub(super) fn text_len(&self, i: usize) -> usize {
        let len = self.bounds[i + 1] - self.bounds[i];
        match self.direction {
            Direction::Seal => len,
            Direction::Open => len.saturating_sub(self.frame.overhead()),
        }
    }

    #[inline(always)]
    pub(super) fn text_lens(&self, rows: Range<usize>) -> Lens {
        Lens::of(rows.map(|i| self.text_len(i)))
    }

    #[inline(always)]
    fn range_from(&self, i: usize) -> Range<usize> {
        self.bounds[i]..self.bounds[i + 1]
    }

    #[inline(always)]
    fn range_to(&self, i: usize) -> Range<usize> {
        self.ends[i]..self.ends[i + 1]
    }

    #[inline(always)]
    pub(super) fn source(&self, i: usize) -> &[u8] {
        let range = self.range_from(i);
        match self.direction {
            Direction::Seal => &self.from[range],
            Direction::Open => &self.from[self.frame.parts(range).0],
        }
    }

    #[inline(always)]
    pub(super) fn made(&self, i: usize) -> &[u8] {
        let range = self.range_to(i);
        match self.direction {
            Direction::Seal => &self.to[self.frame.parts(range).0],
            Direction::Open => &self.to[range],
        }
    }

    #[inline(always)]
    pub(super) fn text(&mut self, i: usize) -> &mut [u8] {
        let range = self.range_to(i);
        match self.direction {
            Direction::Seal => &mut self.to[self.frame.parts(range).0],
            Direction::Open => &mut self.to[range],
        }
    }

    /// Where the text of a row is read and made, and the text that is given in another.
    #[inline(always)]
    pub(super) fn text_and_source(
        &mut self,
        i: usize,
        other: usize,
    ) -> (Option<&[u8]>, &mut [u8], &[u8]) {
        let (row, from, other) = (self.range_to(i), self.range_from(i), self.range_from(other));
        match self.direction {
            Direction::Seal => {
                let text = self.frame.parts(row).0;
                (Some(&self.from[from]), &mut self.to[text], &self.from[other])
            }
            Direction::Open => {
                let [from, other] = [from, other].map(|row| &self.from[self.frame.parts(row).0]);
                (Some(from), &mut self.to[row], other)
            }
        }
    }

    /// The texts that are given in four rows from `first` on; and their tags, where there are.
    #[inline(always)]
    pub(super) fn four_sources(&self, first: usize, tags: &mut [Block; 4]) -> Option<[&[u8]; 4]> {
        let [a, b, c, d] = four_adjacent(self.from, self.bounds, first)?;
        if self.direction == Direction::Seal {
            return Some([a, b, c, d]);
        }
        let [e, f, g, h] = tags;
        let frame = self.frame;
        Some([frame.take(a, e)?, frame.take(b, f)?, frame.take(c, g)?, frame.take(d, h)?])
    }

    /// Where the texts of four rows from `first` on are made. Rows that are sealed get these
    /// nonces and tags.
    #[inline(always)]
    pub(super) fn four_texts<N: AsRef<[u8]>>(
        &mut self,
        first: usize,
        nonces: &[N; 4],
        tags: &[Block; 4],
    ) -> Option<[&mut [u8]; 4]> {
        let rows = four_adjacent_mut(self.to, self.ends, first)?;
        self.frame.put_four(self.direction, rows, nonces.each_ref(), tags)
    }

    /// The same of four different rows.
    #[inline(always)]
    pub(super) fn texts_of<N: AsRef<[u8]>>(
        &mut self,
        rows: [usize; 4],
        nonces: [&N; 4],
        tags: &[Block; 4],
    ) -> Option<[&mut [u8]; 4]> {
        let [a, b, c, d] = rows;
        let ranges = [self.range_to(a), self.range_to(b), self.range_to(c), self.range_to(d)];
        let rows = four_disjoint_mut(self.to, ranges)?;
        self.frame.put_four(self.direction, rows, nonces, tags)
    }

    /// Where the texts of rows whose numbers rise are made.
    #[inline(always)]
    pub(super) fn rising_texts<'t>(
        &'t mut self,
        rows: impl Iterator<Item = usize>,
        places: &mut [&'t mut [u8]],
    ) {
        let (ends, frame, direction) = (self.ends, self.frame, self.direction);
        let ranges = rows.map(|i| {
            let row = ends[i]..ends[i + 1];
            match direction {
                Direction::Seal => frame.parts(row).0,
                Direction::Open => row,
            }
        });
        rising_mut(self.to, ranges, places);
    }

    #[inline(always)]
    pub(super) fn tag(&self, i: usize) -> &[u8] {
        match self.direction {
            Direction::Seal => &self.to[self.frame.parts(self.range_to(i)).1],
            Direction::Open => &self.from[self.frame.parts(self.range_from(i)).1],
        }
    }

    /// Where a text is read and where it is made, and its tag. A row that is sealed gets its
    /// nonce.
    #[inline(always)]
    pub(super) fn row(&mut self, i: usize, nonce: &[u8]) -> (&[u8], &mut [u8], TagPlace<'_>) {
        let (from, to) = (self.range_from(i), self.range_to(i));
        let frame = self.frame;
        match self.direction {
            Direction::Seal => {
                let (nonce_place, rest) = self.to[to].split_at_mut(nonce.len());
                nonce_place.copy_from_slice(nonce);
                let text_len = from.len();
                let (text, tag) = if frame.tag_first {
                    let (tag, text) = rest.split_at_mut(frame.tag_len);
                    (text, tag)
                } else {
                    rest.split_at_mut(text_len)
                };
                (&self.from[from], text, TagPlace::Made(tag))
            }
            Direction::Open => {
                let (text, tag) = frame.parts(from);
                let tag = TagPlace::Given(&self.from[tag]);
                (&self.from[text], &mut self.to[to], tag)
            }
        }
    }
}
