//! Columns: many values, one key, one call, and an output that is ready to store.
//!
//! A column is laid out as Apache Arrow lays out its `Binary`, `Utf8`, `LargeBinary` and
//! `LargeUtf8` arrays. All values are one after the other in one buffer, with offsets between
//! them. A bit for each says whether it is there.

use crate::batch;
use crate::error::Error;
use crate::mode::batch::WINDOW;

/// Where each value of a column begins and ends in its buffer: one offset more than values,
/// ascending, from any first one on.
#[derive(Clone, Copy, Debug)]
pub enum Offsets<'a> {
    /// Of 32 bits, as in Arrow's `Binary` and `Utf8`.
    Bits32(&'a [i32]),
    /// Of 64 bits, as in Arrow's `LargeBinary` and `LargeUtf8`.
    Bits64(&'a [i64]),
}

/// A buffer for the offsets of a column: one more than values.
#[derive(Debug)]
pub enum OffsetsMut<'a> {
    /// Of 32 bits.
    Bits32(&'a mut [i32]),
    /// Of 64 bits.
    Bits64(&'a mut [i64]),
}

/// Which values of a column are there: bit `i` of a bitmap, from the lowest bit of the first
/// byte on, as Arrow has it. A value whose bit is zero is null.
#[derive(Clone, Copy, Debug)]
pub struct Validity<'a> {
    /// The bitmap.
    pub bitmap: &'a [u8],
    /// The number of the first value's bit, for a slice of a column.
    pub first_bit: usize,
}

/// Many values.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// All values, one after the other. Bytes before the first offset and after the last
    /// belong to no value.
    pub bytes: &'a [u8],
    /// Where each begins and ends.
    pub offsets: Offsets<'a>,
    /// Which of them are there; all, if there is none. The bytes of a null are not read.
    pub validity: Option<Validity<'a>>,
}

/// The nonces of a column that is sealed.
#[derive(Clone, Copy, Debug)]
pub enum ColumnNonces<'a> {
    /// A random one for each value, or none if the algorithm has none.
    #[cfg(feature = "getrandom")]
    Random,
    /// These, one after the other, also one for each null.
    Given(&'a [u8]),
}

impl Offsets<'_> {
    /// How many there are.
    fn count(&self) -> usize {
        match self {
            Self::Bits32(offsets) => offsets.len(),
            Self::Bits64(offsets) => offsets.len(),
        }
    }

    /// Reads offsets from number `first` on, until the output is full. A value that is no offset
    /// becomes one beyond every buffer.
    fn read(&self, first: usize, bounds: &mut [usize]) {
        match self {
            Self::Bits32(offsets) => {
                for (bound, offset) in bounds.iter_mut().zip(&offsets[first..]) {
                    *bound = usize::try_from(*offset).unwrap_or(usize::MAX);
                }
            }
            Self::Bits64(offsets) => {
                for (bound, offset) in bounds.iter_mut().zip(&offsets[first..]) {
                    *bound = usize::try_from(*offset).unwrap_or(usize::MAX);
                }
            }
        }
    }
}

impl OffsetsMut<'_> {
    /// Checks that there is one more than `values`, and that the last can be as large as
    /// `len`.
    pub(crate) fn check(&self, values: usize, len: usize) -> Result<(), Error> {
        let (count, limit) = match self {
            Self::Bits32(offsets) => (offsets.len(), i32::MAX as u64),
            Self::Bits64(offsets) => (offsets.len(), i64::MAX as u64),
        };
        batch::check_count("output offsets", values.saturating_add(1), count)?;
        if len as u64 > limit {
            return Err(Error::TooLong { what: "column", limit, given: len as u64 });
        }
        Ok(())
    }

    /// Writes `ends` from number `first` on. [`check`](Self::check) has seen the largest.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "the largest was checked"
    )]
    pub(crate) fn write(&mut self, first: usize, ends: &[usize]) {
        match self {
            Self::Bits32(offsets) => {
                for (offset, end) in offsets[first..].iter_mut().zip(ends) {
                    *offset = *end as i32;
                }
            }
            Self::Bits64(offsets) => {
                for (offset, end) in offsets[first..].iter_mut().zip(ends) {
                    *offset = *end as i64;
                }
            }
        }
    }
}

impl Validity<'_> {
    /// Whether value `i` is there.
    fn has(&self, i: usize) -> bool {
        let bit = self.first_bit + i;
        self.bitmap[bit / 8] >> (bit % 8) & 1 == 1
    }
}

