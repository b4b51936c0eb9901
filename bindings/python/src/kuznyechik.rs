//! The Kuznyechik block cipher.

use crate::buffer::{Any, Bytes, View};
use crate::error::{length, of_message};
use crate::handle::Shared;
use crate::new_bytes::NewBytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sivka::{Error, Kuznyechik};

/// A key of a block cipher: what Kuznyechik is.
#[pyclass(module = "sivka", subclass, frozen, weakref)]
pub(crate) struct BlockCipher(Shared<Kuznyechik>);

type Blocks = fn(&Kuznyechik, &mut [[u8; Kuznyechik::BLOCK_LEN]]) -> Result<(), Error>;

impl BlockCipher {
    fn run<'py>(&self, data: &Any<'py>, call: Blocks) -> Bytes<'py> {
        let (py, view) = (data.py(), View::of(data, "data")?);
        let mut out = NewBytes::new(py, Some(view.len()))?;
        let (bytes, given) = (out.bytes_mut(), view.len());
        bytes.copy_from_slice(view.bytes());
        let (blocks, rest) = bytes.as_chunks_mut();
        if !rest.is_empty() {
            let each = Kuznyechik::BLOCK_LEN;
            return Err(PyValueError::new_err(format!(
                "data: a multiple of {each} expected, {given} given"
            )));
        }
        let done = self.0.run(py, given, |key| call(key, blocks))?;
        done.map_err(|error| of_message(py, error))?;
        Ok(out.done())
    }
}

#[pymethods]
impl BlockCipher {
    #[new]
    fn new(key: &Any<'_>) -> PyResult<Self> {
        let bytes = View::of(key, "key")?;
        let key = bytes.bytes().try_into();
        let key = key.map_err(|_| length("key", Kuznyechik::KEY_LEN, bytes.len()))?;
        Ok(Self(Shared::new("the key", Kuznyechik::new(key))))
    }

    /// The length of a block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        Kuznyechik::BLOCK_LEN
    }

    /// Encrypt each block of data on its own. Many blocks in one call are several times as
    /// fast a block. Raises ValueError for a part of a block.
    #[pyo3(signature = (data, /))]
    fn encrypt_blocks<'py>(&self, data: &Any<'py>) -> Bytes<'py> {
        self.run(data, Kuznyechik::encrypt_blocks)
    }

    /// Decrypt each block of data on its own.
    #[pyo3(signature = (data, /))]
    fn decrypt_blocks<'py>(&self, data: &Any<'py>) -> Bytes<'py> {
        self.run(data, Kuznyechik::decrypt_blocks)
    }

    /// Wipe the key. Later calls raise ValueError.
    fn close(&self) {
        self.0.close();
    }

    /// The key.
    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// close().
    #[pyo3(signature = (*args))]
    fn __exit__(&self, args: &Bound<'_, PyTuple>) {
        let _ = args;
        self.close();
    }
}
