//! Tink keysets: made, read, written, changed, and used. Nothing but their keys is shown.

use crate::batch::Direction;
use crate::buffer::{Any, Bytes, View, number};
use crate::error::{of_keyset, other_type, unknown_name};
use crate::handle::long;
use crate::keyset_form::{content, is_json, under};
use crate::keyset_state::State;
use crate::new_bytes::NewBytes;
use crate::stream::{FileOpener, FileSealer, Source};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use sivka_keyset::{
    EncryptedKeyset, Error, Keyset as TinkKeyset, Primitive, ReadOptions, Template,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const TOKENS: Primitive = Primitive::DeterministicAead;

/// A Tink keyset: keys for one purpose, of which one, the primary, seals, and all that
/// are enabled open.
///
/// What Tink writes and seals, in Java, C++, Go and Python, this class reads and opens,
/// and the reverse. Keys of AES-GCM-SIV, AES-GCM, AES-EAX,
/// AES-CTR-HMAC, ChaCha20-Poly1305, XChaCha20-Poly1305 and XAES-256-GCM are for
/// seal() and open(). Those of AES-SIV, of 64 bytes, are for seal_deterministically()
/// and open_deterministically(), those of AES-GCM-HKDF and AES-CTR-HMAC for streams
/// for seal_to() and open_from(). None of these commits to its key: who may choose
/// keys of a keyset can make a message that opens under two of them.
///
/// Any number of threads may use one keyset, also while others change it: a call
/// works with the keys from before a change or from after it.
#[pyclass(frozen, module = "sivka", weakref)]
pub(crate) struct Keyset(Mutex<Option<Arc<State>>>);

#[pymethods]
impl Keyset {
    #[new]
    #[pyo3(signature = (*args, **kwargs))]
    fn new(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let _ = (args, kwargs);
        Err(PyTypeError::new_err("make a Keyset by its methods generate, from_insecure or decrypt"))
    }

    /// A keyset with one new key, its primary.
    ///
    /// template is a name that Tink has for it: AES256_GCM_SIV (the one to take, unless equal
    /// values must show as equal), AES256_SIV, AES128_GCM_SIV, AES256_GCM, AES128_GCM,
    /// CHACHA20_POLY1305, XCHACHA20_POLY1305, XAES_256_GCM_192_BIT_NONCE,
    /// XAES_256_GCM_160_BIT_NONCE. What a key of AES256_GCM_SIV_RAW and so on seals has no
    /// prefix. For streams: AES256_GCM_HKDF_1MB, AES256_CTR_HMAC_SHA256_1MB, both also with
    /// AES128 and with segments of 4KB. Raises ValueError for another name.
    #[staticmethod]
    #[pyo3(signature = (template, /))]
    fn generate(template: &Any<'_>) -> PyResult<Self> {
        let py = template.py();
        let made = TinkKeyset::generate(template_of(template)?);
        Ok(Self::of(made.map_err(|error| of_keyset(py, error))?))
    }

    /// Read a keyset in the clear, in the form "binary" or "json": at most 1 MiB and
    /// 1000 keys.
    ///
    /// Insecure where others can read the data, or change them. JSON may also be a str.
    ///
    /// Raises KeysetError for what is no keyset in this form or breaks a rule, and its
    /// subclass UnsupportedKeyError for an enabled key that this library does not have.
    #[staticmethod]
    fn from_insecure(py: Python<'_>, data: &Any<'_>, form: &Any<'_>) -> PyResult<Self> {
        let (is_json, options) = (is_json(form)?, ReadOptions::default());
        let data = &content(data, is_json)?[..];
        let read = long(py, data.len(), || match is_json {
            true => TinkKeyset::from_insecure_json(data, options),
            false => TinkKeyset::from_insecure_binary(data, options),
        });
        Ok(Self::of(read.map_err(|error| of_keyset(py, error))?))
    }

    /// Write the keyset in the clear, in the form "binary" or "json": bytes that hold
    /// the keys.
    ///
    /// Keep them where only their owner reads, or encrypt() the keyset. JSON of one
    /// keyset differs from writer to writer: neither compare nor sign it. Raises
    /// ValueError if several keys have one id.
    fn to_insecure<'py>(&self, form: &Any<'py>) -> Bytes<'py> {
        let (py, is_json, state) = (form.py(), is_json(form)?, self.state()?);
        let written = match is_json {
            true => {
                let text = state.keys.to_insecure_json();
                text.map(|text| PyBytes::new(py, text.as_bytes()))
            }
            false => {
                let bytes = state.keys.to_insecure_binary();
                bytes.map(|bytes| PyBytes::new(py, &bytes))
            }
        };
        written.map_err(|error| of_keyset(py, error))
    }

    /// Read a keyset that encrypt() wrote, or any Tink.
    ///
    /// associated_data is what it was encrypted with; Tink's older calls and tinkey
    /// have none. What stands beside the encrypted keyset, in JSON its info, is not
    /// authenticated, and not used.
    ///
    /// Raises InvalidTag for another master, other associated data, or damage; with a
    /// KeyManagement whatever that raises. Other errors are those of from_insecure().
    #[staticmethod]
    #[pyo3(signature = (data, form, master, associated_data = None))]
    fn decrypt(
        data: &Any<'_>,
        form: &Any<'_>,
        master: &Any<'_>,
        associated_data: Option<&Any<'_>>,
    ) -> PyResult<Self> {
        let (py, is_json, options) = (master.py(), is_json(form)?, ReadOptions::default());
        let data = &content(data, is_json)?[..];
        let aad = View::of_optional(associated_data, "associated_data")?;
        let encrypted = match is_json {
            true => EncryptedKeyset::from_json(data, options),
            false => EncryptedKeyset::from_binary(data, options),
        };
        let encrypted = encrypted.map_err(|error| of_keyset(py, error))?;
        let clear = under(master, Direction::Open, encrypted.ciphertext(), aad.bytes())?;
        let read = TinkKeyset::from_insecure_binary(&clear, options);
        read.map(Self::of).map_err(|error| of_keyset(py, error))
    }

    /// Write the keyset encrypted under master: the primary key of another Keyset, the
    /// key of an AEAD that draws its nonces or needs none, or a KeyManagement.
    ///
    /// associated_data is not in what is written: who decrypts must know it. The form
    /// "binary" says nothing of the keys; "json" says their ids, types and statuses
    /// in the clear, as Tink has it. Raises ValueError if several keys have one id, or
    /// the master is a Keyset of another purpose than seal(), or cannot draw nonces.
    #[pyo3(signature = (form, master, associated_data = None))]
    fn encrypt<'py>(
        &self,
        form: &Any<'py>,
        master: &Any<'py>,
        associated_data: Option<&Any<'py>>,
    ) -> Bytes<'py> {
        let (py, is_json, state) = (form.py(), is_json(form)?, self.state()?);
        let aad = View::of_optional(associated_data, "associated_data")?;
        let clear = state.keys.to_insecure_binary();
        let clear = clear.map_err(|error| of_keyset(py, error))?;
        let encrypted = under(master, Direction::Seal, &clear, aad.bytes())?;
        let encrypted = state.keys.encrypted_as(encrypted.to_vec());
        let written = match is_json {
            true => encrypted.to_json().map(String::into_bytes),
            false => encrypted.to_binary(),
        };
        let written = written.map_err(|error| of_keyset(py, error))?;
        Ok(PyBytes::new(py, &written))
    }

    /// Seal data with the primary key, under a nonce that is drawn. Returns prefix,
    /// nonce, ciphertext and tag, one after another. Raises ValueError for a keyset of another
    /// purpose, or a closed one, KeysetError for one of several, and OverflowError for a message
    /// that is too long.
    #[pyo3(signature = (data, associated_data = None))]
    fn seal<'py>(&self, data: &Any<'py>, associated_data: Option<&Any<'py>>) -> Bytes<'py> {
        self.message(Primitive::Aead, Direction::Seal, data, associated_data)
    }

    /// Open what an enabled key has sealed, here or in any Tink. Raises InvalidTag if it does
    /// not open; there is no saying why, and no plaintext in any buffer then. Other errors are
    /// those of sealing.
    #[pyo3(signature = (data, associated_data = None))]
    fn open<'py>(&self, data: &Any<'py>, associated_data: Option<&Any<'py>>) -> Bytes<'py> {
        self.message(Primitive::Aead, Direction::Open, data, associated_data)
    }

    /// Seal data with the primary key of a keyset for deterministic AEAD.
    ///
    /// Equal data with equal associated data give equal bytes, for look-ups and joins,
    /// and everybody sees that they are equal. After another key was promoted they
    /// give other bytes than before. Returns prefix, tag and ciphertext. Raises as seal().
    #[pyo3(signature = (data, associated_data = None))]
    fn seal_deterministically<'py>(
        &self,
        data: &Any<'py>,
        associated_data: Option<&Any<'py>>,
    ) -> Bytes<'py> {
        self.message(TOKENS, Direction::Seal, data, associated_data)
    }

    /// Open what an enabled key of a keyset for deterministic AEAD has sealed. Raises as
    /// open().
    #[pyo3(signature = (data, associated_data = None))]
    fn open_deterministically<'py>(
        &self,
        data: &Any<'py>,
        associated_data: Option<&Any<'py>>,
    ) -> Bytes<'py> {
        self.message(TOKENS, Direction::Open, data, associated_data)
    }

    /// Begin a stream in out, an object with write (or sendall), as Tink's
    /// StreamingAead: a SealingFile, and what is written to it is sealed with the
    /// primary key.
    ///
    /// It opens to its end only after finish(), or after a `with` that ended without an
    /// exception. The keyset may be changed or closed before. Raises ValueError for a
    /// keyset of another purpose, or a closed one, and KeysetError for one of several.
    #[pyo3(signature = (out, associated_data = None))]
    fn seal_to<'py>(
        &self,
        out: &Any<'py>,
        associated_data: Option<&Any<'py>>,
    ) -> PyResult<Any<'py>> {
        let (py, state) = (out.py(), self.state()?);
        let aad = View::of_optional(associated_data, "associated_data")?;
        let streams = state.streams();
        let writer = streams.and_then(|streams| streams.seal(Vec::new(), aad.bytes()));
        let writer = writer.map_err(|error| of_keyset(py, error))?;
        let class = py.import("sivka._stream")?.getattr("SealingFile")?;
        class.call1((out, FileSealer::of_keyset(writer)))
    }

    /// Open a stream that an enabled key has sealed, here or in any Tink, and that source
    /// has, an object with read (or recv): an OpeningFile.
    ///
    /// What is read from it is authentic, and only its end says that it was all. The
    /// read that comes to what does not open raises InvalidTag: there is no saying why.
    /// The keyset may be changed or closed before. Other errors are those of seal_to().
    #[pyo3(signature = (source, associated_data = None))]
    fn open_from<'py>(
        &self,
        source: &Any<'py>,
        associated_data: Option<&Any<'py>>,
    ) -> PyResult<Any<'py>> {
        let (py, state) = (source.py(), self.state()?);
        let aad = View::of_optional(associated_data, "associated_data")?;
        let streams = state.streams().map_err(|error| of_keyset(py, error))?;
        let opener = FileOpener::of_keyset(streams.open(Source::default(), aad.bytes()));
        let class = py.import("sivka._stream")?.getattr("OpeningFile")?;
        class.call1((source, opener))
    }

    /// Add a new key, enabled, by the name of its template, and return its id.
    ///
    /// It seals only when it is promoted: give the keyset to all who open first. Raises
    /// ValueError for another name or one of another purpose, and OverflowError beyond 1000
    /// keys.
    #[pyo3(signature = (template, /))]
    fn add(&self, py: Python<'_>, template: &Any<'_>) -> PyResult<u32> {
        let template = template_of(template)?;
        self.change(py, |keys| keys.add(template))
    }

    /// add() and promote() in one, for a keyset that nobody else has.
    #[pyo3(signature = (template, /))]
    fn rotate(&self, py: Python<'_>, template: &Any<'_>) -> PyResult<u32> {
        let template = template_of(template)?;
        self.change(py, |keys| keys.rotate(template))
    }

    /// Make an enabled key the primary, which seals from now on. Raises ValueError if it is
    /// not enabled, and like every call with an id if no key has it, or several.
    #[pyo3(signature = (key_id, /))]
    fn promote(&self, key_id: &Any<'_>) -> PyResult<()> {
        self.change_key(key_id, TinkKeyset::promote)
    }

    /// Let a disabled key open again. Raises ValueError if it is destroyed, and
    /// UnsupportedKeyError for one that this library does not have.
    #[pyo3(signature = (key_id, /))]
    fn enable(&self, key_id: &Any<'_>) -> PyResult<()> {
        self.change_key(key_id, TinkKeyset::enable)
    }

    /// Keep a key from opening, until it is enabled. Raises ValueError if it is the primary,
    /// or destroyed.
    #[pyo3(signature = (key_id, /))]
    fn disable(&self, key_id: &Any<'_>) -> PyResult<()> {
        self.change_key(key_id, TinkKeyset::disable)
    }

    /// Wipe a key for good; its id and status stay. Raises ValueError if it is the primary.
    ///
    /// Tink for Go does not read such a keyset: remove() leaves nothing to stumble over.
    #[pyo3(signature = (key_id, /))]
    fn destroy(&self, key_id: &Any<'_>) -> PyResult<()> {
        self.change_key(key_id, TinkKeyset::destroy)
    }

    /// Wipe a key and its entry; every one with this id, if there are several. Raises
    /// ValueError if it is the primary.
    #[pyo3(signature = (key_id, /))]
    fn remove(&self, key_id: &Any<'_>) -> PyResult<()> {
        self.change_key(key_id, TinkKeyset::remove)
    }

    /// All of the keyset but its keys, as it is now: a KeysetInfo.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Any<'py>> {
        self.state()?.info(py)
    }

    /// Another keyset with the same keys; what is changed in one does not show in the other.
    fn copy(&self) -> PyResult<Self> {
        // What no call changes serves both.
        Ok(Self(Mutex::new(Some(self.state()?))))
    }

    /// Wipe the keys, when calls under way in other threads have ended, unless a copy has
    /// them too. Later calls raise ValueError. A keyset that nobody refers to any more is
    /// wiped by itself.
    fn close(&self) {
        let state = self.now().take();
        drop(state);
    }

    /// The keyset.
    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// close().
    #[pyo3(signature = (*args))]
    fn __exit__(&self, args: &Bound<'_, PyTuple>) {
        let _ = args;
        self.close();
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        match self.state() {
            Ok(state) => Ok(format!("<sivka.Keyset, {}>", state.info(py)?.str()?)),
            Err(_) => Ok("<sivka.Keyset, closed>".to_owned()),
        }
    }
}

