//! How a failure becomes a status, and is kept for who asks.

mod fields;
mod record;

pub(crate) use fields::Expected;
pub use record::LastError;
pub(crate) use record::NOTHING;

use crate::status::*;
use record::Record;
use sivka_file::{AgeKeyError, Error as FileError, KeyFileError};
use sivka_keyset::{Error as KeysetError, Misuse};
use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::ffi::CStr;
use std::fmt;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Why a call failed, with what a person needs to know.
#[derive(Debug)]
pub(crate) enum Failure {
    Null {
        what: &'static str,
    },
    Length {
        what: &'static str,
        expected: Expected,
        given: u64,
    },
    /// A set of keys that is not the one key of a slot.
    KeyCount {
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
    Algorithm {
        number: u32,
    },
    /// A name that is none of those that are known.
    Name {
        what: &'static str,
        status: Status,
        known: String,
        given: String,
    },
    /// A keyset's key, in a call that is for the key of an algorithm.
    KeysetKey,
    /// A list of associated data for an algorithm that takes one string.
    NoList,
    Offsets {
        what: &'static str,
        index: usize,
        expected: Expected,
        given: u64,
    },
    Text {
        what: &'static str,
    },
    /// A path that is the text of a key.
    KeyText {
        what: &'static str,
    },
    /// A key file is sealed for a passphrase, and none was given.
    NeedsPassphrase,
    Flags {
        unknown: u32,
    },
    Suite {
        number: u32,
    },
    NoMemory,
    Cancelled,
    Message(sivka::Error),
    Keyset(KeysetError),
    KeyFile(KeyFileError),
    AgeKey(AgeKeyError),
    File(FileError),
    /// Another one, about an argument that it does not name itself.
    Argument {
        what: &'static str,
        failure: Box<Self>,
    },
    /// One of the file at a path.
    Path {
        path: PathBuf,
        error: FileError,
    },
    Panic(String),
}

impl Failure {
    /// A name that is none of `known`. Of a longer one, its beginning is quoted.
    pub(crate) fn name<'a>(
        what: &'static str,
        status: Status,
        known: impl Iterator<Item = &'a str>,
        given: &CStr,
    ) -> Self {
        let known: Vec<&str> = known.collect();
        Self::Name {
            what,
            status,
            known: known.join(" or "),
            given: given.to_string_lossy().chars().take(80).collect(),
        }
    }

    pub(crate) fn status(&self) -> Status {
        match self {
            Self::Null { .. } => SIVKA_ERROR_NULL,
            Self::Length { .. } => SIVKA_ERROR_LENGTH,
            Self::KeyCount { .. } => SIVKA_ERROR_KEY_COUNT,
            Self::Capacity { .. } => SIVKA_ERROR_CAPACITY,
            Self::TooLong { .. } => SIVKA_ERROR_TOO_LONG,
            Self::Overlap { .. } => SIVKA_ERROR_OVERLAP,
            Self::Alignment { .. } => SIVKA_ERROR_ALIGNMENT,
            Self::Algorithm { .. } | Self::NoList => SIVKA_ERROR_ALGORITHM,
            Self::KeysetKey => SIVKA_ERROR_PRIMITIVE,
            Self::Offsets { .. } => SIVKA_ERROR_OFFSETS,
            Self::Text { .. } => SIVKA_ERROR_TEXT,
            Self::KeyText { .. } => SIVKA_ERROR_KEY_TEXT,
            Self::NeedsPassphrase => SIVKA_ERROR_EMPTY_PASSPHRASE,
            Self::Flags { .. } => SIVKA_ERROR_FLAGS,
            Self::Suite { .. } => SIVKA_ERROR_SUITE,
            Self::Name { status, .. } => *status,
            Self::NoMemory => SIVKA_ERROR_NO_MEMORY,
            Self::Cancelled => SIVKA_ERROR_CANCELLED,
            Self::Message(error) => message_status(error),
            Self::Keyset(error) => keyset_status(error),
            Self::KeyFile(error) => key_file_status(error),
            Self::AgeKey(_) => SIVKA_ERROR_AGE_KEY,
            Self::Argument { failure, .. } => failure.status(),
            Self::File(error) | Self::Path { error, .. } => file_status(error),
            Self::Panic(_) => SIVKA_ERROR_INTERNAL,
        }
    }

    /// The length that `what` must have, and does not have.
    pub(crate) fn length(what: &'static str, expected: usize, given: usize) -> Self {
        Self::Length {
            what,
            expected: Expected::exactly(expected as u64),
            given: given as u64,
        }
    }

    /// This failure, with the path of the file that it is about.
    pub(crate) fn at(self, input: &Path, output: &Path) -> Self {
        let (path, error) = match self {
            Self::File(error @ FileError::Write(_)) => (output, error),
            Self::File(error) if file_status(&error) >= SIVKA_ERROR_NOT_SIVKA => (input, error),
            other => return other,
        };
        let path = path.to_path_buf();
        Self::Path { path, error }
    }

