//! Sealed files that are read in parts.

use super::keys::{FileKeys, HeldKeys, keys_of};
use super::path;
use super::source::Source;
use crate::failure::{Failure, guard};
use crate::handle::{free, handle, making};
use crate::region::{Region, check_apart};
use crate::status::{SIVKA_WANTS, Status};
use sivka_file::{CHUNK_LEN, Error, PAYLOAD_HEAD_LEN, Reader};
use std::ffi::c_char;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A sealed file that is read in parts, in any order. sivka_file_reader_new() or
/// sivka_file_reader_of_length() make it. Threads that read from one reader take turns.
pub struct FileReader {
    stage: Mutex<Stage>,
    plaintext_len: OnceLock<u64>,
    /// For errors; none where the caller gives the bytes.
    path: Option<PathBuf>,
}

enum Stage {
    Closed(Source, Arc<HeldKeys>),
    Open(Box<Reader<Source>>),
}

impl FileReader {
    pub(super) fn new(source: Source, keys: Arc<HeldKeys>, path: Option<&Path>) -> Self {
        Self {
            stage: Mutex::new(Stage::Closed(source, keys)),
            plaintext_len: OnceLock::new(),
            path: path.map(Path::to_path_buf),
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        // Whoever panicked left no half-read chunk: the reader is as good as its next seek.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn source<T>(&self, ask: impl FnOnce(&mut Source) -> T) -> T {
        match &mut *self.stage() {
            Stage::Closed(source, _) => ask(source),
            Stage::Open(reader) => ask(reader.get_mut()),
        }
    }

    /// Opens the file if it is closed, and reads until `out` is full, the file ends, or bytes are
    /// wanted; `None` if they are wanted before the first.
    fn read_at(&self, position: u64, out: &mut [u8]) -> Result<Option<usize>, Failure> {
        let mut stage = self.stage();
        if let Stage::Closed(source, keys) = &mut *stage {
            let Some(source) = source.take() else { return Ok(None) };
            let reader = Reader::new(source, &keys.unlocks(), &keys.open_options())?;
            *stage = Stage::Open(Box::new(reader));
        }
        let Stage::Open(reader) = &mut *stage else { return Ok(None) };
        let mut filled = 0;
        let mut fill = || {
            let sealed_len = (CHUNK_LEN + reader.header().suite().tag_len()) as u64;
            let head_len = (reader.header().len() + PAYLOAD_HEAD_LEN) as u64;
            let chunks = position.saturating_add(out.len() as u64).div_ceil(CHUNK_LEN as u64);
            reader.get_mut().useful_to = chunks.saturating_mul(sealed_len).saturating_add(head_len);
            if self.plaintext_len.get().is_none() {
                let _ = self.plaintext_len.set(reader.len()?);
            }
            reader.seek(SeekFrom::Start(position))?;
            while filled < out.len() {
                match reader.read(&mut out[filled..])? {
                    0 => break,
                    read => filled += read,
                }
            }
            Ok(())
        };
        let read: Result<(), Error> = fill();
        let source = reader.get_mut();
        let waits = matches!(read, Err(Error::Read(_))) && source.missing() > 0;
        if waits && filled == 0 {
            return Ok(None);
        }
        source.want_no_more();
        if waits { Ok(Some(filled)) } else { Ok(read.map(|()| Some(filled))?) }
    }
}

/// Opens the sealed file at `input` for reading, with the one of `keys` that opens it. Its end
/// is authenticated now, so that its length is known to be right; all else when it is read.
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
        let reader = file.and_then(|file| {
            let reader = FileReader::new(Source::new(Some(file), 0), keys, Some(input));
            reader.read_at(0, &mut []).map(|_| reader)
        });
        reader.map_err(|failure| failure.at(input, input))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// The length of the plaintext in bytes; 0 if `reader` is NULL. Where the caller gives the sealed
/// bytes, also 0 until a sivka_file_reader_read(), perhaps of 0 bytes, is SIVKA_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_len(reader: *const FileReader) -> u64 {
    // SAFETY: a live reader or null, as the header asks.
    let reader = unsafe { handle("reader", reader) };
    reader.ok().and_then(|reader| reader.plaintext_len.get().copied()).unwrap_or_default()
}

/// Reads plaintext from byte `position` on into `plaintext`, until its `plaintext_capacity` bytes
/// are full or the file ends, or, of sivka_file_reader_of_length(), as far as it was given. Writes
/// how many bytes were read to `plaintext_len`: 0 at the end and beyond it.
/// SIVKA_WANTS for a reader that is given its bytes. For a file that does not open or cannot be
/// read, `plaintext` holds zeros. Else it is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_read(
    reader: *const FileReader,
    position: u64,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    let mut wants = false;
    let status = guard(|| {
        // SAFETY: a live reader, as the header asks.
        let reader = unsafe { handle("reader", reader) }?;
        let out = Region::new("plaintext", plaintext, plaintext_capacity)?;
        let out_len = Region::new("plaintext_len", plaintext_len, 1)?;
        check_apart(&[out.span(), out_len.span()], &[])?;
        // SAFETY: memory as the header asks, and apart.
        let (out, out_len) = unsafe { (out.as_mut_slice(), out_len.as_mut_slice()) };
        let read = reader.read_at(position, out).inspect_err(|_| out.fill(0));
        let read = read.map_err(|failure| match &reader.path {
            Some(path) => failure.at(path, path),
            None => failure,
        });
        wants = matches!(read, Ok(None));
        out_len.fill(*read.as_ref().unwrap_or(&None).as_ref().unwrap_or(&0));
        read.map(drop)
    });
    if wants { SIVKA_WANTS } else { status }
}

/// Wipes and frees a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_free(reader: *mut FileReader) {
    // SAFETY: it came from `sivka_file_reader_new` and was not freed, as the header asks.
    unsafe { free("reader", reader) }
}
