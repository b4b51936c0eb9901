//! Sealing as a `Write`.

use crate::chunk::{Batch, CHUNK_LEN, ChunkCipher, MAX_CHUNKS};
use crate::derive::{random_secret, secret};
use crate::error::Error;
use crate::header::{MAX_COPY_LEN, MAX_SLOTS, copy_len};
use crate::slot::{LONGEST_SLOT_LEN, Lock};
use crate::slots::Unlocked;
use crate::suite::{Kind, Suite};
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// How to seal.
#[derive(Clone, Copy, Debug, Default)]
pub struct SealOptions {
    /// The AEAD of the chunks.
    pub suite: Suite,
    /// The kind of the content.
    pub kind: Kind,
    /// Threads to use; `None`: as many as the system can run at once. One spawns none.
    pub threads: Option<NonZeroUsize>,
    /// Space to reserve for this many more slots of any kind, 1,204 bytes each; at most 54. The
    /// header then ends at the next multiple of 1,024.
    pub spare_slots: usize,
}

impl SealOptions {
    /// Bytes of the header of a file that is sealed so.
    ///
    /// # Errors
    /// [`Error::NoSlotLeft`] without locks, [`Error::TooManySlots`].
    pub fn header_len(&self, locks: &[Lock<'_>]) -> Result<usize, Error> {
        if locks.is_empty() {
            return Err(Error::NoSlotLeft);
        }
        if locks.len().saturating_add(self.spare_slots) > MAX_SLOTS {
            return Err(Error::TooManySlots);
        }
        let slots: usize = locks.iter().map(Lock::slot_len).sum();
        match copy_len(slots + self.spare_slots * LONGEST_SLOT_LEN) {
            len @ ..=MAX_COPY_LEN => Ok(2 * len),
            _ => Err(Error::TooManySlots),
        }
    }
}

/// Seals the bytes that are written to it, on every core.
///
/// It holds at most 8 MiB. The file is whole only after [`finish`](Self::finish): one that is given
/// up, by dropping the writer, opens as a truncated one. To seal a whole input is [`io::copy`], best
/// from a [`BufReader`](io::BufReader) of 1 MiB.
#[must_use = "a file that is not finished is a truncated one"]
pub struct Writer<W: Write> {
    output: W,
    cipher: ChunkCipher,
    threads: Option<NonZeroUsize>,
    /// Plaintext that is not sealed, of which there are `len` bytes.
    batch: Batch,
    len: usize,
    /// What was sealed before, of which `sealed_len` bytes wait to be written.
    sealed: Batch,
    sealed_len: usize,
    failed: bool,
}

impl<W: Write> Writer<W> {
    /// Writes the header of a new file.
    ///
    /// # Errors
    /// [`Error::NoSlotLeft`] (no lock given), [`Error::TooManySlots`],
    /// [`Error::EmptyPassphrase`], [`Error::BadCost`], [`Error::BadRecipient`],
    /// [`Error::NoMemory`], [`Error::Random`], before anything is written; [`Error::Write`].
    pub fn new(mut output: W, locks: &[Lock<'_>], options: &SealOptions) -> Result<Self, Error> {
        let file_key = random_secret()?;
        secret(&**file_key);
        let unlocked = Unlocked::create(locks, options, file_key)?;
        let (cipher, payload_head) = unlocked.payload();
        let head = [&unlocked.header().to_bytes()[..], &payload_head].concat();
        output.write_all(&head).map_err(Error::Write)?;
        Ok(Self {
            output,
            threads: options.threads,
            batch: Batch::new(&cipher, 1)?,
            len: 0,
            sealed: Batch::new(&cipher, 0)?,
            sealed_len: 0,
            cipher,
            failed: false,
        })
    }

    /// What every header of a folder's archive in this file has: nobody can know it before.
    #[must_use]
    pub fn archive_mark(&self) -> [u8; 8] {
        self.cipher.archive_mark
    }

    /// The output. Bytes that a program writes to it directly are in the middle of the file.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.output
    }

