//! Batches in one buffer with offsets, as NumPy and Arrow lay out strings.

use crate::batch::refused;
use crate::buffer::{View, new_bytearray, sizes};
use crate::error::{length, of_message};
use crate::key::Key;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka::{BatchAad, BatchText, Error, Status};

/// The arguments that both directions have.
pub(crate) struct Texts<'a, 'py> {
    pub(crate) nonces: Option<&'a Bound<'py, PyAny>>,
    pub(crate) data: &'a Bound<'py, PyAny>,
    pub(crate) offsets: &'a Bound<'py, PyAny>,
    pub(crate) aads: Option<&'a Bound<'py, PyAny>>,
    pub(crate) aad_offsets: Option<&'a Bound<'py, PyAny>>,
    pub(crate) out: Option<&'a Bound<'py, PyAny>>,
}

/// The same, looked at.
struct Parts<'a, 'py> {
    nonces: View<'a, 'py>,
    data: View<'a, 'py>,
    offsets: Vec<usize>,
    aads: View<'a, 'py>,
    aad_offsets: Option<Vec<usize>>,
}

/// Offsets for associated data, one more than there are messages.
pub(crate) fn aad_offsets(
    object: Option<&Bound<'_, PyAny>>,
    count: usize,
) -> PyResult<Option<Vec<usize>>> {
    let what = "associated_data_offsets";
    let Some(object) = object.filter(|object| !object.is_none()) else {
        return Ok(None);
    };
    let offsets = sizes(object, what)?;
    match offsets.len() == count + 1 {
        true => Ok(Some(offsets)),
        false => Err(length(what, count + 1, offsets.len())),
    }
}

/// What the AADs of messages are, in one buffer.
pub(crate) fn batch_aad<'a>(bytes: &'a [u8], offsets: Option<&'a [usize]>) -> BatchAad<'a> {
    match offsets {
        Some(offsets) => BatchAad::Contiguous { bytes, offsets },
        None => BatchAad::Common(bytes),
    }
}

/// The caller's object, or a new one of zeros.
fn output<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    len: usize,
) -> PyResult<Bound<'py, PyAny>> {
    match given {
        Some(given) if !given.is_none() => Ok(given.clone()),
        _ => new_bytearray(py, len),
    }
}

impl<'a, 'py> Texts<'a, 'py> {
    fn parts(&self) -> PyResult<Parts<'a, 'py>> {
        let nonces = View::of_optional(self.nonces, "nonces")?;
        let data = View::of(self.data, "data")?;
        let offsets = sizes(self.offsets, "offsets")?;
        let aad_offsets = aad_offsets(self.aad_offsets, offsets.len() - 1)?;
        let aads = View::of_optional(self.aads, "associated_data")?;
        Ok(Parts {
            nonces,
            data,
            offsets,
            aads,
            aad_offsets,
        })
    }

    /// Returns the ciphertexts and the tags.
    pub(crate) fn seal(
        &self,
        py: Python<'py>,
        key: &Key,
        tags: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let parts = self.parts()?;
        let count = parts.count();
        let tags = output(py, tags, count.saturating_mul(key.tag_len))?;
        let mut tags_view = View::writable(&tags, "tags")?;
        let out = output(py, self.out, parts.data.len())?;
        let mut out_view = View::writable(&out, "out")?;
        parts.check(key, &out_view, &tags_view)?;
        out_view.check_apart(&tags_view)?;
        tags_view.check_apart(&parts.nonces)?;
        tags_view.check_apart(&parts.aads)?;
        let mut statuses = vec![Status::Done; count];
        // SAFETY: views to write to, which are apart from each other and from all others.
        let tags_of = unsafe { tags_view.bytes_mut() };
        let done = parts.run(py, key, &mut out_view, |aead, nonces, aad, texts| {
            aead.seal_batch(nonces, aad, texts, tags_of, &mut statuses)
        });
        let refused_one = statuses.iter().position(|status| *status != Status::Done);
        let done = done.and_then(|()| match refused_one {
            None => Ok(()),
            Some(index) => Err(refused(statuses[index], |why| {
                format!("data: {why} (message {index})")
            })),
        });
        if done.is_err() {
            parts.clear(&mut out_view);
        }
        drop((tags_view, out_view));
        done.map(|()| (out, tags))
    }

