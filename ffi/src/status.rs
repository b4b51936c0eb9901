//! Status codes, and how a failure becomes one.

use sivka_file::{Error as FileError, KeyFileError};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::fmt;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::region::Region;

/// What a call answers: SIVKA_OK, or one of SIVKA_ERROR_*. A number never changes its
/// meaning and is never used again; later versions may add more.
///
/// 1 to 15: what was to be opened does not open. 16 to 63: the call is wrong, and will
/// be wrong again. 64 to 95: this machine cannot. 96 and above: a file, or the way to it.
pub type Status = i32;

/// Everything was done.
pub const SIVKA_OK: Status = 0;

/// The message does not open under this key, nonce and AAD: forged, damaged, cut short
/// or sealed otherwise; there is no saying which. The output holds zeros.
pub const SIVKA_ERROR_OPEN: Status = 1;
/// Some messages of a batch were not done; their statuses say why. All others were.
pub const SIVKA_ERROR_BATCH: Status = 2;

/// A pointer is NULL that may not be.
pub const SIVKA_ERROR_NULL: Status = 16;
/// A key, nonce, tag or array does not have the length that it must have.
pub const SIVKA_ERROR_LENGTH: Status = 17;
/// A buffer is too small for the result.
pub const SIVKA_ERROR_CAPACITY: Status = 18;
/// An input is longer than the algorithm allows, or than memory can be.
pub const SIVKA_ERROR_TOO_LONG: Status = 19;
/// A buffer that is written overlaps another one in a way that is not allowed.
pub const SIVKA_ERROR_OVERLAP: Status = 20;
/// An array of numbers or pointers is not aligned.
pub const SIVKA_ERROR_ALIGNMENT: Status = 21;
/// No algorithm has this number or name in this version.
pub const SIVKA_ERROR_ALGORITHM: Status = 22;
/// The algorithm's nonce is too short to be random: choose it yourself.
pub const SIVKA_ERROR_NO_RANDOM_NONCE: Status = 23;
/// The offsets of a batch do not ascend, or go beyond their buffer.
pub const SIVKA_ERROR_OFFSETS: Status = 24;
/// A text is not UTF-8.
pub const SIVKA_ERROR_TEXT: Status = 25;
/// A flag is set that this version does not know.
pub const SIVKA_ERROR_FLAGS: Status = 26;
/// No suite of the file format has this number in this version.
pub const SIVKA_ERROR_SUITE: Status = 27;
/// The passphrase is empty.
pub const SIVKA_ERROR_EMPTY_PASSPHRASE: Status = 28;
/// An Argon2id cost is outside the limits of the file format.
pub const SIVKA_ERROR_COST: Status = 29;
/// A key's name is not 1 to 64 bytes, begins or ends with a space, or has a control
/// character in it.
pub const SIVKA_ERROR_KEY_NAME: Status = 30;
/// To seal a file, 1 to 16 key files and passphrases are needed.
pub const SIVKA_ERROR_KEY_COUNT: Status = 31;
/// The usage bound of the key is spent.
pub const SIVKA_ERROR_USAGE_BOUND: Status = 32;
/// The algorithm refuses such a nonce, or a message that is empty in every part.
pub const SIVKA_ERROR_REFUSED: Status = 33;

/// The operating system gave no random bytes.
pub const SIVKA_ERROR_RANDOM: Status = 64;
/// The code for this CPU gave a wrong known answer and refuses to run.
pub const SIVKA_ERROR_SELF_CHECK: Status = 65;
/// There is not enough memory.
pub const SIVKA_ERROR_NO_MEMORY: Status = 66;
/// A defect of this library. What was to be written may be there in part.
pub const SIVKA_ERROR_INTERNAL: Status = 67;

/// The input is not a sealed file.
pub const SIVKA_ERROR_NOT_SIVKA: Status = 96;
/// The file or key file needs a newer version of this library.
pub const SIVKA_ERROR_NEWER: Status = 97;
/// The file is damaged, or somebody changed it.
pub const SIVKA_ERROR_DAMAGED: Status = 98;
/// The end of the file is missing.
pub const SIVKA_ERROR_TRUNCATED: Status = 99;
/// None of the given keys and passphrases opens the file.
pub const SIVKA_ERROR_WRONG_KEY: Status = 100;
/// The file asks for more memory or time to try a passphrase than is allowed.
pub const SIVKA_ERROR_COST_LIMIT: Status = 101;
/// The input is longer than the file format allows.
pub const SIVKA_ERROR_FILE_TOO_LONG: Status = 102;
/// The text is not a key file, or it was damaged.
pub const SIVKA_ERROR_KEY_FILE: Status = 103;
/// A file could not be opened or read.
pub const SIVKA_ERROR_READ: Status = 104;
/// A file could not be created or written.
pub const SIVKA_ERROR_WRITE: Status = 105;
/// The output exists and was not to be overwritten.
pub const SIVKA_ERROR_EXISTS: Status = 106;

