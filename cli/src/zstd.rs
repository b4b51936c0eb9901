//! Compressed content: independent frames of Zstandard, each behind its place, with a seek table
//! (`docs/spec/compression-v1.md`), which every program for Zstandard decompresses.
//!
//! [`Writer`] compresses into a [file's writer](sivka_file::Writer), and [`Reader`] decompresses from a
//! [file's reader](sivka_file::Reader). Damage costs the frames that it touches: [`salvage`] recovers
//! the others. The compressed length reveals something of the content: people who choose a part of
//! it may learn the rest.

mod frame;
mod reader;
mod salvage;
mod table;

use std::io::{self, Write};

use zstd_safe::{CCtx, CParameter};

pub(crate) use frame::Malformed;
use frame::{HEAD_LEN, head};
pub(crate) use reader::Reader;
pub(crate) use salvage::salvage;
use table::{PART_LEN, Table};

/// The level of compression: that of `zstd` unless told otherwise.
const LEVEL: i32 = 3;

/// A writer that compresses the plain content, for `W`.
///
/// It holds 2 MiB, what Zstandard needs at level 3, and 16 bytes for each MiB of the content.
/// A content that is not finished, or goes on after an error, is malformed.
#[must_use = "the content is malformed until it is finished"]
pub(crate) struct Writer<W: Write> {
    inner: W,
    mark: [u8; 8],
    encoder: CCtx<'static>,
    part: Vec<u8>,
    frame: Vec<u8>,
    table: Table,
}

impl<W: Write> Writer<W> {
    /// A writer before the first byte, with the file's [mark](sivka_file::Writer::archive_mark).
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`](io::ErrorKind::OutOfMemory).
    pub(crate) fn new(inner: W, mark: [u8; 8]) -> io::Result<Self> {
        let mut encoder = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        let level = CParameter::CompressionLevel(LEVEL);
        encoder.set_parameter(level).map_err(failed)?;
        let checksum = CParameter::ChecksumFlag(true);
        encoder.set_parameter(checksum).map_err(failed)?;
        Ok(Self {
            inner,
            mark,
            encoder,
            part: Vec::with_capacity(PART_LEN as usize),
            frame: Vec::with_capacity(zstd_safe::compress_bound(PART_LEN as usize)),
            table: Table::default(),
        })
    }

    /// Writes the remaining bytes and the seek table, and returns `W`. It does not flush.
    ///
    /// # Errors
    ///
    /// Errors of `W`.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        if !self.part.is_empty() {
            self.write_frame()?;
        }
        self.inner.write_all(&self.table.to_bytes()?)?;
        Ok(self.inner)
    }

    /// Writes the part as a frame.
    fn write_frame(&mut self) -> io::Result<()> {
        self.frame.clear();
        let compressed = self.encoder.compress2(&mut self.frame, &self.part);
        let len = (HEAD_LEN + compressed.map_err(failed)?) as u64;
        let place = self.table.ends().1.to_le_bytes();
        self.table.push(len, self.part.len() as u64)?;
        self.part.clear();
        self.inner.write_all(&head(self.mark))?;
        self.inner.write_all(&place)?;
        self.inner.write_all(&self.frame)
    }
}

/// An error of the C library: memory is short, as no content can cause one.
fn failed(code: usize) -> io::Error {
    let words = zstd_safe::get_error_name(code);
    io::Error::new(io::ErrorKind::OutOfMemory, words)
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = PART_LEN as usize - self.part.len();
        let taken = bytes.len().min(room);
        self.part.extend_from_slice(&bytes[..taken]);
        if taken == room {
            self.write_frame()?;
        }
        Ok(taken)
    }

    /// Flushes `W`. What does not fill a frame stays here.
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
