//! Errors, by whose fault they are.

use crate::passphrase::Argon2Cost;
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
    #[error("file format version {0} is not known to this program (it knows version 1)")]
    UnknownVersion(u32),
    /// A suite of a number that this library does not know.
    #[error("suite {0} is not known to this program")]
    UnknownSuite(u32),
    /// No key slot opens with the given keys, and one has a kind that this library does not
    /// know: they may be for that one. Slots are counted from zero.
    #[error(
        "{}, and key slot {index} has kind {kind}, which is not known to this program",
        Self::NoSlotOpens
    )]
    #[expect(missing_docs, reason = "the message tells what they are")]
    UnknownSlot { index: usize, kind: u8 },
    /// A kind of content, of a number that this library does not know.
    #[error("the content has kind {0}, which is not known to this program")]
    UnknownKind(u8),
    /// Neither copy of the header is well formed with a right MAC: damaged or tampered with.
    #[error("the header is damaged")]
    HeaderDamaged,
    /// None of the given keys opens a slot. A damaged slot cannot be told from a wrong key.
    #[error("no key slot opens with the given keys")]
    NoSlotOpens,
    /// A passphrase slot asks for more work than [`OpenOptions::max_cost`](crate::OpenOptions)
    /// allows, by itself or with those that were tried before; nothing was allocated for it.
    /// Slots are counted from zero.
    #[error(
        "key slot {index} asks for Argon2id with {asked}; the limit for all slots together is {limit}"
    )]
    #[expect(missing_docs, reason = "the message tells what they are")]
    CostTooHigh { index: usize, asked: Argon2Cost, limit: Argon2Cost },
    /// The payload's salt or commitment is not as the header says: damaged, or a header was put
    /// before another file's payload.
    #[error("the payload does not belong to this header, or its first bytes are damaged")]
    PayloadMismatch,
    /// The end is missing, or the last chunk is not authentic: nobody can tell which. So many
    /// whole chunks are before it; with none, nothing of the content may be there.
    #[error("the end of the file is missing or damaged: it ends {}", truncated_after(*.0))]
    Truncated(u64),
    /// A chunk is not authentic, and it is not the last one: the plaintext from byte 16384 times
    /// this number on.
    #[error("chunk {0} is damaged")]
    Damaged(u64),
    /// More than 2^38 chunks (4 PiB).
    #[error("longer than the format allows (2^38 chunks, 4 PiB)")]
    TooLong,
    /// A passphrase is empty.
    #[error("the passphrase is empty")]
    EmptyPassphrase,
    /// This Argon2 cost is outside the format's limits.
    #[error("an Argon2id cost of {0} is outside the format's limits")]
    BadCost(Argon2Cost),
    /// The system cannot give so much memory, in KiB, for Argon2id or chunks.
    #[error("not enough memory: {0} KiB needed")]
    NoMemory(u32),
    /// A file needs at least one key slot, of a kind that this library knows.
    #[error("a file needs at least one key slot that this program knows")]
    NoSlotLeft,
    /// More than 64 key slots, or a copy of the header of more than 65,536 bytes.
    #[error("a file has at most 64 key slots, and each copy of its header at most 65,536 bytes")]
    TooManySlots,
    /// The header has no room for another slot, which keeps the payload where it is. See
    /// [`SealOptions::spare_slots`](crate::SealOptions::spare_slots).
    #[error(
        "the header has no room for this key slot: it needs {needed} bytes, and {free} are free"
    )]
    #[expect(missing_docs, reason = "the message tells what they are")]
    NoRoom { needed: usize, free: usize },
    /// The slots were changed 2^64 - 1 times, and the header cannot count further.
    #[error("the header's counter is at its end: the key slots cannot be changed any more")]
    TooManyChanges,
    /// A recipient's public key is none that a secret can be agreed on with.
    #[error("the recipient's public key is not valid")]
    BadRecipient,
    /// No key slot has this index, counted from zero.
    #[error("there is no key slot {0}")]
    NoSuchSlot(usize),
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
            Error::Truncated(_) => io::ErrorKind::UnexpectedEof,
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
    /// This line, counted from one, is missing, misplaced, misspelt or has digits that are not
    /// lower-case hexadecimal.
    #[error("line {0} of the key file is malformed")]
    Malformed(usize),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", .line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct AgeKeyError {
    /// The line of a list, counted from one.
    pub line: Option<usize>,
    reason: &'static str,
}

impl AgeKeyError {
    /// Another length, letters that no key has, or a public key that is none.
    pub(crate) const MALFORMED: Self = Self::new("the key is malformed");

    pub(crate) const fn new(reason: &'static str) -> Self {
        Self { line: None, reason }
    }

    pub(crate) fn at(self, line: usize) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }
}
