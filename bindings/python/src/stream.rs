//! Files, and streams of keysets, sealed as a program writes and opened as it reads. One thread at
//! a time uses each: `sivka._stream` sees to that.

use crate::buffer::{Any, Bytes, View};
use crate::error::{of_file, of_keyset, other_type};
use crate::file_keys::FileKeys;
use crate::handle::long;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka_file::{Error, Reader, Writer};
use sivka_keyset::{Error as KeysetError, OpeningReader, SealingWriter};
use std::io::{self, Read, Write};
use std::mem;

/// The error of a format, which `io` hands over inside another; or that of the file's own.
fn of_stream(py: Python<'_>, error: io::Error, own: fn(io::Error) -> Error) -> PyErr {
    match error.downcast::<Error>() {
        Ok(error) => of_file(py, error, None),
        Err(error) => match error.downcast::<KeysetError>() {
            Ok(error) => of_keyset(py, error),
            Err(error) => of_file(py, own(error), None),
        },
    }
}

/// A sealed file, or a stream, that is made from what is given to it; nothing after its end.
#[pyclass(module = "sivka._native")]
pub(crate) struct FileSealer(Option<Sealing>);

pub(crate) enum Sealing {
    File(Box<Writer<Vec<u8>>>),
    Keyset(Box<SealingWriter<Vec<u8>>>),
}

#[pymethods]
impl FileSealer {
    #[new]
    fn new(py: Python<'_>, keys: &FileKeys, suite: Option<&str>) -> PyResult<Self> {
        let options = keys.seal_options(suite)?;
        let writer = py.detach(|| Writer::new(Vec::new(), &keys.locks(), &options));
        let writer = writer.map_err(|error| of_file(py, error, None))?;
        Ok(Self(Some(Sealing::File(Box::new(writer)))))
    }

    /// Seal the next bytes. Returns what is ready.
    fn write<'py>(&mut self, data: &Any<'py>) -> Bytes<'py> {
        let (py, data) = (data.py(), View::of(data, "data")?);
        let data = data.bytes();
        let sealing = self.0.as_mut();
        let sealed = long(py, data.len(), || match sealing {
            Some(Sealing::File(writer)) => {
                writer.write_all(data)?;
                Ok(mem::take(writer.get_mut()))
            }
            Some(Sealing::Keyset(writer)) => {
                writer.write_all(data)?;
                Ok(mem::take(writer.get_mut()))
            }
            None => Err(io::Error::other("the file has ended")),
        });
        let sealed = sealed.map_err(|error| of_stream(py, error, Error::Write))?;
        Ok(PyBytes::new(py, &sealed))
    }

    /// What is left, and the end.
    fn finish<'py>(&mut self, py: Python<'py>) -> Bytes<'py> {
        let sealing = self.0.take();
        let sealed = py.detach(|| match sealing {
            Some(Sealing::File(writer)) => writer.finish().map_err(io::Error::from),
            Some(Sealing::Keyset(writer)) => writer.finish(),
            None => Err(io::Error::other("the file has ended")),
        });
        let sealed = sealed.map_err(|error| of_stream(py, error, Error::Write))?;
        Ok(PyBytes::new(py, &sealed))
    }

    /// Wipe and free the sealer.
    fn close(&mut self) {
        self.0 = None;
    }
}

impl FileSealer {
    pub(crate) fn of_keyset(writer: SealingWriter<Vec<u8>>) -> Self {
        Self(Some(Sealing::Keyset(Box::new(writer))))
    }
}

/// Where an opener reads: a function of Python, which is lent for each call, and is called in the
/// thread of that.
#[derive(Default)]
pub(crate) struct Source {
    pub(crate) function: Option<Py<PyAny>>,
    /// What it gave, of which the bytes from a place on are not read yet.
    given: Option<(Py<PyBytes>, usize)>,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| self.take(py, buffer)).map_err(io::Error::other)
    }
}

impl Source {
    pub(crate) fn new(function: Py<PyAny>) -> Self {
        let function = Some(function);
        Self { function, given: None }
    }

    fn take(&mut self, py: Python<'_>, buffer: &mut [u8]) -> PyResult<usize> {
        let (given, start) = match (self.given.take(), &self.function) {
            (Some(given), _) => given,
            (None, None) => return Ok(0),
            (None, Some(function)) => {
                let given = function.call1(py, (buffer.len(),))?.into_bound(py);
                let bytes = given.cast::<PyBytes>();
                let bytes = bytes.map_err(|_| other_type(&given, "source", "bytes"))?;
                (bytes.clone().unbind(), 0)
            }
        };
        let rest = &given.as_bytes(py)[start..];
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        if len < rest.len() {
            self.given = Some((given, start + len));
        }
        Ok(len)
    }
}

/// The plaintext of a sealed file, or of a stream, that a function reads; nothing after a failure,
/// also of the function.
#[pyclass(module = "sivka._native")]
pub(crate) struct FileOpener(Option<Opening>);

enum Opening {
    File(Box<Reader<Source>>),
    Keyset(Box<OpeningReader<Source>>),
}

impl Opening {
    fn source(&mut self) -> &mut Source {
        match self {
            Self::File(reader) => reader.get_mut(),
            Self::Keyset(reader) => reader.get_mut(),
        }
    }
}

#[pymethods]
impl FileOpener {
    /// Reads the header.
    #[new]
    fn new(py: Python<'_>, read: Py<PyAny>, keys: &FileKeys) -> PyResult<Self> {
        let source = Source::new(read);
        let reader = py.detach(|| Reader::new(source, &keys.unlocks(), &keys.open_options()));
        let mut reader = reader.map_err(|error| of_file(py, error, None))?;
        reader.get_mut().function = None;
        Ok(Self(Some(Opening::File(Box::new(reader)))))
    }

    /// Read the next plaintext; the bytes read, 0 at the end.
    fn read_into(&mut self, read: &Any<'_>, buffer: &Any<'_>) -> PyResult<usize> {
        let (py, mut buffer) = (read.py(), View::writable(buffer, "buffer")?);
        // SAFETY: it is writable, and the only slice of ours.
        let out = unsafe { buffer.bytes_mut() };
        if out.is_empty() {
            return Ok(0);
        }
        let opening = self.0.take();
        let (mut opening, sentence) = (opening, "an earlier read failed");
        if let Some(opening) = &mut opening {
            opening.source().function = Some(read.clone().unbind());
        }
        let done = py.detach(|| match &mut opening {
            Some(Opening::File(reader)) => reader.read(out),
            Some(Opening::Keyset(reader)) => reader.read(out),
            None => Err(io::Error::other(sentence)),
        });
        let done = done.map_err(|error| of_stream(py, error, Error::Read))?;
        if let Some(opening) = &mut opening {
            opening.source().function = None;
        }
        self.0 = opening;
        Ok(done)
    }

    /// Wipe and free the opener.
    fn close(&mut self) {
        self.0 = None;
    }
}

impl FileOpener {
    /// Nothing is read before something is asked for.
    pub(crate) fn of_keyset(reader: OpeningReader<Source>) -> Self {
        Self(Some(Opening::Keyset(Box::new(reader))))
    }
}
