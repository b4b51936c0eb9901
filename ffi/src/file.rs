//! Files: sealing and opening by path.

pub(crate) mod copy;
mod key_file;
mod keys;
mod reader;
mod source;

pub(crate) use key_file::key_file_of;
pub use key_file::{
    SIVKA_FILE_KEY_LEN, SIVKA_MAX_KEY_FILE_LEN, sivka_check_key_path, sivka_generate_key_file,
    sivka_key_file_from_bytes,
};
pub use keys::*;
pub use reader::*;
pub use source::{sivka_file_reader_give, sivka_file_reader_of_length, sivka_file_reader_wants};

use crate::failure::{Failure, guard};
use crate::progress::{Caller, ProgressFunction, watched};
use crate::region::c_str;
use crate::status::Status;
use crate::suite::{self, SuiteNumber};
use sivka_file::{AtomicFile, Error, is_key_text};
use std::ffi::{CStr, c_char, c_void};
use std::fs::File;
use std::io;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A flag: replace the output if it exists.
pub const SIVKA_OVERWRITE: u32 = 1;

/// Seals the file at `input` into a new file at `output` for every one of `keys`, on all cores. The
/// output appears under its name when it is complete, or not at all. It has the permissions of the
/// input less the umask. `suite` is the number of a suite of the file format, or 0 for the default;
/// `flags` is 0 or SIVKA_OVERWRITE. `progress`, which may be NULL, hears how far the call is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_file(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    suite: SuiteNumber,
    flags: u32,
    progress: ProgressFunction,
    progress_context: *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        let suite = suite::find(suite)?;
        file_to_file(paths, flags, |input, output| {
            watched(progress, Caller(progress_context), |progress| {
                copy::seal(input, output, (&keys, suite), progress)
            })
        })
    })
}

/// Opens the sealed file at `input` into a new file at `output` with `keys`. The output appears
/// when all of it is authenticated, or not at all; otherwise as sivka_seal_file().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_file(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    flags: u32,
    progress: ProgressFunction,
    progress_context: *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        file_to_file(paths, flags, |input, output| {
            watched(progress, Caller(progress_context), |progress| {
                copy::open(input, output, &keys, progress)
            })
        })
    })
}

/// Authenticates every byte of the sealed file at `input`; otherwise as sivka_open_file().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_verify_file(
    input: *const c_char,
    keys: *const FileKeys,
    progress: ProgressFunction,
    progress_context: *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (input, keys) = unsafe { (path("input", input)?, keys_of("keys", keys)?) };
        let run = || {
            let file = File::open(input).map_err(Error::Read)?;
            watched(progress, Caller(progress_context), |progress| {
                copy::open(file, io::sink(), &keys, progress)
            })
        };
        run().map_err(|failure| failure.at(input, input))
    })
}

/// Runs `work` from one file to another, which appears then, with the permissions of the first.
pub(crate) fn file_to_file(
    (input, output): (&Path, &Path),
    flags: u32,
    work: impl FnOnce(&File, &mut File) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if flags & !SIVKA_OVERWRITE != 0 {
        return Err(Failure::flags(flags & !SIVKA_OVERWRITE));
    }
    let run = || {
        let from = File::open(input).map_err(Error::Read)?;
        let permissions = AtomicFile::permissions_like(&from.metadata().map_err(Error::Read)?);
        let to = AtomicFile::create(output, permissions, flags == SIVKA_OVERWRITE);
        let mut to = to.map_err(Error::Write)?;
        work(&from, to.file())?;
        Ok(to.commit().map_err(Error::Write)?)
    };
    run().map_err(|failure: Failure| failure.at(input, output))
}

/// # Safety
/// Both are null or C strings.
pub(crate) unsafe fn paths<'a>(
    input: *const c_char,
    output: *const c_char,
) -> Result<(&'a Path, &'a Path), Failure> {
    // SAFETY: the caller's promise.
    unsafe { Ok((path("input", input)?, path("output", output)?)) }
}

/// # Safety
/// `text` is null or a C string.
pub(crate) unsafe fn path<'a>(
    what: &'static str,
    text: *const c_char,
) -> Result<&'a Path, Failure> {
    // SAFETY: the caller's promise.
    let text = unsafe { c_str(what, text) }?;
    if is_key_text(text.to_bytes()) {
        return Err(Failure::key_text(what));
    }
    path_of(text).ok_or_else(|| Failure::text(what))
}

pub(crate) fn path_of(text: &CStr) -> Option<&Path> {
    #[cfg(unix)]
    return Some(Path::new(std::ffi::OsStr::from_bytes(text.to_bytes())));
    #[cfg(not(unix))]
    return text.to_str().ok().map(Path::new);
}
