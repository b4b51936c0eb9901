//! Errors, by whose fault they are. None holds a byte of a key.

use crate::info::Primitive;
use std::fmt;

/// Why a keyset was not read, changed or written, or a message not sealed or opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes or the text are not the form that was asked for.
    #[error("not a keyset as asked for: {problem}, at {place}")]
    Format {
        /// What is wrong.
        problem: &'static str,
        /// Where.
        place: Place,
    },
    /// An encrypted keyset was given where one in the clear is read.
    #[error("this looks like an encrypted keyset, not one in the clear")]
    LooksEncrypted,
    /// A keyset in the clear was given where an encrypted one is read.
    #[error("this looks like a keyset in the clear, not an encrypted one")]
    LooksCleartext,
    /// The keyset can be read, and breaks a rule.
    #[error("{}{rule}", of_key(*.key))]
    Keyset {
        /// The key that breaks it, unless it is the keyset as a whole.
        key: Option<KeyPlace>,
        /// The rule.
        rule: Rule,
    },
    /// The keyset is well formed, and has a key that this library cannot use.
    #[error("{key}: {what}")]
    Unsupported {
        /// The key.
        key: KeyPlace,
        /// What is not known of it.
        what: Unsupported,
    },
    /// No key opens it: a wrong key, wrong associated data, a changed bit, or a key that is
    /// not enabled. These cannot be told apart.
    #[error("does not open under any enabled key of the keyset")]
    Open,
    /// The caller asked for something that is not allowed. Nothing was changed.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes")]
    Random,
    /// A key-management service did not answer, or refused to: said by what calls it, a
    /// [`KeyEncryptionKey`](crate::KeyEncryptionKey).
    #[error("the key-management service failed: {0}")]
    Kms(String),
    /// The AEAD refused to run, for a reason that is not the message's content.
    #[error(transparent)]
    Aead(sivka::Error),
}

/// Where in the input: a byte, counted from zero, and a path in the names of JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The offset in bytes.
    pub offset: usize,
    /// As `key[2].keyData.value`; empty for the whole input.
    pub path: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}", self.offset)?;
        match self.path.as_str() {
            "" => Ok(()),
            path => write!(f, " ({path})"),
        }
    }
}

/// A key of a keyset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPlace {
    /// Its place in the keyset, counted from zero.
    pub index: usize,
    /// Its id.
    pub id: u32,
}

impl fmt::Display for KeyPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key {} (key[{}])", self.id, self.index)
    }
}

fn of_key(key: Option<KeyPlace>) -> String {
    key.map_or_else(String::new, |key| format!("{key}: "))
}

/// A rule that a keyset breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rule {
    /// There is no key.
    #[error("the keyset has no key")]
    NoKey,
    /// No key is enabled.
    #[error("the keyset has no enabled key")]
    NoEnabledKey,
    /// The primary key is not there.
    #[error("the keyset has no key with the primary's id, {id}")]
    NoPrimary {
        /// The id that the keyset names.
        id: u32,
    },
    /// The primary key is disabled or destroyed.
    #[error("the primary key is not enabled")]
    PrimaryNotEnabled,
    /// Two keys have one id.
    #[error("an earlier key has the same id")]
    DuplicateId,
    /// The status is not one that keys have.
    #[error("a key has no status {0}")]
    Status(u32),
    /// The output prefix is not one that AEADs have.
    #[error("an AEAD has no output prefix {0}")]
    OutputPrefix(u32),
    /// The type has no such prefix.
    #[error("keys of this type have the output prefixes TINK and RAW only")]
    OutputPrefixOfType,
    /// A key that is not destroyed has no key data.
    #[error("the key data are missing")]
    NoKeyData,
    /// The type URL is empty, or has characters that are not printable ASCII.
    #[error("the type URL is empty or not printable ASCII")]
    TypeUrl,
    /// The kind of key material is not the type's, or not known.
    #[error("keys of this type do not have the key material type {0}")]
    KeyMaterialType(u32),
    /// The key data are no message of the key's type.
    #[error("the key data are not a message of the key's type: {0}")]
    KeyData(&'static str),
    /// The type has no keys of this length.
    #[error("keys of this type do not have {given} bytes")]
    KeyLen {
        /// The bytes given.
        given: usize,
    },
    /// A parameter has a length that the type does not allow.
    #[error("keys of this type do not {what} of {given} bytes")]
    ParameterLen {
        /// What has the length, as `have a salt`.
        what: &'static str,
        /// The bytes given.
        given: u32,
    },
    /// A parameter names a hash that the type does not allow, or none.
    #[error("keys of this type do not have the hash {0}")]
    Hash(u32),
    /// The URI of a key of a key-management service is empty, or has characters that are not
    /// printable ASCII.
    #[error("the URI of the KMS key is empty or not printable ASCII")]
    KmsUri,
    /// A KMS envelope says of no AEAD that it has keys for what messages are sealed with.
    #[error("the envelope's template is not one of an AEAD that envelopes have")]
    DekTemplate,
    /// Enabled keys are of different primitives.
    #[error("the keyset mixes keys for different primitives")]
    MixedPrimitives,
}

