//! What files are sealed for and opened with, and the texts of keys.

use crate::buffer::{Any, View, number};
use crate::error::{length, of_file, of_key_file, ours, unknown_name};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use sivka_file::{
    Argon2Cost, Error, Header, Identity, KeyFile, KeyFileError, Lock, OpenOptions, Passphrase,
    Reader, Recipient, SealOptions, Suite, Unlock, is_key, is_key_text,
};
#[cfg(unix)]
use std::ffi::OsStr;
use std::io::Read;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// The most bytes that a key file has which a passphrase protects: a header with room for many
/// slots, and a chunk.
const MAX_PROTECTED_LEN: usize = 1 << 16;
const NEEDS_PASSPHRASE: &str =
    "key: a passphrase protects the key file; give sivka.KeyFile(path, passphrase)";
const KEY_TEXT: &str =
    "a path expected, the text of a key given; give the content of a key file as bytes";

/// The keys and passphrases of one call.
#[pyclass(module = "sivka._native")]
pub(crate) struct FileKeys {
    key_files: Vec<KeyFile>,
    passphrases: Vec<Passphrase>,
    recipients: Vec<Recipient>,
    identities: Vec<Identity>,
    spare_slots: usize,
    cost: Argon2Cost,
    max_cost: Argon2Cost,
}

#[pymethods]
impl FileKeys {
    #[new]
    fn new() -> Self {
        Self {
            key_files: Vec::new(),
            passphrases: Vec::new(),
            recipients: Vec::new(),
            identities: Vec::new(),
            spare_slots: 0,
            cost: Argon2Cost::DEFAULT,
            max_cost: Argon2Cost::DEFAULT_LIMIT,
        }
    }

    /// Add the key of a key file with this text, or age's identities, one a line.
    fn add_key(&mut self, text: &Any<'_>) -> PyResult<()> {
        let (py, text) = (text.py(), View::of(text, "key")?);
        copying(|| self.add_key_text(py, text.bytes()))
    }

    /// Add a passphrase in UTF-8.
    fn add_passphrase(&mut self, passphrase: &Any<'_>) -> PyResult<()> {
        let (py, words) = (passphrase.py(), View::of(passphrase, "passphrase")?);
        let added = copying(|| passphrase_of(py, words.bytes()))?;
        self.passphrases.push(added);
        Ok(())
    }

    /// Add recipients of age, one a line.
    fn add_recipients(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        let added = Recipient::parse_list(text).map_err(|error| ours(py, "KeyFileError", error))?;
        self.recipients.extend(added);
        Ok(())
    }

    /// What a passphrase shall cost, and for how many more slots a file has space.
    fn set_sealing(
        &mut self,
        spare_slots: &Any<'_>,
        cost: Option<(Any<'_>, Any<'_>, Any<'_>)>,
    ) -> PyResult<()> {
        if let Some((memory_kib, passes, lanes)) = cost {
            self.cost = Argon2Cost {
                memory_kib: number_of(&memory_kib, "cost: memory_kib")?,
                passes: number_of(&passes, "cost: passes")?,
                lanes: number_of(&lanes, "cost: lanes")?,
            };
        }
        if !self.cost.is_valid() {
            let error = Error::BadCost(self.cost);
            return Err(of_file(spare_slots.py(), error, None));
        }
        self.spare_slots = number_of(spare_slots, "spare_slots")? as usize;
        Ok(())
    }

    /// What a passphrase may cost.
    fn set_max_cost(&mut self, max_cost: (Any<'_>, Any<'_>)) -> PyResult<()> {
        let (memory_kib, passes) = max_cost;
        self.max_cost = Argon2Cost {
            memory_kib: number_of(&memory_kib, "max_cost: memory_kib")?,
            passes: number_of(&passes, "max_cost: passes")?,
            ..Argon2Cost::DEFAULT_LIMIT
        };
        Ok(())
    }
}

impl FileKeys {
    pub(crate) fn locks(&self) -> Vec<Lock<'_>> {
        let key_files = self.key_files.iter().map(Lock::KeyFile);
        let passphrases = self.passphrases.iter();
        let own = self.identities.iter().map(Identity::recipient);
        key_files
            .chain(passphrases.map(|text| Lock::Passphrase(text, self.cost)))
            .chain(self.recipients.iter().chain(own).map(Lock::Recipient))
            .collect()
    }

    pub(crate) fn unlocks(&self) -> Vec<Unlock<'_>> {
        let key_files = self.key_files.iter().map(Unlock::KeyFile);
        key_files
            .chain(self.passphrases.iter().map(Unlock::Passphrase))
            .chain(self.identities.iter().map(Unlock::Identity))
            .collect()
    }

    /// For the suite of a name, or the default one.
    pub(crate) fn seal_options(&self, suite: Option<&str>) -> PyResult<SealOptions> {
        let found = suite.map_or(Some(Suite::default()), |name| {
            let mut all = Suite::ALL.iter().copied();
            all.find(|suite| suite.name().eq_ignore_ascii_case(name))
        });
        let suite = found.ok_or_else(|| {
            let known = Suite::ALL.iter().map(|suite| suite.name());
            unknown_name("suite", known, suite.unwrap_or_default())
        })?;
        Ok(SealOptions { suite, spare_slots: self.spare_slots, ..SealOptions::default() })
    }

    pub(crate) fn open_options(&self) -> OpenOptions {
        OpenOptions { max_cost: self.max_cost, ..OpenOptions::default() }
    }

    fn add_key_text(&mut self, py: Python<'_>, text: &[u8]) -> PyResult<()> {
        if is_of_age(text) {
            let added = Identity::parse_list(utf8(text, "key")?);
            let added = added.map_err(|error| ours(py, "KeyFileError", error))?;
            self.identities.extend(added);
            return Ok(());
        }
        if is_protected(py, text)? {
            return Err(PyValueError::new_err(NEEDS_PASSPHRASE));
        }
        let added = KeyFile::parse(text).map_err(|error| of_key_file(py, &error))?;
        self.key_files.push(added);
        Ok(())
    }
}