    /// This failure, as one of an argument if the call was wrong.
    pub(crate) fn of(self, what: &'static str) -> Self {
        if self.status() >= SIVKA_ERROR_RANDOM {
            return self;
        }
        let failure = Box::new(self);
        Self::Argument { what, failure }
    }
}

/// The status of one message.
pub(crate) fn message_status(error: &sivka::Error) -> Status {
    match error {
        sivka::Error::Open => SIVKA_ERROR_OPEN,
        sivka::Error::Batch { .. } => SIVKA_ERROR_BATCH,
        sivka::Error::TooLong { .. } | sivka::Error::TooManyStrings { .. } => SIVKA_ERROR_TOO_LONG,
        sivka::Error::KeyLen { .. }
        | sivka::Error::NonceLen { .. }
        | sivka::Error::TagLen { .. }
        | sivka::Error::SectionLen { .. }
        | sivka::Error::OutputLen { .. } => SIVKA_ERROR_LENGTH,
        sivka::Error::NoRandomNonce => SIVKA_ERROR_NO_RANDOM_NONCE,
        sivka::Error::Nonce | sivka::Error::Empty => SIVKA_ERROR_REFUSED,
        sivka::Error::BatchShape { .. } | sivka::Error::NegativeOffset { .. } => {
            SIVKA_ERROR_OFFSETS
        }
        sivka::Error::UsageBound { .. } => SIVKA_ERROR_USAGE_BOUND,
        sivka::Error::Random => SIVKA_ERROR_RANDOM,
        sivka::Error::SelfCheck { .. } => SIVKA_ERROR_SELF_CHECK,
        _ => SIVKA_ERROR_INTERNAL,
    }
}

