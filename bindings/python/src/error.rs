//! From errors of the crates to exceptions; the classes are those of `sivka._errors`.

use crate::buffer::Any;
use pyo3::exceptions::*;
use pyo3::prelude::*;
use sivka::Error;
use sivka_file::{Argon2Cost, Error as FileError, KeyFileError};
use sivka_keyset::{Error as KeysetError, Misuse};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

/// An exception of a class of the package.
pub(crate) fn ours(py: Python<'_>, class: &str, sentence: impl fmt::Display) -> PyErr {
    let made = py.import("sivka._errors").and_then(|errors| match class {
        // It derives from another package's as soon as that is imported.
        "InvalidTag" => errors.call_method0("invalid_tag"),
        _ => errors.getattr(class),
    });
    let made = made.and_then(|class| class.call1((sentence.to_string(),)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What was given is of another type than `expected`.
pub(crate) fn other_type(object: &Any<'_>, what: &str, expected: &str) -> PyErr {
    let given = object.get_type().qualname();
    let given = given.map_or_else(|_| "None".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{what}: {expected} expected, {given} given"))
}

/// A name that is none of those that are known. Of a longer one, its beginning is quoted.
pub(crate) fn unknown_name<'a>(
    what: &str,
    known: impl Iterator<Item = &'a str>,
    given: &str,
) -> PyErr {
    let known = known.collect::<Vec<_>>().join(" or ");
    let given: String = given.chars().take(80).collect();
    PyValueError::new_err(format!("{what}: {known} expected, {given:?} given"))
}

pub(crate) fn length(what: &str, expected: usize, given: usize) -> PyErr {
    PyValueError::new_err(format!("{what}: {expected} expected, {given} given"))
}

pub(crate) fn length_in_bytes(what: &str, expected: usize, given: usize) -> PyErr {
    PyValueError::new_err(format!("{what}: {expected} bytes expected, {given} given"))
}

/// Of a message. The crate names arguments as Rust has them.
#[cold]
pub(crate) fn of_message(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Open => ours(py, "InvalidTag", error),
        Error::TooLong { what, limit, given } => {
            let what = match what {
                "aad" => "associated_data",
                "plaintext" | "ciphertext" => "data",
                other => other,
            };
            let sentence = format!("{what} is too long: at most {limit} bytes, {given} given");
            PyOverflowError::new_err(sentence)
        }
        Error::TooManyStrings { .. } | Error::UsageBound { .. } => {
            PyOverflowError::new_err(error.to_string())
        }
        Error::KeyLen { expected, given } => length("key", expected, given),
        Error::NonceLen { expected, given } => length("nonce", expected, given),
        Error::BatchShape { what, expected, given } => {
            let expected = match (what, given < expected) {
                (_, true) if what.ends_with("offsets") => format!("at least {expected}"),
                (_, false) if what.ends_with("offsets") => format!("0 to {expected}"),
                _ => expected.to_string(),
            };
            let what = match what {
                "aad offsets" => "associated_data_offsets",
                other => other,
            };
            PyValueError::new_err(format!("{what}: {expected} expected, {given} given"))
        }
        Error::Random => PyOSError::new_err(error.to_string()),
        Error::SelfCheck { .. } => PyRuntimeError::new_err(error.to_string()),
        Error::NoRandomNonce
        | Error::TagLen { .. }
        | Error::OutputLen { .. }
        | Error::NegativeOffset { .. }
        | Error::Nonce
        | Error::Empty => PyValueError::new_err(error.to_string()),
        _ => PySystemError::new_err(error.to_string()),
    }
}

/// Of a sealed file. Its sentence begins with the file's path, if there is one.
pub(crate) fn of_file(py: Python<'_>, error: FileError, path: Option<&Path>) -> PyErr {
    let raised = |of: &io::Error| of.get_ref().is_some_and(|inside| inside.is::<PyErr>());
    let error = match error {
        // By Python on the way, to which it goes as it is.
        FileError::Read(of) | FileError::Write(of) if raised(&of) => return of.into(),
        error => error,
    };
    let class = match &error {
        FileError::NotSivka => "NotSivkaError",
        FileError::UnknownVersion { .. }
        | FileError::UnknownSuite { .. }
        | FileError::UnknownSlot { .. }
        | FileError::UnknownKind { .. } => "NewerVersionError",
        FileError::HeaderDamaged | FileError::PayloadMismatch | FileError::Damaged { .. } => {
            "DamagedError"
        }
        FileError::Truncated { .. } => "TruncatedError",
        FileError::NoSlotOpens => "WrongKeyError",
        FileError::CostTooHigh { .. } => "CostLimitError",
        FileError::TooLong => "FileError",
        FileError::BadRecipient => "KeyFileError",
        FileError::Read(of) | FileError::Write(of) => return of_system(py, of, &error, path),
        FileError::Aead(of) => return of_message(py, *of),
        FileError::BadCost(asked) => {
            let most = Argon2Cost::MAX_LANES;
            return PyValueError::new_err(format!(
                "cost: 1 pass or more, 1 to {most} lanes and 8 KiB or more for each expected, \
                 {asked} given"
            ));
        }
        FileError::NoSuchSlot { .. } => return PyIndexError::new_err(error.to_string()),
        FileError::NoMemory { .. } => return PyMemoryError::new_err(error.to_string()),
        FileError::Random => return PyOSError::new_err(error.to_string()),
        FileError::EmptyPassphrase
        | FileError::NoSlotLeft
        | FileError::TooManySlots
        | FileError::NoRoom { .. }
        | FileError::BadKeyName(_) => return PyValueError::new_err(error.to_string()),
        _ => return PySystemError::new_err(error.to_string()),
    };
    match path {
        Some(path) => ours(py, class, format_args!("{}: {error}", path.display())),
        None => ours(py, class, error),
    }
}

/// FileNotFoundError, PermissionError and so on, with the path.
pub(crate) fn of_system(
    py: Python<'_>,
    error: &io::Error,
    sentence: &dyn fmt::Display,
    path: Option<&Path>,
) -> PyErr {
    let Some(code) = error.raw_os_error().or_else(|| code_of_kind(error.kind())) else {
        return PyOSError::new_err(match path {
            Some(path) => format!("{}: {sentence}", path.display()),
            None => sentence.to_string(),
        });
    };
    let path = path.map(Path::as_os_str);
    if cfg!(windows) {
        return PyOSError::new_err((0, sentence.to_string(), path.map(ToOwned::to_owned), code));
    }
    let said = py.import("os").and_then(|os| os.call_method1("strerror", (code,)));
    match said.and_then(|said| said.extract::<String>()) {
        Ok(said) => PyOSError::new_err((code, said, path.map(ToOwned::to_owned))),
        Err(error) => error,
    }
}

/// The system's number for an error that somebody on the way put a text of his own to. These have
/// the same numbers on every Unix.
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

pub(crate) fn of_key_file(py: Python<'_>, error: &KeyFileError) -> PyErr {
    match error {
        KeyFileError::UnknownVersion => ours(py, "NewerVersionError", error),
        KeyFileError::BadName => PyValueError::new_err(error.to_string()),
        _ => ours(py, "KeyFileError", error),
    }
}

pub(crate) fn of_keyset(py: Python<'_>, error: KeysetError) -> PyErr {
    match &error {
        KeysetError::Open => ours(py, "InvalidTag", error),
        KeysetError::Format { .. }
        | KeysetError::LooksEncrypted
        | KeysetError::LooksCleartext
        | KeysetError::Keyset { .. } => ours(py, "KeysetError", error),
        KeysetError::Unsupported { .. } => ours(py, "UnsupportedKeyError", error),
        KeysetError::Random => PyOSError::new_err(error.to_string()),
        KeysetError::Aead(of) => of_message(py, *of),
        KeysetError::Misuse(misuse) => match misuse {
            Misuse::NewKey(_) => ours(py, "KeysetError", error),
            Misuse::TooLong(of) => of_message(py, *of),
            Misuse::TooManyKeys | Misuse::TooLarge | Misuse::TooManySegments => {
                PyOverflowError::new_err(error.to_string())
            }
            _ => PyValueError::new_err(error.to_string()),
        },
        _ => PySystemError::new_err(error.to_string()),
    }
}
