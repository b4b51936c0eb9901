//! Keysets at work: the primary seals, and every enabled key that may have sealed a message is
//! tried on it.

use crate::batch::Direction;
use crate::buffer::View;
use crate::error::of_keyset;
use crate::handle::long;
use crate::keyset::Keyset;
use crate::new_bytes::NewBytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka_keyset::Primitive;

pub(crate) type Bytes<'py> = PyResult<Bound<'py, PyBytes>>;

pub(crate) fn message<'py>(
    keyset: &Keyset,
    wanted: Primitive,
    direction: Direction,
    data: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
) -> Bytes<'py> {
    let (py, data) = (data.py(), View::of(data, "data")?);
    let aad = View::of_optional(associated_data, "associated_data")?;
    let (data, aad) = (data.bytes(), aad.bytes());
    let state = keyset.state()?;
    let keys = state.messages(wanted);
    let keys = keys.map_err(|error| of_keyset(py, error))?;
    let room = match direction {
        Direction::Seal => keys.seal_len(data.len()),
        Direction::Open => keys.open_len(data.len()),
    };
    let mut made = NewBytes::new(py, Some(room))?;
    let out = made.bytes_mut();
    let done = long(py, data.len().max(aad.len()), || match direction {
        Direction::Seal => keys.seal_into(data, aad, out).map(|()| room),
        Direction::Open => keys.open_into(data, aad, out),
    });
    match done.map_err(|error| of_keyset(py, error))? {
        len if len == room => Ok(made.done()),
        // Where keys seal to different lengths.
        len => Ok(PyBytes::new(py, &made.bytes_mut()[..len])),
    }
}