/// Every status with its message.
const MESSAGES: [(Status, &CStr); 36] = [
    (SIVKA_OK, c"done"),
    (
        SIVKA_ERROR_OPEN,
        c"message does not open under this key, nonce and aad",
    ),
    (
        SIVKA_ERROR_BATCH,
        c"some messages of the batch were not done",
    ),
    (SIVKA_ERROR_NULL, c"a pointer is NULL that may not be"),
    (SIVKA_ERROR_LENGTH, c"a length is not what it must be"),
    (
        SIVKA_ERROR_CAPACITY,
        c"a buffer is too small for the result",
    ),
    (SIVKA_ERROR_TOO_LONG, c"an input is too long"),
    (SIVKA_ERROR_OVERLAP, c"buffers overlap"),
    (SIVKA_ERROR_ALIGNMENT, c"an array is not aligned"),
    (SIVKA_ERROR_ALGORITHM, c"unknown algorithm"),
    (
        SIVKA_ERROR_NO_RANDOM_NONCE,
        c"the nonce of this algorithm is too short to be random",
    ),
    (
        SIVKA_ERROR_OFFSETS,
        c"offsets do not ascend or go beyond their buffer",
    ),
    (SIVKA_ERROR_TEXT, c"a text is not UTF-8"),
    (SIVKA_ERROR_FLAGS, c"unknown flag"),
    (SIVKA_ERROR_SUITE, c"unknown suite of the file format"),
    (SIVKA_ERROR_EMPTY_PASSPHRASE, c"the passphrase is empty"),
    (
        SIVKA_ERROR_COST,
        c"an Argon2id cost is outside the format's limits",
    ),
    (
        SIVKA_ERROR_KEY_NAME,
        c"a key's name has 1 to 64 bytes, no control character, and no space at either end",
    ),
    (
        SIVKA_ERROR_KEY_COUNT,
        c"a file needs 1 to 16 key files and passphrases",
    ),
    (
        SIVKA_ERROR_REFUSED,
        c"the algorithm refuses such a nonce, or a message that is empty in every part",
    ),
    (
        SIVKA_ERROR_USAGE_BOUND,
        c"the usage bound of the key is spent",
    ),
    (
        SIVKA_ERROR_RANDOM,
        c"the operating system gave no random bytes",
    ),
    (
        SIVKA_ERROR_SELF_CHECK,
        c"the code for this CPU failed its known-answer check",
    ),
    (SIVKA_ERROR_NO_MEMORY, c"not enough memory"),
    (SIVKA_ERROR_INTERNAL, c"internal error of the library"),
    (SIVKA_ERROR_NOT_SIVKA, c"not a sivka file"),
    (
        SIVKA_ERROR_NEWER,
        c"a newer version of the library is needed",
    ),
    (SIVKA_ERROR_DAMAGED, c"the file is damaged"),
    (SIVKA_ERROR_TRUNCATED, c"the file is truncated"),
    (
        SIVKA_ERROR_WRONG_KEY,
        c"no key slot opens with the given keys",
    ),
    (
        SIVKA_ERROR_COST_LIMIT,
        c"a passphrase slot asks for more memory or time than is allowed",
    ),
    (
        SIVKA_ERROR_FILE_TOO_LONG,
        c"longer than the file format allows",
    ),
    (
        SIVKA_ERROR_KEY_FILE,
        c"not a sivka key file, or a damaged one",
    ),
    (SIVKA_ERROR_READ, c"cannot read"),
    (SIVKA_ERROR_WRITE, c"cannot write"),
    (SIVKA_ERROR_EXISTS, c"the output exists"),
];

/// A message for a status, in English, without a full stop. Static; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_status_message(status: Status) -> *const c_char {
    let found = MESSAGES.iter().find(|(number, _)| *number == status);
    found
        .map_or(c"unknown status", |(_, message)| message)
        .as_ptr()
}

