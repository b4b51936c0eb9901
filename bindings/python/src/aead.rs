//! The classes of AEADs with nonces: what Python calls, which goes on to the key.

use crate::batch::{self, Direction};
use crate::buffer::{View, number};
use crate::column::{Opened, Sealed, Values};
use crate::contiguous::Texts;
use crate::error::of_message;
use crate::key::Key;
use crate::methods::{methods, of_class, sealing};
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

sealing! {
    of_class!(RandomNonceAead:), |slf| slf.as_super().get().0,
    seal:
        "Seal data under a random nonce, drawn here. Returns nonce, ciphertext and tag,"
        "one after another. Raises ValueError for a wrong length or a nonce or message that the"
        "algorithm refuses, OverflowError for more than it allows, TypeError and BufferError for"
        "what is no contiguous buffer.",
    open:
        "Open what seal() returned. Raises InvalidTag if it does not open; there is no saying"
        "why, and no plaintext in any buffer then. Other errors are those of encrypt().",
    {
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
    }
}
