//! How far a call is, told to a function of the caller's.

use crate::failure::Failure;
use sivka_file::Error;
use std::ffi::c_void;

/// Gets the number of bytes of plaintext that are done. Returns 0 to go on, and any other number to
/// stop as soon as possible. A call that succeeds reports the last number once more, before an
/// output file appears. `context` is what the caller gave with the function, which is called in the
/// caller's thread; it does not throw, and does not jump away.
pub type ProgressFunction =
    Option<unsafe extern "C" fn(context: *mut c_void, plaintext_len: u64) -> i32>;

/// What the caller's functions are called with.
#[derive(Clone, Copy)]
pub(crate) struct Caller(pub(crate) *mut c_void);

// SAFETY: the pointer is only handed back, and the header says that other threads do so.
unsafe impl Send for Caller {}
// SAFETY: as above; nothing is done with a shared one but copying it.
unsafe impl Sync for Caller {}

impl Caller {
    /// Whether the caller wants to stop.
    pub(crate) fn stops(&self, progress: ProgressFunction, done: u64) -> bool {
        // SAFETY: a function as the header asks; the format calls it once at a time.
        progress.is_some_and(|progress| unsafe { progress(self.0, done) != 0 })
    }
}

/// Runs `work`, which tells how far it is, and is told whether to stop.
pub(crate) fn watched(
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
