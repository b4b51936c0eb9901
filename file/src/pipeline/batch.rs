//! One thread's chunks: how they lie in its buffer, and what is done with them.

use crate::chunk::{CHUNK_LEN, ChunkCipher, Place};
use crate::error::Error;
use std::iter;
use zeroize::Zeroizing;

/// Chunks in a batch: 256 KiB, which stays in a core's second-level cache from the
/// read to the write.
pub(crate) const BATCH_CHUNKS: usize = 16;

/// Whether plaintext becomes chunks, or chunks become plaintext.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Seal,
    Open,
}

/// Lengths of one direction. Chunks are `stride` bytes apart in a batch, so that
/// each grows by its tag or shrinks by it in place.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) direction: Direction,
    pub(super) in_len: usize,
    pub(super) out_len: usize,
    pub(super) stride: usize,
    /// Where the input begins in a batch: it fills the rest, without gaps.
    pub(super) in_at: usize,
}

impl Shape {
    pub(super) fn new(direction: Direction, cipher: &ChunkCipher) -> Self {
        let stride = cipher.sealed_chunk_len();
        let (in_len, out_len) = match direction {
            Direction::Seal => (CHUNK_LEN, stride),
            Direction::Open => (stride, CHUNK_LEN),
        };
        Self {
            direction,
            in_len,
            out_len,
            stride,
            in_at: BATCH_CHUNKS * (stride - in_len),
        }
    }
}

/// One thread's chunks.
pub(super) struct ChunkRun {
    pub(super) buffer: Zeroizing<Vec<u8>>,
    pub(super) turn: u64,
    pub(super) first_chunk: u64,
    pub(super) whole: usize,
    /// Input bytes of the last chunk, if it is in this batch. It follows the whole ones.
    pub(super) last: Option<usize>,
    /// What ended the input after these chunks.
    pub(super) error: Option<Error>,
}

/// What of a batch is ready to be written.
#[derive(Clone, Copy, Default)]
pub(super) struct Done {
    pub(super) whole: usize,
    pub(super) last_len: usize,
    pub(super) last_plaintext_len: usize,
}

impl ChunkRun {
    pub(super) fn new(shape: Shape) -> Self {
        Self {
            buffer: Zeroizing::new(vec![0; BATCH_CHUNKS * shape.stride]),
            turn: 0,
            first_chunk: 0,
            whole: 0,
            last: None,
            error: None,
        }
    }

    /// Seals or opens what was read, in place, up to the first failure.
    pub(super) fn process(
        &mut self,
        shape: Shape,
        cipher: &ChunkCipher,
    ) -> (Done, Result<(), Error>) {
        self.spread(shape);
        let mut done = Done::default();
        let (whole, last) = self.buffer.split_at_mut(self.whole * shape.stride);
        let outcome = match shape.direction {
            Direction::Seal => {
                let outcome = cipher.seal_whole(self.first_chunk, whole);
                done.whole = if outcome.is_ok() { self.whole } else { 0 };
                outcome
            }
            Direction::Open => {
                let (opened, outcome) = cipher.open_whole(self.first_chunk, whole);
                done.whole = opened;
                outcome
            }
        };
        if outcome.is_err() {
            return (done, outcome);
        }
        if let Some(error) = self.error.take() {
            return (done, Err(error));
        }
        let Some(last_in_len) = self.last else {
            return (done, Ok(()));
        };
        let chunk = self.first_chunk + self.whole as u64;
        let tag_len = cipher.tag_len();
        let outcome = match shape.direction {
            Direction::Seal => {
                done.last_len = last_in_len + tag_len;
                done.last_plaintext_len = last_in_len;
                cipher.seal(chunk, &mut last[..done.last_len])
            }
            Direction::Open if last_in_len < tag_len => Err(Error::Truncated { chunks: chunk }),
            Direction::Open => {
                done.last_len = last_in_len - tag_len;
                done.last_plaintext_len = done.last_len;
                cipher.open_placed(chunk, &mut last[..last_in_len], Place::Last)
            }
        };
        if outcome.is_err() {
            done.last_len = 0;
            done.last_plaintext_len = 0;
        }
        (done, outcome)
    }

    /// Moves what was read to every `stride`-th byte.
    ///
    /// To read it there would need vectored reads. Most types that wrap a reader have none:
    /// each of their reads would give one chunk, and a batch would have no more.
    fn spread(&mut self, shape: Shape) {
        if shape.in_len == shape.stride {
            return;
        }
        let lens = iter::repeat_n(shape.in_len, self.whole).chain(self.last);
        for (chunk, len) in lens.enumerate() {
            let from = shape.in_at + chunk * shape.in_len;
            self.buffer
                .copy_within(from..from + len, chunk * shape.stride);
        }
    }
}
