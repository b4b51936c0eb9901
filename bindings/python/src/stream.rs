//! Files, and streams of keysets, sealed as a program writes and opened as it reads. What they are
//! written to and read from are functions of Python, called in the thread of the call.

use crate::buffer::View;
use crate::error::{of_file, of_keyset, other_type};
use crate::file_keys::FileKeys;
use crate::handle::{Alone, long};
use crate::keyset::Keyset;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sivka_file::{Error, Reader, Writer};
use sivka_keyset::{Error as KeysetError, SealingWriter};
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A function of Python. A source may hold what reads it: only the handle visits it for the
/// collector, which may take it away, so there is one reference.
#[derive(Clone)]
pub(crate) struct Function(Arc<Mutex<Option<Py<PyAny>>>>);

impl Function {
    pub(crate) fn new(function: Py<PyAny>) -> Self {
        Self(Arc::new(Mutex::new(Some(function))))
    }

    fn get(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let function = now.as_ref().map(|function| function.clone_ref(py));
        function.ok_or_else(|| PyValueError::new_err("the file is closed"))
    }

    fn visit(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.0.try_lock() {
            Ok(now) => visit.call(now.as_ref()),
            Err(_) => Ok(()),
        }
    }

    fn clear(&self) {
        // What goes away may call back.
        let function = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(function);
    }
}

/// A sink is asked once for many short segments: beside a thread that computes, each wait for the
/// interpreter takes long.
const PIECE_LEN: usize = 256 << 10;

struct Sink {
    function: Function,
    /// What waits for more of it.
    held: Vec<u8>,
}

impl Sink {
    fn new(function: &Function) -> Self {
        Self {
            function: function.clone(),
            held: Vec::new(),
        }
    }

    fn give(&self, bytes: &[u8]) -> io::Result<()> {
        let given = Python::attach(|py| {
            let bytes = PyBytes::new(py, bytes);
            self.function.get(py)?.call1(py, (bytes,))
        });
        given.map(drop).map_err(io::Error::other)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.held.len() + bytes.len() > PIECE_LEN {
            self.flush()?;
        }
        match bytes.len() < PIECE_LEN {
            true => self.held.extend_from_slice(bytes),
            false => self.give(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.held.is_empty() {
            self.give(&self.held)?;
            self.held.clear();
        }
        Ok(())
    }
}

pub(crate) struct Source {
    function: Function,
    /// What it gave, of which the bytes from a place on are not read yet.
    given: Option<(Py<PyBytes>, usize)>,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| self.take(py, buffer)).map_err(io::Error::other)
    }
}

impl Source {
    pub(crate) fn new(function: &Function) -> Self {
        Self {
            function: function.clone(),
            given: None,
        }
    }

