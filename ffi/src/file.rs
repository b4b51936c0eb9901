//! Files: sealing and opening by path, and reading parts of one.

use crate::algorithm::c_str;
use crate::failure::{Failure, guard};
use crate::input::SealedFile;
use crate::key::result;
use crate::region::{Region, Span, check_apart, handle, text_of};
use crate::status::Status;
use crate::suite::{self, SuiteNumber};
use sivka_file::{
    Argon2Cost, AtomicFile, Error, KeyFile, Lock, OpenOptions, Passphrase, SealOptions, SeekReader,
    Unlock,
};
use std::ffi::c_char;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A flag: replace the output if it exists.
pub const SIVKA_OVERWRITE: u32 = 1;

/// The key files and passphrases that a file is sealed for, or is to be opened with.
/// Make it with sivka_file_keys_new(), free it with sivka_file_keys_free().
///
/// Any number of threads may use it at the same time, and add to it, as long as none frees it:
/// a call works with what was there when it began.
pub struct FileKeys(Mutex<Arc<Keys>>);

/// What a set of keys has. Who works with it holds it, and what is added comes into another one.
#[derive(Clone)]
pub(crate) struct Keys {
    key_files: Vec<Arc<KeyFile>>,
    passphrases: Vec<Arc<Passphrase>>,
    cost: Argon2Cost,
    max_cost: Argon2Cost,
}

/// What a set of keys has now.
///
/// # Safety
/// `keys` is null or a live set.
pub(crate) unsafe fn keys_of(
    what: &'static str,
    keys: *const FileKeys,
) -> Result<Arc<Keys>, Failure> {
    // SAFETY: the caller's promise.
    let keys = unsafe { handle(what, keys) }?;
    let now = keys.0.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Arc::clone(&now))
}

/// # Safety
/// `keys` is null or a live set.
unsafe fn change(keys: *const FileKeys, change: impl FnOnce(&mut Keys)) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let keys = unsafe { handle("keys", keys) }?;
    let mut now = keys.0.lock().unwrap_or_else(PoisonError::into_inner);
    change(Arc::make_mut(&mut now));
    Ok(())
}

impl Keys {
    pub(crate) fn locks(&self) -> Vec<Lock<'_>> {
        let key_files = self.key_files.iter().map(|file| Lock::KeyFile(file));
        let passphrases = self.passphrases.iter();
        key_files
            .chain(passphrases.map(|text| Lock::Passphrase(text, self.cost)))
            .collect()
    }

    pub(crate) fn unlocks(&self) -> Vec<Unlock<'_>> {
        let key_files = self.key_files.iter().map(|file| Unlock::KeyFile(file));
        let passphrases = self.passphrases.iter();
        key_files
            .chain(passphrases.map(|text| Unlock::Passphrase(text)))
            .collect()
    }

    pub(crate) fn open_options(&self) -> OpenOptions {
        OpenOptions {
            max_cost: self.max_cost,
            ..OpenOptions::default()
        }
    }
}

/// Makes an empty set of keys and writes it to `made`; NULL on a failure.
///
/// SIVKA_ERROR_NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_new(made: *mut *mut FileKeys) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        let keys = Keys {
            key_files: Vec::new(),
            passphrases: Vec::new(),
            cost: Argon2Cost::DEFAULT,
            max_cost: Argon2Cost::DEFAULT_LIMIT,
        };
        made.handle = Box::into_raw(Box::new(FileKeys(Mutex::new(Arc::new(keys)))));
        Ok(())
    })
}

/// Wipes and frees a set of keys. NULL is allowed, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_free(keys: *mut FileKeys) {
    guard(|| {
        if !keys.is_null() {
            // SAFETY: it came from `sivka_file_keys_new` and was not freed, as the header asks.
            drop(unsafe { Box::from_raw(keys) });
        }
        Ok(())
    });
}

/// Carries out a call that copies a secret, and leaves none of it in vector registers, which an
/// exception of its caller's would put into memory.
pub(crate) fn guard_copying(call: impl FnOnce() -> Result<(), Failure>) -> Status {
    guard(|| sivka::Tier::detect().__run(0, call))
}

/// Adds the key of a key file, whose content (not its path) is the `text_len` bytes at
/// `text`. The text is copied; the caller wipes its own.
///
/// SIVKA_ERROR_NULL, _TEXT, _KEY_FILE, _NEWER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_add_key_file(
    keys: *mut FileKeys,
    text: *const c_char,
    text_len: usize,
) -> Status {
    guard_copying(|| {
        // SAFETY: as the header asks.
        unsafe {
            let added = Arc::new(KeyFile::parse(text_of("text", text, text_len)?)?);
            change(keys, |keys| keys.key_files.push(added))
        }
    })
}