    /// Writes the remaining bytes and the last chunk, which is the end mark, flushes, and returns
    /// the output.
    ///
    /// # Errors
    /// [`Error::Write`] and [`Error::TooLong`]; also if an earlier write failed.
    pub fn finish(mut self) -> Result<W, Error> {
        self.fallible(|writer| {
            writer.seal_whole_chunks()?;
            writer.write_sealed()?;
            if writer.batch.first == MAX_CHUNKS {
                return Err(Error::TooLong);
            }
            let last = &mut writer.batch.buffer[..writer.len + writer.cipher.tag_len()];
            writer.cipher.seal_all(writer.batch.first, last)?;
            writer.output.write_all(last).map_err(Error::Write)?;
            writer.output.flush().map_err(Error::Write)
        })?;
        Ok(self.output)
    }

    /// After a failure nobody knows how much was written.
    fn fallible<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if std::mem::replace(&mut self.failed, true) {
            return Err(Error::Write(io::Error::other("an earlier write failed")));
        }
        let done = f(self)?;
        self.failed = false;
        Ok(done)
    }

    /// Seals the whole chunks of the batch, and meanwhile writes what was sealed before. The
    /// beginning of a chunk, if there is one, begins the next batch.
    fn seal_whole_chunks(&mut self) -> Result<(), Error> {
        let (count, rest) = (self.len / CHUNK_LEN, self.len % CHUNK_LEN);
        if count == 0 {
            return Ok(());
        }
        let next = self.batch.first + count as u64;
        if next > MAX_CHUNKS {
            return Err(Error::TooLong);
        }
        let (output, earlier) = (&mut self.output, &self.sealed.buffer[..self.sealed_len]);
        let write = || output.write_all(earlier).map_err(Error::Write);
        let seal = |chunk, chunks: &mut [u8]| (0, self.cipher.seal_all(chunk, chunks));
        let (_, sealed, written) = self.batch.run(count, self.threads, seal, write);
        written.and(sealed)?;
        self.sealed.set_room(self.batch.next_room())?;
        self.sealed.first = next;
        std::mem::swap(&mut self.batch, &mut self.sealed);
        self.sealed_len = count * self.cipher.sealed_chunk_len();
        self.batch.buffer[..rest].copy_from_slice(&self.sealed.buffer[self.sealed_len..][..rest]);
        self.len = rest;
        Ok(())
    }

    /// Writes what was sealed.
    fn write_sealed(&mut self) -> Result<(), Error> {
        let sealed = &self.sealed.buffer[..self.sealed_len];
        self.output.write_all(sealed).map_err(Error::Write)?;
        self.sealed_len = 0;
        self.output.flush().map_err(Error::Write)
    }
}

impl<W: Write> Write for Writer<W> {
    /// The errors of the output have an [`Error::Write`] inside.
    fn write(&mut self, plaintext: &[u8]) -> io::Result<usize> {
        Ok(self.fallible(|writer| {
            let room = writer.batch.room() * CHUNK_LEN;
            let taken = plaintext.len().min(room - writer.len);
            let mut rest = &plaintext[..taken];
            while !rest.is_empty() {
                let end = writer.len + rest.len();
                let place = writer.batch.plaintext(writer.len, end);
                let (now, later) = rest.split_at(place.len());
                place.copy_from_slice(now);
                writer.len += now.len();
                rest = later;
            }
            if writer.len == room {
                writer.seal_whole_chunks()?;
            }
            Ok(taken)
        })?)
    }

    /// Writes out whole chunks. The rest waits: only the last chunk may be short.
    fn flush(&mut self) -> io::Result<()> {
        Ok(self.fallible(|writer| {
            writer.seal_whole_chunks()?;
            writer.write_sealed()
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_file::KeyFile;

    /// A file has as many chunks as it may have: 4 PiB, which no test writes.
    #[test]
    fn the_last_chunk_that_may_be_is_taken() {
        for (before, is_taken) in [(MAX_CHUNKS - 1, true), (MAX_CHUNKS, false)] {
            let key = KeyFile::generate("test").unwrap();
            let locks = [Lock::KeyFile(&key)];
            let mut writer = Writer::new(Vec::new(), &locks, &SealOptions::default()).unwrap();
            writer.batch.first = before;
            writer.write_all(b"the last").unwrap();
            assert_eq!(writer.finish().is_ok(), is_taken);
        }
    }
}