/// What is not known of a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// The type.
    #[error("keys of type {0} are not supported")]
    Type(String),
    /// The key is with a key-management service, and nothing was given that reaches it: see
    /// [`Keyset::aead_with_kms`](crate::Keyset::aead_with_kms).
    #[error("its key is with a key-management service, at {0}, which was not given")]
    Kms(String),
    /// The version of the key's message.
    #[error("version {0} of its type is not known; only 0 is")]
    Version(u32),
}

/// What a caller may not ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misuse {
    /// No key has this id.
    #[error("there is no key {id}")]
    NoSuchKey {
        /// The id asked for.
        id: u32,
    },
    /// Several keys have this id.
    #[error("several keys have the id {id}; remove them first")]
    AmbiguousId {
        /// The id asked for.
        id: u32,
    },
    /// Only an enabled key can be the primary.
    #[error("key {id} is not enabled, and cannot be the primary")]
    NotEnabled {
        /// The id asked for.
        id: u32,
    },
    /// The primary cannot be disabled, destroyed or removed.
    #[error("key {id} is the primary: promote another one first")]
    Primary {
        /// The id asked for.
        id: u32,
    },
    /// What was destroyed stays destroyed.
    #[error("key {id} is destroyed")]
    Destroyed {
        /// The id asked for.
        id: u32,
    },
    /// The id of a new key is 0, or one of another key.
    #[error("a new key cannot have the id {id}: it is 0, or that of another key")]
    NewId {
        /// The id asked for.
        id: u32,
    },
    /// A new key breaks a rule.
    #[error("a new key breaks a rule: {0}")]
    NewKey(Rule),
    /// The keyset is full.
    #[error("a keyset has at most {} keys", crate::MAX_KEYS)]
    TooManyKeys,
    /// What would be written is longer than what is read.
    #[error("a keyset has at most {} bytes", crate::MAX_LEN)]
    TooLarge,
    /// More is written to a stream than it has segments for.
    #[error("a stream has at most 4294967295 segments")]
    TooManySegments,
    /// The key-management service gave what no reader of envelopes takes.
    #[error("an encrypted key of {given} bytes: an envelope has 1 to 4096")]
    EncryptedKeyLen {
        /// The bytes that it gave.
        given: usize,
    },
    /// The keyset is of another primitive.
    #[error("the keyset is for {0}")]
    OtherPrimitive(Primitive),
    /// Plaintext or associated data are longer than the primary's algorithm allows.
    #[error(transparent)]
    TooLong(sivka::Error),
}

impl Rule {
    /// A parameter that has a length of `given` bytes; `what` says which, with its verb.
    pub(crate) fn len_of(what: &'static str, given: u32) -> Self {
        Self::ParameterLen { what, given }
    }
}

impl Error {
    /// A malformed place in the input.
    pub(crate) fn format(problem: &'static str, offset: usize, path: &str) -> Self {
        let path = path.to_owned();
        let place = Place { offset, path };
        Self::Format { problem, place }
    }

    /// A rule that the keyset as a whole breaks.
    pub(crate) fn rule(rule: Rule) -> Self {
        Self::Keyset { key: None, rule }
    }
}

impl From<sivka::Error> for Error {
    fn from(error: sivka::Error) -> Self {
        match error {
            sivka::Error::Open => Self::Open,
            sivka::Error::Random => Self::Random,
            sivka::Error::TooLong { .. } => Misuse::TooLong(error).into(),
            _ => Self::Aead(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_aead_keeps_its_kind() {
        let too_long = sivka::Error::TooLong {
            what: "plaintext",
            limit: 1,
            given: 2,
        };
        let expected = Misuse::TooLong(too_long).into();
        assert_eq!(Error::from(too_long), expected);
        assert_eq!(Error::from(sivka::Error::Random), Error::Random);
        assert_eq!(Error::from(sivka::Error::Open), Error::Open);
    }
}
