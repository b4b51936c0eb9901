//! The Kuznyechik block cipher.

use crate::buffer::{Any, Bytes, View};
use crate::error::{length, length_in_bytes, of_message};
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
    fn work(&self, py: Python<'_>, call: Blocks, in_out: &mut [u8]) -> PyResult<()> {
        let given = in_out.len();
        let (blocks, rest) = in_out.as_chunks_mut();
        if !rest.is_empty() {
            let each = Kuznyechik::BLOCK_LEN;
            return Err(PyValueError::new_err(format!(
                "data: a multiple of {each} expected, {given} given"
            )));
        }
        let done = self.0.run(py, given, |key| call(key, blocks))?;
        done.map_err(|error| of_message(py, error))
    }

    fn new_blocks<'py>(&self, data: &Any<'py>, call: Blocks) -> Bytes<'py> {
        let view = View::of(data, "data")?;
        let mut out = NewBytes::new(data.py(), Some(view.len()))?;
        let blocks = out.bytes_mut();
        blocks.copy_from_slice(view.bytes());
        self.work(data.py(), call, blocks)?;
        Ok(out.done())
    }

    fn blocks_into(&self, data: &Any<'_>, buf: &Any<'_>, call: Blocks) -> PyResult<usize> {
        let view = View::of(data, "data")?;
        let mut buf = View::writable(buf, "buf")?;
        if buf.len() != view.len() {
            return Err(length_in_bytes("buf", view.len(), buf.len()));
        }
        buf.check_apart_or_same(&view)?;
        self.0.get()?;
        let apart = (buf.at() != view.at()).then(|| view.bytes());
        // SAFETY: a view to write to, and a slice of data is apart from it.
        let blocks = unsafe { buf.bytes_mut() };
        if let Some(apart) = apart {
            blocks.copy_from_slice(apart);
        }
        self.work(data.py(), call, blocks)?;
        Ok(buf.len())
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
        self.new_blocks(data, Kuznyechik::encrypt_blocks)
    }

    /// Decrypt each block of data on its own.
    #[pyo3(signature = (data, /))]
    fn decrypt_blocks<'py>(&self, data: &Any<'py>) -> Bytes<'py> {
        self.new_blocks(data, Kuznyechik::decrypt_blocks)
    }

    /// encrypt_blocks() into a buffer of the same length, which may be data itself.
    /// Returns the bytes written.
    fn encrypt_blocks_into(&self, data: &Any<'_>, buf: &Any<'_>) -> PyResult<usize> {
        self.blocks_into(data, buf, Kuznyechik::encrypt_blocks)
    }

    /// decrypt_blocks() into a buffer of the same length, which may be data itself.
    /// Returns the bytes written.
    fn decrypt_blocks_into(&self, data: &Any<'_>, buf: &Any<'_>) -> PyResult<usize> {
        self.blocks_into(data, buf, Kuznyechik::decrypt_blocks)
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
