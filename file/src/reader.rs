//! Opening as a `Read`, and by position as a `Seek`.

use crate::chunk::{Batch, CHUNK_LEN, ChunkCipher, MAX_BATCH, MAX_CHUNKS, PAYLOAD_HEAD_LEN};
use crate::error::Error;
use crate::header::{Header, read_header};
use crate::passphrase::Argon2Cost;
use crate::slot::Unlock;
use crate::suite::Kind;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;
use zeroize::Zeroizing;

/// How to open.
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// The most that a passphrase slot may cost. Memory, passes and lanes are each compared, and
    /// all slots tried together may not exceed memory times passes.
    pub max_cost: Argon2Cost,
    /// Threads to use; `None`: as many as the system can run at once. One spawns none.
    pub threads: Option<NonZeroUsize>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { max_cost: Argon2Cost::DEFAULT_LIMIT, threads: None }
    }
}

/// Opens the bytes of a sealed file, on every core.
///
/// Every byte that it gives was authenticated, and `Ok(0)` means that the authentic end was
/// reached. A damaged or truncated file is an error, which stays until another place is sought.
/// The [`Error`] is inside the [`io::Error`], and [`Error::from`] gives it back. It holds at most
/// 8 MiB, and waits for no more of a slow input than the next chunk needs. An input's
/// [`WouldBlock`](ErrorKind::WouldBlock) is handed on, and a later call reads on.
///
/// To open all of a file, use [`io::copy`] into a [`BufWriter`](io::BufWriter) of 1 MiB or, if all
/// or nothing is needed, an [`AtomicFile`](crate::AtomicFile). To verify it, use `io::copy` into
/// [`io::sink`].
///
/// By position, of what implements [`Seek`], only the chunks that are read are opened.
pub struct Reader<R: Read> {
    ahead: Ahead<R>,
    header: Header,
    kind: Kind,
    slot: usize,
    cipher: ChunkCipher,
    threads: Option<NonZeroUsize>,
    /// Opened chunks, of whose plaintext the bytes from `given` up to `end` are to be given.
    opened: Batch,
    given: usize,
    end: usize,
    /// What comes after these.
    next: Next,
    /// Bytes of plaintext to leave out of the next chunks, after a seek.
    skip: usize,
    /// The position in the plaintext.
    position: u64,
    /// Where the file begins in the input, and the length of its plaintext.
    measured: Option<(u64, u64)>,
}

enum Next {
    Chunks,
    End,
    Failure(Option<Error>),
}

/// The input, and what was read of it and is not opened yet.
struct Ahead<R> {
    input: R,
    /// Bytes that were read of the input, from the file's first one on.
    input_read: u64,
    batch: Batch,
    filled: usize,
    /// The input's end, or its failure, after what is filled.
    ended: Option<Result<(), Error>>,
}

