//! The classes of AEADs without nonces.

use crate::batch::{self, Direction};
use crate::buffer::View;
use crate::column::{Opened, Sealed, Values};
use crate::contiguous::Texts;
use crate::key::Key;
use crate::list;
use crate::methods::{methods, sealing};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

/// A key of an AEAD without nonces: what their classes have in common.
///
/// Make a key with one of them, not with this.
#[pyclass(module = "sivka", subclass, frozen, weakref)]
pub(crate) struct DeterministicAead(pub(crate) Key);

sealing! {
    methods!(DeterministicAead(): "Seal data. There is no nonce: equal messages give equal bytes.",),
    |slf| slf.get().0,
    seal: "The same as encrypt(), by the name that other algorithms have for it.",
    open: "The same as decrypt().",
    {}
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
