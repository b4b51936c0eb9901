//! Reading compressed content, from the beginning or in parts.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::frame::{Decompressor, Next};
use super::table::Table;

/// Bytes of compressed content that are read at once.
const BUFFER_LEN: usize = 1 << 16;

/// A reader of the plain content; `R` gives the compressed content, authentic, from its first byte.
///
/// It holds one frame of at most 8 MiB, what Zstandard needs for a window of as much, and 8 bytes
/// for each frame. Bytes are given only when their frame is whole and its checksum matches.
/// `Seek` works by the seek table, which it reads when it is first used; a part then costs the
/// frames that it touches. Reading from the beginning compares the table at the end.
///
/// # Errors
///
/// What `R` gives, and [`Malformed`](super::Malformed) in an [`io::Error`] of kind
/// [`InvalidData`](io::ErrorKind::InvalidData). After an error nothing more can be read.
pub struct Reader<R: Read> {
    /// `None` after an error.
    inner: Option<BufReader<R>>,
    decompressor: Decompressor,
    table: Table,
    /// Whether `table` is that of the content's end; otherwise it has the frames that were read.
    is_table_whole: bool,
    /// The frame that `inner` stands before.
    next: u64,
    part: Vec<u8>,
    /// Where `part` begins in the plain content.
    part_start: u64,
    position: u64,
}

impl<R: Read> Reader<R> {
    /// A reader before the first byte.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`](io::ErrorKind::OutOfMemory).
    pub fn new(inner: R) -> io::Result<Self> {
        Ok(Self {
            inner: Some(BufReader::with_capacity(BUFFER_LEN, inner)),
            decompressor: Decompressor::new()?,
            table: Table::default(),
            is_table_whole: false,
            next: 0,
            part: Vec::new(),
            part_start: 0,
            position: 0,
        })
    }

    /// Reads the next frame, or the seek table. `inner` is given back unless that failed.
    fn advance(&mut self) -> io::Result<()> {
        let mut inner = self.inner.take().ok_or_else(failed_before)?;
        let index = self.next;
        match self.decompressor.next(&mut inner, index, &mut self.part)? {
            Next::Frame(len) => {
                let content_len = self.part.len() as u64;
                if !self.is_table_whole {
                    self.table.push(len, content_len)?;
                } else if !self.table.has(index, len, content_len) {
                    refuse!("frame {index} is not that of the seek table");
                }
                self.part_start = index * self.table.part_len;
                self.next += 1;
            }
            Next::Table if self.is_table_whole => {
                refuse!("a seek table where frame {index} begins");
            }
            Next::Table if Table::read(&mut inner)? == self.table => self.is_table_whole = true,
            Next::Table => refuse!("a seek table of other frames than there are"),
        }
        self.inner = Some(inner);
        Ok(())
    }

    /// What is left of the frame that holds the position; nothing if another one holds it.
    fn rest(&self) -> &[u8] {
        let skipped = self.position.checked_sub(self.part_start);
        let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
        skipped
            .and_then(|skipped| self.part.get(skipped..))
            .unwrap_or(&[])
    }
}

fn failed_before() -> io::Error {
    io::Error::other("reading the compressed content failed before")
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.inner.is_none() {
            return Err(failed_before());
        }
        while !out.is_empty() && self.rest().is_empty() {
            if self.is_table_whole && self.position >= self.table.content_len() {
                return Ok(0);
            }
            self.part.clear();
            self.advance()?;
        }
        let len = self.rest().read(out)?;
        self.position += len as u64;
        Ok(len)
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads the seek table unless that was done. Gives the bytes of the plain content.
    fn load_table(&mut self) -> io::Result<u64> {
        if !self.is_table_whole {
            let mut inner = self.inner.take().ok_or_else(failed_before)?;
            self.table = Table::load(&mut inner)?;
            self.is_table_whole = true;
            let next = self
                .table
                .frame(self.next)
                .map_or(0, |(place, _)| place.start);
            inner.seek(SeekFrom::Start(next))?;
            self.inner = Some(inner);
        }
        Ok(self.table.content_len())
    }
}

impl<R: Read + Seek> Seek for Reader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let len = self.load_table()?;
        let position = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => len.checked_add_signed(by),
        };
        let outside = || {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                "a place before the first byte, or after 2^64",
            )
        };
        let position = position.ok_or_else(outside)?;
        self.position = position;
        if self.rest().is_empty() && position < len {
            let mut inner = self.inner.take().ok_or_else(failed_before)?;
            self.part.clear();
            self.next = position / self.table.part_len;
            let place = self
                .table
                .frame(self.next)
                .map_or(0, |(place, _)| place.start);
            inner.seek(SeekFrom::Start(place))?;
            self.inner = Some(inner);
        }
        Ok(position)
    }
}
