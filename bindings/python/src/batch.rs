//! Batches over sequences of buffers: messages are gathered in memory of ours, some hundred at a
//! time, and handed out as bytes.

use crate::buffer::{Any, View, is_buffer};
use crate::error::{length_in_bytes as length, of_message, other_type};
use crate::key::{Key, split_mut};
use crate::new_bytes::NewBytes;
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyBufferError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyList, PySet, PyString, PyTuple};
use sivka::{BatchAad, BatchText, Error, Status};
use zeroize::Zeroizing;

/// A chunk ends before it has more of either; one message may be longer.
const CHUNK_COUNT: usize = 1024;
const CHUNK_LEN: usize = 262_144;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Seal,
    Open,
}

/// The items of a sequence, as they are now. Sets have no order, and the others list no buffers.
/// What has no length may have no end, and gives as many as one more than `most`.
pub(crate) fn items<'py>(
    object: &Any<'py>,
    what: &str,
    most: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let expected = "a sequence of bytes-like objects";
    let is_set = object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>();
    if is_set || object.is_instance_of::<PyDict>() || object.is_instance_of::<PyString>() {
        return Err(other_type(object, what, expected));
    }
    match object.try_iter() {
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            Err(other_type(object, what, expected))
        }
        Err(error) => Err(error),
        Ok(all) if most < usize::MAX && object.len().is_err() => {
            PyTuple::new(object.py(), all.take(most + 1).collect::<PyResult<Vec<_>>>()?)
        }
        Ok(_) => {
            let items = PyTuple::type_object(object.py()).call1((object,))?;
            Ok(items.cast_into()?)
        }
    }
}

/// Buffers for each message: one for each, or the same for all.
enum List<'a, 'py> {
    Each(Bound<'py, PyTuple>),
    All(View<'a, 'py>),
}

impl<'a, 'py> List<'a, 'py> {
    /// One buffer for all, or a sequence of so many; of nothing for None.
    fn of(object: Option<&'a Any<'py>>, what: &'static str, count: usize) -> PyResult<Self> {
        let Some(object) = object.filter(|it| !it.is_none() && !is_buffer(it)) else {
            return Ok(Self::All(View::of_optional(object, what)?));
        };
        let items = items(object, what, count)?;
        match items.len() {
            len if len == count => Ok(Self::Each(items)),
            len => Err(PyValueError::new_err(format!(
                "{what}: {count} expected, one for each message, {len} given"
            ))),
        }
    }
}

/// The exception about one part of a list, with its number. Any other than those of views is the
/// part's own, and stays as it is.
fn numbered(py: Python<'_>, error: PyErr, index: usize) -> PyErr {
    let of = error.get_type(py);
    let of_views = [
        PyTypeError::type_object(py),
        PyValueError::type_object(py),
        PyBufferError::type_object(py),
    ];
    match of_views.iter().any(|each| of.is(each)) {
        true => PyErr::from_type(of, format!("{} (number {index})", error.value(py))),
        false => error,
    }
}

/// What became of one message that was not sealed.
fn refused(status: Status, number: usize) -> PyErr {
    match status {
        Status::TooLong => {
            let sentence = format!("messages: an input is too long (number {number})");
            PyOverflowError::new_err(sentence)
        }
        _ => PyValueError::new_err(format!(
            "messages: the algorithm refuses such a nonce, or a message that is empty in every \
             part (number {number})"
        )),
    }
}

/// Messages under way. The library wants the texts apart from the tags, and finds those in one
/// buffer sooner than bytes objects all over memory.
#[derive(Default)]
struct Chunk {
    nonces: Vec<u8>,
    texts: Zeroizing<Vec<u8>>,
    ends: Vec<usize>,
    tags: Vec<u8>,
    /// Whether a message is shorter than a tag, and so forged.
    too_short: Vec<bool>,
    aads: Vec<u8>,
    aad_ends: Vec<usize>,
}

impl Chunk {
    /// An empty one, in the same memory.
    fn clear(&mut self) {
        self.nonces.clear();
        self.texts.clear();
        self.tags.clear();
        self.too_short.clear();
        self.aads.clear();
        for ends in [&mut self.ends, &mut self.aad_ends] {
            ends.clear();
            ends.push(0);
        }
    }

    fn len(&self) -> usize {
        self.texts.len() + self.aads.len()
    }

    fn has_room(&self, len: usize) -> bool {
        let count = self.too_short.len();
        count == 0 || (count < CHUNK_COUNT && self.len() + len <= CHUNK_LEN)
    }

