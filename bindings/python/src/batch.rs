//! Batches over sequences of buffers: messages are gathered in memory of ours, some hundred at a
//! time, and handed out as bytes.

use crate::buffer::{View, is_buffer};
use crate::error::{is_arrow, length_in_bytes as length, of_message, other_type};
use crate::key::{Key, split_mut};
use crate::new_bytes::NewBytes;
use pyo3::exceptions::{PyBufferError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
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

/// The items of a sequence.
enum Items<'py> {
    /// Another thread may make it shorter or put other items into it: each is taken when its turn
    /// comes.
    List(Bound<'py, PyList>, usize),
    Others(Vec<Bound<'py, PyAny>>),
}

impl<'py> Items<'py> {
    fn of(object: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        if let Ok(list) = object.cast_exact::<PyList>() {
            return Ok(Self::List(list.clone(), list.len()));
        }
        // Its items are no buffers, and their types would say less than its own.
        if !object.is_exact_instance_of::<PyTuple>() && is_arrow(object) {
            return Err(other_type(object, what, "a sequence of bytes-like objects"));
        }
        match object.try_iter() {
            Ok(items) => Ok(Self::Others(items.collect::<PyResult<_>>()?)),
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
                let sentence = format!("{what}: a sequence of bytes-like objects expected");
                Err(PyTypeError::new_err(sentence))
            }
            Err(error) => Err(error),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::List(_, len) => *len,
            Self::Others(items) => items.len(),
        }
    }

    fn get(&self, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::List(list, _) => list.get_item(index),
            Self::Others(items) => Ok(items[index].clone()),
        }
    }
}

/// Buffers for each message: one for each, or the same for all.
enum List<'a, 'py> {
    Each(Items<'py>),
    All(View<'a, 'py>),
}

impl<'a, 'py> List<'a, 'py> {
    /// One buffer for all, or a sequence; of nothing for None.
    fn of(object: Option<&'a Bound<'py, PyAny>>, what: &'static str) -> PyResult<Self> {
        match object {
            Some(object) if !object.is_none() && !is_buffer(object) => {
                Ok(Self::Each(Items::of(object, what)?))
            }
            _ => Ok(Self::All(View::of_optional(object, what)?)),
        }
    }

    fn check_count(&self, what: &str, expected: usize) -> PyResult<()> {
        match self {
            Self::Each(items) if items.len() != expected => Err(PyValueError::new_err(format!(
                "{what}: {expected} expected, one for each message, {} given",
                items.len()
            ))),
            _ => Ok(()),
        }
    }
}

/// The exception about one part of a list, with its number. Any other than those of views is the
/// part's own, and stays as it is.
fn numbered(py: Python<'_>, error: PyErr, index: usize) -> PyErr {
    let of = error.get_type(py);
    let sentence = || format!("{} (number {index})", error.value(py));
    if of.is(py.get_type::<PyTypeError>()) {
        PyTypeError::new_err(sentence())
    } else if of.is(py.get_type::<PyValueError>()) {
        PyValueError::new_err(sentence())
    } else if of.is(py.get_type::<PyBufferError>()) {
        PyBufferError::new_err(sentence())
    } else {
        error
    }
}

/// What became of one message that was not sealed.
pub(crate) fn refused(status: Status, sentence: impl FnOnce(&str) -> String) -> PyErr {
    match status {
        Status::TooLong => PyOverflowError::new_err(sentence("an input is too long")),
        _ => PyValueError::new_err(sentence(
            "the algorithm refuses such a nonce, or a message that is empty in every part",
        )),
    }
}

/// Messages under way. The library wants the texts apart from the tags, and finds those in one
/// buffer sooner than bytes objects all over memory.
struct Chunk {
    direction: Direction,
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
    fn new(direction: Direction) -> Self {
        Self {
            direction,
            nonces: Vec::new(),
            texts: Zeroizing::new(Vec::new()),
            ends: vec![0],
            tags: Vec::new(),
            too_short: Vec::new(),
            aads: Vec::new(),
            aad_ends: vec![0],
        }
    }

    fn count(&self) -> usize {
        self.too_short.len()
    }

    fn len(&self) -> usize {
        self.texts.len() + self.aads.len()
    }

    fn has_room(&self, len: usize) -> bool {
        self.count() == 0 || (self.count() < CHUNK_COUNT && self.len() + len <= CHUNK_LEN)
    }

