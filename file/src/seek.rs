//! Opening as `Read + Seek`: any byte range without the rest.

use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS, PAYLOAD_HEAD_LEN, Place};
use crate::error::Error;
use crate::kind::Kind;
use crate::slot::Unlock;
use crate::stream::{OpenOptions, open_head, payload_lengths};
use std::io::{self, Read, Seek, SeekFrom};
use zeroize::Zeroizing;

/// The plaintext of a file as `Read + Seek`. Only the chunks that are read are opened.
///
/// The length is authenticated when the reader is made, by opening the last chunk. A
/// damaged chunk is an error where it is read, and only there.
///
/// ```
/// use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, SeekReader, Unlock, Writer};
/// use std::io::{Cursor, Read, Seek, SeekFrom, Write};
///
/// let key = KeyFile::generate("archive")?;
/// let mut writer = Writer::new(Vec::new(), &[Lock::KeyFile(&key)], &SealOptions::default())?;
/// for day in 1..=365 {
///     writeln!(writer, "day {day:03}: nothing happened")?;
/// }
/// let file = writer.finish()?;
///
/// let keys = [Unlock::KeyFile(&key)];
/// let mut reader = SeekReader::new(Cursor::new(file), &keys, &OpenOptions::default())?;
/// let mut line = [0; 26];
/// reader.seek(SeekFrom::End(-26))?;
/// reader.read_exact(&mut line)?;
/// assert_eq!(&line, b"day 365: nothing happened\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SeekReader<R: Read + Seek> {
    input: R,
    cipher: ChunkCipher,
    kind: Kind,
    /// Where the first chunk is in `input`.
    chunks_at: u64,
    chunks: u64,
    len: u64,
    position: u64,
    chunk: Zeroizing<Vec<u8>>,
    /// The chunk that `chunk` holds opened.
    loaded: Option<u64>,
}

impl<R: Read + Seek> SeekReader<R> {
    /// Reads and checks the header, which begins at the input's position, and opens
    /// the last chunk, which ends at the input's end. `options.threads` is not used.
    ///
    /// # Errors
    /// As [`open`](crate::open), of the header and of the last chunk.
    pub fn new(mut input: R, keys: &[Unlock<'_>], options: &OpenOptions) -> Result<Self, Error> {
        let start = input.stream_position().map_err(Error::Read)?;
        let (head, _) = open_head(&mut input, keys, options.max_cost)?;
        let (header, cipher) = (head.header, head.cipher);
        let end = input.seek(SeekFrom::End(0)).map_err(Error::Read)?;
        let payload_at = start + header.len() as u64;
        let chunks_at = payload_at + PAYLOAD_HEAD_LEN as u64;
        let sealed_chunk_len = cipher.sealed_chunk_len();
        let (chunks, len) = payload_lengths(header.suite(), end.saturating_sub(payload_at)).ok_or(
            Error::Truncated {
                chunks: end.saturating_sub(chunks_at) / sealed_chunk_len as u64,
            },
        )?;
        if chunks > MAX_CHUNKS {
            return Err(Error::TooLong);
        }
        let mut reader = Self {
            input,
            chunk: Zeroizing::new(vec![0; sealed_chunk_len]),
            cipher,
            kind: head.kind,
            chunks_at,
            chunks,
            len,
            position: 0,
            loaded: None,
        };
        reader.load(chunks - 1)?;
        Ok(reader)
    }

    /// What the content is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The length of the plaintext in bytes, authenticated.
    #[must_use]
    pub fn plaintext_len(&self) -> u64 {
        self.len
    }

    /// Gives the input back, at no particular position.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.input
    }

    /// Bytes of plaintext in a chunk.
    fn text_len(&self, chunk: u64) -> usize {
        if chunk + 1 < self.chunks {
            CHUNK_LEN
        } else {
            // Less than a chunk, so it fits.
            (self.len % CHUNK_LEN as u64) as usize
        }
    }

    fn load(&mut self, chunk: u64) -> Result<(), Error> {
        if self.loaded == Some(chunk) {
            return Ok(());
        }
        self.loaded = None;
        let sealed_chunk_len = self.chunk.len() as u64;
        let sealed_len = self.text_len(chunk) + self.cipher.tag_len();
        let sealed = &mut self.chunk[..sealed_len];
        self.input
            .seek(SeekFrom::Start(self.chunks_at + chunk * sealed_chunk_len))
            .and_then(|_| self.input.read_exact(sealed))
            .map_err(Error::Read)?;
        let place = if chunk + 1 < self.chunks {
            Place::Inner
        } else {
            Place::Last
        };
        self.cipher.open_placed(chunk, sealed, place)?;
        self.loaded = Some(chunk);
        Ok(())
    }
}

impl<R: Read + Seek> Read for SeekReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.position >= self.len {
            return Ok(0);
        }
        let chunk = self.position / CHUNK_LEN as u64;
        let within = (self.position % CHUNK_LEN as u64) as usize;
        self.load(chunk)?;
        let ready = &self.chunk[within..self.text_len(chunk)];
        let given = out.len().min(ready.len());
        out[..given].copy_from_slice(&ready[..given]);
        self.position += given as u64;
        Ok(given)
    }
}

impl<R: Read + Seek> Seek for SeekReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, offset) = match to {
            SeekFrom::Start(position) => {
                self.position = position;
                return Ok(position);
            }
            SeekFrom::End(offset) => (self.len, offset),
            SeekFrom::Current(offset) => (self.position, offset),
        };
        self.position = base
            .checked_add_signed(offset)
            .ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
