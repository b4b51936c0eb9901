//! A failure as C sees it.

use super::Failure;
use crate::status::{SIVKA_ERROR_NO_MEMORY, SIVKA_OK, Status};
use sivka_file::Error;
use std::ffi::{CStr, c_char};
use std::io::ErrorKind;
use std::ptr;

/// The record of a failed call. Later versions may add fields at the end.
#[repr(C)]
pub struct LastError {
    /// The status of the call; SIVKA_OK if none of this thread failed. _NO_MEMORY if the system
    /// had none for a record of any thread.
    pub status: Status,
    /// The operating system's number (errno, or GetLastError of Windows) for what could not
    /// be done, as to read or write a file; 0 if the failure was not the system's.
    pub os_code: i32,
    /// One sentence for people, with all that follows. It never quotes a key or a message. Empty
    /// if no call of this thread failed; never NULL.
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
pub(super) struct Record {
    pub(super) shown: LastError,
    /// What it points to.
    _strings: [Vec<u8>; 4],
}

impl Record {
    pub(super) fn new(failure: &Failure) -> Self {
        let overlapped = match failure {
            Failure::Misuse { overlapped, .. } => *overlapped,
            _ => None,
        };
        let path = match failure {
            Failure::Path { path, .. } => Some(path.as_os_str().as_encoded_bytes()),
            _ => None,
        };
        let strings = [
            terminated(failure.to_string().as_bytes()),
            terminated(failure.argument().unwrap_or_default().as_bytes()),
            terminated(path.unwrap_or_default()),
            terminated(overlapped.unwrap_or_default().as_bytes()),
        ];
        let [detail, argument, path, overlapped]: [*const c_char; 4] =
            strings.each_ref().map(|string| match string.is_empty() {
                true => ptr::null(),
                false => string.as_ptr().cast(),
            });
        Self {
            shown: LastError {
                status: failure.status(),
                os_code: os_code(failure).unwrap_or(0),
                detail: if detail.is_null() { c"".as_ptr() } else { detail },
                argument,
                path,
                overlapped,
            },
            _strings: strings,
        }
    }
}

/// A text as C has it, without zeros, which no path and no words of ours have. Nothing if there is
/// none, or no memory for it.
fn terminated(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    if !text.is_empty() && bytes.try_reserve_exact(text.len() + 1).is_ok() {
        bytes.extend(text.iter().filter(|byte| **byte != 0));
        bytes.push(0);
    }
    bytes
}

/// The system's number for what could not be read or written.
fn os_code(failure: &Failure) -> Option<i32> {
    let (Failure::File(error) | Failure::Path { error, .. }) = failure else {
        return None;
    };
    match error {
        Error::Read(error) | Error::Write(error) => {
            error.raw_os_error().or_else(|| code_of_kind(error.kind()))
        }
        _ => None,
    }
}

/// That of an error that somebody on the way put a text of his own to. These have the same numbers
/// on every Unix.
fn code_of_kind(kind: ErrorKind) -> Option<i32> {
    let (unix, windows) = match kind {
        ErrorKind::NotFound => (2, 2),
        ErrorKind::PermissionDenied => (13, 5),
        ErrorKind::AlreadyExists => (17, 80),
        ErrorKind::NotADirectory => (20, 267),
        ErrorKind::IsADirectory => (21, 5),
        _ => return None,
    };
    Some(if cfg!(windows) { windows } else { unix })
}

// SAFETY: a record is not changed once it is made, nor is what it points to.
unsafe impl Sync for LastError {}

/// What a thread is told of which no call failed.
pub(super) static NOTHING: LastError = of(SIVKA_OK, c"");
/// What it is told that had no memory.
pub(super) static NO_MEMORY: LastError = of(SIVKA_ERROR_NO_MEMORY, c"not enough memory");

const fn of(status: Status, detail: &'static CStr) -> LastError {
    let (argument, path, overlapped) = (ptr::null(), ptr::null(), ptr::null());
    LastError { status, os_code: 0, detail: detail.as_ptr(), argument, path, overlapped }
}
