//! Errors, by whose fault they are.

use crate::cost::Argon2Cost;
use std::io;

/// Why a file was not sealed, opened or changed.
///
/// An error names the cause, and never reveals anything about a key. Plaintext before the error is
/// authentic: it is handed on chunk by chunk, after each chunk is authenticated. On every error the
/// output is incomplete, and the caller should throw it away.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input does not begin as a Sivka file does.
    #[error("not a sivka file")]
    NotSivka,
    /// A version of the format that this library does not know, most likely newer.
    #[error("file format version {version} is not known to this program (it knows version 1)")]
    UnknownVersion {
        /// The version that the file states.
        version: u32,
    },
    /// A suite that this library does not know.
    #[error("suite {suite} is not known to this program")]
    UnknownSuite {
        /// The number of the suite that the file states.
        suite: u32,
    },
    /// No key slot opens with the given keys, and one has a kind that this library does not
    /// know: they may be for that one.
    #[error(
        "{}, and key slot {index} has kind {kind}, which is not known to this program",
        Self::NoSlotOpens
    )]
    UnknownSlot {
        /// The slot, counted from zero.
        index: usize,
        /// The kind that the slot states.
        kind: u8,
    },
    /// A kind of content that this library does not know.
    #[error("the content has kind {kind}, which is not known to this program")]
    UnknownKind {
        /// The kind's number.
        kind: u8,
    },
    /// Neither copy of the header is well formed with a right MAC: damaged or tampered with.
    #[error("the header is damaged")]
    HeaderDamaged,
    /// None of the given keys opens a slot. A damaged slot cannot be told from a wrong key.
    #[error("no key slot opens with the given keys")]
    NoSlotOpens,
    /// A passphrase slot asks for more work than [`OpenOptions::max_cost`](crate::OpenOptions)
    /// allows, by itself or with those that were tried before; nothing was allocated for it.
    #[error(
        "key slot {index} asks for Argon2id with {asked}; the limit for all slots together is {limit}"
    )]
    CostTooHigh {
        /// The slot, counted from zero.
        index: usize,
        /// The cost in the slot.
        asked: Argon2Cost,
        /// The limit of the caller.
        limit: Argon2Cost,
    },
    /// The payload's salt or commitment does not belong to the file key: damaged,
    /// or a header was put before another file's payload.
    #[error("the payload does not belong to this header, or its first bytes are damaged")]
    PayloadMismatch,
    /// The end is missing, or the last chunk is not authentic: nobody can tell which.
    #[error("the end of the file is missing or damaged: it ends {}", truncated_after(*.chunks))]
    Truncated {
        /// Whole chunks before the end. With none, nothing of the content may be there.
        chunks: u64,
    },
    /// A chunk is not authentic, and it is not the last one.
    #[error("chunk {chunk} is damaged")]
    Damaged {
        /// The chunk, counted from zero: the plaintext from byte 16384 · `chunk` on.
        chunk: u64,
    },
    /// More than 2^38 chunks (4 PiB).
    #[error("longer than the format allows (2^38 chunks, 4 PiB)")]
    TooLong,
    /// A passphrase is empty.
    #[error("the passphrase is empty")]
    EmptyPassphrase,
    /// An Argon2 cost outside the format's limits was asked for.
    #[error("an Argon2id cost of {asked} is outside the format's limits")]
    BadCost {
        /// The given value.
        asked: Argon2Cost,
    },
    /// The system cannot give the memory that Argon2id needs.
    #[error("no memory for Argon2id: {kib} KiB needed")]
    NoMemory {
        /// The need in KiB.
        kib: u32,
    },
    /// A file needs at least one key slot, of a kind that this library knows.
    #[error("a file needs at least one key slot that this program knows")]
    NoSlotLeft,
    /// More than 64 key slots, or a copy of the header of more than 65,536 bytes.
    #[error("a file has at most 64 key slots, and each copy of its header at most 65,536 bytes")]
    TooManySlots,
    /// The header has no room for another slot, which keeps the payload where it is. See
    /// [`SealOptions::room`](crate::SealOptions::room).
    #[error(
        "the header has no room for this key slot: it needs {needed} bytes, and {free} are free"
    )]
    NoRoom {
        /// Bytes of the slot.
        needed: usize,
        /// Bytes of a copy of the header that no slot has.
        free: usize,
    },
    /// The slots were changed 2^64 - 1 times, and the header cannot count further.
    #[error("the header's counter is at its end: the key slots cannot be changed any more")]
    TooManyChanges,
    /// A recipient's public key is none that a secret can be agreed on with.
    #[error("the recipient's public key is not valid")]
    BadRecipient,
    /// No key slot has this index.
    #[error("there is no key slot {index}")]
    NoSuchSlot {
        /// The index asked for, counted from zero.
        index: usize,
    },
    /// A key's name is not allowed.
    #[error(transparent)]
    BadKeyName(KeyFileError),
    /// Not a key file.
    #[error(transparent)]
    KeyFile(KeyFileError),
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes")]
    Random,
    /// The AEAD refused to run, for a reason that is not the input's content.
    #[error(transparent)]
    Aead(sivka::Error),
    /// The input could not be read.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// The output could not be written.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
}

