//! Columns through the engine: slabs of rows, each a batch.

#[cfg(feature = "getrandom")]
use super::NonceRule;
use super::arrays::Bytes;
use super::engine::{Cipher, Engine, check_output};
use crate::batch::{self, BatchAad};
use crate::column::{Column, ColumnNonces, Extent, OffsetsMut, SLAB_LEN};
use crate::error::Error;
use crate::mode::batch::parts::{Rows, Texts};
use crate::mode::batch::{Batch, Direction, Status, TagPlace};
use crate::tier::secret::BlockRoom;
use core::ops::Range;

/// The bytes of nonces and tags of a slab: a slab of rows with longer ones has fewer rows.
const FRAMES_LEN: usize = 40 * SLAB_LEN;

/// Some rows of a column, and what becomes of them.
struct Slab {
    /// Of the input: one more than rows.
    bounds: [usize; SLAB_LEN + 1],
    /// The same of the output.
    ends: [usize; SLAB_LEN + 1],
    absences: [Option<Status>; SLAB_LEN],
    frames: BlockRoom<{ FRAMES_LEN / 16 }>,
    /// How many rows it takes.
    most: usize,
}

impl Slab {
    /// For rows with so many bytes of nonce and tag.
    fn new(overhead: usize) -> Self {
        Self {
            bounds: [0; SLAB_LEN + 1],
            ends: [0; SLAB_LEN + 1],
            absences: [None; SLAB_LEN],
            frames: BlockRoom::new(),
            most: SLAB_LEN.min(FRAMES_LEN / overhead),
        }
    }

    /// Reads the rows from number `first` on, whose output begins at `start`. `out_len` says
    /// how long the output of the row of a number and a length is, or why there is none.
    #[inline(always)]
    fn read(
        &mut self,
        column: &Column<'_>,
        first: usize,
        start: usize,
        out_len: impl Fn(usize, usize) -> Result<usize, Status>,
    ) {
        let rows = column.bounds(first, &mut self.bounds[..=self.most]).windows(2);
        self.ends[0] = start;
        let places = self.ends[1..].iter_mut().zip(&mut self.absences);
        let mut end = start;
        for (i, (row, (place, absence))) in rows.zip(places).enumerate() {
            let out = if column.is_null(first + i) {
                Err(Status::Done)
            } else {
                out_len(first + i, row[1] - row[0])
            };
            end += out.unwrap_or(0);
            *place = end;
            *absence = out.err();
        }
    }

    /// The same where no row is absent and the output of each is `more` bytes longer, or
    /// shorter by wrapping around.
    #[inline(always)]
    fn read_present(&mut self, column: &Column<'_>, first: usize, start: usize, more: usize) {
        let bounds = column.bounds(first, &mut self.bounds[..=self.most]);
        self.ends[0] = start;
        let mut end = start.wrapping_sub(bounds[0]);
        for (place, bound) in self.ends[1..].iter_mut().zip(&bounds[1..]) {
            end = end.wrapping_add(more);
            *place = end.wrapping_add(*bound);
        }
    }
}

impl<C: Cipher> Engine<C> {
    /// The bytes of a row beyond its text.
    fn overhead(&self) -> usize {
        C::Nonce::LEN + self.cipher().tag_len()
    }

