//! Opening as a `Read`, and by position as a `Seek`.

use crate::batch::{Batch, MAX_BATCH, next_room, threads};
use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS, PAYLOAD_HEAD_LEN};
use crate::cost::Argon2Cost;
use crate::error::Error;
use crate::header::{Header, read_header, read_payload_head, seek_header};
use crate::kind::Kind;
use crate::slot::Unlock;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;
use zeroize::Zeroizing;

/// How to open.
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// The most that a passphrase slot may cost. Memory, passes and lanes are each
    /// compared, and all slots tried together may not exceed memory times passes.
    pub max_cost: Argon2Cost,
    /// Threads to use; `None`: as many as the system says it can run at once. One
    /// thread spawns none.
    pub threads: Option<NonZeroUsize>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            max_cost: Argon2Cost::DEFAULT_LIMIT,
            threads: None,
        }
    }
}

/// Opens the bytes of a sealed file, on every core.
///
/// Every byte that it gives was authenticated, and `Ok(0)` means that the authentic end was
/// reached. A damaged or truncated file is an error, never an early end, and stays one until
/// another position is sought. The [`Error`] is inside the [`io::Error`], and [`Error::from`] gets
/// it. It holds at most 8 MiB, and waits for no more of a slow input than the next chunk needs.
/// [`WouldBlock`](ErrorKind::WouldBlock) of an input is handed on, and a later call reads on.
///
/// To open all of a file, use [`io::copy`], best into a [`BufWriter`](io::BufWriter) of 1 MiB; to
/// verify it, `io::copy` into [`io::sink`]. If a part of the plaintext would do harm, write to an
/// [`AtomicFile`](crate::AtomicFile).
///
/// If the input implements [`Seek`], only the chunks that are read are opened:
///
/// ```
/// use sivka_file::{KeyFile, Lock, OpenOptions, Reader, SealOptions, Unlock, Writer};
/// use std::io::{Cursor, Read, Seek, SeekFrom, Write};
///
/// let key = KeyFile::generate("archive")?;
/// let mut writer = Writer::new(Vec::new(), &[Lock::KeyFile(&key)], &SealOptions::default())?;
/// for day in 1..=365 {
///     writeln!(writer, "day {day:03}: nothing happened")?;
/// }
/// let file = Cursor::new(writer.finish()?);
///
/// let mut reader = Reader::new(file, &[Unlock::KeyFile(&key)], &OpenOptions::default())?;
/// let mut line = [0; 26];
/// reader.seek(SeekFrom::End(-26))?;
/// reader.read_exact(&mut line)?;
/// assert_eq!(&line, b"day 365: nothing happened\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<R: Read> {
    ahead: Ahead<R>,
    header: Header,
    kind: Kind,
    slot: usize,
    cipher: ChunkCipher,
    threads: usize,
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
    /// Why the input has no more for now.
    waits: Option<io::Error>,
}