fn keyset_status(error: &KeysetError) -> Status {
    match error {
        KeysetError::Open => SIVKA_ERROR_OPEN,
        KeysetError::Format { .. }
        | KeysetError::LooksEncrypted
        | KeysetError::LooksCleartext
        | KeysetError::Keyset { .. } => SIVKA_ERROR_KEYSET,
        KeysetError::Unsupported { .. } => SIVKA_ERROR_KEY_TYPE,
        KeysetError::Random => SIVKA_ERROR_RANDOM,
        KeysetError::Aead(error) => message_status(error),
        KeysetError::Misuse(misuse) => match misuse {
            Misuse::NoSuchKey(_) | Misuse::AmbiguousId(_) | Misuse::NewId(_) => SIVKA_ERROR_KEY_ID,
            Misuse::NotEnabled(_) | Misuse::Primary(_) | Misuse::Destroyed(_) => {
                SIVKA_ERROR_KEY_STATE
            }
            Misuse::OtherPrimitive(_) => SIVKA_ERROR_PRIMITIVE,
            Misuse::NewKey(_) => SIVKA_ERROR_KEYSET,
            Misuse::TooManyKeys
            | Misuse::TooLarge
            | Misuse::TooManySegments
            | Misuse::TooLong(_) => SIVKA_ERROR_TOO_LONG,
            _ => SIVKA_ERROR_INTERNAL,
        },
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

pub(crate) fn file_status(error: &FileError) -> Status {
    match error {
        FileError::NotSivka => SIVKA_ERROR_NOT_SIVKA,
        FileError::UnknownVersion { .. }
        | FileError::UnknownSuite { .. }
        | FileError::UnknownSlot { .. }
        | FileError::UnknownKind { .. } => SIVKA_ERROR_NEWER,
        FileError::HeaderDamaged | FileError::PayloadMismatch | FileError::Damaged { .. } => {
            SIVKA_ERROR_DAMAGED
        }
        FileError::Truncated { .. } => SIVKA_ERROR_TRUNCATED,
        FileError::NoSlotOpens => SIVKA_ERROR_WRONG_KEY,
        FileError::CostTooHigh { .. } => SIVKA_ERROR_COST_LIMIT,
        FileError::TooLong => SIVKA_ERROR_FILE_TOO_LONG,
        FileError::EmptyPassphrase => SIVKA_ERROR_EMPTY_PASSPHRASE,
        FileError::BadCost { .. } => SIVKA_ERROR_COST,
        FileError::NoMemory { .. } => SIVKA_ERROR_NO_MEMORY,
        FileError::NoSlotLeft | FileError::TooManySlots | FileError::NoRoom { .. } => {
            SIVKA_ERROR_KEY_COUNT
        }
        FileError::BadRecipient => SIVKA_ERROR_AGE_KEY,
        FileError::BadKeyName(_) => SIVKA_ERROR_KEY_NAME,
        FileError::NoSuchSlot { .. } => SIVKA_ERROR_SLOT,
        FileError::Random => SIVKA_ERROR_RANDOM,
        FileError::Aead(error) => message_status(error),
        FileError::Read(_) => SIVKA_ERROR_READ,
        FileError::Write(error) => match error.kind() {
            ErrorKind::AlreadyExists => SIVKA_ERROR_EXISTS,
            ErrorKind::OutOfMemory => SIVKA_ERROR_NO_MEMORY,
            _ => SIVKA_ERROR_WRITE,
        },
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
            Self::KeyCount { given } => write!(f, "added: 1 expected, {given} given"),
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
            Self::Algorithm { number } => write!(f, "algorithm {number} is not known"),
            Self::Name {
                what, known, given, ..
            } => {
                write!(f, "{what}: {known} expected, {given:?} given")
            }
            Self::KeysetKey => f.write_str("key: that of an algorithm expected, a keyset's given"),
            Self::NoList => f.write_str("the algorithm takes one string of associated data"),
            Self::Offsets {
                what,
                index,
                expected,
                given,
            } => write!(
                f,
                "{what}: number {index}: {expected} expected, {given} given"
            ),
            Self::Text { what } => write!(f, "{what} is not UTF-8"),
            Self::KeyText { what } => {
                write!(f, "{what}: a path expected, the text of a key given")
            }
            Self::NeedsPassphrase => {
                f.write_str("passphrase: one expected, which protects the key file, none given")
            }
            Self::Flags { unknown } => write!(f, "flags {unknown:#x} are not known"),
            Self::Suite { number } => write!(f, "suite {number} is not known"),
            Self::NoMemory => f.write_str("not enough memory"),
            Self::Cancelled => f.write_str("stopped by the caller"),
            // With the header's name, and what is allowed, which the library leaves open.
            Self::Message(error) => match (*error, self.argument()) {
                (
                    sivka::Error::BatchShape {
                        what: "offsets" | "aad offsets",
                        expected,
                        given,
                    },
                    Some(what),
                ) => {
                    let expected = Expected::of_offset(expected, given);
                    write!(f, "{what}: {expected} expected, {given} given")
                }
                (
                    sivka::Error::BatchShape {
                        expected, given, ..
                    },
                    Some(what),
                ) => {
                    write!(f, "{what}: {expected} expected, {given} given")
                }
                _ => error.fmt(f),
            },
            Self::File(FileError::BadCost(asked)) => {
                let (what, expected, given) = fields::of_cost(*asked);
                write!(f, "{what}: {expected} expected, {given} given")
            }
            Self::Keyset(error) => error.fmt(f),
            Self::KeyFile(error) => error.fmt(f),
            Self::AgeKey(error) => error.fmt(f),
            Self::Argument { what, failure } => f.write_str(&failure.sentence_on(what)),
            Self::File(error) => error.fmt(f),
            Self::Path { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Panic(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<sivka::Error> for Failure {
    fn from(error: sivka::Error) -> Self {
        Self::Message(error)
    }
}

impl From<KeysetError> for Failure {
    fn from(error: KeysetError) -> Self {
        Self::Keyset(error)
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

impl From<AgeKeyError> for Failure {
    fn from(error: AgeKeyError) -> Self {
        Self::AgeKey(error)
    }
}

/// A failure, and what C was told of it.
struct LastFailure {
    failure: Failure,
    record: OnceCell<Record>,
}

thread_local! {
    static LAST: RefCell<Option<LastFailure>> = const { RefCell::new(None) };
}

/// The record of the last failure of this thread, which stays until the next one; `None` if
/// there was none.
pub(crate) fn last<R>(ask: impl FnOnce(&Record) -> R) -> Option<R> {
    let answer = LAST.try_with(|last| {
        let last = last.try_borrow().ok()?;
        let LastFailure { failure, record } = last.as_ref()?;
        Some(ask(record.get_or_init(|| Record::new(failure))))
    });
    answer.ok().flatten()
}

/// Carries a call out. A failure is kept for [`last`]; a panic becomes one and does not
/// reach C.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> Status {
    caught(|| match call() {
        Ok(()) => SIVKA_OK,
        Err(failure) => failed(failure),
    })
}

/// Carries out a call that copies a secret, and leaves none of it in vector registers, which an
/// exception of its caller's would put into memory.
pub(crate) fn guard_copying(call: impl FnOnce() -> Result<(), Failure>) -> Status {
    guard(|| sivka::Tier::detect().__run(0, call))
}

/// Carries out a call that reports its failures by itself; a panic becomes one and does not
/// reach C.
#[inline(always)]
pub(crate) fn caught(call: impl FnOnce() -> Status) -> Status {
    // Unwind safety: what a broken-off call leaves half done is the caller's output,
    // which SIVKA_ERROR_INTERNAL says, and keys are never changed by a call.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(status) => status,
        Err(panic) => panicked(&*panic),
    }
}

#[cold]
#[inline(never)]
fn panicked(panic: &(dyn Any + Send)) -> Status {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    failed(Failure::Panic(text.unwrap_or("no message").to_owned()))
}

/// Keeps a failure and says its status. What the call left on the stack is overwritten: who
/// throws an exception now saves parts of the stack, and uses the key's end further down.
#[cold]
#[inline(never)]
pub(crate) fn failed(failure: Failure) -> Status {
    sivka::__on_clean_stack(|| {
        let status = failure.status();
        // While a thread ends its storage may be gone; the status is what counts.
        let _ = LAST.try_with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                let record = OnceCell::new();
                *last = Some(LastFailure { failure, record });
            }
        });
        status
    })
}

#[cfg(test)]
mod tests;