/// Where a truncated file ends, in words.
fn truncated_after(chunks: u64) -> String {
    match chunks {
        0 => "before its content begins".to_owned(),
        1 => "after 1 whole chunk".to_owned(),
        _ => format!("after {chunks} whole chunks"),
    }
}

impl Error {
    /// As [`Error::from`], for an error of writing plaintext: an error that is not ours is
    /// [`Error::Write`].
    #[must_use]
    pub fn from_write(error: io::Error) -> Self {
        error.downcast().unwrap_or_else(Self::Write)
    }
}

impl From<Error> for io::Error {
    /// An error with the [`Error`] inside. Those of input and output keep their kind; the
    /// format's are [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`].
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::Read(error) | Error::Write(error) => error.kind(),
            Error::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

impl From<io::Error> for Error {
    /// The error that a [`Reader`](crate::Reader) or [`Writer`](crate::Writer) put inside; what
    /// is none of ours is [`Error::Read`].
    fn from(error: io::Error) -> Self {
        error.downcast().unwrap_or_else(Self::Read)
    }
}

/// Why a text is not a key file, or a name not a key's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The first line is not that of a key file.
    #[error("not a sivka key file: its first line is not `sivka key file, version 1`")]
    NotAKeyFile,
    /// A version of the key-file form that this library does not know.
    #[error("a key file of a version that this program does not know")]
    UnknownVersion,
    /// Longer than [`MAX_KEY_FILE_LEN`](crate::MAX_KEY_FILE_LEN), or than a key file that a
    /// passphrase protects: the key is at its beginning.
    #[error("bytes follow the key in the key file")]
    TooLong,
    /// A line is missing, misplaced, misspelt or has digits that are not lower-case
    /// hexadecimal.
    #[error("line {line} of the key file is malformed")]
    Malformed {
        /// The line, counted from one.
        line: usize,
    },
    /// The name is empty, longer than [`MAX_NAME_LEN`](crate::MAX_NAME_LEN) bytes, begins or ends with a
    /// space, or contains a control character.
    #[error("a key's name has 1 to 64 bytes, no control character, and no space at either end")]
    BadName,
    /// The checksum does not match: a typing or copying error.
    #[error("the key file's checksum does not match: it was copied wrongly or damaged")]
    Checksum,
    /// The id is not the key's.
    #[error("the key file's id does not belong to its key")]
    WrongId,
}

/// Why a text is no recipient or identity of age's. It never quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgeKeyError {
    /// Neither `age1…` nor `age1pq1…`.
    #[error("not a recipient, which begins with age1")]
    NotARecipient,
    /// Neither `AGE-SECRET-KEY-1…` nor `AGE-SECRET-KEY-PQ-1…`.
    #[error("not an identity, which begins with AGE-SECRET-KEY-")]
    NotAnIdentity,
    /// A key of another kind, as a plugin's or one for SSH.
    #[error("a kind of key that this program does not know")]
    UnknownKind,
    /// The checksum does not match: a typing or copying error.
    #[error("the key's checksum does not match: it was copied wrongly or damaged")]
    Checksum,
    /// Another length, letters that no key has, or a public key that is none.
    #[error("the key is malformed")]
    Malformed,
    /// No key in the text.
    #[error("there is no key in it")]
    None,
    /// The error in a line of a list.
    #[error("line {line}: {error}")]
    Line {
        /// The line, counted from one.
        line: usize,
        /// The error.
        error: Box<Self>,
    },
}