/// What the last failed call of this thread was about: which argument, what was
/// expected, what was given. Empty if no call of this thread failed. It never quotes a
/// key or a message.
///
/// Writes at most `capacity` bytes to `text`, the terminating zero included, and
/// returns the length of the whole text in bytes without it, as snprintf does. `text`
/// may be NULL if `capacity` is 0. The text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_error_detail(text: *mut c_char, capacity: usize) -> usize {
    let whole = LAST.try_with(|last| {
        let last = last.try_borrow().ok()?;
        last.as_ref().map(Failure::to_string)
    });
    let whole = whole.ok().flatten().unwrap_or_default();
    let Ok(text) = Region::new("text", text.cast::<u8>(), capacity) else {
        return whole.len();
    };
    // SAFETY: the caller's buffer, as the header asks; nothing of ours is in it.
    let out = unsafe { text.as_mut_slice() };
    if let Some(room) = out.len().checked_sub(1) {
        let shown = whole_chars(&whole, room);
        out[..shown.len()].copy_from_slice(shown.as_bytes());
        out[shown.len()] = 0;
    }
    whole.len()
}

/// The operating system's number (errno, or GetLastError of Windows) for what the last
/// failed call of this thread could not do, as to read or write a file; 0 if the failure
/// was not the system's.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_error_os_code() -> i32 {
    let code = LAST.try_with(|last| last.try_borrow().ok()?.as_ref()?.os_code());
    code.ok().flatten().unwrap_or(0)
}

/// The longest beginning of `text` within `limit` bytes that leaves UTF-8 whole.
fn whole_chars(text: &str, limit: usize) -> &str {
    let mut cut = limit.min(text.len());
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    &text[..cut]
}

/// Why a call failed, with what a person needs to know.
#[derive(Debug)]
pub(crate) enum Failure {
    Null {
        what: &'static str,
    },
    Length {
        what: &'static str,
        expected: usize,
        given: usize,
    },
    Capacity {
        what: &'static str,
        needed: usize,
        given: usize,
    },
    TooLong {
        what: &'static str,
    },
    Overlap {
        one: &'static str,
        other: &'static str,
    },
    Alignment {
        what: &'static str,
    },
    Algorithm,
    NoRandomNonce,
    Offsets {
        what: &'static str,
        index: usize,
    },
    Text {
        what: &'static str,
    },
    Flags {
        unknown: u32,
    },
    Suite {
        number: u32,
    },
    SuiteName,
    Random,
    NoMemory,
    Message(sivka::Error),
    KeyFile(KeyFileError),
    File(FileError),
    Panic(String),
}

impl Failure {
    pub(crate) fn status(&self) -> Status {
        match self {
            Self::Null { .. } => SIVKA_ERROR_NULL,
            Self::Length { .. } => SIVKA_ERROR_LENGTH,
            Self::Capacity { .. } => SIVKA_ERROR_CAPACITY,
            Self::TooLong { .. } => SIVKA_ERROR_TOO_LONG,
            Self::Overlap { .. } => SIVKA_ERROR_OVERLAP,
            Self::Alignment { .. } => SIVKA_ERROR_ALIGNMENT,
            Self::Algorithm => SIVKA_ERROR_ALGORITHM,
            Self::NoRandomNonce => SIVKA_ERROR_NO_RANDOM_NONCE,
            Self::Offsets { .. } => SIVKA_ERROR_OFFSETS,
            Self::Text { .. } => SIVKA_ERROR_TEXT,
            Self::Flags { .. } => SIVKA_ERROR_FLAGS,
            Self::Suite { .. } | Self::SuiteName => SIVKA_ERROR_SUITE,
            Self::Random => SIVKA_ERROR_RANDOM,
            Self::NoMemory => SIVKA_ERROR_NO_MEMORY,
            Self::Message(error) => message_status(error),
            Self::KeyFile(error) => key_file_status(error),
            Self::File(error) => file_status(error),
            Self::Panic(_) => SIVKA_ERROR_INTERNAL,
        }
    }

    fn os_code(&self) -> Option<i32> {
        match self {
            Self::File(FileError::Read(error) | FileError::Write(error)) => {
                error.raw_os_error().or_else(|| code_of_kind(error.kind()))
            }
            _ => None,
        }
    }
}

/// The system's number for an error that somebody on the way put a text of his own to.
/// These have the same numbers on every Unix.
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

/// The status of one message.
pub(crate) fn message_status(error: &sivka::Error) -> Status {
    match error {
        sivka::Error::Open => SIVKA_ERROR_OPEN,
        sivka::Error::Batch { .. } => SIVKA_ERROR_BATCH,
        sivka::Error::TooLong { .. } => SIVKA_ERROR_TOO_LONG,
        sivka::Error::TagLen { .. } | sivka::Error::OutputLen { .. } => SIVKA_ERROR_LENGTH,
        sivka::Error::Nonce | sivka::Error::Empty => SIVKA_ERROR_REFUSED,
        sivka::Error::BatchShape { .. } => SIVKA_ERROR_OFFSETS,
        sivka::Error::UsageBound { .. } => SIVKA_ERROR_USAGE_BOUND,
        sivka::Error::Random => SIVKA_ERROR_RANDOM,
        sivka::Error::SelfCheck { .. } => SIVKA_ERROR_SELF_CHECK,
        _ => SIVKA_ERROR_INTERNAL,
    }
}

