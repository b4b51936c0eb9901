//! Columns under the keys of a keyset, value by value.

use crate::failure::Failure;
use crate::many::verdict;
use crate::status::{SIVKA_ERROR_OPEN, SIVKA_ERROR_TOO_LONG, SIVKA_OK, Status};
use sivka::{BatchAad, Column, Error, Offsets, OffsetsMut};
use sivka_keyset::{Error as KeysetError, KeysetAead, Misuse};

/// Value `i`; nothing for a null.
fn value<'a>(column: &Column<'a>, i: usize) -> Result<Option<&'a [u8]>, Error> {
    let bounds = match column.offsets {
        Offsets::Bits32(offsets) => [offsets[i].into(), offsets[i + 1].into()],
        Offsets::Bits64(offsets) => [offsets[i], offsets[i + 1]],
    };
    let [Ok(start), Ok(end)] = bounds.map(usize::try_from) else {
        let given = bounds[0].min(bounds[1]);
        return Err(Error::NegativeOffset { given });
    };
    let bit = column.validity.is_none_or(|validity| {
        let bit = validity.first_bit + i;
        validity.bitmap[bit / 8] >> (bit % 8) & 1 == 1
    });
    let value = between(column.bytes, [start, end], "offsets")?;
    Ok(bit.then_some(value))
}

/// The bytes from one offset up to the next.
fn between<'a>(
    bytes: &'a [u8],
    [start, end]: [usize; 2],
    what: &'static str,
) -> Result<&'a [u8], Error> {
    bytes.get(start..end).ok_or(Error::BatchShape {
        what,
        expected: if end < start { start } else { bytes.len() },
        given: end,
    })
}

/// The AAD of value `i`.
fn aad_of<'a>(aads: &BatchAad<'a>, i: usize) -> Result<&'a [u8], Error> {
    match *aads {
        BatchAad::Contiguous { bytes, offsets } => {
            between(bytes, [offsets[i], offsets[i + 1]], "aad offsets")
        }
        BatchAad::Common(aad) => Ok(aad),
        _ => Ok(&[]),
    }
}

/// The lengths of all values together, each as `len_of` says, once all of them were checked.
pub(super) fn len(column: &Column<'_>, len_of: impl Fn(usize) -> usize) -> Result<usize, Failure> {
    let mut all = 0_usize;
    for i in 0..column.len() {
        if let Some(value) = value(column, i)? {
            all = all.saturating_add(len_of(value.len()));
        }
    }
    Ok(all)
}

/// Checks the arguments that a call has beside the column, of which `needed` bytes come out.
fn check(
    count: usize,
    aads: &BatchAad<'_>,
    (what, out_len): (&'static str, usize),
    needed: usize,
    ends: &OffsetsMut<'_>,
) -> Result<(), Failure> {
    if out_len != needed {
        return Err(Failure::length(what, needed, out_len));
    }
    let most = match ends {
        OffsetsMut::Bits32(_) => i32::MAX as usize,
        OffsetsMut::Bits64(_) => isize::MAX as usize,
    };
    if needed > most {
        return Err(Failure::too_long(what));
    }
    (0..count).try_for_each(|i| aad_of(aads, i).map(|_| ()).map_err(Failure::from))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "`check` knew the largest"
)]
fn write_end(ends: &mut OffsetsMut<'_>, i: usize, end: usize) {
    match ends {
        OffsetsMut::Bits32(ends) => ends[i] = end as i32,
        OffsetsMut::Bits64(ends) => ends[i] = end as i64,
    }
}

pub(super) fn seal(
    keys: &KeysetAead,
    values: &Column<'_>,
    aads: BatchAad<'_>,
    sealed: &mut [u8],
    mut ends: OffsetsMut<'_>,
) -> Result<(), Failure> {
    let needed = len(values, |len| keys.seal_len(len))?;
    check(values.len(), &aads, ("sealed", sealed.len()), needed, &ends)?;
    let mut at = 0;
    write_end(&mut ends, 0, 0);
    for i in 0..values.len() {
        if let Some(value) = value(values, i)? {
            let row = at..at + keys.seal_len(value.len());
            at = row.end;
            let done = keys.seal_into(value, aad_of(&aads, i)?, &mut sealed[row]);
            done.map_err(|error| Failure::from(error).of("values"))?;
        }
        write_end(&mut ends, i + 1, at);
    }
    Ok(())
}

pub(super) fn open(
    keys: &KeysetAead,
    sealed: &Column<'_>,
    aads: BatchAad<'_>,
    values: &mut [u8],
    mut ends: OffsetsMut<'_>,
    statuses: &mut [Status],
) -> Result<(), Failure> {
    let needed = len(sealed, |len| keys.open_len(len))?;
    check(sealed.len(), &aads, ("values", values.len()), needed, &ends)?;
    let mut at = 0;
    write_end(&mut ends, 0, 0);
    for (i, status) in statuses.iter_mut().enumerate() {
        *status = SIVKA_OK;
        if let Some(row) = value(sealed, i)? {
            let room = at..at + keys.open_len(row.len());
            match keys.open_into(row, aad_of(&aads, i)?, &mut values[room]) {
                Ok(len) => at += len,
                Err(KeysetError::Open) => *status = SIVKA_ERROR_OPEN,
                Err(KeysetError::Misuse(Misuse::TooLong(_))) => *status = SIVKA_ERROR_TOO_LONG,
                Err(error) => {
                    values.fill(0);
                    return Err(error.into());
                }
            }
        }
        write_end(&mut ends, i + 1, at);
    }
    values[at..].fill(0);
    verdict(statuses)
}