/// Adds a passphrase: `passphrase_len` bytes of UTF-8, taken as they are. They are
/// copied; the caller wipes its own.
///
/// SIVKA_ERROR_NULL, _TEXT, _EMPTY_PASSPHRASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_add_passphrase(
    keys: *mut FileKeys,
    passphrase: *const c_char,
    passphrase_len: usize,
) -> Status {
    guard_copying(|| {
        // SAFETY: as the header asks.
        let text = unsafe { text_of("passphrase", passphrase, passphrase_len) }?;
        if text.is_empty() {
            return Err(Error::EmptyPassphrase.into());
        }
        let added = Arc::new(Passphrase::new(text.to_owned()));
        // SAFETY: as the header asks.
        unsafe { change(keys, |keys| keys.passphrases.push(added)) }
    })
}

/// Sets what one try of a passphrase shall cost in files that are sealed from now on:
/// Argon2id (RFC 9106) with `memory_kib` KiB, `passes` and `lanes`. Without this call,
/// 262144 KiB, 3 passes and 4 lanes.
///
/// SIVKA_ERROR_NULL, SIVKA_ERROR_COST.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_set_cost(
    keys: *mut FileKeys,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
) -> Status {
    guard(|| {
        let cost = Argon2Cost {
            memory_kib,
            passes,
            lanes,
        };
        if !cost.is_valid() {
            return Err(Error::BadCost { asked: cost }.into());
        }
        // SAFETY: as the header asks.
        unsafe { change(keys, |keys| keys.cost = cost) }
    })
}

/// Sets what trying a passphrase may cost at most when a file is opened: whoever made
/// the file chose the cost. Without this call, 1048576 KiB and 16 passes.
///
/// SIVKA_ERROR_NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_keys_set_max_cost(
    keys: *mut FileKeys,
    memory_kib: u32,
    passes: u32,
) -> Status {
    guard(|| {
        let max_cost = Argon2Cost {
            memory_kib,
            passes,
            ..Argon2Cost::DEFAULT_LIMIT
        };
        // SAFETY: as the header asks.
        unsafe { change(keys, |keys| keys.max_cost = max_cost) }
    })
}

/// Makes a new random key and writes the text of its key file, without a zero at its
/// end, to `text`, and its length to `text_len`. `text_capacity` is at least
/// SIVKA_MAX_KEY_FILE_LEN. The text is a secret: keep it where only its owner reads, and
/// wipe the buffer. `name` is a name for people and ends with a zero.
///
/// SIVKA_ERROR_NULL, _TEXT, _KEY_NAME, _CAPACITY, _ALIGNMENT, _OVERLAP, _RANDOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_generate_key_file(
    name: *const c_char,
    text: *mut c_char,
    text_capacity: usize,
    text_len: *mut usize,
) -> Status {
    guard_copying(|| {
        // SAFETY: as the header asks.
        unsafe {
            let out = KeyFileText::new(text, text_capacity, text_len, &[])?;
            out.write(&KeyFile::generate(name_of(name)?)?)
        }
    })
}

/// Writes the text of the key file of a key that the caller has: `key_len` is
/// SIVKA_FILE_KEY_LEN, and the bytes must be uniformly random. The other arguments are
/// those of sivka_generate_key_file().
///
/// SIVKA_ERROR_NULL, _LENGTH, _TEXT, _KEY_NAME, _CAPACITY, _ALIGNMENT, _OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_key_file_from_bytes(
    key: *const u8,
    key_len: usize,
    name: *const c_char,
    text: *mut c_char,
    text_capacity: usize,
    text_len: *mut usize,
) -> Status {
    guard_copying(|| {
        let key = Region::new("key", key, key_len)?;
        // SAFETY: as the header asks.
        unsafe {
            let out = KeyFileText::new(text, text_capacity, text_len, &[key.span()])?;
            let made = key_of(key.as_slice(), name_of(name)?)?;
            out.write(&made)
        }
    })
}

fn key_of(key: &[u8], name: &str) -> Result<KeyFile, Failure> {
    let key = key.try_into().map_err(|_| Failure::Length {
        what: "key",
        expected: SIVKA_FILE_KEY_LEN,
        given: key.len(),
    })?;
    Ok(KeyFile::from_bytes(key, name).map_err(Error::BadKeyName)?)
}

/// # Safety
/// `name` is null or a C string.
unsafe fn name_of<'a>(name: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    let name = unsafe { c_str("name", name) }?;
    name.to_str().map_err(|_| Failure::Text { what: "name" })
}

