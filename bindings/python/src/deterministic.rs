//! The classes of AEADs without nonces.

use crate::batch::{self, Direction};
use crate::buffer::View;
use crate::column::{Opened, Sealed, Values};
use crate::contiguous::Texts;
use crate::key::Key;
use crate::list;
use crate::methods::methods;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

/// A key of an AEAD without nonces: what their classes have in common.
///
/// Make a key with one of them, not with this.
#[pyclass(module = "sivka", subclass, frozen, weakref)]
pub(crate) struct DeterministicAead(pub(crate) Key);

methods! {
    DeterministicAead(): "Seal data. There is no nonce: equal messages give equal bytes.",
    {
        /// The same as encrypt(), by the name that other algorithms have for it.
        #[pyo3(signature = (data, associated_data=None))]
        fn seal<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyBytes>> {
            let data = View::of(data, "data")?;
            let aad = View::of_optional(associated_data, "associated_data")?;
            self.0.seal(py, None, &data, &aad)
        }

        /// The same as decrypt().
        #[pyo3(signature = (data, associated_data=None))]
        fn open<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyBytes>> {
            let data = View::of(data, "data")?;
            let aad = View::of_optional(associated_data, "associated_data")?;
            self.0.open(py, None, &data, &aad)
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
            &self,
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
            column.seal(py, &self.0)
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
            &self,
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
            column.open(py, &self.0)
        }
    }
}

/// A key of an AEAD without nonces that takes lists of associated data.
#[pyclass(module = "sivka", extends = DeterministicAead, subclass, frozen)]
pub(crate) struct DeterministicListAead;

#[pymethods]
impl DeterministicListAead {
    #[new]
    #[pyo3(signature = (algorithm, key, of_columns=false, /))]
    fn new(
        algorithm: &str,
        key: &Bound<'_, PyAny>,
        of_columns: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let base = DeterministicAead(Key::new(algorithm, key, of_columns)?);
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }

    /// Seal data with a list of 0 to 126 buffers of associated data.
    ///
    /// Their number, order and bounds count: no buffer is not the same as an empty
    /// one, and encrypt() is the list of one. RFC 5297's nonce is the last of the
    /// list. Returns tag and ciphertext. Raises ValueError for a wrong length or a nonce or message that the algorithm
    /// refuses, OverflowError for more than it allows, TypeError and BufferError for what
    /// is no contiguous buffer.
    fn encrypt_with_list<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        associated_data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        list::seal(py, &slf.as_super().get().0, data, associated_data)
    }

    /// Open what encrypt_with_list() returned. Raises InvalidTag if it does not open; there is no saying why, and no plaintext in
    /// any buffer then. Other errors are those of encrypt().
    fn decrypt_with_list<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        associated_data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        list::open(py, &slf.as_super().get().0, data, associated_data)
    }
}
