//! Files from and to wherever the caller's functions read and write, and with progress.

use crate::copy;
use crate::failure::{Failure, guard};
use crate::file::{FileKeys, FileReader, file_to_file, keys_of, path, paths};
use crate::key::result;
use crate::status::Status;
use crate::suite::{self, SuiteNumber};
use sivka_file::Error;
use std::ffi::{c_char, c_void};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Reads at most `buffer_len` bytes (which is not 0) into `buffer`, and writes to
/// `read_len` how many they were: 0 only at the end of the input. Answers 0, or any other
/// number if it cannot read.
///
/// `context` is what the caller gave with the function. It may be called by other threads than
/// the caller's, never by two at the same time; it does not throw, and does not jump away.
pub type ReadFunction = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        buffer: *mut u8,
        buffer_len: usize,
        read_len: *mut usize,
    ) -> i32,
>;

/// Reads at most `buffer_len` bytes (which is not 0) from byte `position` of the input on
/// into `buffer`, and writes to `read_len` how many they were: 0 only at the end of the
/// input. Answers 0, or any other number if it cannot read.
///
/// `context` is what the caller gave. It is called by the thread that opens or reads, never
/// by two at the same time; it does not throw, and does not jump away.
pub type ReadAtFunction = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        position: u64,
        buffer: *mut u8,
        buffer_len: usize,
        read_len: *mut usize,
    ) -> i32,
>;

/// Writes all of the `bytes_len` bytes at `bytes`. Answers 0, or any other number if it
/// cannot write.
///
/// For the rest it is as sivka_read_function. One of each may be called at the same time, so what
/// two contexts share needs a lock.
pub type WriteFunction =
    Option<unsafe extern "C" fn(context: *mut c_void, bytes: *const u8, bytes_len: usize) -> i32>;

/// Hears how many bytes of plaintext are done so far. Answers 0 to go on, and any other
/// number to stop as soon as possible. A call that succeeds says the last number once more, in
/// the caller's thread, before an output file appears.
///
/// For the rest it is as sivka_read_function.
pub type ProgressFunction =
    Option<unsafe extern "C" fn(context: *mut c_void, plaintext_len: u64) -> i32>;

/// Seals what `read` gives, until its end, into what `write` takes, for every one of
/// `keys`, on all cores. `progress` may be NULL.
///
/// On a failure, what was written is no whole file and does not open.
///
/// SIVKA_ERROR_NULL, _SUITE, _KEY_COUNT, _READ and _WRITE for what the functions could
/// not do, _CANCELLED, _FILE_TOO_LONG, _NO_MEMORY, _RANDOM, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_stream(
    read: ReadFunction,
    read_context: *mut c_void,
    write: WriteFunction,
    write_context: *mut c_void,
    progress: ProgressFunction,
    progress_context: *mut c_void,
    keys: *const FileKeys,
    suite: SuiteNumber,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let suite = suite::find(suite)?;
        let input = Input::new(read, Caller::new(read_context))?;
        let output = Output::new(write, Caller::new(write_context))?;
        let hears = Caller::new(progress_context);
        watched(input, progress, hears, |input, progress| {
            copy::seal(input, output, (&keys, suite), progress)
        })
    })
}

/// Opens the sealed file that `read` gives into what `write` takes, with whichever of
/// `keys` fits, on all cores. `progress` may be NULL.
///
/// Chunks are written as soon as they are authenticated. On a failure, every chunk before
/// it was written and nothing after it: what was written is the beginning of what was
/// sealed, and whoever needs all of it or nothing throws it away.
///
/// SIVKA_ERROR_NULL, _READ and _WRITE for what the functions could not do, _CANCELLED,
/// _NOT_SIVKA, _NEWER, _DAMAGED, _TRUNCATED, _WRONG_KEY, _COST_LIMIT, _FILE_TOO_LONG,
/// _NO_MEMORY, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_stream(
    read: ReadFunction,
    read_context: *mut c_void,
    write: WriteFunction,
    write_context: *mut c_void,
    progress: ProgressFunction,
    progress_context: *mut c_void,
    keys: *const FileKeys,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let input = Input::new(read, Caller::new(read_context))?;
        let output = Output::new(write, Caller::new(write_context))?;
        let hears = Caller::new(progress_context);
        watched(input, progress, hears, |input, progress| {
            copy::open(input, output, &keys, progress)
        })
    })
}

/// Authenticates every byte of the sealed file that `read` gives, and makes no output.
/// `progress` may be NULL.
///
/// As sivka_open_stream(), without SIVKA_ERROR_WRITE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_verify_stream(
    read: ReadFunction,
    read_context: *mut c_void,
    progress: ProgressFunction,
    progress_context: *mut c_void,
    keys: *const FileKeys,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let input = Input::new(read, Caller::new(read_context))?;
        let hears = Caller::new(progress_context);
        watched(input, progress, hears, |input, progress| {
            copy::open(input, io::sink(), &keys, progress)
        })
    })
}

