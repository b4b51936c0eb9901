//! Sealed files, from path to path, and read in parts.

use crate::buffer::{Any, View, number};
use crate::error::of_file;
use crate::file_keys::{FileKeys, path_of};
use crate::handle::Shared;
use crate::progress::Progress;
use pyo3::prelude::*;
use sivka_file::{AtomicFile, Error, Reader, Writer};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// Bytes that are read at a time.
const BUFFER_LEN: usize = 256 << 10;

/// Seal a file into a new one.
#[pyfunction]
pub(crate) fn seal_file(
    py: Python<'_>,
    keys: &FileKeys,
    input: &[u8],
    output: &[u8],
    suite: Option<&str>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let options = keys.seal_options(suite)?;
    let mut progress = Progress::new(progress);
    let (input, output) = (path_of(input)?, path_of(output)?);
    file_to_file(py, &input, &output, overwrite, |mut from, to| {
        let mut writer = Writer::new(to, &keys.locks(), &options)?;
        let len = copy(&mut from, &mut writer, &mut progress)?;
        writer.finish()?;
        progress.end(len)
    })
}

/// Open a file into a new one; without one, authenticate every byte.
#[pyfunction]
pub(crate) fn open_file(
    py: Python<'_>,
    keys: &FileKeys,
    input: &[u8],
    output: Option<&[u8]>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let (input, mut progress) = (path_of(input)?, Progress::new(progress));
    let mut open = |input: &File, output: &mut dyn Write| {
        let mut reader = Reader::new(input, &keys.unlocks(), &keys.open_options())?;
        let len = copy(&mut reader, output, &mut progress)?;
        progress.end(len)
    };
    if let Some(output) = output {
        let output = path_of(output)?;
        return file_to_file(py, &input, &output, overwrite, |from, to| open(from, to));
    }
    let verified = py.detach(|| open(&File::open(&input).map_err(Error::Read)?, &mut io::sink()));
    verified.map_err(|error| of_file(py, error, Some(&input)))
}

/// Copies all of the input, and says how far it is. Gives the length.
fn copy(
    input: &mut impl Read,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> Result<u64, Error> {
    let mut buffer = Zeroizing::new(vec![0; BUFFER_LEN]);
    let mut done = 0;
    loop {
        let read = match input.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read.map_err(Error::from)?,
        };
        let written = match read {
            0 => output.flush(),
            _ => output.write_all(&buffer[..read]),
        };
        written.map_err(Error::from_write)?;
        if read == 0 {
            return Ok(done);
        }
        done += read as u64;
        progress.tell(done)?;
    }
}

/// Runs `work` from one file to another, which has the permissions of the first, and appears when
/// `work` is done.
fn file_to_file(
    py: Python<'_>,
    input: &Path,
    output: &Path,
    overwrite: bool,
    work: impl FnOnce(&File, &mut File) -> Result<(), Error> + Send,
) -> PyResult<()> {
    let done = py.detach(|| {
        let from = File::open(input).map_err(Error::Read)?;
        let metadata = from.metadata().map_err(Error::Read)?;
        let permissions = AtomicFile::permissions_like(&metadata);
        let mut to = AtomicFile::create(output, permissions, overwrite).map_err(Error::Write)?;
        work(&from, to.file())?;
        to.commit().map_err(Error::Write)
    });
    done.map_err(|error| {
        let is_of_output = matches!(error, Error::Write(_));
        of_file(py, error, Some(if is_of_output { output } else { input }))
    })
}

/// A sealed file that is read in parts, in any order.
#[pyclass(frozen, module = "sivka._native")]
pub(crate) struct FileReader {
    /// Readers take turns.
    reader: Shared<Mutex<Reader<File>>>,
    length: u64,
    path: PathBuf,
}

#[pymethods]
impl FileReader {
    #[new]
    fn new(py: Python<'_>, input: &[u8], keys: &FileKeys) -> PyResult<Self> {
        let path = path_of(input)?;
        let opened = py.detach(|| {
            let file = File::open(&path).map_err(Error::Read)?;
            let mut reader = Reader::new(file, &keys.unlocks(), &keys.open_options())?;
            let length = reader.len()?;
            Ok((reader, length))
        });
        let (reader, length) = opened.map_err(|error| of_file(py, error, Some(&path)))?;
        Ok(Self { reader: Shared::new("the file", Mutex::new(reader)), length, path })
    }

    /// The length of the plaintext in bytes.
    #[getter]
    fn length(&self) -> u64 {
        self.length
    }

    /// Read plaintext until the buffer is full or the file ends. Returns the bytes read.
    fn read_into(&self, position: &Any<'_>, buffer: &Any<'_>) -> PyResult<usize> {
        let py = position.py();
        let position = number(position, "position", u64::MAX)?;
        let mut buffer = View::writable(buffer, "buffer")?;
        let reader = self.reader.get()?;
        // SAFETY: it is writable, and the only slice of ours.
        let out = unsafe { buffer.bytes_mut() };
        // Even a short read may wait for a disk.
        let read = py.detach(|| {
            // Whoever panicked left no half-read chunk: the reader is as good as its next seek.
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            read_at(&mut reader, position, out).inspect_err(|_| out.fill(0))
        });
        read.map_err(|error| of_file(py, error, Some(&self.path)))
    }

    /// Wipe and free the reader.
    fn close(&self) {
        self.reader.close();
    }
}

fn read_at(reader: &mut Reader<File>, position: u64, out: &mut [u8]) -> Result<usize, Error> {
    reader.seek(SeekFrom::Start(position))?;
    let mut filled = 0;
    while filled < out.len() {
        match reader.read(&mut out[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}