    /// Adds a message, of which the tag is apart if it is sealed.
    fn add(&mut self, key: &Key, direction: Direction, message: &[u8]) {
        let parts = match direction {
            Direction::Seal => None,
            Direction::Open => Some(key.split(message).unwrap_or_default()),
        };
        let (text, tag) = parts.unwrap_or((message, &[]));
        self.too_short.push(parts.is_some() && tag.is_empty());
        self.tags.extend_from_slice(tag);
        self.tags.resize(self.too_short.len() * key.tag_len, 0);
        let len = self.texts.len() + text.len();
        if len > self.texts.capacity() {
            // The old memory is wiped.
            let mut more = Zeroizing::new(Vec::with_capacity((2 * len).max(4096)));
            more.extend_from_slice(&self.texts);
            self.texts = more;
        }
        self.texts.extend_from_slice(text);
        self.ends.push(len);
    }
}

/// The arguments, and what became of the messages before the chunk under way.
struct Batch<'a, 'py> {
    key: &'a Key,
    direction: Direction,
    nonces: List<'a, 'py>,
    aads: List<'a, 'py>,
    all: Vec<Option<Bound<'py, PyBytes>>>,
}

impl<'py> Batch<'_, 'py> {
    /// Carries the work on a chunk out, and empties it.
    fn finish(&mut self, py: Python<'py>, chunk: &mut Chunk) -> PyResult<()> {
        let (key, direction, first) = (self.key, self.direction, self.all.len());
        let (count, len) = (chunk.too_short.len(), chunk.len());
        let nonces = match &self.nonces {
            List::All(nonces) => &nonces.bytes()[first * key.nonce_len..][..count * key.nonce_len],
            List::Each(_) => &chunk.nonces,
        };
        let aad = match &self.aads {
            List::All(aad) => BatchAad::Common(aad.bytes()),
            List::Each(_) => BatchAad::Contiguous { bytes: &chunk.aads, offsets: &chunk.aad_ends },
        };
        let tags = &mut chunk.tags;
        let texts = BatchText::Contiguous { bytes: &mut chunk.texts, offsets: &chunk.ends };
        let mut statuses = vec![Status::Done; count];
        let done = key.held.run(py, len, |aead| match direction {
            Direction::Seal => aead.seal_batch(nonces, aad, texts, tags, &mut statuses),
            Direction::Open => aead.open_batch(nonces, aad, texts, tags, &mut statuses),
        })?;
        match done {
            Ok(()) | Err(Error::Batch { .. }) => {}
            Err(error) => return Err(of_message(py, error)),
        }
        for (slot, status) in statuses.iter().enumerate() {
            let text = &chunk.texts[chunk.ends[slot]..chunk.ends[slot + 1]];
            self.all.push(match (direction, status) {
                (Direction::Open, Status::NotOpened) => None,
                (Direction::Open, _) if chunk.too_short[slot] => None,
                (Direction::Open, Status::Done) => Some(PyBytes::new(py, text)),
                (Direction::Seal, Status::Done) => {
                    let mut sealed = NewBytes::new(py, text.len().checked_add(key.tag_len))?;
                    let (place, tag) = split_mut(key, sealed.bytes_mut());
                    place.copy_from_slice(text);
                    tag.copy_from_slice(&chunk.tags[slot * key.tag_len..][..key.tag_len]);
                    Some(sealed.done())
                }
                (_, status) => return Err(refused(*status, first + slot)),
            });
        }
        chunk.clear();
        Ok(())
    }
}

/// Seals or opens every message.
pub(crate) fn run<'py>(
    key: &Key,
    direction: Direction,
    nonces: Option<&Any<'py>>,
    messages: &Any<'py>,
    aads: Option<&Any<'py>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = messages.py();
    let messages = items(messages, "messages", usize::MAX)?;
    let (count, each) = (messages.len(), key.nonce_len);
    let mut batch = Batch {
        key,
        direction,
        nonces: List::of(nonces, "nonces", count)?,
        aads: List::of(aads, "associated_data", count)?,
        all: Vec::with_capacity(count),
    };
    if let List::All(all) = &batch.nonces
        && count.checked_mul(each) != Some(all.len())
    {
        return Err(PyValueError::new_err(format!(
            "nonces: {count} of {each} bytes each expected, {} bytes given",
            all.len()
        )));
    }
    key.held.get()?;
    let mut chunk = Chunk::default();
    chunk.clear();
    for index in 0..count {
        let numbered = |error| numbered(py, error, index);
        let message = messages.get_borrowed_item(index)?;
        let message = View::of(&message, "messages").map_err(numbered)?;
        if !chunk.has_room(message.len()) {
            batch.finish(py, &mut chunk)?;
        }
        chunk.add(key, direction, message.bytes());
        if let List::Each(nonces) = &batch.nonces {
            let nonce = nonces.get_borrowed_item(index)?;
            let nonce = View::of(&nonce, "nonces").map_err(numbered)?;
            if nonce.len() != each {
                return Err(numbered(length("nonces", each, nonce.len())));
            }
            chunk.nonces.extend_from_slice(nonce.bytes());
        }
        if let List::Each(aads) = &batch.aads {
            let aad = aads.get_borrowed_item(index)?;
            let aad = View::of_optional(Some(&aad), "associated_data").map_err(numbered)?;
            chunk.aads.extend_from_slice(aad.bytes());
            chunk.aad_ends.push(chunk.aads.len());
        }
    }
    batch.finish(py, &mut chunk)?;
    PyList::new(py, batch.all)
}
