//! Many chunks at once: bounded memory, ordered output, as many threads as asked.
//!
//! Every thread does the same: take the input's lock and fill its own batch, let go,
//! seal or open the batch in place, wait for its turn, and write. So one thread reads
//! while another writes and the others compute. Nothing is handed over. The memory is one
//! batch a thread, and a batch stays in the cache of the core that read it. With one thread
//! the same loop runs on the caller's, and nothing is spawned.

use crate::chunk::{CHUNK_LEN, ChunkCipher, MAX_CHUNKS, Place};
use crate::error::Error;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::iter;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use zeroize::Zeroizing;

/// Chunks in a batch: 256 KiB, which stays in a core's second-level cache from the
/// read to the write.
pub(crate) const BATCH_CHUNKS: usize = 16;
/// More threads than this would only wait for each other's reads and writes.
const MAX_THREADS: usize = 64;

/// Whether plaintext becomes chunks, or chunks become plaintext.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Seal,
    Open,
}

/// How much went through.
#[derive(Clone, Copy)]
pub(crate) struct Totals {
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) chunks: u64,
}

/// Seals or opens the whole input, from chunk 0 to its end.
///
/// What was written on an error is every authentic chunk before it, in order, and
/// nothing else. `progress` gets the bytes of plaintext done so far.
pub(crate) fn run<R, W, P>(
    direction: Direction,
    cipher: &ChunkCipher,
    input: R,
    output: W,
    threads: Option<NonZeroUsize>,
    progress: P,
) -> Result<Totals, Error>
where
    R: Read + Send,
    W: Write + Send,
    P: FnMut(u64) + Send,
{
    let pipeline = Pipeline {
        shape: Shape::new(direction, cipher),
        cipher,
        input: Mutex::new(Input::new(input)),
        output: Mutex::new(Output {
            writer: output,
            progress,
            turn: 0,
            written: 0,
            plaintext: 0,
            error: None,
        }),
        turn_changed: Condvar::new(),
        stopped: AtomicBool::new(false),
    };
    pipeline.run(threads);
    let input = into_inner(pipeline.input);
    let output = into_inner(pipeline.output);
    match output.error {
        Some(error) => Err(error),
        None => Ok(Totals {
            read: input.read,
            written: output.written,
            chunks: input.next_chunk,
        }),
    }
}

/// Lengths of one direction. Chunks are `stride` bytes apart in a batch, so that
/// each grows by its tag or shrinks by it in place.
#[derive(Clone, Copy)]
struct Shape {
    direction: Direction,
    in_len: usize,
    out_len: usize,
    stride: usize,
    /// Where the input begins in a batch: it fills the rest, without gaps.
    in_at: usize,
}

