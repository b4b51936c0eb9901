//! How a failure becomes a status, and is kept for who asks.

mod origin;
mod record;

pub(crate) use origin::file_status;
pub use record::LastError;

use crate::reserve::ensure;
use crate::status::*;
use origin::{of_file, of_key_file, of_keyset, of_message};
use record::{NO_MEMORY, NOTHING, Record};
use sivka_file::{AgeKeyError, Error as FileError, KeyFileError};
use sivka_keyset::Error as KeysetError;
use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::ffi::CStr;
use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// Why a call failed, with what a person needs to know.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The call is wrong: which argument, and the words that follow its name.
    Misuse {
        status: Status,
        what: &'static str,
        said: String,
        overlapped: Option<&'static str>,
    },
    NoMemory,
    Cancelled,
    Message(sivka::Error),
    Keyset(KeysetError),
    KeyFile(KeyFileError),
    AgeKey(AgeKeyError),
    Keyring(String),
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

/// Calls that are wrong.
impl Failure {
    pub(crate) fn misuse(status: Status, what: &'static str, said: fmt::Arguments<'_>) -> Self {
        Self::Misuse { status, what, said: said.to_string(), overlapped: None }
    }

    pub(crate) fn null(what: &'static str) -> Self {
        Self::misuse(SIVKA_ERROR_NULL, what, format_args!(" is NULL"))
    }

    pub(crate) fn unaligned(what: &'static str) -> Self {
        Self::misuse(SIVKA_ERROR_ALIGNMENT, what, format_args!(" is not aligned"))
    }

    pub(crate) fn too_long(what: &'static str) -> Self {
        Self::misuse(SIVKA_ERROR_TOO_LONG, what, format_args!(" is longer than memory can be"))
    }

    pub(crate) fn text(what: &'static str) -> Self {
        Self::misuse(SIVKA_ERROR_TEXT, what, format_args!(" is not UTF-8"))
    }

    /// A path that is the text of a key.
    pub(crate) fn key_text(what: &'static str) -> Self {
        let said = format_args!(": a path expected, the text of a key given");
        Self::misuse(SIVKA_ERROR_KEY_TEXT, what, said)
    }

    /// A keyset's key, in a call that is for the key of an algorithm.
    pub(crate) fn keyset_key() -> Self {
        let said = format_args!(": that of an algorithm expected, a keyset's given");
        Self::misuse(SIVKA_ERROR_PRIMITIVE, "key", said)
    }

    pub(crate) fn flags(unknown: u32) -> Self {
        Self::misuse(SIVKA_ERROR_FLAGS, "flags", format_args!(" {unknown:#x} are not known"))
    }

    /// A number that stands for nothing.
    pub(crate) fn unknown(status: Status, what: &'static str, number: u32) -> Self {
        Self::misuse(status, what, format_args!(" {number} is not known"))
    }

    pub(crate) fn expected(
        status: Status,
        what: &'static str,
        expected: impl Display,
        given: impl Display,
    ) -> Self {
        Self::misuse(status, what, format_args!(": {expected} expected, {given} given"))
    }

    /// The length that `what` must have, and does not have.
    pub(crate) fn length(what: &'static str, expected: impl Display, given: usize) -> Self {
        Self::expected(SIVKA_ERROR_LENGTH, what, expected, given)
    }

    pub(crate) fn capacity(what: &'static str, needed: usize, given: usize) -> Self {
        let said = format_args!(" is too small: {needed} bytes needed, {given} given");
        Self::misuse(SIVKA_ERROR_CAPACITY, what, said)
    }

    pub(crate) fn overlap(what: &'static str, other: &'static str) -> Self {
        let (status, said) = (SIVKA_ERROR_OVERLAP, format!(" overlaps {other}"));
        Self::Misuse { status, what, said, overlapped: Some(other) }
    }

    /// A name that is none of `known`. Of a longer one, its beginning is quoted.
    pub(crate) fn name<'a>(
        what: &'static str,
        status: Status,
        known: impl Iterator<Item = &'a str>,
        given: &CStr,
    ) -> Self {
        let known = known.collect::<Vec<_>>().join(" or ");
        let beginning = given.to_bytes()[..given.count_bytes().min(80)].escape_ascii();
        Self::misuse(status, what, format_args!(": {known} expected, \"{beginning}\" given"))
    }
}

impl Failure {
    /// The status, and the argument that is wrong as the header names it. Only misuse has one.
    fn origin(&self) -> (Status, Option<&'static str>) {
        match self {
            Self::Misuse { status, what, .. } => (*status, Some(what)),
            Self::NoMemory => (SIVKA_ERROR_NO_MEMORY, None),
            Self::Cancelled => (SIVKA_ERROR_CANCELLED, None),
            Self::Message(error) => of_message(error),
            Self::Keyset(error) => of_keyset(error),
            Self::KeyFile(error) => of_key_file(error),
            Self::AgeKey(_) => (SIVKA_ERROR_AGE_KEY, None),
            Self::Keyring(_) => (SIVKA_ERROR_KEYRING, None),
            Self::File(error) => of_file(error),
            Self::Argument { what, failure } => (failure.status(), Some(what)),
            Self::Path { error, .. } => (file_status(error), None),
            Self::Panic(_) => (SIVKA_ERROR_INTERNAL, None),
        }
    }

