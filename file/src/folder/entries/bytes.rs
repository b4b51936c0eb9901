//! The bytes of an archive: blocks, records, content, and what is passed over.

use std::io::{self, ErrorKind, Read, SeekFrom};

use super::{Entries, Source};
use crate::folder::error::Error;
use crate::folder::tar::{BLOCK_LEN, Header, MAX_RECORDS_LEN};

impl Entries<'_> {
    /// Skips what is left of the content, and what fills it up.
    pub(super) fn skip(&mut self) -> Result<(), Error> {
        let content = self.state.content;
        if let Source::Seekable(file, len) = &mut self.source
            && content > 0
        {
            if content > len.saturating_sub(self.state.at) {
                return Err(malformed(*len, ENDS));
            }
            // Sizes are below 2^63.
            file.seek(SeekFrom::Current(content as i64))
                .map_err(Error::Archive)?;
            self.state.at += content;
            self.state.content = 0;
        }
        let mut buffer = vec![0; if self.state.content > 0 { 64 << 10 } else { 0 }];
        while self.state.content > 0 && self.read(&mut buffer)? > 0 {}
        let mut fill = [0; BLOCK_LEN];
        let start = self.state.at;
        self.read_whole(&mut fill[..(self.state.end - start) as usize])?;
        if !is_zero(&fill) {
            return Err(malformed(start, "content that is not filled up with zeros"));
        }
        Ok(())
    }

    /// The records behind a header.
    pub(super) fn body(&mut self, header: &Header) -> Result<Vec<u8>, Error> {
        if header.size > MAX_RECORDS_LEN as u64 {
            return Err(malformed(self.state.at, "more than 1 MiB of records"));
        }
        self.state.expect(header.size);
        let mut body = vec![0; header.size as usize];
        self.read_whole(&mut body)?;
        self.state.content = 0;
        self.skip()?;
        Ok(body)
    }

    /// A block that is no content.
    pub(super) fn block(&mut self) -> Result<[u8; BLOCK_LEN], Error> {
        let mut block = [0; BLOCK_LEN];
        self.read_whole(&mut block)?;
        self.state.end = self.state.at;
        Ok(block)
    }

    /// Reads up to the end, after its first block: nothing but zeros.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        let mut is_zeros = is_zero(&self.block()?);
        // No more than needed: what follows another archive in a file is no part of its end.
        let mut buffer = [0; BLOCK_LEN];
        while is_zeros {
            match self.read_some(&mut buffer).map_err(Error::Archive)? {
                0 => {
                    self.state.is_over = true;
                    return Ok(());
                }
                len => is_zeros = is_zero(&buffer[..len]),
            }
        }
        Err(malformed(self.state.at, "an end that is not all zero"))
    }

    fn read_whole(&mut self, buffer: &mut [u8]) -> Result<(), Error> {
        let mut done = 0;
        while done < buffer.len() {
            match self
                .read_some(&mut buffer[done..])
                .map_err(Error::Archive)?
            {
                0 => return Err(malformed(self.state.at, ENDS)),
                len => done += len,
            }
        }
        Ok(())
    }

    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = |buffer: &mut [u8], source: &mut Source<'_>| match source {
            Source::Stream(stream) => stream.read(buffer),
            Source::Seekable(file, _) => file.read(buffer),
        };
        loop {
            match read(buffer, &mut self.source) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(len) => {
                    self.state.at += len as u64;
                    return Ok(len);
                }
                error => return error,
            }
        }
    }
}

/// The content of the last entry.
impl Read for Entries<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.state.content;
        let most = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let start = self.state.at;
        let len = self.read_some(&mut buffer[..most])?;
        if len == 0 && most > 0 {
            let ends = malformed(start, ENDS);
            return Err(io::Error::new(ErrorKind::InvalidData, ends));
        }
        self.state.content -= len as u64;
        Ok(len)
    }
}

const ENDS: &str = "it ends too early";

pub(super) fn malformed(at: u64, why: &'static str) -> Error {
    Error::Malformed { at, why }
}

pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}
