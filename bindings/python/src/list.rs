//! One message with a list of associated data, which AES-SIV takes.

use crate::buffer::{View, is_buffer};
use crate::error::other_type;
use crate::key::{Key, split_mut};
use crate::new_bytes::NewBytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sivka::{AesSiv256, AesSiv384, AesSiv512, Error, Tag};
use std::any::Any;

/// `$call` with a key whose algorithm takes lists; only its classes in Python come here.
macro_rules! with_list {
    ($aead:expr, |$aes_siv:ident| $call:expr) => {{
        let aead: &dyn Any = $aead;
        if let Some($aes_siv) = aead.downcast_ref::<AesSiv512>() {
            $call
        } else if let Some($aes_siv) = aead.downcast_ref::<AesSiv384>() {
            $call
        } else if let Some($aes_siv) = aead.downcast_ref::<AesSiv256>() {
            $call
        } else {
            Err(Error::TooManyStrings { limit: 1, given: 2 })
        }
    }};
}

/// The buffers of a list, as they are now.
fn strings<'py>(list: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if is_buffer(list) || list.is_instance_of::<PyString>() || list.is_none() {
        let expected = "a list of bytes-like objects";
        return Err(other_type(list, "associated_data", expected));
    }
    let strings: Vec<_> = list.try_iter()?.collect::<PyResult<_>>()?;
    let (most, given) = (AesSiv512::MAX_STRINGS, strings.len());
    if given > most {
        return Err(PyValueError::new_err(format!(
            "associated_data: at most {most} buffers expected, {given} given"
        )));
    }
    Ok(strings)
}

/// Calls `call` with the bytes of each.
fn with_views<'py, R>(
    list: &Bound<'py, PyAny>,
    call: impl FnOnce(&[&[u8]]) -> PyResult<R>,
) -> PyResult<R> {
    let strings = strings(list)?;
    let views = strings.iter().map(|it| View::of(it, "associated_data"));
    let views: Vec<_> = views.collect::<PyResult<_>>()?;
    call(&views.iter().map(View::bytes).collect::<Vec<_>>())
}

/// Tag and ciphertext.
pub(crate) fn seal<'py>(
    py: Python<'py>,
    key: &Key,
    data: &Bound<'py, PyAny>,
    list: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = View::of(data, "data")?;
    with_views(list, |strings| {
        let data = data.bytes();
        let mut sealed = NewBytes::new(py, data.len().checked_add(key.tag_len))?;
        let (text, tag) = split_mut(key, sealed.bytes_mut());
        key.run(py, data.len(), |aead| {
            let made = with_list!(aead, |key| key.seal_into_with_list(data, strings, text))?;
            tag.copy_from_slice(made.as_bytes());
            Ok(())
        })?;
        Ok(sealed.done())
    })
}

/// The plaintext.
pub(crate) fn open<'py>(
    py: Python<'py>,
    key: &Key,
    data: &Bound<'py, PyAny>,
    list: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = View::of(data, "data")?;
    with_views(list, |strings| {
        let parts = key.split(data.bytes());
        let mut opened = NewBytes::new(py, Some(data.len().saturating_sub(key.tag_len)))?;
        let out = opened.bytes_mut();
        key.run(py, data.len(), |aead| {
            let (text, tag) = parts.ok_or(Error::Open)?;
            let tag = Tag::from(<[u8; Tag::LEN]>::try_from(tag).map_err(|_| Error::Open)?);
            with_list!(aead, |key| key
                .open_into_with_list(text, strings, &tag, out))
        })?;
        Ok(opened.done())
    })
}