/// Where the text of a key file is written, and its length.
struct KeyFileText {
    text: Region<u8>,
    len: Region<usize>,
}

impl KeyFileText {
    fn new(
        text: *mut c_char,
        capacity: usize,
        len: *mut usize,
        read: &[Span],
    ) -> Result<Self, Failure> {
        let text = Region::new("text", text.cast::<u8>(), capacity)?;
        let text = text.first(capacity.max(SIVKA_MAX_KEY_FILE_LEN))?;
        let len = Region::new("text_len", len, 1)?;
        check_apart(&[text.span(), len.span()], read)?;
        Ok(Self { text, len })
    }

    /// # Safety
    /// Both regions are memory as the header asks.
    unsafe fn write(self, key_file: &KeyFile) -> Result<(), Failure> {
        let made = key_file.to_text();
        // SAFETY: the caller's promise, and apart since `new`.
        unsafe {
            let text = self.text.first(made.len())?;
            text.as_mut_slice().copy_from_slice(made.as_bytes());
            self.len.as_mut_slice().fill(made.len());
        }
        Ok(())
    }
}

/// The length of the key in a key file in bytes.
pub const SIVKA_FILE_KEY_LEN: usize = 32;

/// The most bytes that the text of a key file has.
pub const SIVKA_MAX_KEY_FILE_LEN: usize = 1024;
const _: () = assert!(SIVKA_MAX_KEY_FILE_LEN == sivka_file::MAX_KEY_FILE_LEN);

/// Seals the file at `input` into a new file at `output` for every one of `keys`, on all
/// cores.
///
/// The output appears under its name when it is complete, or not at all. It has the
/// permissions of the input less the umask. Both paths end with a zero; on Windows they
/// are UTF-8. `suite` is the number of a suite of the file format, or 0 for the default;
/// `flags` is 0 or SIVKA_OVERWRITE.
///
/// SIVKA_ERROR_NULL, _TEXT, _FLAGS, _SUITE, _KEY_COUNT, _EXISTS, _READ, _WRITE,
/// _FILE_TOO_LONG, _NO_MEMORY, _RANDOM, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_file(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    suite: SuiteNumber,
    flags: u32,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        let options = SealOptions {
            suite: suite::find(suite)?,
            ..SealOptions::default()
        };
        file_to_file(paths, flags, |input, output| {
            sivka_file::seal(input, output, &keys.locks(), &options, |_| {}).map(drop)
        })
    })
}

/// Opens the sealed file at `input` into a new file at `output`, with whichever of
/// `keys` fits, on all cores.
///
/// The output appears under its name when all of it is authenticated, or not at all. It
/// has the permissions of the input less the umask. Paths and `flags` are as for
/// sivka_seal_file().
///
/// SIVKA_ERROR_NULL, _TEXT, _FLAGS, _EXISTS, _READ, _WRITE, _NOT_SIVKA, _NEWER,
/// _DAMAGED, _TRUNCATED, _WRONG_KEY, _COST_LIMIT, _FILE_TOO_LONG, _NO_MEMORY,
/// _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_file(
    input: *const c_char,
    output: *const c_char,
    keys: *const FileKeys,
    flags: u32,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (paths, keys) = unsafe { (paths(input, output)?, keys_of("keys", keys)?) };
        sealed_to_file(paths, flags, |input, output| {
            let options = keys.open_options();
            sivka_file::open(input, output, &keys.unlocks(), &options, |_| {}).map(drop)
        })
    })
}

/// Authenticates every byte of the sealed file at `input`, and writes nothing.
///
/// SIVKA_ERROR_NULL, _TEXT, _READ, _NOT_SIVKA, _NEWER, _DAMAGED, _TRUNCATED, _WRONG_KEY,
/// _COST_LIMIT, _FILE_TOO_LONG, _NO_MEMORY, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_verify_file(input: *const c_char, keys: *const FileKeys) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (input, keys) = unsafe { (path("input", input)?, keys_of("keys", keys)?) };
        let verified = SealedFile::open(input).and_then(|file| {
            sivka_file::verify(file, &keys.unlocks(), &keys.open_options(), |_| {})
        });
        verified.map_err(|error| Failure::from(error).at(input, input))?;
        Ok(())
    })
}

/// A sealed file that is read in parts, in any order. Make it with
/// sivka_file_reader_new() or sivka_file_reader_of_function(), free it with sivka_file_reader_free().
///
/// Any number of threads may read from one reader; they take turns.
pub struct FileReader {
    reader: Mutex<SeekReader<Box<dyn Seekable>>>,
    plaintext_len: u64,
}

