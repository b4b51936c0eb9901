//! What is intact of a damaged file.

use crate::failure::{Failure, file_status, guard};
use crate::file::{FileKeys, file_to_file, keys_of, paths};
use crate::progress::{Caller, ProgressFunction, stops_at_last};
use crate::region::Region;
use crate::status::{SIVKA_OK, Status};
use sivka_file::Salvage as Found;
use std::ffi::{c_char, c_void};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of sivka_salvage_file().
#[repr(C)]
pub struct Salvage {
    /// Bytes of plaintext that were intact.
    pub intact_len: u64,
    /// Zeros written instead of lost plaintext, in bytes.
    pub lost_len: u64,
    /// The length of the plaintext in bytes, if the last chunk is intact and proves it;
    /// else 2^64 - 1: how much plaintext followed cannot be known.
    pub plaintext_len: u64,
    /// The status that sivka_open_file() gives for the same file: SIVKA_OK if nothing is
    /// wrong with it.
    pub open_status: Status,
    /// 1 if all of the plaintext was recovered and proved: then the output is the
    /// original. Else 0.
    pub content_is_whole: u32,
}

impl From<&Found> for Salvage {
    fn from(found: &Found) -> Self {
        Self {
            intact_len: found.intact_len,
            lost_len: found.lost_len,
            plaintext_len: found.plaintext_len.unwrap_or(u64::MAX),
            open_status: found.open_error().map_or(SIVKA_OK, file_status),
            content_is_whole: u32::from(found.content_is_whole()),
        }
    }
}

/// Hears of `len` bytes of plaintext from `start` on that are lost. Answers 0 to go on, and any
/// other number to stop as soon as possible. It is called in the caller's thread, for one range
/// after another; it does not throw, and does not jump away.
pub type LostFunction =
    Option<unsafe extern "C" fn(context: *mut c_void, start: u64, len: u64) -> i32>;

/// Writes every intact chunk of the damaged sealed file at `input` to a new file at `output`, at
/// the same position, with zeros for lost chunks. `found` gets the result. `lost` gets each lost
/// range, and `progress` the number of bytes that are done; both may be NULL. One copy of the
/// header must be whole. The output of a damaged file is not the original: look at `found` before
/// it is used.
/// SIVKA_OK however much was lost; _DAMAGED if too little of the header is left. After a failure no
/// file appears, and `found` is as it was. Otherwise as sivka_open_file().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_salvage_file(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    flags: u32,
    lost: LostFunction,
    lost_context: *mut c_void,
    progress: ProgressFunction,
    progress_context: *mut c_void,
    found: *mut Salvage,
) -> Status {
    guard(|| {
        let out = Region::new("found", found, 1)?;
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        let caller = Caller(progress_context);
        let stop = AtomicBool::new(false);
        let tell_lost = |range: Range<u64>| {
            if let Some(lost) = lost {
                let len = range.end - range.start;
                // SAFETY: a function as the header asks, called in this thread.
                if unsafe { lost(lost_context, range.start, len) } != 0 {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        };
        let mut salvaged = None;
        file_to_file(paths, flags, |input, output| {
            let mut last = None;
            let tell = |done| {
                last = Some(done);
                if caller.stops(progress, done) {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let output = Watched { output, stop: &stop };
            let (unlocks, options) = (keys.unlocks(), keys.open_options());
            let found = sivka_file::salvage(input, output, &unlocks, &options, tell_lost, tell);
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::Cancelled);
            }
            let found = found?;
            if stops_at_last(caller, progress, last) {
                return Err(Failure::Cancelled);
            }
            salvaged = Some(Salvage::from(&found));
            Ok(())
        })?;
        // Not before the output is there.
        // SAFETY: one writable value, as the header asks, and nothing of it in use.
        if let ([out], Some(salvaged)) = (unsafe { out.as_mut_slice() }, salvaged) {
            *out = salvaged;
        }
        Ok(())
    })
}

/// An output that refuses to go on as soon as the caller wants to stop: an input that did
/// would be a damaged one.
struct Watched<'a, W> {
    output: W,
    stop: &'a AtomicBool,
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped by the caller"));
        }
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
