//! Keysets at work: the primary seals, and every enabled key that may have sealed a message is
//! tried on it.

use crate::buffer::View;
use crate::error::of_keyset;
use crate::handle::long;
use crate::keyset::Keyset;
use crate::new_bytes::NewBytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka_keyset::{Error, KeysetAead, Primitive};

pub(crate) type Bytes<'py> = PyResult<Bound<'py, PyBytes>>;

/// Seals or opens one message: `len` says how long what comes out may be, `work` fills it, and
/// says how much of it counts.
fn message<'py>(
    keyset: &Keyset,
    wanted: Primitive,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
    len: impl FnOnce(&KeysetAead, usize) -> usize,
    work: impl FnOnce(&KeysetAead, &[u8], &[u8], &mut [u8]) -> Result<usize, Error> + Send,
) -> Bytes<'py> {
    let (py, data) = (data.py(), View::of(data, "data")?);
    let aad = View::of_optional(associated_data, "associated_data")?;
    let (data, aad) = (data.bytes(), aad.bytes());
    let state = keyset.state()?;
    let keys = state.messages(wanted);
    let keys = keys.map_err(|error| of_keyset(py, error))?;
    let mut made = NewBytes::new(py, Some(len(keys, data.len())))?;
    let out = made.bytes_mut();
    let done = long(py, data.len().max(aad.len()), || work(keys, data, aad, out));
    let len = done.map_err(|error| of_keyset(py, error))?;
    if len == made.bytes_mut().len() {
        return Ok(made.done());
    }
    // Where keys seal to different lengths.
    Ok(PyBytes::new(py, &made.bytes_mut()[..len]))
}

pub(crate) fn seal<'py>(
    keyset: &Keyset,
    wanted: Primitive,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
) -> Bytes<'py> {
    let seal_len = KeysetAead::seal_len;
    message(
        keyset,
        wanted,
        data,
        associated_data,
        seal_len,
        |keys, data, aad, out| keys.seal_into(data, aad, out).map(|()| out.len()),
    )
}

pub(crate) fn open<'py>(
    keyset: &Keyset,
    wanted: Primitive,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
) -> Bytes<'py> {
    let (open_len, open_into) = (KeysetAead::open_len, KeysetAead::open_into);
    message(keyset, wanted, data, associated_data, open_len, open_into)
}