    /// Where the texts are in rows.
    fn texts_of<'b>(&self, bounds: &'b [usize]) -> Rows<'b> {
        let tag_len = self.cipher().tag_len();
        let (front, after) = if C::TAG_FIRST { (tag_len, 0) } else { (0, tag_len) };
        Rows { bounds, before: C::Nonce::LEN + front, after }
    }

    /// Where the tag is in a row.
    #[inline(always)]
    fn tag_in(&self, row_len: usize) -> Range<usize> {
        let tag_len = self.cipher().tag_len();
        let start = if C::TAG_FIRST { C::Nonce::LEN } else { row_len - tag_len };
        start..start + tag_len
    }

    /// Memory for so many tags and nonces.
    fn frames<'s>(
        &self,
        room: &'s mut BlockRoom<{ FRAMES_LEN / 16 }>,
        count: usize,
    ) -> (&'s mut [u8], &'s mut [u8]) {
        let len = count * self.overhead();
        let bytes = room.take(len.div_ceil(16)).as_flattened_mut();
        bytes[..len].split_at_mut(count * self.cipher().tag_len())
    }

    /// The text of a row that may be opened, or why it is not.
    #[inline(always)]
    fn opened_row_len(overhead: usize, row_len: usize) -> Result<usize, Status> {
        match row_len.checked_sub(overhead) {
            None => Err(Status::NotOpened),
            Some(len) if len as u64 > C::LIMITS.text => Err(Status::TooLong),
            Some(len) => Ok(len),
        }
    }

    /// The bytes that a column is sealed or opened to.
    pub(crate) fn column_len(
        &self,
        direction: Direction,
        column: &Column<'_>,
    ) -> Result<usize, Error> {
        Ok(self.output_len(direction, column, column.check()?))
    }

    fn output_len(&self, direction: Direction, column: &Column<'_>, extent: Extent) -> usize {
        let overhead = self.overhead();
        if direction == Direction::Seal {
            return extent.bytes.saturating_add(extent.present.saturating_mul(overhead));
        }
        if Self::all_may_open(overhead, extent) {
            return extent.bytes - extent.present * overhead;
        }
        let mut bounds = [0; SLAB_LEN + 1];
        let mut opened_len = 0;
        for first in (0..column.len()).step_by(SLAB_LEN) {
            let rows = (first..).zip(column.bounds(first, &mut bounds).windows(2));
            let present = rows.filter(|(i, _)| !column.is_null(*i));
            let lens = present.map(|(_, row)| Self::opened_row_len(overhead, row[1] - row[0]));
            opened_len += lens.flatten().sum::<usize>();
        }
        opened_len
    }

    /// Whether every row that is there is long enough, and none too long.
    fn all_may_open(overhead: usize, sealed: Extent) -> bool {
        [sealed.shortest, sealed.longest].map(|len| Self::opened_row_len(overhead, len).is_ok())
            == [true; 2]
            || sealed.present == 0
    }

    /// Seals every value to a row.
    pub(crate) fn seal_column(
        &self,
        nonces: ColumnNonces<'_>,
        values: &Column<'_>,
        aad: BatchAad<'_>,
        sealed: &mut [u8],
        mut offsets: OffsetsMut<'_>,
    ) -> Result<(), Error> {
        let extent = values.check()?;
        let len = self.output_len(Direction::Seal, values, extent);
        aad.check(values.len())?;
        check_output(len, sealed.len())?;
        offsets.check(values.len(), len)?;
        self.admit_column(nonces, values, extent, aad)?;
        offsets.write(0, &[0]);
        let (overhead, tag_len) = (self.overhead(), self.cipher().tag_len());
        let mut slab = Slab::new(overhead);
        let mut start = 0;
        for first in (0..values.len()).step_by(slab.most) {
            let count = slab.most.min(values.len() - first);
            if values.validity.is_none() {
                slab.read_present(values, first, start, overhead);
            } else {
                slab.read(values, first, start, |_, len| Ok(len + overhead));
            }
            offsets.write(first + 1, &slab.ends[1..=count]);
            start = slab.ends[count];
            let (tags, own_nonces) = self.frames(&mut slab.frames, count);
            match nonces {
                ColumnNonces::Given(nonces) => own_nonces.copy_from_slice(
                    &nonces[first * C::Nonce::LEN..(first + count) * C::Nonce::LEN],
                ),
                #[cfg(feature = "getrandom")]
                ColumnNonces::Random => C::NONCE.fill(self.tier(), C::Nonce::LEN, own_nonces)?,
            }
            let own_nonces = C::Nonce::all(own_nonces, count).unwrap_or_default();
            let (bounds, ends) = (&slab.bounds[..=count], &slab.ends[..=count]);
            let texts = Texts::Contiguous {
                to: &mut *sealed,
                rows: self.texts_of(ends),
                from: Some((values.bytes, Rows::adjacent(bounds))),
            };
            self.crypt_messages(&mut Batch::new(
                own_nonces,
                aad.from(first),
                texts,
                TagPlace::Made(&mut *tags),
                values.validity.map_or(&[], |_| &slab.absences[..count]),
                &mut [],
                self.rules(Direction::Seal),
            ))?;
            for (i, (row, nonce)) in ends.windows(2).zip(own_nonces).enumerate() {
                let row = &mut sealed[row[0]..row[1]];
                if !row.is_empty() {
                    row[..C::Nonce::LEN].copy_from_slice(nonce.as_ref());
                    let place = self.tag_in(row.len());
                    row[place].copy_from_slice(&tags[i * tag_len..][..tag_len]);
                }
            }
        }
        Ok(())
    }

    /// Whether every value may be sealed, and takes them out of a bound that was set.
    fn admit_column(
        &self,
        nonces: ColumnNonces<'_>,
        values: &Column<'_>,
        values_extent: Extent,
        aad: BatchAad<'_>,
    ) -> Result<(), Error> {
        let nonces = match nonces {
            ColumnNonces::Given(bytes) => Some(Self::nonces(bytes, values.len())?),
            #[cfg(feature = "getrandom")]
            ColumnNonces::Random if C::NONCE == NonceRule::Counter => {
                return Err(Error::NoRandomNonce);
            }
            #[cfg(feature = "getrandom")]
            ColumnNonces::Random => None,
        };
        if values_extent.present == 0 {
            return Ok(()); // Nothing is sealed, whatever the AADs are.
        }
        let (zeros, mut longest) = (C::Nonce::ZEROS, 0);
        if let BatchAad::Common(aad) = aad
            && (nonces.is_none() || C::NONCE.allows(&[0xff]))
            && C::LIMITS.empty
        {
            let (aad_len, text_len) = (aad.len() as u64, values_extent.longest as u64);
            Self::check(&zeros, aad_len, text_len)?;
            longest = aad_len.saturating_add(text_len);
        } else {
            let mut bounds = [0; SLAB_LEN + 1];
            for first in (0..values.len()).step_by(SLAB_LEN) {
                let rows = values.bounds(first, &mut bounds).windows(2);
                for (i, row) in (first..).zip(rows).filter(|(i, _)| !values.is_null(*i)) {
                    let nonce = nonces.map_or(&zeros, |nonces| &nonces[i]);
                    let (aad_len, text_len) = (aad.len_of(i) as u64, (row[1] - row[0]) as u64);
                    Self::check(nonce, aad_len, text_len)?;
                    longest = longest.max(aad_len.saturating_add(text_len));
                }
            }
        }
        if nonces.is_some() { Ok(()) } else { self.spend(values_extent.present as u64, longest) }
    }

    /// Opens every row to a value.
    pub(crate) fn open_column(
        &self,
        sealed: &Column<'_>,
        aad: BatchAad<'_>,
        values: &mut [u8],
        mut offsets: OffsetsMut<'_>,
        statuses: &mut [Status],
    ) -> Result<(), Error> {
        let extent = sealed.check()?;
        let len = self.output_len(Direction::Open, sealed, extent);
        aad.check(sealed.len())?;
        check_output(len, values.len())?;
        offsets.check(sealed.len(), len)?;
        batch::check_count("statuses", sealed.len(), statuses.len())?;
        offsets.write(0, &[0]);
        let (overhead, tag_len) = (self.overhead(), self.cipher().tag_len());
        let all_may_open = sealed.validity.is_none() && Self::all_may_open(overhead, extent);
        let mut slab = Slab::new(overhead);
        let mut start = 0;
        for (first, statuses) in (0..).step_by(slab.most).zip(statuses.chunks_mut(slab.most)) {
            let count = statuses.len();
            let all_there = all_may_open && Self::aads_are_in_limit(&aad, first, count);
            if all_there {
                slab.read_present(sealed, first, start, overhead.wrapping_neg());
            } else {
                slab.read(sealed, first, start, |row, len| {
                    let text_len = Self::opened_row_len(overhead, len)?;
                    if aad.len_of(row) as u64 > C::LIMITS.aad {
                        return Err(Status::TooLong);
                    }
                    Ok(text_len)
                });
            }
            offsets.write(first + 1, &slab.ends[1..=count]);
            start = slab.ends[count];
            let absences = if all_there { &[] } else { &slab.absences[..count] };
            let (bounds, ends) = (&slab.bounds[..=count], &slab.ends[..=count]);
            let (tags, nonces) = self.frames(&mut slab.frames, count);
            for (i, row) in bounds.windows(2).enumerate() {
                // The bytes of a null are not read.
                if absences.get(i).copied().flatten().is_none() {
                    let row = &sealed.bytes[row[0]..row[1]];
                    let nonce = &mut nonces[i * C::Nonce::LEN..][..C::Nonce::LEN];
                    nonce.copy_from_slice(&row[..C::Nonce::LEN]);
                    tags[i * tag_len..][..tag_len].copy_from_slice(&row[self.tag_in(row.len())]);
                }
            }
            let texts = Texts::Contiguous {
                to: &mut *values,
                rows: Rows::adjacent(ends),
                from: Some((sealed.bytes, self.texts_of(bounds))),
            };
            self.crypt_messages(&mut Batch::new(
                C::Nonce::all(nonces, count).unwrap_or_default(),
                aad.from(first),
                texts,
                TagPlace::Given(tags),
                absences,
                &mut *statuses,
                self.rules(Direction::Open),
            ))?;
        }
        // Of rows that have no bytes because of their AADs.
        values[start..].fill(0);
        batch::verdict(statuses)
    }

    /// Whether the AADs of `count` rows, from number `first` on, are all short enough.
    #[inline(always)]
    fn aads_are_in_limit(aad: &BatchAad<'_>, first: usize, count: usize) -> bool {
        let in_limit = |len: usize| len as u64 <= C::LIMITS.aad;
        match aad {
            BatchAad::Common(aad) => in_limit(aad.len()),
            BatchAad::Contiguous { bytes, .. } if in_limit(bytes.len()) => true,
            _ => (first..first + count).all(|row| in_limit(aad.len_of(row))),
        }
    }
}
