//! Columns through the engine: slabs of rows, each a batch.

#[cfg(feature = "getrandom")]
use super::NonceRule;
use super::arrays::{Bytes, MAX_NONCE_LEN};
use super::engine::{Cipher, Engine};
use crate::batch::{self, BatchAad};
use crate::column::{Column, ColumnNonces, Extent, OffsetsMut, SLAB_LEN};
use crate::error::Error;
use crate::mode::batch::row::{Frame, Rows};
use crate::mode::batch::{Batch, Direction, Places, Status};

/// Some rows of a column, and what becomes of them.
struct Slab {
    /// Of the input: one more than rows.
    bounds: [usize; SLAB_LEN + 1],
    /// The same of the output.
    ends: [usize; SLAB_LEN + 1],
    absences: [Option<Status>; SLAB_LEN],
    nonces: [u8; SLAB_LEN * MAX_NONCE_LEN],
}

impl Slab {
    fn new() -> Self {
        Self {
            bounds: [0; SLAB_LEN + 1],
            ends: [0; SLAB_LEN + 1],
            absences: [None; SLAB_LEN],
            nonces: [0; SLAB_LEN * MAX_NONCE_LEN],
        }
    }

    /// Reads the rows from number `first` on, whose output begins at `start`. `out_len` says
    /// how long the output of the row of a number and a length is, or why there is none. Returns
    /// how many rows there are.
    #[inline(always)]
    fn read(
        &mut self,
        column: &Column<'_>,
        first: usize,
        start: usize,
        out_len: impl Fn(usize, usize) -> Result<usize, Status>,
    ) -> usize {
        let count = column.bounds(first, &mut self.bounds).len() - 1;
        let rows = self.bounds[..=count].windows(2);
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
        count
    }

    /// The same where no row is absent and the output of each is `more` bytes longer, or
    /// shorter by wrapping around.
    #[inline(always)]
    fn read_present(
        &mut self,
        column: &Column<'_>,
        first: usize,
        start: usize,
        more: usize,
    ) -> usize {
        let count = column.bounds(first, &mut self.bounds).len() - 1;
        self.ends[0] = start;
        let mut end = start.wrapping_sub(self.bounds[0]);
        for (place, bound) in self.ends[1..].iter_mut().zip(&self.bounds[1..=count]) {
            end = end.wrapping_add(more);
            *place = end.wrapping_add(*bound);
        }
        count
    }
}

impl<C: Cipher> Engine<C> {
    fn frame(&self) -> Frame {
        Frame {
            nonce_len: C::Nonce::LEN,
            tag_len: self.cipher().tag_len(),
            tag_first: C::TAG_FIRST,
        }
    }

    /// The text of a row that may be opened, or why it is not.
    #[inline(always)]
    fn opened_row_len(frame: Frame, row_len: usize) -> Result<usize, Status> {
        match row_len.checked_sub(frame.overhead()) {
            None => Err(Status::NotOpened),
            Some(len) if len as u64 > C::LIMITS.text => Err(Status::TooLong),
            Some(len) => Ok(len),
        }
    }

    /// The bytes that [`seal_column`](Self::seal_column) writes.
    pub(crate) fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Error> {
        Ok(self.sealed_len(values.check()?))
    }

    fn sealed_len(&self, values: Extent) -> usize {
        let overhead = values.present.saturating_mul(self.frame().overhead());
        values.bytes.saturating_add(overhead)
    }

    /// The bytes that [`open_column`](Self::open_column) writes.
    pub(crate) fn opened_column_len(&self, sealed: &Column<'_>) -> Result<usize, Error> {
        let extent = sealed.check()?;
        Ok(self.opened_len(sealed, extent))
    }

    fn opened_len(&self, sealed: &Column<'_>, extent: Extent) -> usize {
        let frame = self.frame();
        if Self::all_may_open(frame, extent) {
            return extent.bytes - extent.present * frame.overhead();
        }
        let mut bounds = [0; SLAB_LEN + 1];
        let mut opened_len = 0;
        for first in (0..sealed.len()).step_by(SLAB_LEN) {
            let rows = (first..).zip(sealed.bounds(first, &mut bounds).windows(2));
            let present = rows.filter(|(i, _)| !sealed.is_null(*i));
            let lens = present.map(|(_, row)| Self::opened_row_len(frame, row[1] - row[0]));
            opened_len += lens.flatten().sum::<usize>();
        }
        opened_len
    }

