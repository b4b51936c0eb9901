//! Messages of a column: each row is nonce ‖ ciphertext ‖ tag, or nonce ‖ tag ‖ ciphertext, and
//! comes right after the one before it.

use super::parts::{distances, one_len, split_bounds};
use crate::kernel::Block;
use crate::mode::message::{Status, Texts};

/// What every row has beside its text.
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
    pub(crate) fn overhead(self) -> usize {
        self.nonce_len + self.tag_len
    }

    /// Whether the tag is a block and comes after the text.
    #[inline(always)]
    fn ends_in_block(self) -> bool {
        self.tag_len == size_of::<Block>() && !self.tag_first
    }

    /// The text and the tag of a row.
    #[inline(always)]
    fn split(self, row: &[u8]) -> Option<(&[u8], &[u8])> {
        let after_nonce = row.get(self.nonce_len..)?;
        if self.tag_first {
            let (tag, text) = after_nonce.split_at_checked(self.tag_len)?;
            Some((text, tag))
        } else {
            after_nonce.split_at_checked(after_nonce.len().checked_sub(self.tag_len)?)
        }
    }

    /// The same of a row that is to be written.
    #[inline(always)]
    fn split_mut(self, row: &mut [u8]) -> Option<(&mut [u8], &mut [u8])> {
        let after_nonce = row.get_mut(self.nonce_len..)?;
        if self.tag_first {
            let (tag, text) = after_nonce.split_at_mut_checked(self.tag_len)?;
            Some((text, tag))
        } else {
            let text_len = after_nonce.len().checked_sub(self.tag_len)?;
            after_nonce.split_at_mut_checked(text_len)
        }
    }
}

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

/// One row.
pub(crate) struct Row<'a> {
    from: &'a [u8],
    to: &'a mut [u8],
    frame: Frame,
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

impl<'a> Row<'a> {
    /// Writes the nonce and copies the value, for sealing in place: its text and the place of
    /// its tag.
    #[inline(always)]
    pub(crate) fn into_sealed(self, nonce: &[u8]) -> Option<(&'a mut [u8], &'a mut [u8])> {
        self.to
            .get_mut(..self.frame.nonce_len)?
            .copy_from_slice(nonce);
        let (text, tag) = self.frame.split_mut(self.to)?;
        text.copy_from_slice(self.from);
        Some((text, tag))
    }

    /// Copies the ciphertext, for opening in place: its text and its tag.
    #[inline(always)]
    pub(crate) fn into_opened(self) -> Option<(&'a mut [u8], &'a [u8])> {
        let (from, tag) = self.frame.split(self.from)?;
        self.to.copy_from_slice(from);
        Some((self.to, tag))
    }
}
