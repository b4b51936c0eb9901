//! Errors, by whose fault they are. None holds a byte of a key.

use crate::info::Primitive;
use std::borrow::Cow;
use std::fmt;

/// Why a keyset was not read, changed or written, or a message not sealed or opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes or the text are not the form that was asked for.
    #[error("not a keyset as asked for: {problem}, at byte {offset}{}", in_brackets(path))]
    Format {
        /// The error.
        problem: &'static str,
        /// Where: the byte, counted from zero.
        offset: usize,
        /// The same in the names of JSON, as `key[2].keyData.value`; empty for the whole input.
        path: String,
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
        /// The unknown part.
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
    /// A key-management service did not answer, or refused; a
    /// [`KeyEncryptionKey`](crate::KeyEncryptionKey) returns it.
    #[error("the key-management service failed: {0}")]
    Kms(String),
    /// The AEAD refused to run, for a reason that is not the message's content.
    #[error(transparent)]
    Aead(sivka::Error),
}

fn in_brackets(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!(" ({path})"),
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

/// A rule that a keyset breaks: `Display` says which, and nothing that is secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule(Cow<'static, str>);

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Rule {
    pub(crate) const fn new(rule: &'static str) -> Self {
        Self(Cow::Borrowed(rule))
    }

    /// The mistake in a key of a type, as `have 17 bytes`.
    pub(crate) fn of_type(what: fmt::Arguments<'_>) -> Self {
        Self(format!("keys of this type do not {what}").into())
    }

    pub(crate) fn key_len(given: usize) -> Self {
        Self::of_type(format_args!("have {given} bytes"))
    }

    pub(crate) fn key_data(problem: &str) -> Self {
        Self(format!("the key data are not a message of the key's type: {problem}").into())
    }

    pub(crate) fn hash(number: u32) -> Self {
        Self::of_type(format_args!("have the hash {number}"))
    }

    /// A number that `what` does not allow.
    pub(crate) fn unknown(what: &str, number: u32) -> Self {
        Self(format!("{what} {number}").into())
    }

    pub(crate) fn no_primary(id: u32) -> Self {
        Self::unknown("the keyset has no key with the primary's id,", id)
    }

    pub(crate) const NO_ENABLED_KEY: Self = Self::new("the keyset has no enabled key");
    pub(crate) const DEK_TEMPLATE: Self =
        Self::new("the envelope's template is not one of an AEAD that envelopes have");
}

/// The unknown part of a key.
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

/// A call that is not allowed. Numbers are the ids of the call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misuse {
    /// No key has this id.
    #[error("there is no key {0}")]
    NoSuchKey(u32),
    /// Several keys have this id.
    #[error("several keys have the id {0}; remove them first")]
    AmbiguousId(u32),
    /// Only an enabled key can be the primary.
    #[error("key {0} is not enabled, and cannot be the primary")]
    NotEnabled(u32),
    /// The primary cannot be disabled, destroyed or removed.
    #[error("key {0} is the primary: promote another one first")]
    Primary(u32),
    /// A destroyed key stays destroyed.
    #[error("key {0} is destroyed")]
    Destroyed(u32),
    /// The id of a new key is 0, or one of another key.
    #[error("a new key cannot have the id {0}: it is 0, or that of another key")]
    NewId(u32),
    /// A new key breaks a rule.
    #[error("a new key breaks a rule: {0}")]
    NewKey(Rule),
    /// The keyset is full.
    #[error("a keyset has at most {} keys", crate::MAX_KEYS)]
    TooManyKeys,
    /// The output would be longer than a reader accepts.
    #[error("a keyset has at most {} bytes", crate::MAX_LEN)]
    TooLarge,
    /// More is written to a stream than it has segments for.
    #[error("a stream has at most 4294967295 segments")]
    TooManySegments,
    /// The key-management service returned a key that no reader of envelopes accepts.
    #[error("an encrypted key of {0} bytes: an envelope has 1 to 4096")]
    EncryptedKeyLen(usize),
    /// What the key-management service made of the keyset has no bytes.
    #[error("an encrypted keyset is not empty: the key-management service returned no bytes")]
    NoCiphertext,
    /// The keyset is of another primitive.
    #[error("the keyset is for {0}")]
    OtherPrimitive(Primitive),
    /// Plaintext or associated data are longer than the primary's algorithm allows.
    #[error(transparent)]
    TooLong(sivka::Error),
}

impl Error {
    /// A malformed place in the input.
    pub(crate) fn format(problem: &'static str, offset: usize, path: &str) -> Self {
        let path = path.to_owned();
        Self::Format { problem, offset, path }
    }

    /// A rule that a key breaks.
    pub(crate) fn of_key(index: usize, id: u32, rule: Rule) -> Self {
        let key = Some(KeyPlace { index, id });
        Self::Keyset { key, rule }
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