/// Where a reader reads from.
pub(crate) trait Seekable: Read + Seek + Send {}

impl<R: Read + Seek + Send> Seekable for R {}

impl FileReader {
    /// A reader for C, of whatever comes after `input`.
    pub(crate) fn new(input: Box<dyn Seekable>, keys: &Keys) -> Result<*mut Self, Failure> {
        let reader = SeekReader::new(input, &keys.unlocks(), &keys.open_options())?;
        let plaintext_len = reader.plaintext_len();
        let reader = Mutex::new(reader);
        Ok(Box::into_raw(Box::new(Self {
            reader,
            plaintext_len,
        })))
    }
}

/// Opens the sealed file at `input` for reading, with whichever of `keys` fits, and
/// writes the reader to `made`; NULL on a failure. The end of the file is authenticated
/// now, so that its length is known to be right; every other part when it is read. The
/// keys may be freed before the reader.
///
/// SIVKA_ERROR_NULL, _TEXT, _READ, _NOT_SIVKA, _NEWER, _DAMAGED, _TRUNCATED, _WRONG_KEY,
/// _COST_LIMIT, _FILE_TOO_LONG, _NO_MEMORY, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_new(
    input: *const c_char,
    keys: *const FileKeys,
    made: *mut *mut FileReader,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let mut made = unsafe { result("made", made) }?;
        // SAFETY: as the header asks.
        let (input, keys) = unsafe { (path("input", input)?, keys_of("keys", keys)?) };
        let file = SealedFile::open(input).map_err(Failure::from);
        let reader = file.and_then(|file| FileReader::new(Box::new(file), &keys));
        made.handle = reader.map_err(|failure| failure.at(input, input))?;
        Ok(())
    })
}

/// The length of the plaintext in bytes; 0 if `reader` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_len(reader: *const FileReader) -> u64 {
    // SAFETY: a live reader or null, as the header asks.
    unsafe { handle("reader", reader) }.map_or(0, |reader| reader.plaintext_len)
}

/// Reads plaintext from byte `position` on into `plaintext`, until its
/// `plaintext_capacity` bytes are full or the file ends, and writes how many bytes were
/// read to `plaintext_len`: 0 at the end and beyond it.
///
/// On a failure `plaintext` holds zeros: SIVKA_ERROR_READ, _DAMAGED, _TRUNCATED, _SELF_CHECK;
/// or what it held: SIVKA_ERROR_NULL, _ALIGNMENT, _TOO_LONG, _OVERLAP.
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
        out_len.fill(*read.as_ref().unwrap_or(&0));
        read.map(drop)
    })
}

fn read_at(reader: &FileReader, position: u64, out: &mut [u8]) -> Result<usize, Failure> {
    // Whoever panicked left no half-read chunk: the reader is as good as its next seek.
    let mut reader = reader.reader.lock().unwrap_or_else(PoisonError::into_inner);
    reader
        .seek(SeekFrom::Start(position))
        .map_err(format_error)?;
    let mut filled = 0;
    while filled < out.len() {
        match reader.read(&mut out[filled..]).map_err(format_error)? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// The format's own error, which `io::Read` hands over inside another.
pub(crate) fn format_error(error: io::Error) -> Failure {
    match error.downcast::<Error>() {
        Ok(error) => error.into(),
        Err(error) => Error::Read(error).into(),
    }
}

/// Wipes and frees a reader. NULL is allowed, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_free(reader: *mut FileReader) {
    guard(|| {
        if !reader.is_null() {
            // SAFETY: it came from `sivka_file_reader_new` and was not freed, as the header asks.
            drop(unsafe { Box::from_raw(reader) });
        }
        Ok(())
    });
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

/// As [`file_to_file`], from a sealed file.
pub(crate) fn sealed_to_file<E>(
    (input, output): (&Path, &Path),
    flags: u32,
    work: impl FnOnce(SealedFile, &mut File) -> Result<(), E>,
) -> Result<(), Failure>
where
    Failure: From<E>,
{
    let overwrite = overwrites(flags)?;
    let run = || {
        let from = SealedFile::open(input)?;
        let metadata = from.metadata()?;
        to_file(&metadata, output, overwrite, |to| work(from, to))
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
    #[cfg(unix)]
    return Ok(Path::new(std::ffi::OsStr::from_bytes(text.to_bytes())));
    #[cfg(not(unix))]
    return text
        .to_str()
        .map(Path::new)
        .map_err(|_| Failure::Text { what });
}
