//! What is read, by one thread at a time.

use super::batch::{ChunkRun, Shape};
use crate::chunk::MAX_CHUNKS;
use crate::error::Error;
use std::io::{ErrorKind, Read};
use zeroize::Zeroizing;

pub(super) struct Input<R> {
    reader: R,
    /// The beginning of a chunk whose end was not there yet.
    carry: Zeroizing<Vec<u8>>,
    /// Batches that were filled so far.
    pub(super) next_turn: u64,
    pub(super) next_chunk: u64,
    pub(super) read: u64,
    pub(super) ended: bool,
}

impl<R: Read> Input<R> {
    pub(super) fn new(reader: R, shape: Shape) -> Self {
        Self {
            reader,
            // All of it at once: a buffer that grows leaves copies of plaintext behind.
            carry: Zeroizing::new(Vec::with_capacity(shape.in_len)),
            next_turn: 0,
            next_chunk: 0,
            read: 0,
            ended: false,
        }
    }

    /// Fills the batch, or as much of it as is there: a read that comes back short
    /// ends the batch at its last whole chunk, so that a slow pipe is handed on as it
    /// flows.
    pub(super) fn fill(&mut self, shape: Shape, batch: &mut ChunkRun) {
        batch.turn = self.next_turn;
        batch.first_chunk = self.next_chunk;
        batch.last = None;
        batch.error = None;
        self.next_turn += 1;

        let room = &mut batch.buffer[shape.in_at..];
        let mut len = self.carry.len();
        room[..len].copy_from_slice(&self.carry);
        self.carry.clear();
        // The rest of a batch is not waited for.
        while len < shape.in_len {
            match self.reader.read(&mut room[len..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(read) => {
                    len += read;
                    self.read += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    batch.error = Some(Error::Read(error));
                    break;
                }
            }
        }
        let (whole, rest) = (len / shape.in_len, len % shape.in_len);
        batch.whole = whole;
        self.next_chunk += whole as u64;
        if batch.error.is_some() {
            return;
        }
        if self.ended {
            batch.last = Some(rest);
            self.next_chunk += 1;
        } else {
            self.carry.extend_from_slice(&room[len - rest..len]);
        }
        if self.next_chunk > MAX_CHUNKS {
            self.ended = true;
            batch.last = None;
            batch.whole = 0;
            batch.error = Some(Error::TooLong);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkCipher;
    use crate::pipeline::Direction;
    use crate::slot::FileKey;
    use crate::suite::Suite;

    /// A file has as many chunks as it may have, or one more: 4 PiB, which no test reads.
    #[test]
    fn the_last_chunk_that_may_be_is_taken() {
        let suite = Suite::default();
        let (cipher, _) = ChunkCipher::derive(
            suite,
            crate::kind::Kind::File,
            &FileKey::default(),
            &[7; 24],
        );
        let shape = Shape::new(Direction::Seal, &cipher);
        for (before, is_taken) in [(MAX_CHUNKS - 1, true), (MAX_CHUNKS, false)] {
            let mut input = Input::new(&b"the last"[..], shape);
            input.next_chunk = before;
            let mut batch = ChunkRun::new(shape);
            input.fill(shape, &mut batch);
            let is_refused = matches!(batch.error, Some(Error::TooLong));
            assert_eq!((batch.last.is_some(), is_refused), (is_taken, !is_taken));
        }
    }
}