impl<R: Read> Ahead<R> {
    /// Fills the batch, or as much of it as is there: a read that comes back short ends it, so
    /// that a slow pipe is handed on as it flows. The error says that there is no more for now.
    fn fill(&mut self, chunk_len: usize) -> io::Result<()> {
        while self.filled < self.batch.buffer.len() && self.ended.is_none() {
            let room = &mut self.batch.buffer[self.filled..];
            match self.input.read(room) {
                Ok(0) => self.ended = Some(Ok(())),
                Ok(read) => {
                    let is_short = read < room.len();
                    self.filled += read;
                    self.input_read += read as u64;
                    if is_short && self.filled >= chunk_len {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
                Err(error) => self.ended = Some(Err(Error::Read(error))),
            }
        }
        Ok(())
    }
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header, which begins at the input's position.
    ///
    /// # Errors
    /// Any of the header's errors (see [`Header::read`] and [`Header::unlock`]),
    /// [`Error::PayloadMismatch`], [`Error::Truncated`].
    pub fn new(mut input: R, keys: &[Unlock<'_>], options: &OpenOptions) -> Result<Self, Error> {
        let mut bytes = read_header(&mut input)?;
        let unlocked = Header::parse(&bytes)?.unlock(keys, options.max_cost)?;
        let payload_at = unlocked.header.len();
        let (cipher, is_right) = ChunkCipher::of_payload(&unlocked, &mut input, &mut bytes)?;
        if !is_right {
            return Err(Error::PayloadMismatch);
        }
        // Of a file with a damaged copy of the header, much may have been read of the chunks. What
        // fits in one chunk needs little memory.
        let rest = &bytes[payload_at + PAYLOAD_HEAD_LEN..];
        let room = rest.len().div_ceil(cipher.sealed_chunk_len()).max(1);
        let mut batch = Batch::new(&cipher, room)?;
        batch.buffer[..rest.len()].copy_from_slice(rest);
        let ahead =
            Ahead { input, input_read: bytes.len() as u64, batch, filled: rest.len(), ended: None };
        Ok(Self {
            ahead,
            threads: options.threads,
            opened: Batch::new(&cipher, 0)?,
            kind: unlocked.kind,
            slot: unlocked.slot,
            header: unlocked.header,
            cipher,
            given: 0,
            end: 0,
            next: Next::Chunks,
            skip: 0,
            position: 0,
            measured: None,
        })
    }

    /// The kind of the content.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The header, authentic.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The index of the slot that opened.
    #[must_use]
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// The input, which is at no particular position.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.ahead.input
    }

    /// Where a chunk is in the file.
    fn place_of(&self, chunk: u64) -> u64 {
        let head_len = (self.header.len() + PAYLOAD_HEAD_LEN) as u64;
        head_len + chunk * self.cipher.sealed_chunk_len() as u64
    }

    /// Opens what was read, and reads on meanwhile if that waits for nobody.
    fn refill(&mut self) -> Result<Next, Error> {
        let (ahead, opened) = (&mut self.ahead, &mut self.opened);
        let stride = self.cipher.sealed_chunk_len();
        if ahead.filled < stride {
            let waits = ahead.fill(stride);
            if ahead.filled < stride && ahead.ended.is_none() {
                waits?;
            }
        }
        std::mem::swap(opened, &mut ahead.batch);
        let (whole, rest) = (ahead.filled / stride, ahead.filled % stride);
        let is_full = ahead.filled == opened.buffer.len();
        let last = opened.first + whole as u64;
        if last > MAX_CHUNKS {
            return Err(Error::TooLong);
        }
        let ended = ahead.ended.take();
        ahead.batch.first = last;
        ahead.batch.set_room(match is_full {
            true => opened.next_room(),
            false => opened.room(),
        })?;
        ahead.batch.buffer[..rest].copy_from_slice(&opened.buffer[whole * stride..][..rest]);
        ahead.filled = rest;
        // The input gave all that was asked for: it has more at once, or is at its end.
        let reads_on = is_full && ended.is_none() && opened.room() == MAX_BATCH;
        let meanwhile = || {
            // Where there is no more for now, that is asked again.
            let _ = reads_on.then(|| ahead.fill(stride));
        };
        let open = |chunk, chunks: &mut [u8]| self.cipher.open_all(chunk, chunks);
        let (count, outcome, ()) = opened.run(whole, self.threads, open, meanwhile);
        self.end = count * CHUNK_LEN;
        outcome.map_err(|error| match error {
            Error::Aead(sivka::Error::Open) => Error::Damaged(opened.first + count as u64),
            error => error,
        })?;
        let Some(ended) = ended else {
            return Ok(Next::Chunks);
        };
        ended?;
        let chunk = &mut opened.buffer[whole * stride..][..rest];
        self.end += open_last(&self.cipher, last, chunk)?;
        Ok(Next::End)
    }
}

/// Opens the last chunk, and gives the length of its plaintext.
fn open_last(cipher: &ChunkCipher, number: u64, chunk: &mut [u8]) -> Result<usize, Error> {
    if number >= MAX_CHUNKS {
        return Err(Error::TooLong);
    }
    let truncated = Error::Truncated(number);
    match chunk.len().checked_sub(cipher.tag_len()) {
        Some(text_len) if cipher.open(number, chunk)? => Ok(text_len),
        _ => Err(truncated),
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.end && !out.is_empty() {
            match &mut self.next {
                Next::End => return Ok(0),
                Next::Failure(error) => {
                    let error = error.take().map(io::Error::from);
                    return Err(error.unwrap_or_else(|| io::Error::other("an earlier read failed")));
                }
                Next::Chunks => {
                    // Also after a panic of the input.
                    self.next = Next::Failure(None);
                    (self.given, self.end) = (0, 0);
                    self.next = match self.refill() {
                        Ok(next) => next,
                        Err(Error::Read(error)) if error.kind() == ErrorKind::WouldBlock => {
                            self.next = Next::Chunks;
                            return Err(error);
                        }
                        Err(error) => Next::Failure(Some(error)),
                    };
                    self.given = std::mem::take(&mut self.skip).min(self.end);
                }
            }
        }
        let mut len = 0;
        while len < out.len() && self.given < self.end {
            let ready = self.opened.plaintext(self.given, self.end);
            let given = ready.len().min(out.len() - len);
            out[len..len + given].copy_from_slice(&ready[..given]);
            len += given;
            self.given += given;
        }
        self.position += len as u64;
        Ok(len)
    }
}

impl<R: Read + Seek> Reader<R> {
    /// The length of the plaintext in bytes. The last chunk is opened first, which proves it.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TooLong`], [`Error::Read`].
    #[expect(clippy::len_without_is_empty, reason = "it reads, and can fail")]
    pub fn len(&mut self) -> Result<u64, Error> {
        self.measure().map(|(_, len)| len)
    }

    /// Where the file begins in the input, and the length of its plaintext.
    fn measure(&mut self) -> Result<(u64, u64), Error> {
        if let Some(measured) = self.measured {
            return Ok(measured);
        }
        let (head_len, stride) = (self.place_of(0), self.cipher.sealed_chunk_len() as u64);
        let input = &mut self.ahead.input;
        let here = input.stream_position()?;
        let start = here.saturating_sub(self.ahead.input_read);
        let mut read_last = || -> io::Result<_> {
            let body_len = input.seek(SeekFrom::End(0))?.saturating_sub(start + head_len);
            let (whole, rest) = (body_len / stride, body_len % stride);
            let mut last = Zeroizing::new(vec![0; rest as usize]);
            input.seek(SeekFrom::Start(start + head_len + whole * stride))?;
            input.read_exact(&mut last)?;
            Ok((whole, last))
        };
        let read = read_last();
        input.seek(SeekFrom::Start(here))?;
        let (whole, mut last) = read?;
        let text_len = open_last(&self.cipher, whole, &mut last)?;
        let measured = (start, whole * CHUNK_LEN as u64 + text_len as u64);
        Ok(*self.measured.insert(measured))
    }

    /// Goes to the chunk of a position that is not in the batch.
    fn go_to(&mut self, position: u64) -> Result<(), Error> {
        let (start, len) = self.measure()?;
        let chunk = position / CHUNK_LEN as u64;
        (self.given, self.end) = (0, 0);
        self.next = Next::End;
        if position < len {
            let in_file = self.place_of(chunk);
            let ahead = &mut self.ahead;
            ahead.input.seek(SeekFrom::Start(start + in_file))?;
            ahead.input_read = in_file;
            // One chunk alone may be all that is wanted.
            ahead.batch.set_room(1)?;
            ahead.batch.first = chunk;
            (ahead.filled, ahead.ended) = (0, None);
            self.skip = (position % CHUNK_LEN as u64) as usize;
            self.next = Next::Chunks;
        }
        Ok(())
    }
}

impl<R: Read + Seek> Seek for Reader<R> {
    /// Goes to any place, also beyond the end, where there is nothing to read.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, offset) = match to {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::End(offset) => (self.len()?, offset),
            SeekFrom::Current(offset) => (self.position, offset),
        };
        let position = base.checked_add_signed(offset).ok_or(ErrorKind::InvalidInput)?;
        let begin = self.position - self.given as u64;
        if (begin..begin + self.end as u64).contains(&position) {
            self.given = (position - begin) as usize;
        } else if position != self.position || matches!(self.next, Next::Failure(_)) {
            self.go_to(position)?;
        }
        self.position = position;
        Ok(position)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position)
    }
}
