//! Reading compressed content, from the beginning or in parts.

use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};

use super::frame::{Decompressor, Next, malformed};
use super::table::{Table, no_table};

/// Bytes of compressed content that are read at once.
pub(super) const BUFFER_LEN: usize = 1 << 16;

/// A reader of the plain content. `R` gives the authentic compressed content, from its first byte.
///
/// It holds one frame of at most 8 MiB, what Zstandard needs for a window of as much, and 16 bytes
/// for each frame. Bytes are given only when their frame is whole and its checksum matches.
/// `Seek` works by the seek table, which it reads when it is first used; a part then costs the
/// frames that it touches. Reading from the beginning compares the table at the end.
///
/// # Errors
///
/// Errors of `R`, and [`Malformed`](super::Malformed) in an [`io::Error`] of kind
/// [`InvalidData`](io::ErrorKind::InvalidData). After an error nothing more can be read.
pub(crate) struct Reader<R: Read> {
    inner: BufReader<R>,
    has_failed: bool,
    decompressor: Decompressor,
    table: Table,
    /// Whether `table` is that of the content's end; otherwise it has the frames that were read.
    is_table_whole: bool,
    /// The frame that `inner` stands before.
    next: usize,
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
    pub(crate) fn new(inner: R) -> io::Result<Self> {
        Ok(Self {
            inner: BufReader::with_capacity(BUFFER_LEN, inner),
            has_failed: false,
            decompressor: Decompressor::new()?,
            table: Table::default(),
            is_table_whole: false,
            next: 0,
            part: Vec::new(),
            part_start: 0,
            position: 0,
        })
    }

    /// Does `work`, after whose failure nothing more is done.
    fn unless_failed(&mut self, work: fn(&mut Self) -> io::Result<()>) -> io::Result<()> {
        self.part.clear();
        if std::mem::replace(&mut self.has_failed, true) {
            let words = "reading the compressed content failed before";
            return Err(io::Error::other(words));
        }
        work(self)?;
        self.has_failed = false;
        Ok(())
    }

    /// Reads the next frame, or the seek table.
    fn advance(&mut self) -> io::Result<()> {
        match self.decompressor.next(&mut self.inner, &mut self.part)? {
            Next::Frame { len, place: stated } => {
                let content_len = self.part.len() as u64;
                if !self.is_table_whole {
                    self.table.push(len, content_len)?;
                }
                let (place, content) = self.table.frame(self.next).ok_or_else(no_table)?;
                let lens = (place.end - place.start, content.end - content.start);
                if (lens, content.start) != ((len, content_len), stated) {
                    return Err(malformed("a frame that is not that of this place"));
                }
                self.part_start = content.start;
                self.next += 1;
            }
            Next::Table if self.is_table_whole => return Err(no_table()),
            Next::Table => {
                // Behind the magic number.
                let expected = self.table.to_bytes()?.split_off(4);
                let mut found = Vec::new();
                let most = expected.len() as u64 + 1;
                self.inner.by_ref().take(most).read_to_end(&mut found)?;
                if found != expected {
                    return Err(no_table());
                }
                self.is_table_whole = true;
            }
        }
        Ok(())
    }

    /// What is left of the frame that holds the position; nothing if another one holds it.
    fn rest(&self) -> &[u8] {
        let skipped = self.position.checked_sub(self.part_start);
        let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
        let rest = skipped.and_then(|skipped| self.part.get(skipped..));
        rest.unwrap_or_default()
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() && (self.has_failed || self.rest().is_empty()) {
            let is_end = self.is_table_whole && self.position >= self.table.ends().1;
            if is_end && !self.has_failed {
                return Ok(0);
            }
            self.unless_failed(Self::advance)?;
        }
        let len = self.rest().read(out)?;
        self.position += len as u64;
        Ok(len)
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Goes to the frame of the position, by the seek table.
    fn go(&mut self) -> io::Result<()> {
        if !self.is_table_whole {
            self.table = Table::load(&mut self.inner)?;
            self.is_table_whole = true;
        }
        self.next = self.table.find(self.position);
        let frame = self.table.frame(self.next);
        let place = frame.map_or(self.table.ends().0, |(place, _)| place.start);
        self.inner.seek(SeekFrom::Start(place)).map(drop)
    }
}

impl<R: Read + Seek> Seek for Reader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if !self.is_table_whole {
            self.unless_failed(Self::go)?;
        }
        let position = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.table.ends().1.checked_add_signed(by),
        };
        self.position = position.ok_or(ErrorKind::InvalidInput)?;
        if self.rest().is_empty() {
            self.unless_failed(Self::go)?;
        }
        Ok(self.position)
    }
}