    /// Whether every row that is there is long enough, and none too long.
    fn all_may_open(frame: Frame, sealed: Extent) -> bool {
        [sealed.shortest, sealed.longest].map(|len| Self::opened_row_len(frame, len).is_ok())
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
        let len = self.sealed_len(extent);
        aad.check(values.len())?;
        check_output(len, sealed.len())?;
        offsets.check(values.len(), len)?;
        self.admit_column(nonces, values, extent, aad)?;
        offsets.write(0, &[0]);
        let frame = self.frame();
        let mut slab = Slab::new();
        let mut start = 0;
        for first in (0..values.len()).step_by(SLAB_LEN) {
            let count = if values.validity.is_none() {
                slab.read_present(values, first, start, frame.overhead())
            } else {
                slab.read(values, first, start, |_, len| Ok(len + frame.overhead()))
            };
            offsets.write(first + 1, &slab.ends[1..=count]);
            start = slab.ends[count];
            let nonces = match nonces {
                ColumnNonces::Given(nonces) => {
                    &nonces[first * C::Nonce::LEN..(first + count) * C::Nonce::LEN]
                }
                #[cfg(feature = "getrandom")]
                ColumnNonces::Random => {
                    let nonces = &mut slab.nonces[..count * C::Nonce::LEN];
                    C::NONCE.fill(self.tier(), C::Nonce::LEN, nonces)?;
                    nonces
                }
            };
            let mut statuses = [Status::Done; SLAB_LEN];
            let rows = Rows {
                from: values.bytes,
                bounds: &slab.bounds[..=count],
                to: &mut *sealed,
                ends: &slab.ends[..=count],
                absences: values.validity.map_or(&[], |_| &slab.absences[..count]),
                frame,
                direction: Direction::Seal,
            };
            let nonces = C::Nonce::all(nonces, count).unwrap_or_default();
            let (aads, statuses) = (aad.from(first), &mut statuses[..count]);
            let mut batch =
                Batch::new(nonces, aads, Places::Rows(rows), statuses, self.rules(Direction::Seal));
            self.crypt_messages(&mut batch)?;
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
            ColumnNonces::Given(bytes) => {
                let wrong = Error::BatchShape {
                    what: "nonces",
                    expected: values.len().saturating_mul(C::Nonce::LEN),
                    given: bytes.len(),
                };
                Some(C::Nonce::all(bytes, values.len()).ok_or(wrong)?)
            }
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
        let zeros = C::Nonce::ZEROS;
        if let BatchAad::Common(aad) = aad
            && (nonces.is_none() || C::NONCE.allows(&[0xff]))
            && C::LIMITS.empty
        {
            let (aad_len, text_len) = (aad.len() as u64, values_extent.longest as u64);
            Self::check(&zeros, aad_len, text_len)?;
            let longest = aad_len.saturating_add(text_len);
            return self.spend_random(nonces, values_extent.present, longest);
        }
        let mut bounds = [0; SLAB_LEN + 1];
        let mut longest = 0;
        for first in (0..values.len()).step_by(SLAB_LEN) {
            let rows = values.bounds(first, &mut bounds).windows(2);
            for (i, row) in (first..).zip(rows) {
                if !values.is_null(i) {
                    let nonce = nonces.map_or(&zeros, |nonces| &nonces[i]);
                    let (aad_len, text_len) = (aad.len_of(i) as u64, (row[1] - row[0]) as u64);
                    Self::check(nonce, aad_len, text_len)?;
                    longest = longest.max(aad_len.saturating_add(text_len));
                }
            }
        }
        self.spend_random(nonces, values_extent.present, longest)
    }

    /// Takes so many messages out of a bound, unless their nonces are given.
    fn spend_random(
        &self,
        nonces: Option<&[C::Nonce]>,
        messages: usize,
        longest: u64,
    ) -> Result<(), Error> {
        #[cfg(feature = "getrandom")]
        if nonces.is_none() {
            return self.spend(messages as u64, longest);
        }
        let _ = (nonces, messages, longest);
        Ok(())
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
        let len = self.opened_len(sealed, extent);
        aad.check(sealed.len())?;
        check_output(len, values.len())?;
        offsets.check(sealed.len(), len)?;
        batch::check_count("statuses", sealed.len(), statuses.len())?;
        offsets.write(0, &[0]);
        let frame = self.frame();
        let all_may_open = sealed.validity.is_none() && Self::all_may_open(frame, extent);
        let mut slab = Slab::new();
        let mut start = 0;
        for (first, statuses) in (0..).step_by(SLAB_LEN).zip(statuses.chunks_mut(SLAB_LEN)) {
            let all_there = all_may_open && Self::aads_are_in_limit(&aad, first, statuses.len());
            let count = if all_there {
                slab.read_present(sealed, first, start, frame.overhead().wrapping_neg())
            } else {
                slab.read(sealed, first, start, |row, len| {
                    let text_len = Self::opened_row_len(frame, len)?;
                    if aad.len_of(row) as u64 > C::LIMITS.aad {
                        return Err(Status::TooLong);
                    }
                    Ok(text_len)
                })
            };
            offsets.write(first + 1, &slab.ends[1..=count]);
            start = slab.ends[count];
            let absences = if all_there { &[] } else { &slab.absences[..count] };
            let nonces = &mut slab.nonces[..count * C::Nonce::LEN];
            let places = nonces.chunks_exact_mut(C::Nonce::LEN.max(1));
            for (i, (place, bound)) in places.zip(&slab.bounds).enumerate() {
                // The bytes of a null are not read.
                let is_there = absences.get(i).copied().flatten().is_none();
                let row = &sealed.bytes[*bound..];
                if let (true, Some(nonce)) = (is_there, row.get(..C::Nonce::LEN)) {
                    place.copy_from_slice(nonce);
                }
            }
            let rows = Rows {
                from: sealed.bytes,
                bounds: &slab.bounds[..=count],
                to: &mut *values,
                ends: &slab.ends[..=count],
                absences,
                frame,
                direction: Direction::Open,
            };
            let nonces = C::Nonce::all(nonces, count).unwrap_or_default();
            let mut batch = Batch::new(
                nonces,
                aad.from(first),
                Places::Rows(rows),
                &mut *statuses,
                self.rules(Direction::Open),
            );
            self.crypt_messages(&mut batch)?;
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
            BatchAad::Contiguous { .. } => {
                (first..first + count).all(|row| in_limit(aad.len_of(row)))
            }
            BatchAad::Slices(aads) => {
                let aads = aads.iter().skip(first).take(count);
                // No length has a bit that none of them has.
                in_limit(aads.clone().fold(0, |bits, aad| bits | aad.len()))
                    || aads.clone().all(|aad| in_limit(aad.len()))
            }
        }
    }
}

fn check_output(expected: usize, given: usize) -> Result<(), Error> {
    if expected == given { Ok(()) } else { Err(Error::OutputLen { expected, given }) }
}
