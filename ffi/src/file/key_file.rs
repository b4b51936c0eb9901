//! The text of key files.

use crate::failure::{Failure, guard, guard_copying};
use crate::region::{Region, Span, c_str, check_apart};
use crate::status::{SIVKA_ERROR_EMPTY_PASSPHRASE, Status};
use sivka_file::{
    Error, Header, KeyFile, KeyFileError, OpenOptions, Passphrase, Reader, Unlock, is_key,
};
use std::ffi::c_char;
use std::io::Read;
use zeroize::Zeroizing;

/// Makes a new random key and writes the text of its key file, without a zero at its end, to
/// `text`, and its length to `text_len`. `text_capacity` is at least SIVKA_MAX_KEY_FILE_LEN. The
/// text is a secret: only its owner may read it; wipe the buffer. `name` is for people.
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

/// sivka_generate_key_file() for a key that the caller has: `key_len` is SIVKA_FILE_KEY_LEN, and
/// the bytes must be uniformly random.
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
            let name = name_of(name)?;
            let made = KeyFile::from_bytes(key.as_array()?, name).map_err(Error::BadKeyName)?;
            out.write(&made)
        }
    })
}

/// Checks the path of a key file before it is opened: `path_len` bytes, without a zero at their
/// end. People give the text of a key there, or its 64 digits, and messages of the system would
/// quote it. A key file whose name is 64 such digits is `./` and its name. Every other function
/// that takes a path refuses the text of a key in the same way, and takes 64 digits for a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_check_key_path(path: *const c_char, path_len: usize) -> Status {
    guard(|| {
        let path = Region::new("path", path.cast::<u8>(), path_len)?;
        // SAFETY: as the header asks.
        match is_key(unsafe { path.as_slice() }) {
            true => Err(Failure::key_text("path")),
            false => Ok(()),
        }
    })
}

/// The key file whose content is at `text`.
///
/// # Safety
/// `text` is null or readable.
pub(crate) unsafe fn key_file_of(text: *const c_char, len: usize) -> Result<KeyFile, Failure> {
    // SAFETY: the caller's promise.
    Ok(KeyFile::parse(unsafe { content_of(text, len) }?)?)
}

/// # Safety
/// `text` is null or readable.
pub(super) unsafe fn content_of<'a>(text: *const c_char, len: usize) -> Result<&'a [u8], Failure> {
    // SAFETY: the caller's promise.
    Ok(unsafe { Region::new("text", text.cast::<u8>(), len)?.as_slice() })
}

/// The most bytes of a key file that a passphrase protects: a header with many slots, and
/// a chunk. Languages read no more of a path.
const MAX_PROTECTED_LEN: usize = 1 << 16;

/// The key file of a content in the clear, or of one that is sealed for the passphrase.
pub(super) fn opened(
    content: &[u8],
    passphrase: &str,
    options: &OpenOptions,
) -> Result<KeyFile, Failure> {
    let header = Header::parse(content);
    if content.is_empty() || matches!(header, Err(Error::NotSivka)) {
        return Ok(KeyFile::parse(content)?);
    }
    if content.len() > MAX_PROTECTED_LEN {
        return Err(KeyFileError::TooLong.into());
    }
    header?;
    if passphrase.is_empty() {
        let said = format_args!(": one expected, which protects the key file, none given");
        return Err(Failure::misuse(SIVKA_ERROR_EMPTY_PASSPHRASE, "passphrase", said));
    }
    let passphrase = Passphrase::new(passphrase.to_owned());
    let mut reader = Reader::new(content, &[Unlock::Passphrase(&passphrase)], options)?;
    // As long as it can be, at once: a buffer that grows leaves copies of a secret behind.
    let mut text = Zeroizing::new(Vec::with_capacity(content.len()));
    reader.read_to_end(&mut text).map_err(Error::from)?;
    Ok(KeyFile::parse(&text)?)
}

/// # Safety
/// `name` is null or a C string.
unsafe fn name_of<'a>(name: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    let name = unsafe { c_str("name", name) }?;
    name.to_str().map_err(|_| Failure::text("name"))
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
            self.len.write(made.len());
        }
        Ok(())
    }
}

/// The length of the key in a key file in bytes.
pub const SIVKA_FILE_KEY_LEN: usize = 32;

/// The most bytes that the text of a key file has.
pub const SIVKA_MAX_KEY_FILE_LEN: usize = 1024;
const _: () = assert!(SIVKA_MAX_KEY_FILE_LEN == sivka_file::MAX_KEY_FILE_LEN);