impl Keyset {
    fn of(keys: TinkKeyset) -> Self {
        Self(Mutex::new(Some(State::new(keys))))
    }

    /// Nobody who holds it waits for the interpreter.
    fn now(&self) -> MutexGuard<'_, Option<Arc<State>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn state(&self) -> PyResult<Arc<State>> {
        self.now().clone().ok_or_else(closed)
    }

    /// The primary seals, and every enabled key that may have sealed a message is tried on it.
    fn message<'py>(
        &self,
        wanted: Primitive,
        direction: Direction,
        data: &Any<'py>,
        associated_data: Option<&Any<'py>>,
    ) -> Bytes<'py> {
        let (py, data) = (data.py(), View::of(data, "data")?);
        let aad = View::of_optional(associated_data, "associated_data")?;
        let (data, aad) = (data.bytes(), aad.bytes());
        let state = self.state()?;
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

    /// Puts a changed copy into the keyset's place. One that is refused changes nothing.
    fn change<T>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut TinkKeyset) -> Result<T, Error>,
    ) -> PyResult<T> {
        let changed = {
            let mut now = self.now();
            let state = now.as_ref().ok_or_else(closed)?;
            let mut keys = state.keys.clone();
            change(&mut keys).inspect(|_| *now = Some(State::new(keys)))
        };
        changed.map_err(|error| of_keyset(py, error))
    }

    fn change_key(
        &self,
        key_id: &Any<'_>,
        change: fn(&mut TinkKeyset, u32) -> Result<(), Error>,
    ) -> PyResult<()> {
        let py = key_id.py();
        let id = number(key_id, "key_id", u32::MAX.into())? as u32;
        self.change(py, |keys| change(keys, id))
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("the keyset is closed")
}

fn template_of(given: &Any<'_>) -> PyResult<Template> {
    let Ok(name) = given.cast::<PyString>() else {
        return Err(other_type(given, "template", "a str"));
    };
    let name = name.to_str()?;
    Template::find(name).ok_or_else(|| {
        let known = Template::all().iter().map(|(name, _)| *name);
        unknown_name("template", known, name)
    })
}