fn key_file_status(error: &KeyFileError) -> Status {
    match error {
        KeyFileError::UnknownVersion => SIVKA_ERROR_NEWER,
        KeyFileError::BadName => SIVKA_ERROR_KEY_NAME,
        _ => SIVKA_ERROR_KEY_FILE,
    }
}

fn file_status(error: &FileError) -> Status {
    match error {
        FileError::NotSivka => SIVKA_ERROR_NOT_SIVKA,
        FileError::UnknownVersion { .. }
        | FileError::UnknownSuite { .. }
        | FileError::UnknownSlot { .. } => SIVKA_ERROR_NEWER,
        FileError::HeaderDamaged
        | FileError::PayloadMismatch
        | FileError::Damaged { .. }
        | FileError::DamagedEnd { .. } => SIVKA_ERROR_DAMAGED,
        FileError::Truncated { .. } => SIVKA_ERROR_TRUNCATED,
        FileError::NoSlotOpens => SIVKA_ERROR_WRONG_KEY,
        FileError::CostTooHigh { .. } => SIVKA_ERROR_COST_LIMIT,
        FileError::TooLong => SIVKA_ERROR_FILE_TOO_LONG,
        FileError::EmptyPassphrase => SIVKA_ERROR_EMPTY_PASSPHRASE,
        FileError::BadCost { .. } => SIVKA_ERROR_COST,
        FileError::NoMemory { .. } => SIVKA_ERROR_NO_MEMORY,
        FileError::NoSlotLeft | FileError::TooManySlots => SIVKA_ERROR_KEY_COUNT,
        FileError::BadKeyName(_) => SIVKA_ERROR_KEY_NAME,
        FileError::Random => SIVKA_ERROR_RANDOM,
        FileError::Aead(error) => message_status(error),
        FileError::Read(_) => SIVKA_ERROR_READ,
        FileError::Write(error) if error.kind() == ErrorKind::AlreadyExists => SIVKA_ERROR_EXISTS,
        FileError::Write(_) => SIVKA_ERROR_WRITE,
        _ => SIVKA_ERROR_INTERNAL,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null { what } => write!(f, "{what} is NULL"),
            Self::Length {
                what,
                expected,
                given,
            } => {
                write!(f, "{what}: {expected} expected, {given} given")
            }
            Self::Capacity {
                what,
                needed,
                given,
            } => {
                write!(
                    f,
                    "{what} is too small: {needed} bytes needed, {given} given"
                )
            }
            Self::TooLong { what } => write!(f, "{what} is longer than memory can be"),
            Self::Overlap { one, other } => write!(f, "{one} overlaps {other}"),
            Self::Alignment { what } => write!(f, "{what} is not aligned"),
            Self::Algorithm => f.write_str("no algorithm has this number or name"),
            Self::NoRandomNonce => {
                f.write_str("the nonce of this algorithm is too short to be random")
            }
            Self::Offsets { what, index } => write!(
                f,
                "{what}: number {index} is less than the one before it or beyond the buffer"
            ),
            Self::Text { what } => write!(f, "{what} is not UTF-8"),
            Self::Flags { unknown } => write!(f, "flags {unknown:#x} are not known"),
            Self::Suite { number } => write!(f, "suite {number} is not known"),
            Self::SuiteName => f.write_str("no suite has this name"),
            Self::Random => f.write_str("the operating system gave no random bytes"),
            Self::NoMemory => f.write_str("not enough memory"),
            Self::Message(error) => error.fmt(f),
            Self::KeyFile(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
            Self::Panic(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<sivka::Error> for Failure {
    fn from(error: sivka::Error) -> Self {
        Self::Message(error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<KeyFileError> for Failure {
    fn from(error: KeyFileError) -> Self {
        Self::KeyFile(error)
    }
}

thread_local! {
    static LAST: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Carries a call out. A failure is kept for [`sivka_error_detail`]; a panic becomes
/// one and does not reach C.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> Status {
    // Unwind safety: what a broken-off call leaves half done is the caller's output,
    // which SIVKA_ERROR_INTERNAL says, and keys are never changed by a call.
    let failure = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return SIVKA_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::Panic(panic_message(&*panic)),
    };
    let status = failure.status();
    // While a thread ends its storage may be gone; the status is what counts.
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = Some(failure);
        }
    });
    status
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests;