impl<R: Read> Ahead<R> {
    /// Fills the batch, or as much of it as is there: a read that comes back short ends it, so
    /// that a slow pipe is handed on as it flows.
    fn fill(&mut self, chunk_len: usize) {
        self.waits = None;
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
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.waits = Some(error);
                    break;
                }
                Err(error) => self.ended = Some(Err(Error::Read(error))),
            }
        }
    }
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header, which begins at the input's position.
    ///
    /// # Errors
    /// Any of the header's errors (see [`Header::read`] and [`Header::unlock`]),
    /// [`Error::PayloadMismatch`], [`Error::Truncated`].
    pub fn new(mut input: R, keys: &[Unlock<'_>], options: &OpenOptions) -> Result<Self, Error> {
        let bytes = read_header(&mut input)?;
        Self::after_header(input, bytes, keys, options)
    }

    /// A reader of a file of which the header was read, and perhaps more.
    fn after_header(
        mut input: R,
        mut bytes: Vec<u8>,
        keys: &[Unlock<'_>],
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let unlocked = Header::parse(&bytes)?.unlock(keys, options.max_cost)?;
        let payload_at = unlocked.header().len();
        let payload_head = read_payload_head(&mut input, &mut bytes, payload_at)?;
        let content = (unlocked.header().suite(), unlocked.kind());
        let (cipher, is_right) =
            ChunkCipher::of_payload(content, unlocked.file_key(), &payload_head);
        if !is_right {
            return Err(Error::PayloadMismatch);
        }
        // Of a file with a damaged copy of the header, much may have been read of the chunks. What
        // fits in one chunk needs little memory.
        let rest = &bytes[payload_at + PAYLOAD_HEAD_LEN..];
        let room = rest.len().div_ceil(cipher.sealed_chunk_len()).max(1);
        let mut batch = Batch::new(&cipher, room);
        batch.buffer[..rest.len()].copy_from_slice(rest);
        let ahead = Ahead {
            input,
            input_read: bytes.len() as u64,
            batch,
            filled: rest.len(),
            ended: None,
            waits: None,
        };
        Ok(Self {
            ahead,
            threads: threads(options.threads),
            opened: Batch::new(&cipher, 0),
            kind: unlocked.kind(),
            slot: unlocked.slot(),
            header: unlocked.into_header(),
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

    /// Where the first chunk is in the file.
    fn chunks_at(&self) -> u64 {
        (self.header.len() + PAYLOAD_HEAD_LEN) as u64
    }

    /// Opens what was read, and reads on meanwhile if that waits for nobody.
    fn refill(&mut self) -> Result<Next, Error> {
        let (ahead, opened) = (&mut self.ahead, &mut self.opened);
        let stride = self.cipher.sealed_chunk_len();
        if ahead.filled < stride {
            ahead.fill(stride);
            let lacks = ahead.filled < stride && ahead.ended.is_none();
            if let Some(error) = ahead.waits.take_if(|_| lacks) {
                return Err(Error::Read(error));
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
            true => next_room(opened.room()),
            false => opened.room(),
        });
        ahead.batch.buffer[..rest].copy_from_slice(&opened.buffer[whole * stride..][..rest]);
        ahead.filled = rest;
        // The input gave all that was asked for: it has more at once, or is at its end.
        let reads_on = is_full && ended.is_none() && opened.room() == MAX_BATCH;
        let meanwhile = || {
            if reads_on {
                ahead.fill(stride);
            }
        };
        let open = |chunk, chunks: &mut [u8]| self.cipher.open_all(chunk, chunks);
        let (count, outcome, ()) = opened.run(whole, self.threads, open, meanwhile);
        self.end = count * CHUNK_LEN;
        outcome.map_err(|error| match error {
            Error::Aead(sivka::Error::Open) => Error::Damaged {
                chunk: opened.first + count as u64,
            },
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
    let truncated = Error::Truncated { chunks: number };
    let Some(text_len) = chunk.len().checked_sub(cipher.tag_len()) else {
        return Err(truncated);
    };
    match cipher.open(number, chunk)? {
        true => Ok(text_len),
        false => Err(truncated),
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        while self.given == self.end {
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
    /// As [`Self::new`], but a disk that cannot read one copy of the header costs nothing: the
    /// other is looked for. An input that cannot be sought after all is read as [`Self::new`] does.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn seekable(
        mut input: R,
        keys: &[Unlock<'_>],
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let bytes = seek_header(&mut input)?;
        Self::after_header(input, bytes, keys, options)
    }

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
        let (head_len, stride) = (self.chunks_at(), self.cipher.sealed_chunk_len() as u64);
        let input = &mut self.ahead.input;
        let here = input.stream_position()?;
        let start = here.saturating_sub(self.ahead.input_read);
        let chunks_at = start + head_len;
        let mut read_last = || -> io::Result<_> {
            let body_len = input.seek(SeekFrom::End(0))?.saturating_sub(chunks_at);
            let (whole, rest) = (body_len / stride, body_len % stride);
            let mut last = Zeroizing::new(vec![0; rest as usize]);
            input.seek(SeekFrom::Start(chunks_at + whole * stride))?;
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
            let in_file = self.chunks_at() + chunk * self.cipher.sealed_chunk_len() as u64;
            let ahead = &mut self.ahead;
            ahead.input.seek(SeekFrom::Start(start + in_file))?;
            ahead.input_read = in_file;
            // One chunk alone may be all that is wanted.
            ahead.batch.set_room(1);
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
        let position = base
            .checked_add_signed(offset)
            .ok_or(ErrorKind::InvalidInput)?;
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
