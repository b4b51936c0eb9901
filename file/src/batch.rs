//! A run of chunks in one buffer, sealed or opened by many threads.

use crate::chunk::{CHUNK_LEN, ChunkCipher};
use crate::error::Error;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use zeroize::Zeroizing;

/// Chunks in the longest batch: 4 MiB.
pub(crate) const MAX_BATCH: usize = 256;
/// Chunks that a thread takes at a time: 256 KiB, which stay in the cache of its core.
pub(crate) const PART: usize = 16;
/// More threads than parts have nothing to do.
const MAX_THREADS: usize = MAX_BATCH / PART;

/// Consecutive chunks, whose sealed form lies without gaps. Wiped when dropped.
pub(crate) struct Batch {
    pub(crate) buffer: Zeroizing<Vec<u8>>,
    /// The number of the first chunk.
    pub(crate) first: u64,
    stride: usize,
}

impl Batch {
    /// A batch with room for so many chunks.
    pub(crate) fn new(cipher: &ChunkCipher, chunks: usize) -> Self {
        let stride = cipher.sealed_chunk_len();
        Self {
            buffer: Zeroizing::new(vec![0; chunks * stride]),
            first: 0,
            stride,
        }
    }

    /// How many chunks there is room for.
    pub(crate) fn room(&self) -> usize {
        self.buffer.len() / self.stride
    }

    /// Makes an empty batch as long as the next one shall be. It is not lengthened: that would
    /// leave copies of plaintext behind.
    pub(crate) fn set_room(&mut self, chunks: usize) {
        if self.room() != chunks {
            self.buffer = Zeroizing::new(vec![0; chunks * self.stride]);
        }
    }

    /// Does `work` on the first `count` chunks, in this thread and in as many others as are of
    /// use, and `meanwhile` in this thread before. `work` gets the number of a chunk and some
    /// from it on, and gives how many it did. What comes back is how many were done before the
    /// first that was not, and the error of that one.
    pub(crate) fn run<T>(
        &mut self,
        count: usize,
        threads: usize,
        work: impl Fn(u64, &mut [u8]) -> (usize, Result<(), Error>) + Sync,
        meanwhile: impl FnOnce() -> T,
    ) -> (usize, Result<(), Error>, T) {
        let (first, chunks) = (self.first, &mut self.buffer[..count * self.stride]);
        let parts = chunks.chunks_mut(PART * self.stride).enumerate();
        let threads = threads.min(parts.len());
        let (parts, failure) = (Mutex::new(parts), Mutex::new(None));
        let work_all = || {
            loop {
                let Some((number, part)) = lock(&parts).next() else {
                    return;
                };
                let at = number * PART;
                let (done, Err(error)) = work(first + at as u64, part) else {
                    continue;
                };
                let mut failure: MutexGuard<'_, Option<(usize, Error)>> = lock(&failure);
                if !matches!(*failure, Some((earlier, _)) if earlier < at) {
                    *failure = Some((at + done, error));
                }
            }
        };
        let done_meanwhile = thread::scope(|scope| {
            for _ in 1..threads {
                let started = thread::Builder::new().spawn_scoped(scope, work_all);
                // A system that gives no more threads gets the same bytes from fewer.
                if started.is_err() {
                    break;
                }
            }
            let done = meanwhile();
            work_all();
            done
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => (count, Ok(()), done_meanwhile),
            Some((done, error)) => (done, Err(error), done_meanwhile),
        }
    }

    /// Plaintext bytes from `at` on that lie together in a batch of chunks that are apart by
    /// their tags, up to `end`.
    pub(crate) fn plaintext(&mut self, at: usize, end: usize) -> &mut [u8] {
        let (chunk, within) = (at / CHUNK_LEN, at % CHUNK_LEN);
        let len = (CHUNK_LEN - within).min(end - at);
        &mut self.buffer[chunk * self.stride + within..][..len]
    }
}

/// The room of the batch after one that was filled: little is needed for a short file.
pub(crate) fn next_room(room: usize) -> usize {
    (4 * room).min(MAX_BATCH)
}

/// How many threads work on a batch, this one among them.
pub(crate) fn threads(asked: Option<NonZeroUsize>) -> usize {
    let threads = asked.or_else(|| thread::available_parallelism().ok());
    threads.map_or(1, NonZeroUsize::get).min(MAX_THREADS)
}

/// Locks, also after a panic elsewhere, which the scope passes on to the caller.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