    /// Returns the plaintexts, and which of them there are.
    pub(crate) fn open(
        &self,
        py: Python<'py>,
        key: &Key,
        tags: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyBytes>)> {
        let parts = self.parts()?;
        let count = parts.count();
        let tags = View::of(tags, "tags")?;
        let out = output(py, self.out, parts.data.len())?;
        let mut out_view = View::writable(&out, "out")?;
        parts.check(key, &out_view, &tags)?;
        out_view.check_apart(&tags)?;
        let tags_of = tags.bytes();
        let mut statuses = vec![Status::Done; count];
        let done = parts.run(py, key, &mut out_view, |aead, nonces, aad, texts| {
            aead.open_batch(nonces, aad, texts, tags_of, &mut statuses)
        });
        if let Err(error) = done {
            parts.clear(&mut out_view);
            return Err(error);
        }
        let opened = statuses
            .iter()
            .map(|status| u8::from(*status == Status::Done));
        let opened = PyBytes::new(py, &opened.collect::<Vec<_>>());
        drop(out_view);
        Ok((out, opened))
    }
}

impl Parts<'_, '_> {
    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Where messages are, if the offsets are right at their ends.
    fn span(&self) -> Option<std::ops::Range<usize>> {
        let (first, last) = (*self.offsets.first()?, *self.offsets.last()?);
        (first < last && last <= self.data.len()).then_some(first..last)
    }

    fn check(&self, key: &Key, out: &View<'_, '_>, tags: &View<'_, '_>) -> PyResult<()> {
        let (expected, given) = (self.data.len(), out.len());
        if expected != given {
            return Err(PyValueError::new_err(format!(
                "out: {expected} bytes expected, as data has, {given} given"
            )));
        }
        out.check_apart_or_same(&self.data)?;
        key.held.get()?;
        for (part, each) in [(&self.nonces, key.nonce_len), (tags, key.tag_len)] {
            let expected = self.count().saturating_mul(each);
            if part.len() != expected {
                return Err(length(part.what(), expected, part.len()));
            }
        }
        out.check_apart(&self.nonces)?;
        out.check_apart(&self.aads)
    }

    /// Moves the messages, and nothing around them, to where they are worked on, and calls `call`.
    fn run(
        &self,
        py: Python<'_>,
        key: &Key,
        out: &mut View<'_, '_>,
        call: impl FnOnce(&dyn sivka::Aead, &[u8], BatchAad<'_>, BatchText<'_, '_>) -> Result<(), Error>
        + Send,
    ) -> PyResult<()> {
        let is_same = out.at() == self.data.at();
        // Other offsets are wrong, and the library says in which way.
        let data = self.span().filter(|_| !is_same);
        let data = data.map(|span| (span.clone(), &self.data.bytes()[span]));
        // SAFETY: a view to write to, and no slice is of what is at the same place.
        let bytes = unsafe { out.bytes_mut() };
        if let Some((span, data)) = data {
            bytes[span].copy_from_slice(data);
        }
        let aad = batch_aad(self.aads.bytes(), self.aad_offsets.as_deref());
        let (len, nonces, offsets) = (bytes.len(), self.nonces.bytes(), &self.offsets[..]);
        let done = key.held.run(py, len, |aead| {
            call(
                &**aead,
                nonces,
                aad,
                BatchText::Contiguous { bytes, offsets },
            )
        })?;
        match done {
            Ok(()) | Err(Error::Batch { .. }) => Ok(()),
            Err(error) => Err(of_message(py, error)),
        }
    }

    /// A call that did nothing leaves no plaintext in a buffer that had none.
    fn clear(&self, out: &mut View<'_, '_>) {
        let span = self.span().filter(|_| out.at() != self.data.at());
        if let Some(span) = span {
            // SAFETY: a view to write to, and no other slice is in use.
            let bytes = unsafe { out.bytes_mut() };
            bytes[span].fill(0);
        }
    }
}
