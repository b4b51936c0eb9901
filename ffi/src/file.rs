//! Files: sealing and opening by path.

pub(crate) mod copy;
mod function;
mod key_file;
mod keys;
mod reader;

pub use function::{ReadAtFunction, sivka_file_reader_of_function};
pub(crate) use key_file::key_file_of;
pub use key_file::{
    SIVKA_FILE_KEY_LEN, SIVKA_MAX_KEY_FILE_LEN, sivka_check_key_path, sivka_generate_key_file,
    sivka_key_file_from_bytes,
};
pub use keys::*;
pub use reader::*;

use crate::algorithm::c_str;
use crate::failure::{Failure, guard};
use crate::progress::{Caller, ProgressFunction, watched};
use crate::status::Status;
use crate::suite::{self, SuiteNumber};
use sivka_file::{AtomicFile, Error, is_key_text};
use std::ffi::{c_char, c_void};
use std::fs::{File, Metadata};
use std::io;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A flag: replace the output if it exists.
pub const SIVKA_OVERWRITE: u32 = 1;

/// Seals the file at `input` into a new file at `output` for every one of `keys`, on all
/// cores.
///
/// The output appears under its name when it is complete, or not at all. It has the
/// permissions of the input less the umask. Both paths end with a zero; on Windows they
/// are UTF-8. `suite` is the number of a suite of the file format, or 0 for the default;
/// `flags` is 0 or SIVKA_OVERWRITE. `progress`, which may be NULL, hears how far the call is.
///
/// SIVKA_ERROR_TEXT, _FLAGS, _SUITE, _KEY_COUNT, _EXISTS, _READ, _WRITE, _CANCELLED,
/// _FILE_TOO_LONG, _NO_MEMORY, _RANDOM, _SELF_CHECK.
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
            watched(progress, Caller::new(progress_context), |progress| {
                copy::seal(input, output, (&keys, suite), progress)
            })
        })
    })
}

/// Opens the sealed file at `input` into a new file at `output` with `keys`, on all cores.
///
/// The output appears under its name when all of it is authenticated, or not at all. It
/// has the permissions of the input less the umask. Paths, `flags` and `progress` are as
/// for sivka_seal_file().
///
/// SIVKA_ERROR_TEXT, _FLAGS, _EXISTS, _READ, _WRITE, _CANCELLED, _NOT_SIVKA, _NEWER, _DAMAGED,
/// _TRUNCATED, _WRONG_KEY, _COST_LIMIT, _FILE_TOO_LONG, _NO_MEMORY, _SELF_CHECK.
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
            watched(progress, Caller::new(progress_context), |progress| {
                copy::open(input, output, &keys, progress)
            })
        })
    })
}

/// Authenticates every byte of the sealed file at `input`, and makes no output.
/// `progress` is as for sivka_seal_file().
///
/// SIVKA_ERROR_TEXT, _READ, _CANCELLED, _NOT_SIVKA, _NEWER, _DAMAGED, _TRUNCATED, _WRONG_KEY,
/// _COST_LIMIT, _FILE_TOO_LONG, _NO_MEMORY, _SELF_CHECK.
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
            watched(progress, Caller::new(progress_context), |progress| {
                copy::open(file, io::sink(), &keys, progress)
            })
        };
        run().map_err(|failure| failure.at(input, input))
    })
}

/// Runs `work` from one file to another, which appears when `work` is done.
pub(crate) fn file_to_file<E>(
    (input, output): (&Path, &Path),
    flags: u32,
    work: impl FnOnce(&File, &mut File) -> Result<(), E>,
) -> Result<(), Failure>
where
    Failure: From<E>,
{
    let overwrite = overwrites(flags)?;
    let run = || {
        let from = File::open(input).map_err(Error::Read)?;
        let metadata = from.metadata().map_err(Error::Read)?;
        to_file(&metadata, output, overwrite, |to| work(&from, to))
    };
    run().map_err(|failure: Failure| failure.at(input, output))
}

fn overwrites(flags: u32) -> Result<bool, Failure> {
    match flags & !SIVKA_OVERWRITE {
        0 => Ok(flags & SIVKA_OVERWRITE != 0),
        unknown => Err(Failure::Flags { unknown }),
    }
}

/// A file that appears when `work` is done, with the permissions of its input.
fn to_file<E>(
    input: &Metadata,
    output: &Path,
    overwrite: bool,
    work: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), Failure>
where
    Failure: From<E>,
{
    let permissions = AtomicFile::permissions_like(input);
    let mut output = AtomicFile::create(output, permissions, overwrite).map_err(Error::Write)?;
    work(output.file())?;
    output.commit().map_err(Error::Write)?;
    Ok(())
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
        return Err(Failure::KeyText { what });
    }
    #[cfg(unix)]
    return Ok(Path::new(std::ffi::OsStr::from_bytes(text.to_bytes())));
    #[cfg(not(unix))]
    return text
        .to_str()
        .map(Path::new)
        .map_err(|_| Failure::Text { what });
}
