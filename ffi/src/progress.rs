//! Files by path that tell how far they are.

use crate::failure::{Failure, guard};
use crate::file::{FileKeys, copy, file_to_file, keys_of, path, paths};
use crate::status::Status;
use crate::suite::{self, SuiteNumber};
use sivka_file::Error;
use std::ffi::{c_char, c_void};
use std::fs::File;
use std::io;

/// Hears how many bytes of plaintext are done so far. Answers 0 to go on, and any other
/// number to stop as soon as possible. A call that succeeds says the last number once more,
/// before an output file appears.
///
/// `context` is what the caller gave with the function. It is called in the caller's thread; it
/// does not throw, and does not jump away.
pub type ProgressFunction =
    Option<unsafe extern "C" fn(context: *mut c_void, plaintext_len: u64) -> i32>;

/// sivka_seal_file() that tells `progress` how far it is; also SIVKA_ERROR_CANCELLED, and
/// no file appears then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_file_with_progress(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    suite: SuiteNumber,
    flags: u32,
    progress: ProgressFunction,
    context: *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        let suite = suite::find(suite)?;
        file_to_file(paths, flags, |input, output| {
            watched(progress, Caller::new(context), |progress| {
                copy::seal(input, output, (&keys, suite), progress)
            })
        })
    })
}

/// sivka_open_file() that tells `progress` how far it is; also SIVKA_ERROR_CANCELLED, and
/// no file appears then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_file_with_progress(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    flags: u32,
    progress: ProgressFunction,
    context: *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        file_to_file(paths, flags, |input, output| {
            watched(progress, Caller::new(context), |progress| {
                copy::open(input, output, &keys, progress)
            })
        })
    })
}

/// sivka_verify_file() that tells `progress` how far it is; also SIVKA_ERROR_CANCELLED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_verify_file_with_progress(
    input: *const c_char,
    keys: *const FileKeys,
    progress: ProgressFunction,
    context: *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (input, keys) = unsafe { (path("input", input)?, keys_of("keys", keys)?) };
        let run = || {
            let file = File::open(input).map_err(Error::Read)?;
            watched(progress, Caller::new(context), |progress| {
                copy::open(file, io::sink(), &keys, progress)
            })
        };
        run().map_err(|failure| failure.at(input, input))
    })
}

/// What the caller's functions are called with.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    pub(crate) context: *mut c_void,
}

// SAFETY: the pointer is only handed back, and the header says that other threads do so.
unsafe impl Send for Caller {}
// SAFETY: as above; nothing is done with a shared one but copying it.
unsafe impl Sync for Caller {}

impl Caller {
    pub(crate) fn new(context: *mut c_void) -> Self {
        Self { context }
    }

    /// Whether the caller wants to stop.
    pub(crate) fn stops(&self, progress: ProgressFunction, done: u64) -> bool {
        // SAFETY: a function as the header asks; the format calls it once at a time.
        progress.is_some_and(|progress| unsafe { progress(self.context, done) != 0 })
    }
}

/// Runs `work`, which tells how far it is, and is told whether to stop.
fn watched(
    progress: ProgressFunction,
    caller: Caller,
    work: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> Result<(), Error>,
) -> Result<(), Failure> {
    let (mut last, mut is_stopped) = (None, false);
    let result = work(&mut |done| {
        last = Some(done);
        is_stopped |= caller.stops(progress, done);
        is_stopped
    });
    if is_stopped || result.is_ok() && stops_at_last(caller, progress, last) {
        return Err(Failure::Cancelled);
    }
    Ok(result?)
}

/// Says the last number once more. Who answers in one thread only can stop the call here.
pub(crate) fn stops_at_last(caller: Caller, progress: ProgressFunction, last: Option<u64>) -> bool {
    last.is_some_and(|last| caller.stops(progress, last))
}
