//! The classes of AEADs: what Python calls, which goes on to the key.

use crate::batch::{self, Direction, items};
use crate::buffer::{Any, Bytes, View, is_buffer, number};
use crate::column::{self, Texts};
use crate::error::{of_message, other_type};
use crate::key::{Key, split_mut};
use crate::methods::{methods, of_class, sealing};
use crate::new_bytes::NewBytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use sivka::{AesSiv256, AesSiv384, AesSiv512, Error, Tag};

/// A key of an AEAD with nonces: what their classes have in common.
///
/// Make a key with one of them, not with this.
#[pyclass(module = "sivka", subclass, frozen, weakref)]
pub(crate) struct Aead(pub(crate) Key);

methods! {
    Aead(nonce, nonces):
        "Seal data under a nonce that seals nothing else with this key."
        "nonces is a sequence of nonces, or one buffer of all, one after another.",
    {
        /// Random nonces, one after another, as bytes. Raises ValueError for an algorithm whose
        /// nonces are too short to be random.
        #[pyo3(signature = (count, /))]
        fn random_nonces<'py>(&self, count: &Any<'py>) -> Bytes<'py> {
            let (py, key) = (count.py(), &self.0);
            let most = isize::MAX as u64 / key.nonce_len.max(1) as u64;
            let count = usize::try_from(number(count, "count", most)?)?;
            // The nonces need no key, but whoever closed it seals no more.
            key.held.get()?;
            let mut nonces = NewBytes::new(py, Some(count * key.nonce_len))?;
            let filled = key.algorithm.fill_nonces(nonces.bytes_mut());
            filled.map_err(|error| of_message(py, error))?;
            Ok(nonces.done())
        }
    }
}

/// A key of an AEAD whose nonces may be random: seal() draws them.
#[pyclass(module = "sivka", extends = Aead, subclass, frozen)]
pub(crate) struct RandomNonceAead;

sealing! {
    of_class!(RandomNonceAead:), |slf| slf.as_super().get().0,
    seal:
        "Seal data under a random nonce, drawn here. Returns nonce, ciphertext and tag,"
        "one after another. Raises ValueError for a wrong length or a nonce or message that the"
        "algorithm refuses, OverflowError for more than it allows, TypeError and BufferError for"
        "what is no contiguous buffer.",
    open:
        "Open what seal() returned. Raises InvalidTag if it does not open; there is no saying"
        "why, and no plaintext in any buffer then. Other errors are those of encrypt().",
    {
        #[new]
        #[pyo3(signature = (algorithm, key, of_columns=false, /))]
        fn new(algorithm: &str, key: &Any<'_>, of_columns: bool) -> PyResult<PyClassInitializer<Self>> {
            let base = Aead(Key::new(algorithm, key, of_columns)?);
            Ok(PyClassInitializer::from(base).add_subclass(Self))
        }
    }
}

/// A key of an AEAD without nonces: what their classes have in common.
///
/// Make a key with one of them, not with this.
#[pyclass(module = "sivka", subclass, frozen, weakref)]
pub(crate) struct DeterministicAead(pub(crate) Key);

sealing! {
    methods!(DeterministicAead(): "Seal data. There is no nonce: equal messages give equal bytes.",),
    |slf| slf.get().0,
    seal: "The same as encrypt(), by the name that other algorithms have for it.",
    open: "The same as decrypt().",
    {}
}

/// A key of an AEAD without nonces that takes lists of associated data.
#[pyclass(module = "sivka", extends = DeterministicAead, subclass, frozen)]
pub(crate) struct DeterministicListAead;

/// `$call` with a key whose algorithm takes lists; only its classes in Python come here.
macro_rules! with_list {
    ($aead:expr, |$aes_siv:ident| $call:expr) => {{
        let aead: &dyn std::any::Any = $aead;
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

#[pymethods]
impl DeterministicListAead {
    #[new]
    #[pyo3(signature = (algorithm, key, of_columns=false, /))]
    fn new(algorithm: &str, key: &Any<'_>, of_columns: bool) -> PyResult<PyClassInitializer<Self>> {
        let base = DeterministicAead(Key::new(algorithm, key, of_columns)?);
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }

    /// Seal data with a list of 0 to 126 buffers of associated data.
    ///
    /// Their number, order and bounds count: no buffer is not the same as an empty
    /// one, and encrypt() is the list of one. RFC 5297's nonce is the last of the
    /// list. Returns tag and ciphertext. Raises as encrypt().
    fn encrypt_with_list<'py>(
        slf: &Bound<'py, Self>,
        data: &Any<'py>,
        associated_data: &Any<'py>,
    ) -> Bytes<'py> {
        let (py, key) = (data.py(), &slf.as_super().get().0);
        let data = View::of(data, "data")?;
        with_strings(associated_data, |strings| {
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

    /// Open what encrypt_with_list() returned. Raises as decrypt().
    fn decrypt_with_list<'py>(
        slf: &Bound<'py, Self>,
        data: &Any<'py>,
        associated_data: &Any<'py>,
    ) -> Bytes<'py> {
        let (py, key) = (data.py(), &slf.as_super().get().0);
        let data = View::of(data, "data")?;
        with_strings(associated_data, |strings| {
            let parts = key.split(data.bytes());
            let mut opened = NewBytes::new(py, Some(data.len().saturating_sub(key.tag_len)))?;
            let out = opened.bytes_mut();
            key.run(py, data.len(), |aead| {
                let (text, tag) = parts.ok_or(Error::Open)?;
                let tag = Tag::from(<[u8; Tag::LEN]>::try_from(tag).map_err(|_| Error::Open)?);
                with_list!(aead, |key| key.open_into_with_list(text, strings, &tag, out))
            })?;
            Ok(opened.done())
        })
    }
}

/// Calls `call` with the bytes of each buffer of a list.
fn with_strings<'py>(list: &Any<'py>, call: impl FnOnce(&[&[u8]]) -> Bytes<'py>) -> Bytes<'py> {
    if is_buffer(list) {
        let expected = "a sequence of bytes-like objects";
        return Err(other_type(list, "associated_data", expected));
    }
    let most = AesSiv512::MAX_STRINGS;
    let strings: Vec<_> = items(list, "associated_data", most)?.iter().collect();
    let given = strings.len();
    if given > most {
        return Err(PyValueError::new_err(format!(
            "associated_data: at most {most} buffers expected, {given} given"
        )));
    }
    let views = strings.iter().map(|it| View::of(it, "associated_data"));
    let views: Vec<_> = views.collect::<PyResult<_>>()?;
    call(&views.iter().map(View::bytes).collect::<Vec<_>>())
}
