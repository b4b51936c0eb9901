//! What a failure says of itself besides its status: argument, path, system's code.

use super::Failure;
use sivka_file::{Argon2Cost, Error as FileError, KeyFileError};
use sivka_keyset::{Error as KeysetError, Misuse};
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

/// The numbers that are allowed: from `least` on every `step`-th one, up to `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) least: u64,
    pub(crate) most: u64,
    pub(crate) step: u64,
}

impl Expected {
    pub(crate) fn exactly(number: u64) -> Self {
        Self::between(number, number)
    }

    pub(crate) fn between(least: u64, most: u64) -> Self {
        let step = 1;
        Self { least, most, step }
    }

    pub(crate) fn at_least(least: u64) -> Self {
        Self::between(least, u64::MAX)
    }

    /// Of an offset that passes `bound`: as far as the one before it at least, and as far as the
    /// buffer at most.
    pub(super) fn of_offset(bound: usize, given: usize) -> Self {
        match given < bound {
            true => Self::at_least(bound as u64),
            false => Self::between(0, bound as u64),
        }
    }

    /// Zero too.
    pub(crate) fn multiple_of(step: u64) -> Self {
        Self {
            step,
            ..Self::at_least(0)
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most, step } = *self;
        if least == most {
            write!(f, "{least}")
        } else if most == u64::MAX && step > 1 {
            write!(f, "a multiple of {step}")
        } else if most == u64::MAX {
            write!(f, "at least {least}")
        } else if least + step == most {
            write!(f, "{least} or {most}")
        } else {
            write!(f, "{least} to {most}")
        }
    }
}

impl Failure {
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

    /// The sentence, which begins with this name where it began with the argument's.
    pub(crate) fn sentence_on(&self, what: &str) -> String {
        let said = self.to_string();
        let rest = self.argument().and_then(|name| said.strip_prefix(name));
        match rest {
            Some(rest) if rest.starts_with([' ', ':']) => format!("{what}{rest}"),
            _ => said,
        }
    }

    /// The argument that is wrong, as the header names it. Only misuse has one.
    pub(crate) fn argument(&self) -> Option<&'static str> {
        match self {
            Self::Null { what }
            | Self::Length { what, .. }
            | Self::Capacity { what, .. }
            | Self::TooLong { what }
            | Self::Overlap { one: what, .. }
            | Self::Alignment { what }
            | Self::Name { what, .. }
            | Self::Offsets { what, .. }
            | Self::Text { what }
            | Self::KeyText { what }
            | Self::Argument { what, .. } => Some(what),
            Self::KeyCount { .. } => Some("added"),
            Self::KeysetKey => Some("key"),
            Self::NoList => Some("aads"),
            Self::Flags { .. } => Some("flags"),
            Self::NeedsPassphrase => Some("passphrase"),
            Self::Suite { .. } => Some("suite"),
            Self::Algorithm { .. } => Some("algorithm"),
            Self::Message(error) => of_message(error),
            Self::Keyset(error) => of_keyset(error),
            Self::KeyFile(KeyFileError::BadName) => Some("name"),
            Self::File(error) => of_file(error),
            Self::NoMemory
            | Self::Cancelled
            | Self::KeyFile(_)
            | Self::AgeKey(_)
            | Self::Path { .. }
            | Self::Panic(_) => None,
        }
    }

    /// The argument that another one may not overlap.
    pub(crate) fn overlapped(&self) -> Option<&'static str> {
        match self {
            Self::Overlap { other, .. } => Some(other),
            _ => None,
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path { path, .. } => Some(path),
            _ => None,
        }
    }

    pub(crate) fn os_code(&self) -> Option<i32> {
        match self {
            Self::File(FileError::Read(error) | FileError::Write(error))
            | Self::Path {
                error: FileError::Read(error) | FileError::Write(error),
                ..
            } => error.raw_os_error().or_else(|| code_of_kind(error.kind())),
            _ => None,
        }
    }
}

/// What the library calls "ciphertext" has different names here, and is left out.
fn of_message(error: &sivka::Error) -> Option<&'static str> {
    match error {
        sivka::Error::KeyLen { .. } => Some("key"),
        sivka::Error::NonceLen { .. } | sivka::Error::Nonce => Some("nonce"),
        sivka::Error::TagLen { .. } => Some("tag"),
        sivka::Error::SectionLen { .. } => Some("section_len"),
        sivka::Error::TooManyStrings { .. } => Some("aad_count"),
        sivka::Error::TooLong { what, .. } => match *what {
            "aad" => Some("aad"),
            "plaintext" | "plaintext and aad under this key's usage bound" => Some("plaintext"),
            _ => None,
        },
        sivka::Error::NegativeOffset { .. } => Some("offsets"),
        sivka::Error::BatchShape { what, .. } => match *what {
            "offsets" => Some("offsets"),
            "aad offsets" => Some("aad_offsets"),
            "bits of validity" => Some("validity"),
            _ => None,
        },
        _ => None,
    }
}

fn of_keyset(error: &KeysetError) -> Option<&'static str> {
    match error {
        KeysetError::Misuse(
            Misuse::NoSuchKey(_)
            | Misuse::AmbiguousId(_)
            | Misuse::NotEnabled(_)
            | Misuse::Primary(_)
            | Misuse::Destroyed(_),
        ) => Some("id"),
        KeysetError::Misuse(Misuse::OtherPrimitive(_)) => Some("keyset"),
        KeysetError::Misuse(Misuse::TooLong(error)) => of_message(error),
        _ => None,
    }
}

fn of_file(error: &FileError) -> Option<&'static str> {
    match error {
        FileError::EmptyPassphrase => Some("passphrase"),
        FileError::BadCost(asked) => Some(of_cost(*asked).0),
        FileError::BadKeyName(_) => Some("name"),
        FileError::NoSuchSlot { .. } => Some("index"),
        FileError::NoSlotLeft | FileError::TooManySlots => Some("keys"),
        _ => None,
    }
}

/// Which part of a cost is not allowed, and what is.
pub(super) fn of_cost(asked: Argon2Cost) -> (&'static str, Expected, u32) {
    let most_lanes = Argon2Cost::MAX_LANES;
    if asked.passes == 0 {
        return (
            "passes",
            Expected::between(1, u32::MAX.into()),
            asked.passes,
        );
    }
    if !(1..=most_lanes).contains(&asked.lanes) {
        return (
            "lanes",
            Expected::between(1, most_lanes.into()),
            asked.lanes,
        );
    }
    let least = 8 * u64::from(asked.lanes);
    let memory = Expected::between(least, u32::MAX.into());
    ("memory_kib", memory, asked.memory_kib)
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

#[cfg(test)]
mod tests;