    pub(crate) fn status(&self) -> Status {
        self.origin().0
    }

    pub(crate) fn argument(&self) -> Option<&'static str> {
        self.origin().1
    }

    /// This failure, with the path of the file that it is about.
    pub(crate) fn at(self, input: &Path, output: &Path) -> Self {
        let (path, error) = match self {
            Self::File(error @ FileError::Write(_)) => (output, error),
            Self::File(error) if file_status(&error) >= SIVKA_ERROR_NOT_SIVKA => (input, error),
            other => return other,
        };
        Self::Path { path: path.to_path_buf(), error }
    }

    /// This failure, as one of an argument if the call was wrong.
    pub(crate) fn of(self, what: &'static str) -> Self {
        if self.status() >= SIVKA_ERROR_RANDOM {
            return self;
        }
        Self::Argument { what, failure: Box::new(self) }
    }

    /// An error about a column. The library speaks of one value where the header names all.
    pub(crate) fn of_column(error: sivka::Error, output: &'static str) -> Self {
        if let sivka::Error::OutputLen { expected, given } = error {
            return Self::length(output, expected, given);
        }
        let failure = Self::from(error);
        let what = match (error, failure.argument()) {
            // The offsets cannot say where such an output ends.
            (sivka::Error::TooLong { what: "column", .. }, _) => output,
            (_, Some("nonce")) => "nonces",
            (_, Some("plaintext")) => "values",
            (_, Some("aad")) => "aads",
            _ => return failure,
        };
        failure.of(what)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misuse { what, said, .. } => write!(f, "{what}{said}"),
            Self::NoMemory => f.write_str("not enough memory"),
            Self::Cancelled => f.write_str("stopped by the caller"),
            Self::Message(error) => error.fmt(f),
            Self::Keyset(error) => error.fmt(f),
            Self::KeyFile(error) => error.fmt(f),
            Self::AgeKey(error) => error.fmt(f),
            Self::Keyring(said) => f.write_str(said),
            Self::File(error) => error.fmt(f),
            // The sentence begins with this name where it began with the argument's.
            Self::Argument { what, failure } => {
                let said = failure.to_string();
                let rest = failure.argument().and_then(|name| said.strip_prefix(name));
                match rest {
                    Some(rest) if rest.starts_with([' ', ':']) => write!(f, "{what}{rest}"),
                    _ => f.write_str(&said),
                }
            }
            Self::Path { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Panic(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<sivka::Error> for Failure {
    fn from(error: sivka::Error) -> Self {
        let sivka::Error::BatchShape { expected, given, .. } = error else {
            return Self::Message(error);
        };
        // With the header's name, and what is allowed, which the library leaves open.
        match of_message(&error) {
            (status, Some("validity")) => Self::expected(status, "validity", expected, given),
            (status, Some(what)) if given < expected => {
                Self::expected(status, what, format_args!("at least {expected}"), given)
            }
            (status, Some(what)) => {
                Self::expected(status, what, format_args!("0 to {expected}"), given)
            }
            _ => Self::Message(error),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::BadCost(asked) => origin::of_cost(asked),
            error => Self::File(error),
        }
    }
}

macro_rules! from {
    ($($error:ident => $variant:ident)*) => { $(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )* };
}

from! {
    KeysetError => Keyset
    KeyFileError => KeyFile
    AgeKeyError => AgeKey
    String => Keyring
}

/// A failure, and what C was told of it.
struct LastFailure {
    failure: Failure,
    record: OnceCell<Record>,
}

sivka::__per_thread! {
    static LAST: RefCell<Option<LastFailure>> = RefCell::new(None)
}

/// What threads are told that have none: that no call failed, until one could not be kept.
static OTHERWISE: AtomicPtr<LastError> = AtomicPtr::new((&raw const NOTHING).cast_mut());

/// The record of the last failure of this thread, which stays until the next one.
pub(crate) fn last() -> *const LastError {
    let answer = LAST.try_with(|last| {
        let last = last.try_borrow().ok()?;
        let LastFailure { failure, record } = last.as_ref()?;
        let had_memory = !matches!(failure, Failure::NoMemory);
        let made = || &raw const record.get_or_init(|| Record::new(failure)).shown;
        Some(if had_memory { made() } else { &raw const NO_MEMORY })
    });
    answer.ok().flatten().unwrap_or_else(|| OTHERWISE.load(Relaxed))
}

/// Carries a call out. A failure is kept for [`last`]; a panic becomes one, and never reaches C.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> Status {
    guard_always(|| ensure(64 << 10).and_then(|()| call()))
}

/// [`guard`] for a call that gives memory back.
pub(crate) fn guard_always(call: impl FnOnce() -> Result<(), Failure>) -> Status {
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

/// Carries out a call that reports its failures by itself; a panic becomes one.
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
        let kept = LAST.try_with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                *last = Some(LastFailure { failure, record: OnceCell::new() });
            }
        });
        if kept.is_err() {
            OTHERWISE.store((&raw const NO_MEMORY).cast_mut(), Relaxed);
        }
        status
    })
}

#[cfg(test)]
mod tests;
