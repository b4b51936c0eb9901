//! Which status an error of the libraries has, and which argument it is about.

use super::Failure;
use crate::status::*;
use sivka_file::{Argon2Cost, Error as FileError, KeyFileError};
use sivka_keyset::{Error as KeysetError, Misuse};
use std::io::ErrorKind;

pub(super) type Origin = (Status, Option<&'static str>);

/// What the library calls "ciphertext" has different names here, and is left out.
pub(super) fn of_message(error: &sivka::Error) -> Origin {
    use sivka::Error;
    match error {
        Error::Open => (SIVKA_ERROR_OPEN, None),
        Error::Batch { .. } => (SIVKA_ERROR_BATCH, None),
        Error::TooLong { what, .. } => {
            let argument = match *what {
                "aad" => Some("aad"),
                "plaintext" | "plaintext and aad under this key's usage bound" => Some("plaintext"),
                _ => None,
            };
            (SIVKA_ERROR_TOO_LONG, argument)
        }
        Error::TooManyStrings { .. } => (SIVKA_ERROR_TOO_LONG, Some("aad_count")),
        Error::KeyLen { .. } => (SIVKA_ERROR_LENGTH, Some("key")),
        Error::NonceLen { .. } => (SIVKA_ERROR_LENGTH, Some("nonce")),
        Error::TagLen { .. } => (SIVKA_ERROR_LENGTH, Some("tag")),
        Error::SectionLen { .. } => (SIVKA_ERROR_LENGTH, Some("section_len")),
        Error::OutputLen { .. } => (SIVKA_ERROR_LENGTH, None),
        Error::NoRandomNonce => (SIVKA_ERROR_NO_RANDOM_NONCE, None),
        Error::Nonce => (SIVKA_ERROR_REFUSED, Some("nonce")),
        Error::Empty => (SIVKA_ERROR_REFUSED, None),
        Error::BatchShape { what, .. } => {
            let argument = match *what {
                "offsets" => Some("offsets"),
                "aad offsets" => Some("aad_offsets"),
                "bits of validity" => Some("validity"),
                _ => None,
            };
            (SIVKA_ERROR_OFFSETS, argument)
        }
        Error::NegativeOffset { .. } => (SIVKA_ERROR_OFFSETS, Some("offsets")),
        Error::UsageBound { .. } => (SIVKA_ERROR_USAGE_BOUND, None),
        Error::Random => (SIVKA_ERROR_RANDOM, None),
        Error::SelfCheck { .. } => (SIVKA_ERROR_SELF_CHECK, None),
        _ => (SIVKA_ERROR_INTERNAL, None),
    }
}

pub(super) fn of_keyset(error: &KeysetError) -> Origin {
    let misuse = match error {
        KeysetError::Open => return (SIVKA_ERROR_OPEN, None),
        KeysetError::Format { .. }
        | KeysetError::LooksEncrypted
        | KeysetError::LooksCleartext
        | KeysetError::Keyset { .. } => return (SIVKA_ERROR_KEYSET, None),
        KeysetError::Unsupported { .. } => return (SIVKA_ERROR_KEY_TYPE, None),
        KeysetError::Random => return (SIVKA_ERROR_RANDOM, None),
        KeysetError::Aead(error) => return (of_message(error).0, None),
        KeysetError::Misuse(misuse) => misuse,
        _ => return (SIVKA_ERROR_INTERNAL, None),
    };
    match misuse {
        Misuse::NoSuchKey(_) | Misuse::AmbiguousId(_) => (SIVKA_ERROR_KEY_ID, Some("id")),
        Misuse::NewId(_) => (SIVKA_ERROR_KEY_ID, None),
        Misuse::NotEnabled(_) | Misuse::Primary(_) | Misuse::Destroyed(_) => {
            (SIVKA_ERROR_KEY_STATE, Some("id"))
        }
        Misuse::OtherPrimitive(_) => (SIVKA_ERROR_PRIMITIVE, Some("keyset")),
        Misuse::NewKey(_) => (SIVKA_ERROR_KEYSET, None),
        Misuse::NoCiphertext => (SIVKA_ERROR_LENGTH, None),
        Misuse::TooLong(error) => (SIVKA_ERROR_TOO_LONG, of_message(error).1),
        Misuse::TooManyKeys | Misuse::TooLarge | Misuse::TooManySegments => {
            (SIVKA_ERROR_TOO_LONG, None)
        }
        _ => (SIVKA_ERROR_INTERNAL, None),
    }
}

pub(super) fn of_key_file(error: &KeyFileError) -> Origin {
    match error {
        KeyFileError::UnknownVersion => (SIVKA_ERROR_NEWER, None),
        KeyFileError::BadName => (SIVKA_ERROR_KEY_NAME, Some("name")),
        _ => (SIVKA_ERROR_KEY_FILE, None),
    }
}

pub(super) fn of_file(error: &FileError) -> Origin {
    let argument = match error {
        FileError::EmptyPassphrase => Some("passphrase"),
        FileError::BadKeyName(_) => Some("name"),
        FileError::NoSuchSlot { .. } => Some("index"),
        FileError::NoSlotLeft | FileError::TooManySlots => Some("keys"),
        _ => None,
    };
    (file_status(error), argument)
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
        FileError::Aead(error) => of_message(error).0,
        FileError::Read(error) | FileError::Write(error)
            if error.kind() == ErrorKind::OutOfMemory =>
        {
            SIVKA_ERROR_NO_MEMORY
        }
        FileError::Read(_) => SIVKA_ERROR_READ,
        FileError::Write(error) if error.kind() == ErrorKind::AlreadyExists => SIVKA_ERROR_EXISTS,
        FileError::Write(_) => SIVKA_ERROR_WRITE,
        _ => SIVKA_ERROR_INTERNAL,
    }
}

/// Which part of a cost is not allowed, and what is.
pub(super) fn of_cost(asked: Argon2Cost) -> Failure {
    let most_lanes = Argon2Cost::MAX_LANES;
    let (what, least, most, given) = if asked.passes == 0 {
        ("passes", 1, u32::MAX, asked.passes)
    } else if !(1..=most_lanes).contains(&asked.lanes) {
        ("lanes", 1, most_lanes, asked.lanes)
    } else {
        ("memory_kib", 8 * asked.lanes, u32::MAX, asked.memory_kib)
    };
    Failure::expected(SIVKA_ERROR_COST, what, format_args!("{least} to {most}"), given)
}

#[cfg(test)]
mod tests;