impl<'a> Column<'a> {
    /// How many values there are, nulls among them; zero for a column without offsets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.count().saturating_sub(1)
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that offsets ascend within the buffer and that every value has its bit, and
    /// measures the values.
    pub(crate) fn check(&self) -> Result<Extent, Error> {
        if self.offsets.count() == 0 {
            return Err(Error::BatchShape { what: "offsets", expected: 1, given: 0 });
        }
        if let Some(validity) = &self.validity {
            let bits = validity.bitmap.len().saturating_mul(8);
            let needed = validity.first_bit.saturating_add(self.len());
            if needed > bits {
                batch::check_count("bits of validity", needed, bits)?;
            }
        }
        match self.offsets {
            Offsets::Bits32(offsets) => self.check_offsets(offsets),
            Offsets::Bits64(offsets) => self.check_offsets(offsets),
        }
    }

    fn check_offsets<T: Copy + Into<i64>>(&self, offsets: &[T]) -> Result<Extent, Error> {
        if let Some(extent) = self.one_len(offsets) {
            return Ok(extent);
        }
        let mut least = 0;
        for offset in offsets {
            let offset = (*offset).into();
            // A value that is no length becomes one beyond every buffer.
            let given = usize::try_from(offset).unwrap_or(usize::MAX);
            if given < least || given > self.bytes.len() {
                if offset < 0 {
                    return Err(Error::NegativeOffset { given: offset });
                }
                return Err(Error::BatchShape {
                    what: "offsets",
                    expected: if given < least { least } else { self.bytes.len() },
                    given,
                });
            }
            least = given;
        }
        Ok(self.extent())
    }

    /// The extent, if all values are there and of one length, and their offsets are right.
    fn one_len<T: Copy + Into<i64>>(&self, offsets: &[T]) -> Option<Extent> {
        let (Some(first), Some(second), None) = (offsets.first(), offsets.get(1), self.validity)
        else {
            return None;
        };
        let (first, last) = ((*first).into(), (*offsets.last()?).into());
        let len = (*second).into().wrapping_sub(first);
        // Without a way out, so that several are compared at once.
        let pairs = offsets.iter().zip(&offsets[1..]);
        let difference = pairs.fold(0, |difference, (start, end)| {
            difference | ((*end).into().wrapping_sub((*start).into()) ^ len)
        });
        let (len, first, last) =
            (usize::try_from(len).ok()?, usize::try_from(first).ok()?, usize::try_from(last).ok()?);
        // Differences that are equal may have wrapped around all the same.
        let bytes = len.checked_mul(self.len())?;
        let right =
            difference == 0 && first.checked_add(bytes) == Some(last) && last <= self.bytes.len();
        right.then_some(Extent { present: self.len(), bytes, shortest: len, longest: len })
    }

    fn extent(&self) -> Extent {
        let mut extent = Extent { present: 0, bytes: 0, shortest: usize::MAX, longest: 0 };
        let mut room = [0; SLAB_LEN + 1];
        for first in (0..self.len()).step_by(SLAB_LEN) {
            let rows = self.bounds(first, &mut room).windows(2);
            let lens = rows.map(|row| row[1].wrapping_sub(row[0]));
            if self.validity.is_none() {
                extent = lens.fold(extent, Extent::with);
            } else {
                let present = lens.zip(first..).filter(|(_, i)| !self.is_null(*i));
                extent = present.fold(extent, |extent, (len, _)| extent.with(len));
            }
        }
        extent
    }

    /// Fills the output with the bounds of values, from number `first` on: one more than these.
    pub(crate) fn bounds<'b>(&self, first: usize, room: &'b mut [usize]) -> &'b [usize] {
        let count = room.len().min(self.offsets.count() - first);
        let bounds = &mut room[..count];
        self.offsets.read(first, bounds);
        bounds
    }

    /// Whether value `i` is null.
    pub(crate) fn is_null(&self, i: usize) -> bool {
        self.validity.is_some_and(|validity| !validity.has(i))
    }
}

/// How many values are worked on at once: their results stay on the stack.
pub(crate) const SLAB_LEN: usize = WINDOW;

/// The lengths of the values that are there, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    /// How many there are.
    pub(crate) present: usize,
    /// Of all together.
    pub(crate) bytes: usize,
    /// The greatest number there is, if there are none.
    pub(crate) shortest: usize,
    pub(crate) longest: usize,
}

impl Extent {
    #[inline(always)]
    fn with(self, len: usize) -> Self {
        Self {
            present: self.present + 1,
            // Checked offsets lie within a buffer, and this one too.
            bytes: self.bytes.wrapping_add(len),
            shortest: self.shortest.min(len),
            longest: self.longest.max(len),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_say_what_their_width_allows() {
        let limit = i32::MAX as usize;
        let too_long = |len: usize| {
            Err(Error::TooLong { what: "column", limit: limit as u64, given: len as u64 })
        };
        assert_eq!(OffsetsMut::Bits32(&mut [0; 2]).check(1, limit), Ok(()));
        let beyond = limit + 1;
        assert_eq!(OffsetsMut::Bits32(&mut [0; 2]).check(1, beyond), too_long(beyond));
        assert_eq!(OffsetsMut::Bits64(&mut [0; 2]).check(1, beyond), Ok(()));
    }
}
