//! Opening as a `Read`.

use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS, PAYLOAD_HEAD_LEN, Place};
use crate::error::Error;
use crate::header::{Copies, Header, read_up_to};
use crate::kind::Kind;
use crate::slot::Unlock;
use crate::stream::{OpenOptions, open_head, payload_lengths};
use crate::suite::Suite;
use std::io::{self, Read, Seek, SeekFrom};
use zeroize::Zeroizing;

/// Opens what is read from it, chunk by chunk, on the caller's thread.
///
/// Every byte it gives was authenticated, and `Ok(0)` means that the authentic end
/// was reached. A damaged or truncated file is an error, which stays: it is never an
/// early end. The [`Error`] is inside the [`io::Error`]. For whole inputs
/// [`open`](crate::open) is faster.
pub struct Reader<R: Read> {
    input: io::Chain<io::Cursor<Vec<u8>>, R>,
    header: Header,
    kind: Kind,
    slot: usize,
    cipher: ChunkCipher,
    chunk: Zeroizing<Vec<u8>>,
    /// Plaintext in `chunk` that was not given yet.
    ready: std::ops::Range<usize>,
    next_chunk: u64,
    state: State,
    /// Bytes of plaintext before what is given next.
    position: u64,
    /// The length of the plaintext in bytes, once the last chunk has proved it.
    len: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Ended,
    Failed,
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header. `options.threads` is not used.
    ///
    /// # Errors
    /// The errors of [`open`](crate::open) that come before the first chunk.
    pub fn new(mut input: R, keys: &[Unlock<'_>], options: &OpenOptions) -> Result<Self, Error> {
        let (head, rest) = open_head(&mut input, keys, options.max_cost)?;
        let cipher = head.cipher;
        Ok(Self {
            input: rest.chain(input),
            header: head.header,
            kind: head.kind,
            slot: head.slot,
            chunk: Zeroizing::new(vec![0; cipher.sealed_chunk_len()]),
            cipher,
            ready: 0..0,
            next_chunk: 0,
            state: State::Open,
            position: 0,
            len: None,
        })
    }

    /// The suite of the file.
    #[must_use]
    pub fn suite(&self) -> Suite {
        self.header.suite()
    }

    /// The header, whose slots can be looked at.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the two copies of the header agree.
    #[must_use]
    pub fn copies(&self) -> Copies {
        self.header.copies()
    }

    /// The index of the slot that opened.
    #[must_use]
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// What the content is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Reads and opens the next chunk.
    fn next(&mut self) -> Result<(), Error> {
        let chunk = self.next_chunk;
        if chunk == MAX_CHUNKS {
            return Err(Error::TooLong);
        }
        let len = read_up_to(&mut self.input, &mut self.chunk)?;
        let is_last = len < self.chunk.len();
        let Some(text_len) = len.checked_sub(self.cipher.tag_len()) else {
            return Err(Error::Truncated { chunks: chunk });
        };
        let place = if is_last { Place::Last } else { Place::Inner };
        self.cipher
            .open_placed(chunk, &mut self.chunk[..len], place)?;
        debug_assert!(text_len <= CHUNK_LEN);
        self.ready = 0..text_len;
        self.next_chunk += 1;
        if is_last {
            self.state = State::Ended;
        }
        Ok(())
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if self.ready.is_empty() {
            match self.state {
                State::Ended => return Ok(0),
                State::Failed => return Err(io::Error::other("an earlier read failed")),
                State::Open => {}
            }
            self.state = State::Failed;
            self.state = match self.next() {
                Ok(()) if self.state == State::Ended => State::Ended,
                Ok(()) => State::Open,
                Err(error) => return Err(error.into()),
            };
        }
        let given = out.len().min(self.ready.len());
        let start = self.ready.start;
        out[..given].copy_from_slice(&self.chunk[start..start + given]);
        self.ready.start += given;
        self.position += given as u64;
        Ok(given)
    }
}

impl<R: Read + Seek> Reader<R> {
    /// The length of the plaintext in bytes, proved by the last chunk. The file must begin at byte
    /// 0 of the input.
    ///
    /// # Errors
    /// As reading the last chunk.
    #[allow(clippy::len_without_is_empty)] // It reads.
    pub fn len(&mut self) -> Result<u64, Error> {
        if let Some(len) = self.len {
            return Ok(len);
        }
        let (_, input) = self.input.get_mut();
        let end = input.seek(SeekFrom::End(0)).map_err(Error::Read)?;
        let payload_len = end.saturating_sub(self.header.len() as u64);
        let lengths = payload_lengths(self.header.suite(), payload_len);
        let sealed_chunk_len = self.chunk.len() as u64;
        let (chunks, len) = lengths.ok_or(Error::Truncated {
            chunks: payload_len.saturating_sub(PAYLOAD_HEAD_LEN as u64) / sealed_chunk_len,
        })?;
        self.load(chunks - 1)?;
        self.len = Some(len);
        Ok(len)
    }

    /// Opens one chunk.
    fn load(&mut self, chunk: u64) -> Result<(), Error> {
        let chunks_at = (self.header.len() + PAYLOAD_HEAD_LEN) as u64;
        let at = chunks_at + chunk * self.chunk.len() as u64;
        let (read_ahead, input) = self.input.get_mut();
        read_ahead.set_position(read_ahead.get_ref().len() as u64);
        input.seek(SeekFrom::Start(at)).map_err(Error::Read)?;
        (self.next_chunk, self.state) = (chunk, State::Failed);
        self.next()?;
        if self.state == State::Failed {
            self.state = State::Open;
        }
        Ok(())
    }
}

impl<R: Read + Seek> Seek for Reader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let len = self.len()?;
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => len.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let position = position.ok_or(io::ErrorKind::InvalidInput)?;
        self.ready = 0..0;
        self.state = State::Ended;
        if position < len {
            self.load(position / CHUNK_LEN as u64)?;
            self.ready.start = (position % CHUNK_LEN as u64) as usize;
        }
        self.position = position;
        Ok(position)
    }
}
