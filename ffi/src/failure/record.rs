//! A failure as C sees it.

use super::Failure;
use crate::status::{SIVKA_OK, Status};
use std::ffi::{CString, c_char};
use std::path::Path;
use std::ptr;

/// The record of a failed call. Later versions may add fields at the end.
#[repr(C)]
pub struct LastError {
    /// The status of the call; SIVKA_OK if no call of this thread failed.
    pub status: Status,
    /// The operating system's number (errno, or GetLastError of Windows) for what could not
    /// be done, as to read or write a file; 0 if the failure was not the system's.
    pub os_code: i32,
    /// One sentence for people, with all that follows. It never quotes a key or a message.
    /// Empty if no call of this thread failed; never NULL.
    pub detail: *const c_char,
    /// The argument that was wrong, by its name in this header, or the field of a structure
    /// that one points to. It is the pointer of a buffer, also where its length was wrong. NULL
    /// if the call as such was not wrong, or no single argument was.
    pub argument: *const c_char,
    /// The path of the file that it was about, as the caller gave it; NULL if it was none.
    pub path: *const c_char,
    /// The other argument, if `argument` overlaps one and may not; NULL otherwise.
    pub overlapped: *const c_char,
}

/// A [`LastError`] with its strings.
pub(crate) struct Record {
    pub(crate) shown: LastError,
    /// What it points to.
    _strings: [Option<CString>; 4],
}

impl Record {
    pub(crate) fn new(failure: &Failure) -> Self {
        let strings = [
            Some(c_string(failure.to_string().into_bytes())),
            failure.argument().map(c_string),
            failure.path().map(|path| c_string(bytes_of(path))),
            failure.overlapped().map(c_string),
        ];
        let pointer =
            |string: &Option<CString>| string.as_deref().map_or(ptr::null(), |it| it.as_ptr());
        Self {
            shown: LastError {
                status: failure.status(),
                os_code: failure.os_code().unwrap_or(0),
                detail: pointer(&strings[0]),
                argument: pointer(&strings[1]),
                path: pointer(&strings[2]),
                overlapped: pointer(&strings[3]),
            },
            _strings: strings,
        }
    }
}

/// Without zeros, which no path and no words of ours have, and which would end it.
fn c_string(text: impl Into<Vec<u8>>) -> CString {
    let mut text = text.into();
    text.retain(|byte| *byte != 0);
    CString::new(text).unwrap_or_default()
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

/// UTF-8, as it was given.
#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

// SAFETY: a record is not changed once it is made, nor is what it points to.
unsafe impl Sync for LastError {}

/// What a thread is told of which no call failed.
pub(crate) static NOTHING: LastError = LastError {
    status: SIVKA_OK,
    os_code: 0,
    detail: c"".as_ptr(),
    argument: ptr::null(),
    path: ptr::null(),
    overlapped: ptr::null(),
};