/// Opens the sealed file of `input_len` bytes that `read_at` gives for reading in any order;
/// otherwise as sivka_file_reader_new(). `read_at` and `context` are used until the reader
/// is freed.
///
/// SIVKA_ERROR_NULL, _READ for what the function could not do, _NOT_SIVKA, _NEWER,
/// _DAMAGED, _TRUNCATED, _WRONG_KEY, _COST_LIMIT, _FILE_TOO_LONG, _NO_MEMORY, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_of_function(
    read_at: ReadAtFunction,
    input_len: u64,
    context: *mut c_void,
    keys: *const FileKeys,
    made: *mut *mut FileReader,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (mut made, keys) = unsafe { (result("made", made)?, keys_of("keys", keys)?) };
        let input = SeekableInput {
            read_at: read_at.ok_or(Failure::Null { what: "read_at" })?,
            caller: Caller::new(context),
            position: 0,
            len: input_len,
        };
        made.handle = FileReader::new(Box::new(input), None, &keys)?;
        Ok(())
    })
}

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
            watched(input, progress, Caller::new(context), |input, progress| {
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
            watched(input, progress, Caller::new(context), |input, progress| {
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
            watched(file, progress, Caller::new(context), |input, progress| {
                copy::open(input, io::sink(), &keys, progress)
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

pub(crate) struct Input {
    read: unsafe extern "C" fn(*mut c_void, *mut u8, usize, *mut usize) -> i32,
    caller: Caller,
}

impl Input {
    pub(crate) fn new(read: ReadFunction, caller: Caller) -> Result<Self, Failure> {
        let read = read.ok_or(Failure::Null { what: "read" })?;
        Ok(Self { read, caller })
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut read_len = 0;
        // SAFETY: a function as the header asks, one call at a time; the buffer is
        // writable and initialised.
        let answer = unsafe {
            (self.read)(
                self.caller.context,
                buffer.as_mut_ptr(),
                buffer.len(),
                &raw mut read_len,
            )
        };
        answered(answer, read_len, buffer.len())
    }
}

struct SeekableInput {
    read_at: unsafe extern "C" fn(*mut c_void, u64, *mut u8, usize, *mut usize) -> i32,
    caller: Caller,
    position: u64,
    len: u64,
}

impl Read for SeekableInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut read_len = 0;
        // SAFETY: a function as the header asks, one call at a time; the buffer is
        // writable and initialised.
        let answer = unsafe {
            (self.read_at)(
                self.caller.context,
                self.position,
                buffer.as_mut_ptr(),
                buffer.len(),
                &raw mut read_len,
            )
        };
        let read_len = answered(answer, read_len, buffer.len())?;
        self.position += read_len as u64;
        Ok(read_len)
    }
}

impl Seek for SeekableInput {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.len.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// How many bytes a function of the caller's says that it read.
fn answered(answer: i32, read_len: usize, buffer_len: usize) -> io::Result<usize> {
    match answer {
        0 if read_len <= buffer_len => Ok(read_len),
        0 => Err(io::Error::other("the function read more than was asked")),
        answer => Err(io::Error::other(format!("the function answered {answer}"))),
    }
}

pub(crate) struct Output {
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> i32,
    caller: Caller,
}

impl Output {
    pub(crate) fn new(write: WriteFunction, caller: Caller) -> Result<Self, Failure> {
        let write = write.ok_or(Failure::Null { what: "write" })?;
        Ok(Self { write, caller })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: a function as the header asks, one call at a time.
        match unsafe { (self.write)(self.caller.context, bytes.as_ptr(), bytes.len()) } {
            0 => Ok(bytes.len()),
            answer => Err(io::Error::other(format!("the function answered {answer}"))),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An input that ends with an error as soon as the caller wants to stop.
struct Watched<'a, R> {
    input: R,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped by the caller"));
        }
        self.input.read(buffer)
    }
}

/// Runs `work`, which reads `input` and tells how far it is.
fn watched<R: Read>(
    input: R,
    progress: ProgressFunction,
    caller: Caller,
    work: impl FnOnce(Watched<'_, R>, &mut dyn FnMut(u64)) -> Result<(), Error>,
) -> Result<(), Failure> {
    let stop = AtomicBool::new(false);
    let mut last = None;
    let mut tell = |done| {
        last = Some(done);
        if caller.stops(progress, done) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let input = Watched { input, stop: &stop };
    let result = work(input, &mut tell);
    if result.is_ok() && stops_at_last(caller, progress, last) {
        return Err(Failure::Cancelled);
    }
    // Whoever stopped is told so, even where the last chunk was on its way already.
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::Cancelled);
    }
    Ok(result?)
}

/// Says the last number once more. Who answers in one thread only can stop the call here.
pub(crate) fn stops_at_last(caller: Caller, progress: ProgressFunction, last: Option<u64>) -> bool {
    last.is_some_and(|last| caller.stops(progress, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_reads_no_more_than_it_was_asked() {
        assert_eq!(answered(0, 0, 0).expect("read"), 0);
        assert_eq!(answered(0, 8, 8).expect("read"), 8);
        assert!(answered(0, 9, 8).is_err());
        assert!(answered(1, 0, 8).is_err());
    }
}
