//! Opening as a `Read`.

use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS, Place};
use crate::error::Error;
use crate::header::read_up_to;
use crate::kind::Kind;
use crate::slot::Unlock;
use crate::stream::{OpenOptions, open_head};
use crate::suite::Suite;
use std::io::{self, Read};
use zeroize::Zeroizing;

/// Opens what is read from it, chunk by chunk, on the caller's thread.
///
/// Every byte it gives was authenticated, and `Ok(0)` means that the authentic end
/// was reached. A damaged or truncated file is an error, which stays: it is never an
/// early end. The [`Error`] is inside the [`io::Error`]. For whole inputs
/// [`open`](crate::open) is faster.
pub struct Reader<R: Read> {
    input: io::Chain<io::Cursor<Vec<u8>>, R>,
    suite: Suite,
    kind: Kind,
    cipher: ChunkCipher,
    chunk: Zeroizing<Vec<u8>>,
    /// Plaintext in `chunk` that was not given yet.
    ready: std::ops::Range<usize>,
    next_chunk: u64,
    state: State,
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
            suite: head.header.suite(),
            kind: head.kind,
            chunk: Zeroizing::new(vec![0; cipher.sealed_chunk_len()]),
            cipher,
            ready: 0..0,
            next_chunk: 0,
            state: State::Open,
        })
    }

    /// The suite of the file.
    #[must_use]
    pub fn suite(&self) -> Suite {
        self.suite
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
        Ok(given)
    }
}
