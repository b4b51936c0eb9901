//! Messages that stand row by row: each nonce ‖ ciphertext ‖ tag, or nonce ‖ tag ‖ ciphertext,
//! behind the one before it.

use crate::kernel::Block;
use crate::mode::message::{Status, Texts};

/// More rows than are taken before their tags are passed.
pub(crate) const GROUP: usize = crate::kernel::gcm_siv::lanes::MESSAGES;

/// What every row has beside its text.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// Of a nonce, in bytes.
    pub(crate) nonce_len: usize,
    /// Of a tag, in bytes.
    pub(crate) tag_len: usize,
    /// Whether the tag stands before the ciphertext.
    pub(crate) tag_first: bool,
}

impl Frame {
    /// The bytes of a row beyond its text.
    pub(crate) fn overhead(self) -> usize {
        self.nonce_len + self.tag_len
    }

    /// Whether the tag is a block and stands behind the text.
    #[inline(always)]
    fn ends_in_block(self) -> bool {
        self.tag_len == size_of::<Block>() && !self.tag_first
    }

    /// Where the tag begins in a row with so much text.
    #[inline(always)]
    fn tag_start(self, text_len: usize) -> usize {
        self.nonce_len + if self.tag_first { 0 } else { text_len }
    }

    /// The text and the tag of a row.
    #[inline(always)]
    fn split(self, row: &[u8]) -> (&[u8], &[u8]) {
        let behind_nonce = row.get(self.nonce_len..).unwrap_or_default();
        if self.tag_first {
            let (tag, text) = behind_nonce.split_at(self.tag_len.min(behind_nonce.len()));
            (text, tag)
        } else {
            behind_nonce.split_at(behind_nonce.len().saturating_sub(self.tag_len))
        }
    }

    /// The same of a row that is to be written.
    #[inline(always)]
    fn split_mut(self, row: &mut [u8]) -> (&mut [u8], &mut [u8]) {
        let behind_nonce = row.get_mut(self.nonce_len..).unwrap_or_default();
        if self.tag_first {
            let (tag, text) = behind_nonce.split_at_mut(self.tag_len.min(behind_nonce.len()));
            (text, tag)
        } else {
            behind_nonce.split_at_mut(behind_nonce.len().saturating_sub(self.tag_len))
        }
    }
}

/// What there is instead of a message, for each row; nothing at all if every row is one.
pub(crate) type Absences<'a> = &'a [Option<Status>];

/// A row, as it is taken alone.
pub(crate) enum Row<'a, Tag> {
    /// A text, in place, and its tag.
    Message(&'a mut [u8], Tag),
    /// No message, and what becomes of it.
    Absent(Status),
}

/// Rows, in order.
pub(crate) trait Rows<'a> {
    type Tag;

    /// The length of the next `count` texts, if these are at most [`GROUP`] messages of one
    /// length, with tags of 16 bytes behind them.
    fn len_of_all(&self, count: usize) -> Option<usize>;

    /// Where the next `count` texts are read and written, which have this length. Their tags
    /// are for [`pass_tags`](Self::pass_tags).
    fn take(&mut self, count: usize, text_len: usize) -> Texts<'a>;

    /// As [`Messages::pass_tags`](crate::mode::message::Messages::pass_tags).
    fn pass_tags(&mut self, tags: &mut [Block]);

    /// The next row, alone.
    fn next(&mut self, nonce: &[u8]) -> Option<Row<'a, Self::Tag>>;
}

/// The distance of the next `count` bounds, if it is one and no row is absent.
#[inline(always)]
fn one_distance(bounds: &[usize], absences: Absences<'_>, count: usize) -> Option<usize> {
    let next = absences.get(..count).unwrap_or_default();
    if count > GROUP || next.iter().any(Option::is_some) {
        return None;
    }
    super::one_len(super::distances(bounds.get(..=count)?))
}

/// Leaves out so many rows, none of which is absent.
#[inline(always)]
fn skip(bounds: &mut &[usize], absences: &mut Absences<'_>, count: usize) {
    *bounds = bounds.get(count..).unwrap_or_default();
    *absences = absences.get(count..).unwrap_or_default();
}

/// What is absent next.
#[inline(always)]
fn next_absence(absences: &mut Absences<'_>) -> Option<Status> {
    absences.split_off_first().copied().flatten()
}

/// Values that are sealed to rows.
pub(crate) struct RowsToSeal<'a> {
    /// From the first bound on.
    values: &'a [u8],
    /// Of the values: one more than rows.
    bounds: &'a [usize],
    absences: Absences<'a>,
    sealed: &'a mut [u8],
    frame: Frame,
}

