//! Columns: values in one buffer, as Arrow lays them out, to rows that are ready to store.

use crate::buffer::{Integers, View, number, offsets};
use crate::contiguous::{aad_offsets, batch_aad};
use crate::error::of_message;
use crate::key::Key;
use crate::new_bytes::NewBytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka::{Column, ColumnNonces, Error, Offsets, OffsetsMut, Status, Validity};

/// The rows, and their offsets.
pub(crate) type Sealed<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);
/// The values, their offsets, and which of them there are.
pub(crate) type Opened<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

/// The arguments, which both directions have.
pub(crate) struct Values<'a, 'py> {
    pub(crate) data: &'a Bound<'py, PyAny>,
    pub(crate) offsets: &'a Bound<'py, PyAny>,
    pub(crate) aads: Option<&'a Bound<'py, PyAny>>,
    pub(crate) aad_offsets: Option<&'a Bound<'py, PyAny>>,
    pub(crate) validity: Option<&'a Bound<'py, PyAny>>,
    pub(crate) first_bit: Option<&'a Bound<'py, PyAny>>,
}

/// The same, looked at, and copied as far as it would not stay right if somebody changed it.
struct Parts<'a, 'py> {
    data: View<'a, 'py>,
    offsets: Integers,
    aads: View<'a, 'py>,
    aad_offsets: Option<Vec<usize>>,
    /// The bitmap, and the number of the first value's bit in it.
    validity: Option<(Vec<u8>, usize)>,
}

impl Parts<'_, '_> {
    fn column(&self) -> Column<'_> {
        let validity = self.validity.as_ref().map(|(bitmap, first_bit)| Validity {
            bitmap,
            first_bit: *first_bit,
        });
        Column {
            bytes: self.data.bytes(),
            offsets: match &self.offsets {
                Integers::Bits32(offsets) => Offsets::Bits32(offsets),
                Integers::Bits64(offsets) => Offsets::Bits64(offsets),
            },
            validity,
        }
    }

    /// Room for offsets as wide as those that were given.
    fn ends(&self) -> Integers {
        match &self.offsets {
            Integers::Bits32(offsets) => Integers::Bits32(vec![0; offsets.len()]),
            Integers::Bits64(offsets) => Integers::Bits64(vec![0; offsets.len()]),
        }
    }
}

fn ends_mut(ends: &mut Integers) -> OffsetsMut<'_> {
    match ends {
        Integers::Bits32(offsets) => OffsetsMut::Bits32(offsets),
        Integers::Bits64(offsets) => OffsetsMut::Bits64(offsets),
    }
}

impl<'a, 'py> Values<'a, 'py> {
    fn parts(&self) -> PyResult<Parts<'a, 'py>> {
        let data = View::of(self.data, "data")?;
        let offsets = offsets(self.offsets, "offsets")?;
        let count = offsets.len() - 1;
        let aads = View::of_optional(self.aads, "associated_data")?;
        let aad_offsets = aad_offsets(self.aad_offsets, count)?;
        let validity = self.validity(count)?;
        Ok(Parts {
            data,
            offsets,
            aads,
            aad_offsets,
            validity,
        })
    }

    /// The bytes of the bitmap that have the bits of values.
    fn validity(&self, count: usize) -> PyResult<Option<(Vec<u8>, usize)>> {
        let first = match self.first_bit {
            Some(first) => usize::try_from(number(first, "first_bit", usize::MAX as u64)?)?,
            None => 0,
        };
        let Some(validity) = self.validity.filter(|validity| !validity.is_none()) else {
            return Ok(None);
        };
        let bitmap = View::of(validity, "validity")?;
        let bits = bitmap.len().saturating_mul(8);
        let last = first.checked_add(count).filter(|last| *last <= bits);
        let Some(last) = last else {
            return Err(PyValueError::new_err(format!(
                "validity: {count} bits from number {first} on expected, {bits} given"
            )));
        };
        let copy = bitmap.bytes()[first / 8..last.div_ceil(8).max(first / 8)].to_vec();
        Ok(Some((copy, first % 8)))
    }

    /// The rows.
    pub(crate) fn seal(&self, py: Python<'py>, key: &Key) -> PyResult<Sealed<'py>> {
        let parts = self.parts()?;
        let column = parts.column();
        let len = measured(py, key, |aead| aead.sealed_column_len(&column))?;
        let (mut rows, mut ends) = (NewBytes::new(py, Some(len))?, parts.ends());
        let out = rows.bytes_mut();
        let aad = batch_aad(parts.aads.bytes(), parts.aad_offsets.as_deref());
        key.run(py, len, |aead| {
            aead.seal_column(ColumnNonces::Random, &column, aad, out, ends_mut(&mut ends))
        })?;
        Ok((rows.done(), ends.to_bytes(py)))
    }

    /// The values.
    pub(crate) fn open(&self, py: Python<'py>, key: &Key) -> PyResult<Opened<'py>> {
        let parts = self.parts()?;
        let column = parts.column();
        let len = measured(py, key, |aead| aead.opened_column_len(&column))?;
        let (mut values, mut ends) = (NewBytes::new(py, Some(len))?, parts.ends());
        let out = values.bytes_mut();
        let aad = batch_aad(parts.aads.bytes(), parts.aad_offsets.as_deref());
        let mut statuses = vec![Status::Done; column.len()];
        key.run(py, len, |aead| {
            match aead.open_column(&column, aad, out, ends_mut(&mut ends), &mut statuses) {
                Err(Error::Batch { .. }) => Ok(()),
                done => done,
            }
        })?;
        let opened: Vec<u8> = statuses
            .iter()
            .map(|status| u8::from(*status == Status::Done))
            .collect();
        Ok((values.done(), ends.to_bytes(py), PyBytes::new(py, &opened)))
    }
}

/// How long an output is.
fn measured(
    py: Python<'_>,
    key: &Key,
    len: impl FnOnce(&dyn sivka::Aead) -> Result<usize, Error> + Send,
) -> PyResult<usize> {
    let len = key.held.run(py, 0, |aead| len(&**aead))?;
    len.map_err(|error| of_message(py, error))
}
