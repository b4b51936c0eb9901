//! Sealing as a `Write`.

use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS};
use crate::derive::system_random;
use crate::error::Error;
use crate::slot::Lock;
use crate::stream::{SealOptions, new_file};
use std::io::{self, Write};
use zeroize::Zeroizing;

/// Seals what is written to it, chunk by chunk, on the caller's thread.
///
/// Without [`Writer::finish`] the file has no end and does not open; dropping the
/// writer is how to give a file up. For whole inputs [`seal`](crate::seal) is faster.
pub struct Writer<W: Write> {
    output: W,
    cipher: ChunkCipher,
    /// Plaintext of the chunk under way, with room for its tag.
    chunk: Zeroizing<Vec<u8>>,
    len: usize,
    next_chunk: u64,
    failed: bool,
}

impl<W: Write> Writer<W> {
    /// Writes the header of a new file. `options.threads` is not used.
    ///
    /// # Errors
    /// As [`seal`](crate::seal).
    pub fn new(mut output: W, locks: &[Lock<'_>], options: &SealOptions) -> Result<Self, Error> {
        let (head, cipher) = new_file(locks, options, &mut system_random)?;
        output.write_all(&head).map_err(Error::Write)?;
        Ok(Self {
            output,
            chunk: Zeroizing::new(vec![0; cipher.sealed_chunk_len()]),
            cipher,
            len: 0,
            next_chunk: 0,
            failed: false,
        })
    }

    /// Writes the last chunk, which is the end mark, flushes, and gives the output back.
    ///
    /// # Errors
    /// [`Error::Write`] and [`Error::TooLong`]; also if an earlier write failed.
    pub fn finish(mut self) -> Result<W, Error> {
        self.seal_chunk()?;
        self.output.flush().map_err(Error::Write)?;
        Ok(self.output)
    }

    fn seal_chunk(&mut self) -> Result<(), Error> {
        // After a failure nobody knows how much of a chunk was written.
        if std::mem::replace(&mut self.failed, true) {
            return Err(Error::Write(io::Error::other("an earlier write failed")));
        }
        if self.next_chunk == MAX_CHUNKS {
            return Err(Error::TooLong);
        }
        let sealed = &mut self.chunk[..self.len + self.cipher.tag_len()];
        self.cipher.seal(self.next_chunk, sealed)?;
        self.output.write_all(sealed).map_err(Error::Write)?;
        self.next_chunk += 1;
        self.len = 0;
        self.failed = false;
        Ok(())
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, plaintext: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed"));
        }
        let taken = plaintext.len().min(CHUNK_LEN - self.len);
        self.chunk[self.len..self.len + taken].copy_from_slice(&plaintext[..taken]);
        self.len += taken;
        if self.len == CHUNK_LEN {
            self.seal_chunk()?;
        }
        Ok(taken)
    }

    /// Flushes whole chunks. The rest waits: only the last chunk may be short.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
