#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use arrow_array::types::ByteArrayType;
use arrow_array::{Array, GenericBinaryArray, GenericByteArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use sivka::{Aead, BatchAad, Column, ColumnNonces, Offsets, OffsetsMut, Status, Validity};

/// Why a column was not sealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A row does not open: it is forged, damaged or too short, or was sealed under another key
    /// or context. There is no saying which.
    #[error("row {row} does not open")]
    NotOpened {
        /// The first such row, counted from zero.
        row: usize,
    },
    /// The column cannot be sealed or opened at all, and nothing was.
    #[error(transparent)]
    Sivka(#[from] sivka::Error),
}

/// Seals each value to nonce ‖ ciphertext ‖ tag, under a random nonce if the algorithm has nonces,
/// as [`Aead::seal`] does. A null stays null. `context` is the associated data: one for all values,
/// such as the names of table and column, or one for each.
///
/// Values are read where they are, without a copy, and the nulls are shared.
///
/// # Errors
///
/// [`Error::Sivka`]: [`TooLong`](sivka::Error::TooLong) also if the rows are longer than 32-bit
/// offsets allow, 2 GiB: take a large array; [`NoRandomNonce`](sivka::Error::NoRandomNonce) for a
/// key whose nonces are too short to be random.
pub fn seal<T: ByteArrayType>(
    key: &dyn Aead,
    values: &GenericByteArray<T>,
    context: BatchAad<'_>,
) -> Result<GenericBinaryArray<T::Offset>, Error> {
    let column = column(values);
    let mut sealed = vec![0; key.sealed_column_len(&column)?];
    let ends = with_offsets(values.len(), |ends| {
        key.seal_column(ColumnNonces::Random, &column, context, &mut sealed, ends)
    })?;
    let nulls = values.nulls().cloned();
    Ok(GenericBinaryArray::new(ends, sealed.into(), nulls))
}

/// Opens each row of a column that [`seal`] returned, or of rows that [`Aead::seal`] returned.
///
/// # Errors
///
/// [`Error::NotOpened`] if some row does not open; [`Error::Sivka`] as [`seal`].
pub fn open<O: OffsetSizeTrait>(
    key: &dyn Aead,
    rows: &GenericBinaryArray<O>,
    context: BatchAad<'_>,
) -> Result<GenericBinaryArray<O>, Error> {
    let (values, statuses) = open_all(key, rows, context)?;
    match statuses.iter().position(|status| *status != Status::Done) {
        Some(row) => Err(Error::NotOpened { row }),
        None => Ok(values),
    }
}

/// As [`open`], with null in place of each row that does not open.
///
/// # Errors
///
/// [`Error::Sivka`] as [`seal`].
pub fn try_open<O: OffsetSizeTrait>(
    key: &dyn Aead,
    rows: &GenericBinaryArray<O>,
    context: BatchAad<'_>,
) -> Result<GenericBinaryArray<O>, Error> {
    let (values, statuses) = open_all(key, rows, context)?;
    if statuses.iter().all(|status| *status == Status::Done) {
        return Ok(values);
    }
    let opened = NullBuffer::from_iter(statuses.iter().map(|status| *status == Status::Done));
    let nulls = NullBuffer::union(Some(&opened), values.nulls());
    let (offsets, values, _) = values.into_parts();
    Ok(GenericBinaryArray::new(offsets, values, nulls))
}

/// The values, zeros or nothing for a row that does not open, and what became of each.
fn open_all<O: OffsetSizeTrait>(
    key: &dyn Aead,
    rows: &GenericBinaryArray<O>,
    context: BatchAad<'_>,
) -> Result<(GenericBinaryArray<O>, Vec<Status>), Error> {
    let column = column(rows);
    let mut values = vec![0; key.opened_column_len(&column)?];
    let mut statuses = vec![Status::Done; rows.len()];
    let ends = with_offsets(rows.len(), |ends| {
        match key.open_column(&column, context, &mut values, ends, &mut statuses) {
            Err(sivka::Error::Batch { .. }) => Ok(()),
            result => result,
        }
    })?;
    let values = GenericBinaryArray::new(ends, values.into(), rows.nulls().cloned());
    Ok((values, statuses))
}

/// An array as `sivka` reads it.
fn column<T: ByteArrayType>(values: &GenericByteArray<T>) -> Column<'_> {
    let offsets = values.offsets().inner().inner();
    let offsets = if T::Offset::IS_LARGE {
        Offsets::Bits64(offsets.typed_data())
    } else {
        Offsets::Bits32(offsets.typed_data())
    };
    let validity = values
        .nulls()
        .map(|nulls| Validity { bitmap: nulls.validity(), first_bit: nulls.offset() });
    Column { bytes: values.value_data(), offsets, validity }
}

/// A buffer for the offsets of so many values, which `write` fills.
fn with_offsets<O: OffsetSizeTrait>(
    values: usize,
    write: impl FnOnce(OffsetsMut<'_>) -> Result<(), sivka::Error>,
) -> Result<OffsetBuffer<O>, Error> {
    let buffer = if O::IS_LARGE {
        let mut offsets = vec![0_i64; values + 1];
        write(OffsetsMut::Bits64(&mut offsets))?;
        Buffer::from_vec(offsets)
    } else {
        let mut offsets = vec![0_i32; values + 1];
        write(OffsetsMut::Bits32(&mut offsets))?;
        Buffer::from_vec(offsets)
    };
    Ok(OffsetBuffer::new(ScalarBuffer::new(buffer, 0, values + 1)))
}
