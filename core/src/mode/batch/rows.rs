//! Messages of a column: each row is nonce ‖ ciphertext ‖ tag, or nonce ‖ tag ‖ ciphertext, and
//! comes right after the one before it.

use super::bounds::{distances, one_len, split_bounds};
use super::row::{Frame, Row};
use crate::mode::message::{Status, Texts};

/// What there is instead of a message, for each row; nothing at all if every row is one.
pub(crate) type Absences<'a> = &'a [Option<Status>];

/// Values that are sealed to rows, or rows that are opened to values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Seal,
    Open,
}

/// The rows of a column, and what is made of them.
pub(crate) struct Rows<'a> {
    /// From the first bound on.
    from: &'a [u8],
    /// In `from`: one more than rows.
    bounds: &'a [usize],
    absences: Absences<'a>,
    to: &'a mut [u8],
    frame: Frame,
    way: Way,
}

impl<'a> Rows<'a> {
    /// Rows that are read at `from` ‥ and written one after another to `to`.
    pub(crate) fn new(
        way: Way,
        (from, bounds, absences): (&'a [u8], &'a [usize], Absences<'a>),
        to: &'a mut [u8],
        frame: Frame,
    ) -> Self {
        Self {
            from,
            bounds,
            absences,
            to,
            frame,
            way,
        }
    }

    /// The length of the next `count` texts, if these are messages of one length, with tags of
    /// 16 bytes after them.
    #[inline(always)]
    pub(super) fn len_of_all(&self, count: usize) -> Option<usize> {
        let next = self.absences.get(..count).unwrap_or_default();
        if next.iter().any(Option::is_some) || !self.frame.ends_in_block() {
            return None;
        }
        let len = one_len(distances(self.bounds.get(..=count)?))?;
        match self.way {
            Way::Seal => Some(len),
            Way::Open => len.checked_sub(self.frame.overhead()),
        }
    }

    /// The bytes that are written for `count` rows with so many bytes in `from`.
    #[inline(always)]
    fn written_len(&self, count: usize, read_len: usize) -> usize {
        let overhead = count * self.frame.overhead();
        match self.way {
            Way::Seal => read_len + overhead,
            Way::Open => read_len.saturating_sub(overhead),
        }
    }

    /// Where the next `count` texts are read and written. No row of these is absent.
    #[inline(always)]
    pub(super) fn split_off(&mut self, count: usize) -> Texts<'a> {
        let (from, to) = self.advance(count, false);
        match self.way {
            Way::Seal => Texts::ToRows(from, to),
            Way::Open => Texts::FromRows(from, to),
        }
    }

    /// The next row, or what there is instead of a message.
    #[inline(always)]
    pub(super) fn split_off_first(&mut self) -> Result<Row<'a>, Status> {
        let absence = self.absences.first().copied().flatten();
        let (from, to) = self.advance(1, absence.is_some());
        let frame = self.frame;
        absence.map_or(Ok(Row { from, to, frame }), Err)
    }

    /// Takes `count` rows, of which each is absent or none.
    #[inline(always)]
    fn advance(&mut self, count: usize, is_absent: bool) -> (&'a [u8], &'a mut [u8]) {
        let bounds = split_bounds(&mut self.bounds, count);
        self.absences = self.absences.get(count..).unwrap_or_default();
        let read_len = match bounds {
            [first, .., last] => last - first,
            _ => 0,
        };
        let written_len = if is_absent {
            0
        } else {
            self.written_len(count, read_len)
        };
        let from = self.from.split_off(..read_len);
        let to = self.to.split_off_mut(..written_len);
        (from.unwrap_or_default(), to.unwrap_or_default())
    }
}
