//! How a keyset is kept: its form, and what it is encrypted under, which is another one, a key, or a
//! key-management service.

use crate::aead::{Aead, DeterministicAead};
use crate::batch::Direction;
use crate::buffer::{Any, View};
use crate::error::{of_keyset, of_message, other_type};
use crate::keyset::Keyset;
use crate::new_bytes::NewBytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sivka_keyset::{MAX_LEN, Primitive};
use zeroize::Zeroizing;

/// Whether a form is JSON.
pub(crate) fn is_json(form: &Any<'_>) -> PyResult<bool> {
    let Ok(name) = form.cast::<PyString>() else {
        return Err(other_type(form, "form", "a str"));
    };
    match name.to_str() {
        Ok("binary") => Ok(false),
        Ok("json") => Ok(true),
        _ => Err(PyValueError::new_err(format!(
            "form: 'binary' or 'json' expected, {} given",
            form.repr()?
        ))),
    }
}

/// A keyset that is read; JSON is a str, too.
pub(crate) fn content(data: &Any<'_>, is_json: bool) -> PyResult<Zeroizing<Vec<u8>>> {
    let bytes = match data.cast::<PyString>() {
        // Python's own error would have the keys in its attribute `object`.
        Ok(text) if is_json => text
            .to_str()
            .map(|text| text.as_bytes().to_vec())
            .map_err(|_| PyValueError::new_err("data: text without lone surrogates expected"))?,
        _ => View::of(data, "data")?.bytes().to_vec(),
    };
    Ok(Zeroizing::new(bytes))
}

/// What a master makes of a keyset, in the clear or encrypted.
pub(crate) fn under(
    master: &Any<'_>,
    direction: Direction,
    input: &[u8],
    aad: &[u8],
) -> PyResult<Zeroizing<Vec<u8>>> {
    let py = master.py();
    if let Ok(keyset) = master.cast::<Keyset>() {
        let state = keyset.get().state()?;
        let made = state.messages(Primitive::Aead).and_then(|keys| match direction {
            Direction::Seal => keys.seal(input, aad),
            Direction::Open => keys.open(input, aad),
        });
        return made.map(Zeroizing::new).map_err(|error| of_keyset(py, error));
    }
    let key = match (master.cast::<Aead>(), master.cast::<DeterministicAead>()) {
        (Ok(key), _) => Some(&key.get().0),
        (_, Ok(key)) => Some(&key.get().0),
        _ => None,
    };
    if let Some(key) = key {
        let aead = key.held.get()?;
        let made = match direction {
            Direction::Seal => aead.seal(input, aad),
            Direction::Open => aead.open(input, aad),
        };
        return made.map(Zeroizing::new).map_err(|error| of_message(py, error));
    }
    if !master.hasattr("encrypt")? || !master.hasattr("decrypt")? {
        let expected =
            "a Keyset, the key of an AEAD, or an object with the methods encrypt and decrypt";
        return Err(other_type(master, "master", expected));
    }
    // As Tink's Aead has them, and so clients of a key-management service.
    let method = match direction {
        Direction::Seal => "encrypt",
        Direction::Open => "decrypt",
    };
    // What it encrypts is in the clear.
    let mut given = NewBytes::new(py, Some(input.len()))?;
    given.bytes_mut().copy_from_slice(input);
    let aad = PyBytes::new(py, aad);
    let answer = given.lend(|given| master.call_method1(method, (given, aad)))?;
    let bytes = View::of(&answer, "the answer of the master")?;
    if bytes.len() > MAX_LEN {
        let sentence = format!("{method} of the master answered {} bytes", bytes.len());
        return Err(PyValueError::new_err(sentence));
    }
    Ok(Zeroizing::new(bytes.bytes().to_vec()))
}
