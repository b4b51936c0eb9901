//! What a caller sees of the threads that work on one stream.

use super::support::{key, opening, painted, sealed, sealing};
use sivka_file::{CHUNK_LEN, Error, Lock, Unlock, open, seal, verify};
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

/// A type that wraps a reader, and has no vectored read, as most such types.
struct Wrapped<'a> {
    input: &'a [u8],
    /// The thread of each call.
    readers: Vec<ThreadId>,
}

impl<'a> Wrapped<'a> {
    fn new(input: &'a [u8]) -> Self {
        let readers = Vec::new();
        Self { input, readers }
    }
}

impl Read for &mut Wrapped<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.readers.push(thread::current().id());
        self.input.read(out)
    }
}

#[test]
fn a_wrapped_reader_is_asked_for_a_whole_batch() {
    let plaintext = painted(64 * CHUNK_LEN);
    let key = key();
    let mut wrapped = Wrapped::new(&plaintext);
    let mut file = Vec::new();
    let locks = [Lock::KeyFile(&key)];
    seal(&mut wrapped, &mut file, &locks, &sealing(2), |_| {}).unwrap();
    // Four batches of sixteen chunks, and the end.
    assert_eq!(wrapped.readers.len(), 5);
}

#[test]
fn what_fits_in_one_batch_starts_no_thread() {
    let key = key();
    for len in [0, CHUNK_LEN - 1, CHUNK_LEN, CHUNK_LEN + 1, 16 * CHUNK_LEN] {
        let plaintext = painted(len);
        let mut wrapped = Wrapped::new(&plaintext);
        let mut file = Vec::new();
        let locks = [Lock::KeyFile(&key)];
        seal(&mut wrapped, &mut file, &locks, &sealing(8), |_| {}).unwrap();
        let me = thread::current().id();
        assert!(wrapped.readers.iter().all(|reader| *reader == me), "{len}");
    }
}

/// Works while it is dropped, and keeps what came of it.
struct Dropped<F: FnMut()>(F);

impl<F: FnMut()> Drop for Dropped<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// A destructor runs while its thread panics, and is nothing that a result depends on.
#[test]
fn destructors_in_a_panic_get_all_of_it() {
    let key = key();
    let (locks, keys) = ([Lock::KeyFile(&key)], [Unlock::KeyFile(&key)]);
    let plaintext = painted(70 * CHUNK_LEN);
    let file = sealed(&plaintext);
    let mut forged = file.clone();
    *forged.last_mut().unwrap() ^= 1;
    for _ in 0..20 {
        let worked = AtomicUsize::new(0);
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let _work = Dropped(|| {
                let mut made = Vec::new();
                seal(&plaintext[..], &mut made, &locks, &sealing(8), |_| {}).unwrap();
                assert_eq!(made.len(), file.len());
                let mut back = Vec::new();
                open(&file[..], &mut back, &keys, &opening(8), |_| {}).unwrap();
                assert!(back == plaintext);
                let verdict = verify(&forged[..], &keys, &opening(8), |_| {});
                assert!(matches!(verdict, Err(Error::Truncated { chunks: 70 })));
                worked.fetch_add(1, Ordering::Relaxed);
            });
            resume_unwind(Box::new(()));
        }));
        assert!(unwound.is_err() && worked.into_inner() == 1);
    }
}
