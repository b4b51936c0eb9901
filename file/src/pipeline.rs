//! Many chunks at once: bounded memory, ordered output, as many threads as asked.
//!
//! Every thread does the same: take the input's lock and fill its own batch, let go,
//! seal or open the batch in place, wait for its turn, and write. So one thread reads
//! while another writes and the others compute. Nothing is handed over. The memory is one
//! batch a thread, and a batch stays in the cache of the core that read it. With one thread
//! the same loop runs on the caller's, and nothing is spawned.

mod batch;
mod input;
mod output;

pub(crate) use batch::{BATCH_CHUNKS, Direction};

use crate::chunk::ChunkCipher;
use crate::error::Error;
use batch::{ChunkRun, Shape};
use input::Input;
use output::Output;
use std::io::{self, Read, Write};
use std::mem;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

/// More threads than this would only wait for each other's reads and writes.
const MAX_THREADS: usize = 64;

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
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZeroUsize::get).min(MAX_THREADS);
    let shape = Shape::new(direction, cipher);
    let pipeline = Pipeline {
        shape,
        cipher,
        input: Mutex::new(Input::new(input, shape)),
        output: Mutex::new(Output::new(output, progress)),
        turn_changed: Condvar::new(),
        stopped: AtomicBool::new(false),
        more_threads: AtomicUsize::new(threads - 1),
    };
    thread::scope(|scope| pipeline.work(scope));
    let input = into_inner(pipeline.input);
    let output = into_inner(pipeline.output);
    match output.error {
        Some(error) => Err(error),
        None if input.ended && output.turn == input.next_turn => Ok(Totals {
            read: input.read,
            written: output.written,
            chunks: input.next_chunk,
        }),
        // A thread that fails says why, and one that panics ends the scope.
        None => Err(Error::Write(io::Error::other("a part was not written"))),
    }
}

struct Pipeline<'a, R, W, P> {
    shape: Shape,
    cipher: &'a ChunkCipher,
    input: Mutex<Input<R>>,
    output: Mutex<Output<W, P>>,
    turn_changed: Condvar,
    stopped: AtomicBool,
    /// How many may still be started.
    more_threads: AtomicUsize,
}

impl<R, W, P> Pipeline<'_, R, W, P>
where
    R: Read + Send,
    W: Write + Send,
    P: FnMut(u64) + Send,
{
    /// What each thread does.
    fn work<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let guard = StopOnPanic(self);
        let mut batch = ChunkRun::new(self.shape);
        while self.fill(&mut batch, scope) && self.finish(&mut batch) {}
        mem::forget(guard);
    }

    /// Fills a batch, and calls in one more thread if more may follow. False: no more work.
    fn fill<'s>(&'s self, batch: &mut ChunkRun, scope: &'s Scope<'s, '_>) -> bool {
        let mut input = lock(&self.input);
        if input.ended || self.stopped.load(Ordering::Relaxed) {
            return false;
        }
        input.fill(self.shape, batch);
        // What fits in one batch takes less time than starting a thread.
        let is_long = !input.ended && input.next_chunk > BATCH_CHUNKS as u64;
        drop(input);
        if is_long {
            self.start_another(scope);
        }
        true
    }

    fn start_another<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let one_less = |more: usize| more.checked_sub(1);
        let more = &self.more_threads;
        if more
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
            .is_ok()
        {
            let started = thread::Builder::new().spawn_scoped(scope, move || self.work(scope));
            // A system that gives no more threads gets the same bytes from fewer.
            if started.is_err() {
                more.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Processes a filled batch and writes it in its turn. False: no more work.
    fn finish(&self, batch: &mut ChunkRun) -> bool {
        let (done, outcome) = batch.process(self.shape, self.cipher);
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
}

/// Wakes the other threads when one unwinds, out of a caller's `Read`, `Write` or
/// progress closure: their turn would never come. Whoever returns forgets it. To ask whether
/// the thread panics would not do, for the caller may be a destructor in a panic.
struct StopOnPanic<'a, 'b, R, W, P>(&'a Pipeline<'b, R, W, P>);

impl<R, W, P> Drop for StopOnPanic<'_, '_, R, W, P> {
    fn drop(&mut self) {
        // Under the lock, so that nobody is between looking and waiting.
        let _output = lock(&self.0.output);
        self.0.stopped.store(true, Ordering::Relaxed);
        self.0.turn_changed.notify_all();
    }
}

/// Locks, also after a panic elsewhere, which the scope passes on to the caller.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
