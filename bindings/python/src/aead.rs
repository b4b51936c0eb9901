//! The classes of AEADs with nonces: what Python calls, which goes on to the key.

use crate::batch::{self, Direction};
use crate::buffer::{View, number};
use crate::column::{Opened, Sealed, Values};
use crate::contiguous::Texts;
use crate::error::of_message;
use crate::key::Key;
use crate::methods::methods;
use crate::new_bytes::NewBytes;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

/// A key of an AEAD with nonces: what their classes have in common.
///
/// Make a key with one of them, not with this.
#[pyclass(module = "sivka", subclass, frozen, weakref)]
pub(crate) struct Aead(pub(crate) Key);

methods! {
    Aead(nonce, nonces):
        "Seal data under a nonce that seals nothing else with this key."
        "nonces is a sequence of nonces, or one buffer of all, one after another.",
    {
        /// Random nonces, one after another, as bytes. Raises ValueError for an algorithm whose
        /// nonces are too short to be random.
        #[pyo3(signature = (count, /))]
        fn random_nonces<'py>(&self, count: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
            let (py, key) = (count.py(), &self.0);
            let most = isize::MAX as u64 / key.nonce_len.max(1) as u64;
            let count = usize::try_from(number(count, "count", most)?)?;
            // The nonces need no key, but whoever closed it seals no more.
            key.held.get()?;
            let mut nonces = NewBytes::new(py, Some(count * key.nonce_len))?;
            let filled = key.algorithm.fill_nonces(nonces.bytes_mut());
            filled.map_err(|error| of_message(py, error))?;
            Ok(nonces.done())
        }
    }
}

/// A key of an AEAD whose nonces may be random: seal() draws them.
#[pyclass(module = "sivka", extends = Aead, subclass, frozen)]
pub(crate) struct RandomNonceAead;

#[pymethods]
impl RandomNonceAead {
    #[new]
    #[pyo3(signature = (algorithm, key, of_columns=false, /))]
    fn new(
        algorithm: &str,
        key: &Bound<'_, PyAny>,
        of_columns: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let base = Aead(Key::new(algorithm, key, of_columns)?);
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }

    /// Seal data under a random nonce, drawn here. Returns nonce, ciphertext and tag,
    /// one after another. Raises ValueError for a wrong length or a nonce or message that the algorithm
    /// refuses, OverflowError for more than it allows, TypeError and BufferError for what
    /// is no contiguous buffer.
    #[pyo3(signature = (data, associated_data=None))]
    fn seal<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let data = View::of(data, "data")?;
        let aad = View::of_optional(associated_data, "associated_data")?;
        slf.as_super().get().0.seal(py, None, &data, &aad)
    }

    /// Open what seal() returned. Raises InvalidTag if it does not open; there is no saying why, and no plaintext in
    /// any buffer then. Other errors are those of encrypt().
    #[pyo3(signature = (data, associated_data=None))]
    fn open<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let data = View::of(data, "data")?;
        let aad = View::of_optional(associated_data, "associated_data")?;
        slf.as_super().get().0.open(py, None, &data, &aad)
    }

    /// seal() every value of a column: the rows, ready to store.
    ///
    /// Value i is data[offsets[i]:offsets[i + 1]]; offsets is a buffer of
    /// integers of 32 or 64 bits, one more than values. Bit first_bit + i of
    /// validity, from the lowest of the first byte on, is 0 if value i is null;
    /// without validity none is. associated_data is that of every value, or
    /// with offsets of its own a buffer like data. Neither of the two is copied,
    /// and neither may be changed meanwhile. Returns (rows, offsets): the rows one
    /// after the other, and as bytes integers as offsets has them, from 0 on. A
    /// null has no bytes. Raises OverflowError if integers of 32 bits are too
    /// short for the rows, and else what seal() raises.
    #[pyo3(signature = (data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=None))]
    #[pyo3(
        text_signature = "($self, data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=0)"
    )]
    #[allow(clippy::too_many_arguments, reason = "as Python has them")]
    fn seal_column<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        associated_data_offsets: Option<&Bound<'py, PyAny>>,
        validity: Option<&Bound<'py, PyAny>>,
        first_bit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Sealed<'py>> {
        let column = Values {
            data,
            offsets,
            aads: associated_data,
            aad_offsets: associated_data_offsets,
            validity,
            first_bit,
        };
        column.seal(py, &slf.as_super().get().0)
    }

    /// Open the rows of a column that seal_column() wrote. Returns (values,
    /// offsets, opened): opened has a byte for each row, 1 if it opened or is
    /// null and 0 if not; its value is zeros then, or empty if it is too short.
    #[pyo3(signature = (data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=None))]
    #[pyo3(
        text_signature = "($self, data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=0)"
    )]
    #[allow(clippy::too_many_arguments, reason = "as Python has them")]
    fn open_column<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        associated_data_offsets: Option<&Bound<'py, PyAny>>,
        validity: Option<&Bound<'py, PyAny>>,
        first_bit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Opened<'py>> {
        let column = Values {
            data,
            offsets,
            aads: associated_data,
            aad_offsets: associated_data_offsets,
            validity,
            first_bit,
        };
        column.open(py, &slf.as_super().get().0)
    }
}
