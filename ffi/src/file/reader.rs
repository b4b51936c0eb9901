//! Sealed files that are read in parts.

use super::keys::{FileKeys, HeldKeys, keys_of};
use super::path;
use crate::failure::{Failure, guard};
use crate::handle::{free, handle, making};
use crate::region::{Region, check_apart};
use crate::status::Status;
use sivka_file::{Error, Reader};
use std::ffi::c_char;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A sealed file that is read in parts, in any order. sivka_file_reader_new() or
/// sivka_file_reader_of_function() make it. Threads that read from one reader take turns.
pub struct FileReader {
    reader: Mutex<Reader<Box<dyn Seekable>>>,
    plaintext_len: u64,
    /// For errors; none where the caller's functions read.
    path: Option<PathBuf>,
}

/// Where a reader reads from.
pub(crate) trait Seekable: Read + Seek + Send {}

impl<R: Read + Seek + Send> Seekable for R {}

impl FileReader {
    pub(crate) fn new(
        input: Box<dyn Seekable>,
        path: Option<&Path>,
        keys: &HeldKeys,
    ) -> Result<Self, Failure> {
        let mut reader = Reader::new(input, &keys.unlocks(), &keys.open_options())?;
        let plaintext_len = reader.len()?;
        Ok(Self { reader: Mutex::new(reader), plaintext_len, path: path.map(Path::to_path_buf) })
    }
}

/// Opens the sealed file at `input` for reading, with the one of `keys` that opens it. Its end
/// is authenticated now, so that its length is known to be right; every other part when it is read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_new(
    input: *const c_char,
    keys: *const FileKeys,
    made: *mut *mut FileReader,
) -> Status {
    let make = || {
        // SAFETY: as the header asks.
        let (input, keys) = unsafe { (path("input", input)?, keys_of("keys", keys)?) };
        let file = File::open(input).map_err(|error| Failure::from(Error::Read(error)));
        let reader = file.and_then(|file| FileReader::new(Box::new(file), Some(input), &keys));
        reader.map_err(|failure| failure.at(input, input))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// The length of the plaintext in bytes; 0 if `reader` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_len(reader: *const FileReader) -> u64 {
    // SAFETY: a live reader or null, as the header asks.
    unsafe { handle("reader", reader) }.map_or(0, |reader| reader.plaintext_len)
}

/// Reads plaintext from byte `position` on into `plaintext`, until its `plaintext_capacity` bytes
/// are full or the file ends. Writes how many bytes were read to `plaintext_len`: 0 at the end and
/// beyond it.
/// _READ, _DAMAGED, _TRUNCATED, _SELF_CHECK: `plaintext` holds zeros. Else it is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_read(
    reader: *const FileReader,
    position: u64,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    guard(|| {
        // SAFETY: a live reader, as the header asks.
        let reader = unsafe { handle("reader", reader) }?;
        let out = Region::new("plaintext", plaintext, plaintext_capacity)?;
        let out_len = Region::new("plaintext_len", plaintext_len, 1)?;
        check_apart(&[out.span(), out_len.span()], &[])?;
        // SAFETY: memory as the header asks, and apart.
        let (out, out_len) = unsafe { (out.as_mut_slice(), out_len.as_mut_slice()) };
        let read = read_at(reader, position, out).inspect_err(|_| out.fill(0));
        let read = read.map_err(|failure| match &reader.path {
            Some(path) => failure.at(path, path),
            None => failure,
        });
        out_len.fill(*read.as_ref().unwrap_or(&0));
        read.map(drop)
    })
}

fn read_at(reader: &FileReader, position: u64, out: &mut [u8]) -> Result<usize, Failure> {
    // Whoever panicked left no half-read chunk: the reader is as good as its next seek.
    let mut reader = reader.reader.lock().unwrap_or_else(PoisonError::into_inner);
    reader.seek(SeekFrom::Start(position)).map_err(Error::from)?;
    let mut filled = 0;
    while filled < out.len() {
        match reader.read(&mut out[filled..]).map_err(Error::from)? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// Wipes and frees a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_free(reader: *mut FileReader) {
    // SAFETY: it came from `sivka_file_reader_new` and was not freed, as the header asks.
    unsafe { free("reader", reader) }
}