impl Shape {
    fn new(direction: Direction, cipher: &ChunkCipher) -> Self {
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

    /// Moves what was read to every `stride`-th byte.
    ///
    /// To read it there would need vectored reads. Most types that wrap a reader have none:
    /// each of their reads would give one chunk, and a batch would have no more.
    fn spread(self, batch: &mut ChunkRun) {
        if self.in_len == self.stride {
            return;
        }
        let lens = iter::repeat_n(self.in_len, batch.whole).chain(batch.last);
        for (chunk, len) in lens.enumerate() {
            let from = self.in_at + chunk * self.in_len;
            batch
                .buffer
                .copy_within(from..from + len, chunk * self.stride);
        }
    }
}

/// One thread's chunks.
struct ChunkRun {
    buffer: Zeroizing<Vec<u8>>,
    turn: u64,
    first_chunk: u64,
    whole: usize,
    /// Input bytes of the last chunk, if it is in this batch. It follows the whole ones.
    last: Option<usize>,
    /// What ended the input after these chunks.
    error: Option<Error>,
}

impl ChunkRun {
    fn new(shape: Shape) -> Self {
        Self {
            buffer: Zeroizing::new(vec![0; BATCH_CHUNKS * shape.stride]),
            turn: 0,
            first_chunk: 0,
            whole: 0,
            last: None,
            error: None,
        }
    }
}

struct Input<R> {
    reader: R,
    /// The beginning of a chunk whose end was not there yet.
    carry: Zeroizing<Vec<u8>>,
    next_turn: u64,
    next_chunk: u64,
    read: u64,
    ended: bool,
}

impl<R: Read> Input<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            carry: Zeroizing::new(Vec::new()),
            next_turn: 0,
            next_chunk: 0,
            read: 0,
            ended: false,
        }
    }

    /// Fills the batch, or as much of it as is there: a read that comes back short
    /// ends the batch at its last whole chunk, so that a slow pipe is handed on as it
    /// flows.
    fn fill(&mut self, shape: Shape, batch: &mut ChunkRun) {
        batch.turn = self.next_turn;
        batch.first_chunk = self.next_chunk;
        batch.last = None;
        batch.error = None;
        self.next_turn += 1;

        let room = &mut batch.buffer[shape.in_at..];
        let mut len = self.carry.len();
        room[..len].copy_from_slice(&self.carry);
        self.carry.clear();
        while len < room.len() {
            match self.reader.read(&mut room[len..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(read) => {
                    len += read;
                    self.read += read as u64;
                    if len >= shape.in_len {
                        break;
                    }
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

struct Output<W, P> {
    writer: W,
    progress: P,
    /// Whose turn it is to write.
    turn: u64,
    written: u64,
    plaintext: u64,
    error: Option<Error>,
}

impl<W: Write, P: FnMut(u64)> Output<W, P> {
    fn write(&mut self, shape: Shape, batch: &ChunkRun, done: Done) -> Result<(), Error> {
        let last_at = done.whole * shape.stride;
        let len = done.whole * shape.out_len + done.last_len;
        let written = if shape.out_len == shape.stride {
            self.writer.write_all(&batch.buffer[..len])
        } else {
            let mut pieces: Vec<IoSlice<'_>> = batch.buffer[..last_at]
                .chunks_exact(shape.stride)
                .map(|chunk| IoSlice::new(&chunk[..shape.out_len]))
                .collect();
            pieces.push(IoSlice::new(
                &batch.buffer[last_at..last_at + done.last_len],
            ));
            write_all_vectored(&mut self.writer, &mut pieces)
        };
        written.map_err(Error::Write)?;
        self.written += len as u64;
        self.plaintext += (done.whole * CHUNK_LEN + done.last_plaintext_len) as u64;
        (self.progress)(self.plaintext);
        Ok(())
    }
}

/// What of a batch is ready to be written.
#[derive(Clone, Copy, Default)]
struct Done {
    whole: usize,
    last_len: usize,
    last_plaintext_len: usize,
}

struct Pipeline<'a, R, W, P> {
    shape: Shape,
    cipher: &'a ChunkCipher,
    input: Mutex<Input<R>>,
    output: Mutex<Output<W, P>>,
    turn_changed: Condvar,
    stopped: AtomicBool,
}

impl<R, W, P> Pipeline<'_, R, W, P>
where
    R: Read + Send,
    W: Write + Send,
    P: FnMut(u64) + Send,
{
    fn run(&self, threads: Option<NonZeroUsize>) {
        let mut batch = ChunkRun::new(self.shape);
        lock(&self.input).fill(self.shape, &mut batch);
        // Small inputs are done in one batch, and a thread costs more than that.
        if lock(&self.input).ended {
            self.finish(&mut batch);
            return;
        }
        let threads = threads.or_else(|| thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get).min(MAX_THREADS);
        thread::scope(|scope| {
            for _ in 1..threads {
                let work = || self.work(&mut ChunkRun::new(self.shape));
                // A system that gives no more threads gets the same bytes from fewer.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            let _guard = StopOnPanic(self);
            if self.finish(&mut batch) {
                self.work(&mut batch);
            }
        });
    }

    fn work(&self, batch: &mut ChunkRun) {
        let _guard = StopOnPanic(self);
        loop {
            {
                let mut input = lock(&self.input);
                if input.ended || self.stopped.load(Ordering::Relaxed) {
                    return;
                }
                input.fill(self.shape, batch);
            }
            if !self.finish(batch) {
                return;
            }
        }
    }

    /// Processes a filled batch and writes it in its turn. False: no more work.
    fn finish(&self, batch: &mut ChunkRun) -> bool {
        let (done, outcome) = self.process(batch);
        let mut output = lock(&self.output);
        while output.turn != batch.turn && !self.stopped.load(Ordering::Relaxed) {
            output = self
                .turn_changed
                .wait(output)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if self.stopped.load(Ordering::Relaxed) {
            return false;
        }
        // A failed write is the earlier of two errors in one batch.
        let outcome = output.write(self.shape, batch, done).and(outcome);
        output.turn += 1;
        let goes_on = outcome.is_ok();
        if let Err(error) = outcome {
            output.error = Some(error);
            self.stopped.store(true, Ordering::Relaxed);
        }
        drop(output);
        self.turn_changed.notify_all();
        goes_on
    }

    /// Seals or opens a batch in place, up to the first failure.
    fn process(&self, batch: &mut ChunkRun) -> (Done, Result<(), Error>) {
        let Shape {
            direction, stride, ..
        } = self.shape;
        self.shape.spread(batch);
        let mut done = Done::default();
        let (whole, last) = batch.buffer.split_at_mut(batch.whole * stride);
        let outcome = match direction {
            Direction::Seal => {
                let outcome = self.cipher.seal_whole(batch.first_chunk, whole);
                done.whole = if outcome.is_ok() { batch.whole } else { 0 };
                outcome
            }
            Direction::Open => {
                let (opened, outcome) = self.cipher.open_whole(batch.first_chunk, whole);
                done.whole = opened;
                outcome
            }
        };
        if outcome.is_err() {
            return (done, outcome);
        }
        if let Some(error) = batch.error.take() {
            return (done, Err(error));
        }
        let Some(last_in_len) = batch.last else {
            return (done, Ok(()));
        };
        let chunk = batch.first_chunk + batch.whole as u64;
        let tag_len = self.cipher.tag_len();
        let outcome = match direction {
            Direction::Seal => {
                done.last_len = last_in_len + tag_len;
                done.last_plaintext_len = last_in_len;
                self.cipher.seal(chunk, &mut last[..done.last_len])
            }
            Direction::Open if last_in_len < tag_len => Err(Error::Truncated { chunks: chunk }),
            Direction::Open => {
                done.last_len = last_in_len - tag_len;
                done.last_plaintext_len = done.last_len;
                self.cipher
                    .open_placed(chunk, &mut last[..last_in_len], Place::Last)
            }
        };
        if outcome.is_err() {
            done.last_len = 0;
            done.last_plaintext_len = 0;
        }
        (done, outcome)
    }
}

/// Wakes the other threads when one unwinds, out of a caller's `Read`, `Write` or
/// progress closure: their turn would never come.
struct StopOnPanic<'a, 'b, R, W, P>(&'a Pipeline<'b, R, W, P>);

impl<R, W, P> Drop for StopOnPanic<'_, '_, R, W, P> {
    fn drop(&mut self) {
        if thread::panicking() {
            // Under the lock, so that nobody is between looking and waiting.
            let _output = lock(&self.0.output);
            self.0.stopped.store(true, Ordering::Relaxed);
            self.0.turn_changed.notify_all();
        }
    }
}

/// Locks, also after a panic elsewhere, which the scope passes on to the caller.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn write_all_vectored<W: Write>(writer: &mut W, mut pieces: &mut [IoSlice<'_>]) -> io::Result<()> {
    // Leading empty pieces would make an honest writer report zero bytes.
    IoSlice::advance_slices(&mut pieces, 0);
    while !pieces.is_empty() {
        match writer.write_vectored(pieces) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut pieces, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slot::FileKey;
    use crate::suite::Suite;

    /// A file has as many chunks as it may have, or one more: 4 PiB, which no test reads.
    #[test]
    fn the_last_chunk_that_may_be_is_taken() {
        let suite = Suite::default();
        let (cipher, _) = ChunkCipher::derive(suite, &FileKey::default(), &[7; 24]);
        let shape = Shape::new(Direction::Seal, &cipher);
        for (before, is_taken) in [(MAX_CHUNKS - 1, true), (MAX_CHUNKS, false)] {
            let mut input = Input::new(&b"the last"[..]);
            input.next_chunk = before;
            let mut batch = ChunkRun::new(shape);
            input.fill(shape, &mut batch);
            let is_refused = matches!(batch.error, Some(Error::TooLong));
            assert_eq!((batch.last.is_some(), is_refused), (is_taken, !is_taken));
        }
    }

    /// A signal comes in before the first byte.
    #[derive(Default)]
    struct Interrupted {
        calls: usize,
        written: Vec<u8>,
    }

    impl Write for Interrupted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls += 1;
            match self.calls {
                1 => Err(ErrorKind::Interrupted.into()),
                _ => self.written.write(bytes),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_signal_does_not_end_a_write() {
        let mut writer = Interrupted::default();
        let mut pieces = [IoSlice::new(b"one "), IoSlice::new(b"two")];
        write_all_vectored(&mut writer, &mut pieces).unwrap();
        assert_eq!(writer.written, b"one two");
    }
}