impl<'a> RowsToSeal<'a> {
    pub(crate) fn new(
        (values, bounds, absences): (&'a [u8], &'a [usize], Absences<'a>),
        sealed: &'a mut [u8],
        frame: Frame,
    ) -> Self {
        Self {
            values,
            bounds,
            absences,
            sealed,
            frame,
        }
    }

    /// The next value, and its row with the nonce written.
    #[inline(always)]
    fn next_row(&mut self, nonce: &[u8], text_len: usize) -> (&'a [u8], &'a mut [u8]) {
        let value = self.values.split_off(..text_len).unwrap_or_default();
        let row_len = nonce.len() + text_len + self.frame.tag_len;
        let row = self.sealed.split_off_mut(..row_len).unwrap_or_default();
        if let Some(place) = row.get_mut(..nonce.len()) {
            place.copy_from_slice(nonce);
        }
        (value, row)
    }
}

impl<'a> Rows<'a> for RowsToSeal<'a> {
    type Tag = &'a mut [u8];

    #[inline(always)]
    fn len_of_all(&self, count: usize) -> Option<usize> {
        let text_len = one_distance(self.bounds, self.absences, count)?;
        self.frame.ends_in_block().then_some(text_len)
    }

    #[inline(always)]
    fn take(&mut self, count: usize, text_len: usize) -> Texts<'a> {
        skip(&mut self.bounds, &mut self.absences, count);
        let row_len = self.frame.overhead() + text_len;
        let values = self.values.split_off(..count * text_len);
        let rows = self.sealed.split_off_mut(..count * row_len);
        Texts::ToRows(values.unwrap_or_default(), rows.unwrap_or_default())
    }

    #[inline(always)]
    fn pass_tags(&mut self, _tags: &mut [Block]) {}

    #[inline(always)]
    fn next(&mut self, nonce: &[u8]) -> Option<Row<'a, &'a mut [u8]>> {
        let start = *self.bounds.split_off_first()?;
        let text_len = *self.bounds.first()? - start;
        if let Some(why) = next_absence(&mut self.absences) {
            self.values.split_off(..text_len)?;
            return Some(Row::Absent(why));
        }
        let (value, row) = self.next_row(nonce, text_len);
        let (text, tag) = self.frame.split_mut(row);
        text.copy_from_slice(value);
        Some(Row::Message(text, tag))
    }
}

/// Rows that are opened to values.
pub(crate) struct RowsToOpen<'a> {
    /// From the first bound on.
    sealed: &'a [u8],
    /// Of the rows: one more than these.
    bounds: &'a [usize],
    absences: Absences<'a>,
    values: &'a mut [u8],
    frame: Frame,
    /// The rows that were taken, of this length each, and all behind them.
    taken: (&'a [u8], usize),
}

impl<'a> RowsToOpen<'a> {
    pub(crate) fn new(
        (sealed, bounds, absences): (&'a [u8], &'a [usize], Absences<'a>),
        values: &'a mut [u8],
        frame: Frame,
    ) -> Self {
        Self {
            sealed,
            bounds,
            absences,
            values,
            frame,
            taken: (sealed, 0),
        }
    }
}

impl<'a> Rows<'a> for RowsToOpen<'a> {
    type Tag = &'a [u8];

    #[inline(always)]
    fn len_of_all(&self, count: usize) -> Option<usize> {
        let row_len = one_distance(self.bounds, self.absences, count)?;
        let text_len = row_len.checked_sub(self.frame.overhead())?;
        self.frame.ends_in_block().then_some(text_len)
    }

    #[inline(always)]
    fn take(&mut self, count: usize, text_len: usize) -> Texts<'a> {
        skip(&mut self.bounds, &mut self.absences, count);
        let row_len = self.frame.overhead() + text_len;
        self.taken.1 = row_len;
        let rows = self.sealed.split_off(..count * row_len);
        let values = self.values.split_off_mut(..count * text_len);
        Texts::FromRows(rows.unwrap_or_default(), values.unwrap_or_default())
    }

    #[inline(always)]
    fn pass_tags(&mut self, tags: &mut [Block]) {
        let (rows, row_len) = self.taken;
        let text_len = row_len.saturating_sub(self.frame.overhead());
        let tag_start = self.frame.tag_start(text_len);
        for (place, row) in tags.iter_mut().zip(rows.chunks(row_len.max(1))) {
            if let Some(tag) = row.get(tag_start..).and_then(|tag| tag.first_chunk()) {
                *place = *tag;
            }
        }
        self.taken.0 = self.sealed;
    }

    #[inline(always)]
    fn next(&mut self, _nonce: &[u8]) -> Option<Row<'a, &'a [u8]>> {
        let start = *self.bounds.split_off_first()?;
        let row = self.sealed.split_off(..*self.bounds.first()? - start)?;
        self.taken.0 = self.sealed;
        if let Some(why) = next_absence(&mut self.absences) {
            return Some(Row::Absent(why));
        }
        let (from, tag) = self.frame.split(row);
        let text = self.values.split_off_mut(..from.len())?;
        text.copy_from_slice(from);
        Some(Row::Message(text, tag))
    }
}
