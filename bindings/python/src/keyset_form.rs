//! Keysets as they are kept: in binary or JSON, in the clear or encrypted under something.

use crate::aead::Aead;
use crate::buffer::View;
use crate::deterministic::DeterministicAead;
use crate::error::{of_keyset, other_type};
use crate::keyset::Keyset;
use crate::keyset_state::State;
use crate::new_bytes::NewBytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sivka_keyset::{Error, KeyEncryptionKey, MAX_LEN, Primitive};
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Binary,
    Json,
}

impl Form {
    /// The form of a name.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(name) = given.cast::<PyString>() else {
            return Err(other_type(given, "form", "a str"));
        };
        match name.to_str() {
            Ok("binary") => Ok(Self::Binary),
            Ok("json") => Ok(Self::Json),
            _ => Err(PyValueError::new_err(format!(
                "form: 'binary' or 'json' expected, {} given",
                given.repr()?
            ))),
        }
    }
}

/// A keyset that is read.
pub(crate) enum Data<'a, 'py> {
    Bytes(View<'a, 'py>),
    Text(&'a str),
}

impl<'a, 'py> Data<'a, 'py> {
    /// JSON is a str, too.
    pub(crate) fn of(given: &'a Bound<'py, PyAny>, form: Form) -> PyResult<Self> {
        match given.cast::<PyString>() {
            // Python's own error would have the keys in its attribute `object`.
            Ok(text) if form == Form::Json => text
                .to_str()
                .map(Self::Text)
                .map_err(|_| PyValueError::new_err("data: text without lone surrogates expected")),
            _ => View::of(given, "data").map(Self::Bytes),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(view) => view.bytes(),
            Self::Text(text) => text.as_bytes(),
        }
    }
}

/// What a keyset is encrypted under.
pub(crate) enum Master {
    Keyset(Arc<State>),
    Key(Arc<Box<dyn sivka::Aead>>),
    /// An object with the two methods of Tink's Aead, which clients of a key-management service
    /// have; and what it raised.
    Service(Py<PyAny>, Mutex<Option<PyErr>>),
}

impl Master {
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(keyset) = given.cast::<Keyset>() {
            return keyset.get().state().map(Self::Keyset);
        }
        if let Ok(key) = given.cast::<Aead>() {
            return key.get().0.held.get().map(Self::Key);
        }
        if let Ok(key) = given.cast::<DeterministicAead>() {
            return key.get().0.held.get().map(Self::Key);
        }
        if given.hasattr("encrypt")? && given.hasattr("decrypt")? {
            return Ok(Self::Service(given.clone().unbind(), Mutex::new(None)));
        }
        let expected =
            "a Keyset, the key of an AEAD, or an object with the methods encrypt and decrypt";
        Err(other_type(given, "master", expected))
    }

    /// What a call under it has failed with.
    pub(crate) fn failed(self, py: Python<'_>, error: Error) -> PyErr {
        let raised = match self {
            Self::Service(_, raised) => raised.into_inner().unwrap_or_default(),
            _ => None,
        };
        raised.unwrap_or_else(|| of_keyset(py, error))
    }
}

impl KeyEncryptionKey for Master {
    fn encrypt(&self, keyset: &[u8], associated_data: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Keyset(state) => state
                .messages(Primitive::Aead)?
                .encrypt(keyset, associated_data),
            Self::Key(key) => (***key).encrypt(keyset, associated_data),
            Self::Service(service, raised) => {
                let answer = ask(service, "encrypt", keyset, associated_data);
                Ok(kept(answer, raised)?.to_vec())
            }
        }
    }

    fn decrypt(
        &self,
        encrypted: &[u8],
        associated_data: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::Keyset(state) => state
                .messages(Primitive::Aead)?
                .decrypt(encrypted, associated_data),
            Self::Key(key) => (***key).decrypt(encrypted, associated_data),
            Self::Service(service, raised) => {
                let answer = ask(service, "decrypt", encrypted, associated_data);
                kept(answer, raised)
            }
        }
    }
}

/// Keeps what a service raised, which comes out of the call.
fn kept<T>(answer: PyResult<T>, raised: &Mutex<Option<PyErr>>) -> Result<T, Error> {
    answer.map_err(|error| {
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Error::Kms("it raised".to_owned())
    })
}

/// What a method of a service makes of the input.
fn ask(
    service: &Py<PyAny>,
    method: &str,
    input: &[u8],
    aad: &[u8],
) -> PyResult<Zeroizing<Vec<u8>>> {
    Python::attach(|py| {
        // What it encrypts is in the clear.
        let mut given = NewBytes::new(py, Some(input.len()))?;
        given.bytes_mut().copy_from_slice(input);
        let aad = PyBytes::new(py, aad);
        let answer = given.lend(|given| service.call_method1(py, method, (given, aad)));
        let answer = answer?.into_bound(py);
        let bytes = View::of(&answer, "the answer of the master")?;
        match bytes.len() {
            len if len > MAX_LEN => {
                let sentence = format!("{method} of the master answered {len} bytes");
                Err(PyValueError::new_err(sentence))
            }
            _ => Ok(Zeroizing::new(bytes.bytes().to_vec())),
        }
    })
}