    fn take(&mut self, py: Python<'_>, buffer: &mut [u8]) -> PyResult<usize> {
        let (given, start) = match self.given.take() {
            Some(given) => given,
            None => {
                let given = self
                    .function
                    .get(py)?
                    .call1(py, (buffer.len(),))?
                    .into_bound(py);
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

/// A sealed file, or a stream, that is made from what is given to it.
#[pyclass(frozen, module = "sivka._native")]
pub(crate) struct FileSealer {
    write: Function,
    sealing: Alone<Option<Sealing>>,
}

/// What a sealer makes, until its end.
enum Sealing {
    File(Box<Writer<Sink>>),
    Keyset(Box<SealingWriter<Sink>>),
}

#[pymethods]
impl FileSealer {
    #[new]
    fn new(
        py: Python<'_>,
        write: Py<PyAny>,
        keys: &FileKeys,
        suite: Option<&str>,
    ) -> PyResult<Self> {
        let options = keys.seal_options(suite)?;
        let write = Function::new(write);
        let sink = Sink::new(&write);
        let writer = py.detach(|| {
            let mut writer = Writer::new(sink, &keys.locks(), &options)?;
            writer.flush().map(|()| writer).map_err(Error::from_write)
        });
        let writer = writer.map_err(|error| of_file(py, error, None))?;
        Ok(Self::of(write, Sealing::File(Box::new(writer))))
    }

    /// A stream under a keyset.
    #[staticmethod]
    fn of_keyset(
        write: Py<PyAny>,
        keyset: &Keyset,
        associated_data: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (py, aad) = (
            associated_data.py(),
            View::of_optional(Some(associated_data), "associated_data")?,
        );
        let write = Function::new(write);
        let state = keyset.state()?;
        let streams = state.streams();
        let writer = streams.and_then(|streams| streams.seal(Sink::new(&write), aad.bytes()));
        let writer = writer.map_err(|error| of_keyset(py, error))?;
        Ok(Self::of(write, Sealing::Keyset(Box::new(writer))))
    }

    /// Seal the next bytes, and write what is ready.
    fn write(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = View::of(data, "data")?;
        let data = data.bytes();
        self.sealing.run(|sealing| {
            let written = long(py, data.len(), || match sealing {
                Some(Sealing::File(writer)) => writer.write_all(data),
                Some(Sealing::Keyset(writer)) => {
                    writer.write_all(data).and_then(|()| writer.flush())
                }
                None => Err(io::Error::other("the file has ended")),
            });
            written.map_err(|error| of_stream(py, error, Error::Write))
        })
    }

    /// Write what is left, and the end.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.sealing.run(|sealing| {
            let done = match sealing.take() {
                Some(Sealing::File(writer)) => writer.finish().map(drop).map_err(io::Error::from),
                Some(Sealing::Keyset(writer)) => writer.finish().map(drop),
                None => Err(io::Error::other("the file has ended")),
            };
            done.map_err(|error| of_stream(py, error, Error::Write))
        })
    }

    /// Wipe and free the sealer.
    fn close(&self) {
        self.sealing.close();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.write.visit(visit)
    }

    fn __clear__(&self) {
        self.write.clear();
    }
}

impl FileSealer {
    fn of(write: Function, sealing: Sealing) -> Self {
        Self {
            write,
            sealing: Alone::new("the file", Some(sealing)),
        }
    }
}

/// The plaintext of a sealed file, or of a stream, that a function reads.
#[pyclass(frozen, module = "sivka._native")]
pub(crate) struct FileOpener {
    read: Function,
    opening: Alone<Opening>,
}

/// What reads the plaintext; nothing after a failure, also of the function.
type Opening = Option<Box<dyn Read + Send>>;

#[pymethods]
impl FileOpener {
    #[new]
    fn new(py: Python<'_>, read: Py<PyAny>, keys: &FileKeys) -> PyResult<Self> {
        let read = Function::new(read);
        let source = Source::new(&read);
        let reader = py.detach(|| Reader::new(source, &keys.unlocks(), &keys.open_options()));
        let reader = reader.map_err(|error| of_file(py, error, None))?;
        Ok(Self::of(read, reader))
    }

    /// A stream under a keyset. Nothing is read before something is asked for.
    #[staticmethod]
    fn of_keyset(
        read: Py<PyAny>,
        keyset: &Keyset,
        associated_data: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (py, aad) = (
            associated_data.py(),
            View::of_optional(Some(associated_data), "associated_data")?,
        );
        let read = Function::new(read);
        let state = keyset.state()?;
        let streams = state.streams().map_err(|error| of_keyset(py, error))?;
        let reader = streams.open(Source::new(&read), aad.bytes());
        Ok(Self::of(read, reader))
    }

    /// Read the next plaintext; the bytes read, 0 at the end.
    fn read_into(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mut buffer = View::writable(buffer, "buffer")?;
        // SAFETY: it is writable, and the only slice of ours.
        let out = unsafe { buffer.bytes_mut() };
        self.opening.run(|opening| {
            if out.is_empty() {
                return Ok(0);
            }
            let read = py.detach(|| match opening {
                Some(reader) => reader.read(out),
                None => Err(io::Error::other("an earlier read failed")),
            });
            read.map_err(|error| {
                *opening = None;
                of_stream(py, error, Error::Read)
            })
        })
    }

    /// Wipe and free the opener.
    fn close(&self) {
        self.opening.close();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.read.visit(visit)
    }

    fn __clear__(&self) {
        self.read.clear();
    }
}

impl FileOpener {
    fn of(read: Function, reader: impl Read + Send + 'static) -> Self {
        let opening: Opening = Some(Box::new(reader));
        Self {
            read,
            opening: Alone::new("the file", opening),
        }
    }
}
