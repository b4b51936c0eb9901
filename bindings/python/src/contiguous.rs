//! Messages in one buffer with offsets, as NumPy and Arrow lay out strings.

use crate::batch::{Direction, refused};
use crate::buffer::{Any, View, new_bytearray, offsets};
use crate::error::{length, of_message};
use crate::key::Key;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka::{BatchAad, BatchText, Error, Status};

/// The messages of a batch, or the values of a column, and their associated data.
pub(crate) struct Texts<'a, 'py> {
    pub(crate) data: View<'a, 'py>,
    pub(crate) offsets: Vec<i64>,
    /// The bytes of an offset, as they were given.
    pub(crate) width: usize,
    aads: View<'a, 'py>,
    aad_offsets: Option<Vec<usize>>,
}

/// As the library has them. Beyond every buffer is what cannot be an offset.
fn sizes(offsets: &[i64]) -> Vec<usize> {
    let size = |offset: &i64| usize::try_from(*offset).unwrap_or(usize::MAX);
    offsets.iter().map(size).collect()
}

impl<'a, 'py> Texts<'a, 'py> {
    pub(crate) fn new(
        data: &'a Any<'py>,
        given: &Any<'_>,
        aads: Option<&'a Any<'py>>,
        aad_offsets: Option<&Any<'_>>,
    ) -> PyResult<Self> {
        let data = View::of(data, "data")?;
        let (all, width) = offsets(given, "offsets")?;
        let what = "associated_data_offsets";
        let aad_offsets = aad_offsets.filter(|object| !object.is_none());
        let aad_offsets = aad_offsets.map(|object| match offsets(object, what)?.0 {
            aad_offsets if aad_offsets.len() == all.len() => Ok(sizes(&aad_offsets)),
            aad_offsets => Err(length(what, all.len(), aad_offsets.len())),
        });
        Ok(Self {
            data,
            offsets: all,
            width,
            aads: View::of_optional(aads, "associated_data")?,
            aad_offsets: aad_offsets.transpose()?,
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn aad(&self) -> BatchAad<'_> {
        let bytes = self.aads.bytes();
        match &self.aad_offsets {
            Some(offsets) => BatchAad::Contiguous { bytes, offsets },
            None => BatchAad::Common(bytes),
        }
    }
}

/// The caller's object, or a new one of zeros.
fn output<'py>(py: Python<'py>, given: Option<&Any<'py>>, len: usize) -> PyResult<Any<'py>> {
    match given {
        Some(given) if !given.is_none() => Ok(given.clone()),
        _ => new_bytearray(py, len),
    }
}

enum Tags<'a> {
    Made(&'a mut [u8]),
    Given(&'a [u8]),
}

/// Returns the ciphertexts and the tags, or the plaintexts and which of them there are.
pub(crate) fn run<'py>(
    py: Python<'py>,
    key: &Key,
    direction: Direction,
    nonces: &View<'_, 'py>,
    texts: &Texts<'_, 'py>,
    out: Option<&Any<'py>>,
    tags: Option<&Any<'py>>,
) -> PyResult<(Any<'py>, Any<'py>)> {
    let count = texts.count();
    let tags = output(py, tags, count.saturating_mul(key.tag_len))?;
    let mut tags_view = match direction {
        Direction::Seal => View::writable(&tags, "tags")?,
        Direction::Open => View::of(&tags, "tags")?,
    };
    let out = output(py, out, texts.data.len())?;
    let mut out_view = View::writable(&out, "out")?;
    check(key, nonces, texts, &out_view, &tags_view)?;
    if direction == Direction::Seal {
        tags_view.check_apart(nonces)?;
        tags_view.check_apart(&texts.aads)?;
    }
    let is_same = out_view.at() == texts.data.at();
    let offsets = &sizes(&texts.offsets)[..];
    // Where messages are. Other offsets are wrong, and the library says in which way.
    let span = offsets[0]..offsets[count];
    let is_right = span.start <= span.end && span.end <= texts.data.len();
    let moved = (!is_same && is_right).then_some(span);
    let data = moved.clone().map(|span| &texts.data.bytes()[span]);
    // SAFETY: a view to write to, and no slice is of what is at the same place.
    let bytes = unsafe { out_view.bytes_mut() };
    if let (Some(span), Some(data)) = (moved.clone(), data) {
        bytes[span].copy_from_slice(data);
    }
    let tags_of = match direction {
        // SAFETY: a view to write to, which is apart from all others.
        Direction::Seal => Tags::Made(unsafe { tags_view.bytes_mut() }),
        Direction::Open => Tags::Given(tags_view.bytes()),
    };
    let (nonces, aad, mut statuses) = (nonces.bytes(), texts.aad(), vec![Status::Done; count]);
    let (all, reports) = (&mut *bytes, &mut statuses);
    let done = key.held.run(py, texts.data.len(), |aead| {
        let texts = BatchText::Contiguous {
            bytes: all,
            offsets,
        };
        match tags_of {
            Tags::Made(tags) => aead.seal_batch(nonces, aad, texts, tags, reports),
            Tags::Given(tags) => aead.open_batch(nonces, aad, texts, tags, reports),
        }
    });
    let failed = statuses.iter().position(|status| *status != Status::Done);
    let error = match (done, failed) {
        (Err(closed), _) => Some(closed),
        (Ok(Err(error)), _) if !matches!(error, Error::Batch { .. }) => Some(of_message(py, error)),
        (Ok(_), Some(index)) if direction == Direction::Seal => {
            let sentence = |why: &str| format!("data: {why} (message {index})");
            Some(refused(statuses[index], sentence))
        }
        _ => None,
    };
    if let Some(error) = error {
        // A call that did nothing leaves no plaintext in a buffer that had none.
        if let Some(span) = moved {
            bytes[span].fill(0);
        }
        return Err(error);
    }
    drop((tags_view, out_view));
    Ok(match direction {
        Direction::Seal => (out, tags),
        Direction::Open => (out, opened(py, &statuses).into_any()),
    })
}

/// A byte for each message: 1 if it opened.
pub(crate) fn opened<'py>(py: Python<'py>, statuses: &[Status]) -> Bound<'py, PyBytes> {
    let opened = statuses.iter().map(|it| u8::from(*it == Status::Done));
    PyBytes::new(py, &opened.collect::<Vec<_>>())
}

fn check(
    key: &Key,
    nonces: &View<'_, '_>,
    texts: &Texts<'_, '_>,
    out: &View<'_, '_>,
    tags: &View<'_, '_>,
) -> PyResult<()> {
    let (expected, given) = (texts.data.len(), out.len());
    if expected != given {
        return Err(PyValueError::new_err(format!(
            "out: {expected} bytes expected, as data has, {given} given"
        )));
    }
    out.check_apart_or_same(&texts.data)?;
    key.held.get()?;
    for (part, each) in [(nonces, key.nonce_len), (tags, key.tag_len)] {
        let expected = texts.count().saturating_mul(each);
        if part.len() != expected {
            return Err(length(part.what(), expected, part.len()));
        }
    }
    [nonces, &texts.aads, tags]
        .into_iter()
        .try_for_each(|part| out.check_apart(part))
}
