//! What is intact of a damaged file.

use crate::failure::{Failure, file_status};
use crate::file::{FileKeys, file_to_file, keys_of, paths};
use crate::handle::{free, making};
use crate::progress::{Caller, ProgressFunction, stops_at_last};
use crate::status::{SIVKA_OK, Status};
use sivka_file::Salvage as Found;
use std::cell::Cell;
use std::collections::TryReserveError;
use std::ffi::{c_char, c_void};
use std::io::{self, Write};
use std::ops::Range;
use std::ptr;

/// Plaintext that is lost, with zeros in its place.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LostRange {
    /// Where it begins in the plaintext, in bytes.
    pub start: u64,
    /// Its length in bytes.
    pub len: u64,
}

/// What sivka_salvage_file() found.
#[repr(C)]
pub struct Salvage {
    /// Bytes of plaintext that were intact.
    pub intact_len: u64,
    /// Zeros written instead of lost plaintext, in bytes.
    pub lost_len: u64,
    /// The length of the plaintext in bytes, if the last chunk is intact and proves it;
    /// else 2^64 - 1: how much plaintext followed cannot be known.
    pub plaintext_len: u64,
    /// The status that sivka_open_file() gives for the same file.
    pub open_status: Status,
    /// 1 if all of the plaintext was recovered and proved: the output is the original. Else 0.
    pub content_is_whole: u32,
    /// How many ranges are lost.
    pub lost_count: usize,
    /// The ranges, in order; no two of them touch.
    pub lost: *const LostRange,
}

impl Salvage {
    fn new(found: &Found, ranges: &[LostRange]) -> Result<Self, TryReserveError> {
        let mut lost = Vec::new();
        lost.try_reserve_exact(ranges.len())?;
        lost.extend_from_slice(ranges);
        Ok(Self {
            intact_len: found.intact_len,
            lost_len: found.lost_len,
            plaintext_len: found.plaintext_len.unwrap_or(u64::MAX),
            open_status: found.open_error().map_or(SIVKA_OK, file_status),
            content_is_whole: u32::from(found.content_is_whole()),
            lost_count: lost.len(),
            lost: Box::into_raw(lost.into_boxed_slice()).cast(),
        })
    }
}

impl Drop for Salvage {
    fn drop(&mut self) {
        let lost = ptr::slice_from_raw_parts_mut(self.lost.cast_mut(), self.lost_count);
        // SAFETY: the slice that `new` made, which nobody changes.
        drop(unsafe { Box::from_raw(lost) });
    }
}

/// Writes every intact chunk of the damaged sealed file at `input` to a new file at `output`, at
/// the same position, with zeros for lost chunks. One copy of the header must be whole. The output
/// of a damaged file is not the original: look at what was found before it is used.
/// SIVKA_OK however much was lost; _DAMAGED if too little of the header is left. After a failure no
/// file appears. Otherwise as sivka_open_file().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_salvage_file(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    flags: u32,
    progress: ProgressFunction,
    progress_context: *mut c_void,
    made: *mut *mut Salvage,
) -> Status {
    let make = || {
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        let caller = Caller(progress_context);
        let (stops, mut has_memory) = (Cell::new(false), true);
        let mut salvaged = None;
        file_to_file(paths, flags, |input, output| {
            let (mut last, mut lost) = (None, Vec::new());
            let tell_lost = |range: Range<u64>| {
                has_memory &= lost.try_reserve(1).is_ok();
                stops.set(stops.get() || !has_memory);
                if has_memory {
                    lost.push(LostRange { start: range.start, len: range.end - range.start });
                }
            };
            let tell = |done| {
                last = Some(done);
                stops.set(stops.get() || caller.stops(progress, done));
            };
            let output = Watched { output, stops: &stops };
            let (unlocks, options) = (keys.unlocks(), keys.open_options());
            let found = sivka_file::salvage(input, output, &unlocks, &options, tell_lost, tell);
            if !has_memory {
                return Err(Failure::NoMemory);
            }
            if stops.get() || found.is_ok() && stops_at_last(caller, progress, last) {
                return Err(Failure::Cancelled);
            }
            let made = Salvage::new(&found?, &lost).map_err(|_| Failure::NoMemory)?;
            salvaged = Some(made);
            Ok(())
        })?;
        salvaged.ok_or(Failure::NoMemory)
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Frees what sivka_salvage_file() made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_salvage_free(salvage: *mut Salvage) {
    // SAFETY: it came from `sivka_salvage_file` and was not freed, as the header asks.
    unsafe { free("salvage", salvage) }
}

/// An output that refuses to go on as soon as the call is to stop: an input that did would be a
/// damaged one.
struct Watched<'a, W> {
    output: W,
    stops: &'a Cell<bool>,
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stops.get() {
            return Err(io::Error::other("stopped by the caller"));
        }
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