/// Makes a call that copies a secret, and leaves none of it in vector registers, which what
/// comes next would put into memory.
fn copying<R>(call: impl FnOnce() -> R) -> R {
    sivka::Tier::detect().__run(0, call)
}

fn number_of(given: &Any<'_>, what: &str) -> PyResult<u32> {
    Ok(number(given, what, u32::MAX.into())? as u32)
}

fn utf8<'a>(text: &'a [u8], what: &str) -> PyResult<&'a str> {
    // Python's own error would show the text.
    str::from_utf8(text).map_err(|_| PyValueError::new_err(format!("{what} is not UTF-8")))
}

fn passphrase_of(py: Python<'_>, words: &[u8]) -> PyResult<Passphrase> {
    let words = utf8(words, "passphrase")?;
    if words.is_empty() {
        return Err(of_file(py, Error::EmptyPassphrase, None));
    }
    Ok(Passphrase::new(words.to_owned()))
}

/// Whether a text is one of identities, and not a key file.
fn is_of_age(text: &[u8]) -> bool {
    const IDENTITY: &[u8] = b"AGE-SECRET-KEY-";
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let text = text.trim_ascii_start();
    let start = text.get(..IDENTITY.len());
    text.starts_with(b"#") || start.is_some_and(|start| start.eq_ignore_ascii_case(IDENTITY))
}

/// Whether a passphrase protects the content of a key's file.
fn is_protected(py: Python<'_>, content: &[u8]) -> PyResult<bool> {
    match Header::parse(content) {
        _ if content.is_empty() => Ok(false),
        Err(Error::NotSivka) => Ok(false),
        _ if content.len() > MAX_PROTECTED_LEN => Err(of_key_file(py, &KeyFileError::TooLong)),
        Ok(_) => Ok(true),
        Err(error) => Err(of_file(py, error, None)),
    }
}

/// The text of a key: the content itself, or what a passphrase opens it to.
#[pyfunction]
pub(crate) fn open_key_text<'py>(
    py: Python<'py>,
    content: &Any<'py>,
    passphrase: &Any<'py>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let words = View::of(passphrase, "passphrase")?;
    let content = View::of(content, "key")?;
    let content = content.bytes();
    // As long as it can be, at once: a buffer that grows leaves copies of a secret behind.
    let mut text = Zeroizing::new(Vec::with_capacity(content.len()));
    if !is_of_age(content) && is_protected(py, content)? {
        if words.bytes().is_empty() {
            return Err(PyValueError::new_err(NEEDS_PASSPHRASE));
        }
        let words = copying(|| passphrase_of(py, words.bytes()))?;
        let opened = py.detach(|| {
            let keys = [Unlock::Passphrase(&words)];
            let mut reader = Reader::new(content, &keys, &OpenOptions::default())?;
            reader.read_to_end(&mut text).map_err(Error::from)
        });
        opened.map_err(|error| of_file(py, error, None))?;
    } else {
        text.extend_from_slice(content);
    }
    // What is in it may be none of a key.
    copying(|| FileKeys::new().add_key_text(py, &text))?;
    Ok(PyByteArray::new(py, &text))
}

/// The text of a key file with a key of these bytes, or a new one.
#[pyfunction]
pub(crate) fn make_key_text<'py>(
    py: Python<'py>,
    key: Option<&Any<'py>>,
    name: &str,
) -> PyResult<Bound<'py, PyByteArray>> {
    let key = key.map(|key| View::of(key, "key")).transpose()?;
    let key = key.as_ref().map(View::bytes);
    copying(|| {
        let made = match key {
            None => KeyFile::generate(name).map_err(|error| of_file(py, error, None))?,
            Some(key) => {
                let key = key.try_into().map_err(|_| length("key", 32, key.len()))?;
                KeyFile::from_bytes(key, name).map_err(|error| of_key_file(py, &error))?
            }
        };
        Ok(PyByteArray::new(py, made.to_text().as_bytes()))
    })
}

/// The id of the key in a key file with this text.
#[pyfunction]
pub(crate) fn key_file_id(text: &Any<'_>) -> PyResult<String> {
    let (py, text) = (text.py(), View::of(text, "key")?);
    copying(|| {
        let key = KeyFile::parse(text.bytes()).map_err(|error| of_key_file(py, &error))?;
        Ok(key.id().to_string())
    })
}

/// Refuse the text of a key where its path belongs.
#[pyfunction]
pub(crate) fn check_key_path(path: &[u8]) -> PyResult<()> {
    match is_key(path) {
        true => Err(PyValueError::new_err(KEY_TEXT)),
        false => Ok(()),
    }
}

/// A path, as os.fsencode() makes it. The text of a key is none, and no message quotes it.
pub(crate) fn path_of(bytes: &[u8]) -> PyResult<PathBuf> {
    if bytes.contains(&0) {
        return Err(PyValueError::new_err("embedded null byte"));
    }
    if is_key_text(bytes) {
        return Err(PyValueError::new_err(KEY_TEXT));
    }
    #[cfg(unix)]
    return Ok(<OsStr as OsStrExt>::from_bytes(bytes).into());
    #[cfg(not(unix))]
    return Ok(utf8(bytes, "path")?.into());
}
