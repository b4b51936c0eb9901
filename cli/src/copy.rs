//! Copying a content, which is secret.

use std::io::{self, Read, Write};

use sivka_file::read_ahead;
use zeroize::Zeroizing;

use crate::console::Console;

/// Which side of a copy failed.
pub(crate) enum CopyError {
    Read(io::Error),
    Write(io::Error),
}

/// A reader or writer that counts its bytes and shows them as progress.
pub(crate) struct Counted<'a, T> {
    inner: T,
    /// Bytes.
    pub(crate) len: u64,
    console: &'a Console,
}

impl<'a, T> Counted<'a, T> {
    pub(crate) fn new(inner: T, console: &'a Console) -> Self {
        Self { inner, len: 0, console }
    }

    fn add(&mut self, len: usize) -> usize {
        self.len += len as u64;
        self.console.at(self.len);
        len
    }
}

impl<T: Read> Read for Counted<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.inner.read(bytes).map(|len| self.add(len))
    }
}

impl<T: Write> Write for Counted<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes).map(|len| self.add(len))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Copies all of `from`, and gives its length in bytes.
pub(crate) fn copy(
    from: &mut dyn Read,
    to: &mut dyn Write,
    console: &Console,
) -> Result<u64, CopyError> {
    let mut from = Counted::new(from, console);
    let mut buffer = Zeroizing::new(vec![0; 1 << 20]);
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(from.len),
            Ok(len) => to.write_all(&buffer[..len]).map_err(CopyError::Write)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CopyError::Read(error)),
        }
    }
}

/// [`copy`], while another thread reads ahead. A pipe may wait for ever, and is not read so.
pub(crate) fn copy_ahead(
    (from, is_file): (&mut (dyn Read + Send), bool),
    to: &mut dyn Write,
    console: &Console,
) -> Result<u64, CopyError> {
    if !is_file {
        return copy(from, to, console);
    }
    let mut to = Counted::new(to, console);
    read_ahead(from, |from| {
        loop {
            let bytes = from.fill_buf().map_err(CopyError::Read)?;
            if bytes.is_empty() {
                return Ok(to.len);
            }
            to.write_all(bytes).map_err(CopyError::Write)?;
            let len = bytes.len();
            from.consume(len);
        }
    })
}
