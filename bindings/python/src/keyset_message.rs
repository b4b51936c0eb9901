//! Keysets at work: the primary seals, and every enabled key that may have sealed a message is
//! tried on it.

use crate::buffer::View;
use crate::error::of_keyset;
use crate::handle::long;
use crate::keyset::Keyset;
use crate::new_bytes::NewBytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka_keyset::{Error, KeysetAead, KeysetDeterministicAead, Primitive};

pub(crate) type Bytes<'py> = PyResult<Bound<'py, PyBytes>>;

/// What the keys of keysets for messages of either kind do.
pub(crate) trait Messages: Sync {
    fn seal_len(&self, plaintext_len: usize) -> usize;
    fn open_len(&self, sealed_len: usize) -> usize;
    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error>;
    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<usize, Error>;
}

macro_rules! messages {
    ($keys:ty) => {
        impl Messages for $keys {
            fn seal_len(&self, plaintext_len: usize) -> usize {
                <$keys>::seal_len(self, plaintext_len)
            }
            fn open_len(&self, sealed_len: usize) -> usize {
                <$keys>::open_len(self, sealed_len)
            }
            fn seal_into(&self, text: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
                <$keys>::seal_into(self, text, aad, sealed)
            }
            fn open_into(&self, data: &[u8], aad: &[u8], text: &mut [u8]) -> Result<usize, Error> {
                <$keys>::open_into(self, data, aad, text)
            }
        }
    };
}
messages!(KeysetAead);
messages!(KeysetDeterministicAead);

pub(crate) fn seal<'py>(
    keyset: &Keyset,
    wanted: Primitive,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
) -> Bytes<'py> {
    let (py, data) = (data.py(), View::of(data, "data")?);
    let aad = View::of_optional(associated_data, "associated_data")?;
    let (data, aad) = (data.bytes(), aad.bytes());
    let state = keyset.state()?;
    let keys = state.messages(wanted);
    let keys = keys.map_err(|error| of_keyset(py, error))?;
    let mut sealed = NewBytes::new(py, Some(keys.seal_len(data.len())))?;
    let out = sealed.bytes_mut();
    let seal = || keys.seal_into(data, aad, out);
    let done = long(py, data.len().max(aad.len()), seal);
    done.map_err(|error| of_keyset(py, error))?;
    Ok(sealed.done())
}

pub(crate) fn open<'py>(
    keyset: &Keyset,
    wanted: Primitive,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
) -> Bytes<'py> {
    let (py, data) = (data.py(), View::of(data, "data")?);
    let aad = View::of_optional(associated_data, "associated_data")?;
    let (data, aad) = (data.bytes(), aad.bytes());
    let state = keyset.state()?;
    let keys = state.messages(wanted);
    let keys = keys.map_err(|error| of_keyset(py, error))?;
    let mut opened = NewBytes::new(py, Some(keys.open_len(data.len())))?;
    let out = opened.bytes_mut();
    let open = || keys.open_into(data, aad, out);
    let len = long(py, data.len().max(aad.len()), open);
    let len = len.map_err(|error| of_keyset(py, error))?;
    if len == opened.bytes_mut().len() {
        return Ok(opened.done());
    }
    // Where keys seal to different lengths.
    Ok(PyBytes::new(py, &opened.bytes_mut()[..len]))
}
