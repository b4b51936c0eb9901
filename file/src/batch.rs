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

    /// Seals the first `count` chunks, and does `meanwhile` in this thread.
    pub(crate) fn seal<T>(
        &mut self,
        cipher: &ChunkCipher,
        count: usize,
        threads: usize,
        meanwhile: impl FnOnce() -> T,
    ) -> (Result<(), Error>, T) {
        let (first, chunks) = (self.first, &mut self.buffer[..count * self.stride]);
        let failure = Mutex::new(None);
        let parts = Parts::new(chunks, self.stride);
        let work = |at: usize, part: &mut [u8]| {
            if let Err(error) = cipher.seal_whole(first + at as u64, part) {
                lock(&failure).get_or_insert(error);
            }
        };
        let done = share_out(&parts, threads, work, meanwhile);
        (into_inner(failure).map_or(Ok(()), Err), done)
    }

    /// Opens the first `count` chunks, all of them inner ones, and does `meanwhile` in this
    /// thread. Gives how many opened before the first that does not, and the error of that one.
    pub(crate) fn open<T>(
        &mut self,
        cipher: &ChunkCipher,
        count: usize,
        threads: usize,
        meanwhile: impl FnOnce() -> T,
    ) -> (usize, Result<(), Error>, T) {
        let (first, chunks) = (self.first, &mut self.buffer[..count * self.stride]);
        let failure: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        let parts = Parts::new(chunks, self.stride);
        let work = |at: usize, part: &mut [u8]| {
            let (opened, outcome) = cipher.open_whole(first + at as u64, part);
            let Err(error) = outcome else { return };
            let mut failure = lock(&failure);
            if failure
                .as_ref()
                .is_none_or(|(earlier, _)| at + opened < *earlier)
            {
                *failure = Some((at + opened, error));
            }
        };
        let done = share_out(&parts, threads, work, meanwhile);
        match into_inner(failure) {
            None => (count, Ok(()), done),
            Some((opened, error)) => (opened, Err(error), done),
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

/// The parts of a batch that nobody has taken.
struct Parts<'a>(Mutex<(usize, std::slice::ChunksMut<'a, u8>)>);

impl<'a> Parts<'a> {
    fn new(chunks: &'a mut [u8], stride: usize) -> Self {
        Self(Mutex::new((0, chunks.chunks_mut(PART * stride))))
    }

    fn len(&self) -> usize {
        lock(&self.0).1.len()
    }

    /// A part, and the index of its first chunk.
    fn take(&self) -> Option<(usize, &'a mut [u8])> {
        let mut parts = lock(&self.0);
        let part = parts.1.next()?;
        parts.0 += PART;
        Some((parts.0 - PART, part))
    }
}

/// Does `work` on every part, in this thread and in as many others as are of use, after
/// `meanwhile`, which is done in this one.
fn share_out<T>(
    parts: &Parts<'_>,
    threads: usize,
    work: impl Fn(usize, &mut [u8]) + Sync,
    meanwhile: impl FnOnce() -> T,
) -> T {
    let work_all = || {
        while let Some((at, part)) = parts.take() {
            work(at, part);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(parts.len()) {
            let started = thread::Builder::new().spawn_scoped(scope, work_all);
            // A system that gives no more threads gets the same bytes from fewer.
            if started.is_err() {
                break;
            }
        }
        let done = meanwhile();
        work_all();
        done
    })
}

/// Locks, also after a panic elsewhere, which the scope passes on to the caller.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