    /// Adds a message, of which the tag is apart if it is sealed.
    fn add(&mut self, key: &Key, message: &[u8]) {
        let parts = match self.direction {
            Direction::Seal => None,
            Direction::Open => Some(key.split(message)),
        };
        let text = match parts {
            None => message,
            Some(Some((text, _))) => text,
            Some(None) => &[],
        };
        match parts {
            Some(Some((_, tag))) => self.tags.extend_from_slice(tag),
            _ => self.tags.resize(self.tags.len() + key.tag_len, 0),
        }
        self.too_short.push(matches!(parts, Some(None)));
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

    /// Carries the work out, and hands the results over.
    fn finish<'py>(
        &mut self,
        py: Python<'py>,
        key: &Key,
        lists: &Lists<'_, 'py>,
        all: &mut Vec<Option<Bound<'py, PyBytes>>>,
    ) -> PyResult<()> {
        let (first, count) = (all.len(), self.count());
        let nonces = match &lists.nonces {
            List::All(nonces) => &nonces.bytes()[first * key.nonce_len..][..count * key.nonce_len],
            List::Each(_) => &self.nonces,
        };
        let aad = match &lists.aads {
            List::All(aad) => BatchAad::Common(aad.bytes()),
            List::Each(_) => BatchAad::Contiguous {
                bytes: &self.aads,
                offsets: &self.aad_ends,
            },
        };
        let len = self.len();
        let (direction, tags) = (self.direction, &mut self.tags);
        let texts = BatchText::Contiguous {
            bytes: &mut self.texts,
            offsets: &self.ends,
        };
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
            let text = &self.texts[self.ends[slot]..self.ends[slot + 1]];
            all.push(match (direction, status) {
                (Direction::Open, Status::NotOpened) => None,
                (Direction::Open, _) if self.too_short[slot] => None,
                (Direction::Open, Status::Done) => Some(PyBytes::new(py, text)),
                (Direction::Seal, Status::Done) => {
                    let mut sealed = NewBytes::new(py, text.len().checked_add(key.tag_len))?;
                    let (place, tag) = split_mut(key, sealed.bytes_mut());
                    place.copy_from_slice(text);
                    tag.copy_from_slice(&self.tags[slot * key.tag_len..][..key.tag_len]);
                    Some(sealed.done())
                }
                (_, status) => {
                    let number = first + slot;
                    return Err(refused(*status, |why| {
                        format!("messages: {why} (number {number})")
                    }));
                }
            });
        }
        self.nonces.clear();
        self.texts.clear();
        self.ends.truncate(1);
        self.tags.clear();
        self.too_short.clear();
        self.aads.clear();
        self.aad_ends.truncate(1);
        Ok(())
    }
}

/// What there is for each message beside it.
struct Lists<'a, 'py> {
    nonces: List<'a, 'py>,
    aads: List<'a, 'py>,
}

impl<'a, 'py> Lists<'a, 'py> {
    fn new(
        key: &Key,
        count: usize,
        nonces: Option<&'a Bound<'py, PyAny>>,
        aads: Option<&'a Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let lists = Self {
            nonces: List::of(nonces, "nonces")?,
            aads: List::of(aads, "associated_data")?,
        };
        lists.nonces.check_count("nonces", count)?;
        lists.aads.check_count("associated_data", count)?;
        let each = key.nonce_len;
        match &lists.nonces {
            List::All(all) if count.checked_mul(each) != Some(all.len()) => {
                Err(PyValueError::new_err(format!(
                    "nonces: {count} of {each} bytes each expected, {} bytes given",
                    all.len()
                )))
            }
            _ => Ok(lists),
        }
    }
}

/// Seals or opens every message.
pub(crate) fn run<'py>(
    py: Python<'py>,
    key: &Key,
    direction: Direction,
    nonces: Option<&Bound<'py, PyAny>>,
    messages: &Bound<'py, PyAny>,
    aads: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let messages = Items::of(messages, "messages")?;
    let lists = Lists::new(key, messages.len(), nonces, aads)?;
    key.held.get()?;
    let mut all = Vec::with_capacity(messages.len());
    let mut chunk = Chunk::new(direction);
    for index in 0..messages.len() {
        let numbered = |error| numbered(py, error, index);
        let message = messages.get(index)?;
        let message = View::of(&message, "messages").map_err(numbered)?;
        if !chunk.has_room(message.len()) {
            chunk.finish(py, key, &lists, &mut all)?;
        }
        chunk.add(key, message.bytes());
        drop(message);
        if let List::Each(nonces) = &lists.nonces {
            let nonce = nonces.get(index)?;
            let nonce = View::of(&nonce, "nonces").map_err(numbered)?;
            if nonce.len() != key.nonce_len {
                let error = length("nonces", key.nonce_len, nonce.len());
                return Err(numbered(error));
            }
            chunk.nonces.extend_from_slice(nonce.bytes());
        }
        if let List::Each(aads) = &lists.aads {
            let aad = aads.get(index)?;
            let aad = View::of_optional(Some(&aad), "associated_data").map_err(numbered)?;
            chunk.aads.extend_from_slice(aad.bytes());
            chunk.aad_ends.push(chunk.aads.len());
        }
    }
    chunk.finish(py, key, &lists, &mut all)?;
    PyList::new(py, all)
}
