//! Columns: values in one buffer, as Arrow lays them out, to rows that are ready to store.

use crate::buffer::{Any, View, number, offsets};
use crate::error::{length, of_message};
use crate::key::Key;
use crate::new_bytes::NewBytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka::{Aead, BatchAad, Column, ColumnNonces, Error, Offsets, OffsetsMut, Status, Validity};

type Made<'py> = Bound<'py, PyBytes>;
/// The rows, and their offsets.
pub(crate) type Sealed<'py> = (Made<'py>, Made<'py>);
/// The values, their offsets, and which of them there are.
pub(crate) type Opened<'py> = (Made<'py>, Made<'py>, Made<'py>);

/// The values of a column, or its rows, and their associated data.
pub(crate) struct Texts<'a, 'py> {
    data: View<'a, 'py>,
    offsets: Vec<i64>,
    /// The bytes of an offset, as they were given.
    width: usize,
    aads: View<'a, 'py>,
    aad_offsets: Option<Vec<usize>>,
}

/// As the library has them. Beyond every buffer is what cannot be an offset.
fn sizes(offsets: &[i64]) -> Vec<usize> {
    let size = |offset: &i64| usize::try_from(*offset).unwrap_or(usize::MAX);
    offsets.iter().map(size).collect()
}

impl<'a, 'py> Texts<'a, 'py> {
    pub(crate) fn new(
        data: &'a Any<'py>,
        given: &Any<'_>,
        aads: Option<&'a Any<'py>>,
        aad_offsets: Option<&Any<'_>>,
    ) -> PyResult<Self> {
        let data = View::of(data, "data")?;
        let (all, width) = offsets(given, "offsets")?;
        let what = "associated_data_offsets";
        let aad_offsets = aad_offsets.filter(|object| !object.is_none());
        let aad_offsets = aad_offsets.map(|object| match offsets(object, what)?.0 {
            aad_offsets if aad_offsets.len() == all.len() => Ok(sizes(&aad_offsets)),
            aad_offsets => Err(length(what, all.len(), aad_offsets.len())),
        });
        Ok(Self {
            data,
            offsets: all,
            width,
            aads: View::of_optional(aads, "associated_data")?,
            aad_offsets: aad_offsets.transpose()?,
        })
    }

    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    fn aad(&self) -> BatchAad<'_> {
        let bytes = self.aads.bytes();
        match &self.aad_offsets {
            Some(offsets) => BatchAad::Contiguous { bytes, offsets },
            None => BatchAad::Common(bytes),
        }
    }
}

/// The bytes of a bitmap that have the bits of so many values, and the number of the first one's.
/// A copy, which stays right if somebody changes it. A mask, a byte a value, has another length.
fn bits(
    validity: Option<&Any<'_>>,
    first_bit: Option<&Any<'_>>,
    count: usize,
) -> PyResult<Option<(Vec<u8>, usize)>> {
    let first = match first_bit {
        Some(first) => usize::try_from(number(first, "first_bit", usize::MAX as u64)?)?,
        None => 0,
    };
    let Some(validity) = validity.filter(|validity| !validity.is_none()) else {
        return Ok(None);
    };
    let bitmap = View::of(validity, "validity")?;
    let (len, given) = (first.saturating_add(count).div_ceil(8), bitmap.len());
    if given != len {
        return Err(PyValueError::new_err(format!(
            "validity: a bitmap of {len} bytes expected, a bit for each value, {given} given"
        )));
    }
    Ok(Some((bitmap.bytes()[first / 8..].to_vec(), first % 8)))
}

fn column<'a>(texts: &'a Texts<'_, '_>, bits: Option<&'a (Vec<u8>, usize)>) -> Column<'a> {
    Column {
        bytes: texts.data.bytes(),
        offsets: Offsets::Bits64(&texts.offsets),
        validity: bits.map(|(bitmap, first_bit)| Validity { bitmap, first_bit: *first_bit }),
    }
}

/// Integers as wide as those of `texts`, the last of which is the length.
#[allow(clippy::cast_possible_truncation, reason = "`room` knows it")]
fn to_bytes<'py>(py: Python<'py>, texts: &Texts<'_, '_>, ends: &[i64]) -> Made<'py> {
    let narrow = |end: &i64| (*end as i32).to_ne_bytes();
    let bytes: Vec<u8> = match texts.width {
        4 => ends.iter().flat_map(narrow).collect(),
        _ => ends.iter().flat_map(|end| end.to_ne_bytes()).collect(),
    };
    PyBytes::new(py, &bytes)
}

/// Room for so many bytes, and for offsets, which must be able to say it.
fn room<'py>(
    py: Python<'py>,
    key: &Key,
    texts: &Texts<'_, '_>,
    len: impl FnOnce(&dyn Aead) -> Result<usize, Error> + Send,
) -> PyResult<(NewBytes<'py>, Vec<i64>)> {
    let (len, limit) = (key.run(py, 0, len)?, i32::MAX as u64);
    if texts.width == 4 && len as u64 > limit {
        let (what, given) = ("column", len as u64);
        return Err(of_message(py, Error::TooLong { what, limit, given }));
    }
    Ok((NewBytes::new(py, Some(len))?, vec![0; texts.offsets.len()]))
}

pub(crate) fn seal<'py>(
    py: Python<'py>,
    key: &Key,
    texts: &Texts<'_, 'py>,
    validity: Option<&Any<'py>>,
    first_bit: Option<&Any<'py>>,
) -> PyResult<Sealed<'py>> {
    let bits = bits(validity, first_bit, texts.count())?;
    let column = column(texts, bits.as_ref());
    let (mut rows, mut ends) = room(py, key, texts, |aead| aead.sealed_column_len(&column))?;
    let (out, offsets) = (rows.bytes_mut(), OffsetsMut::Bits64(&mut ends));
    let aad = texts.aad();
    key.run(py, out.len(), |aead| {
        aead.seal_column(ColumnNonces::Random, &column, aad, out, offsets)
    })?;
    Ok((rows.done(), to_bytes(py, texts, &ends)))
}

pub(crate) fn open<'py>(
    py: Python<'py>,
    key: &Key,
    texts: &Texts<'_, 'py>,
    validity: Option<&Any<'py>>,
    first_bit: Option<&Any<'py>>,
) -> PyResult<Opened<'py>> {
    let bits = bits(validity, first_bit, texts.count())?;
    let column = column(texts, bits.as_ref());
    let (mut values, mut ends) = room(py, key, texts, |aead| aead.opened_column_len(&column))?;
    let mut statuses = vec![Status::Done; column.len()];
    let (out, offsets) = (values.bytes_mut(), OffsetsMut::Bits64(&mut ends));
    let aad = texts.aad();
    key.run(py, out.len(), |aead| {
        match aead.open_column(&column, aad, out, offsets, &mut statuses) {
            Err(Error::Batch { .. }) => Ok(()),
            done => done,
        }
    })?;
    let opened: Vec<u8> = statuses.iter().map(|it| u8::from(*it == Status::Done)).collect();
    let opened = PyBytes::new(py, &opened);
    Ok((values.done(), to_bytes(py, texts, &ends), opened))
}
