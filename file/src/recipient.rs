//! Public keys that files are sealed to, and the identities that open these: age's.

use crate::bech32::{self, Malformed};
use crate::derive::{Secret, random_secret};
use crate::encapsulation::{is_public_key, public_key};
use crate::error::{AgeKeyError, Error};
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

const X25519_RECIPIENT: &str = "age";
const PQ_RECIPIENT: &str = "age1pq";
const X25519_IDENTITY: &str = "age-secret-key-";
const PQ_IDENTITY: &str = "age-secret-key-pq-";

/// A public key of age's (<https://c2sp.org/age>): anybody who has it can seal files, and only its
/// [`Identity`] opens them.
///
/// `age1…` is X25519: a future quantum computer could open files that are sealed to it. `age1pq1…`
/// is ML-KEM-768 with X25519, and is secure as long as one of the two holds.
///
/// Anybody may have the public key, so opening a file with an identity does not show who
/// sealed it.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient {
    is_post_quantum: bool,
    public: Vec<u8>,
}

impl Recipient {
    /// Reads recipients, one a line. Empty lines, and lines that begin with `#`, are left out.
    ///
    /// # Errors
    /// [`AgeKeyError::Line`], and [`AgeKeyError::None`] if there is no recipient.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, AgeKeyError> {
        parse_list(text)
    }

    /// Whether no known quantum algorithm opens files that are sealed to it.
    #[must_use]
    pub fn is_post_quantum(&self) -> bool {
        self.is_post_quantum
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.public
    }
}

impl FromStr for Recipient {
    type Err = AgeKeyError;

    /// Reads `age1…` or `age1pq1…`, in small letters or in capitals.
    fn from_str(text: &str) -> Result<Self, AgeKeyError> {
        let post_quantum = decoded(PQ_RECIPIENT, text)?;
        let is_post_quantum = post_quantum.is_some();
        // Names of other kinds have another `1`, as `age1tag1…`; no digit is one.
        let is_other = has_name(X25519_RECIPIENT, text) && text[4..].contains('1');
        if !is_post_quantum && (is_other || text.starts_with("ssh-")) {
            return Err(AgeKeyError::UnknownKind);
        }
        let public = match post_quantum {
            Some(public) => public,
            None => decoded(X25519_RECIPIENT, text)?.ok_or(AgeKeyError::NotARecipient)?,
        };
        match is_public_key(&public, is_post_quantum) {
            true => Ok(Self {
                is_post_quantum,
                public: public.to_vec(),
            }),
            false => Err(AgeKeyError::Malformed),
        }
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.is_post_quantum {
            true => PQ_RECIPIENT,
            false => X25519_RECIPIENT,
        };
        f.write_str(&bech32::encode(name, &self.public))
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipient({self})")
    }
}

/// The secret key of a [`Recipient`], as age writes it: `AGE-SECRET-KEY-1…` or
/// `AGE-SECRET-KEY-PQ-1…`.
///
/// Wiped when dropped; `Debug` shows the recipient only.
#[derive(Clone)]
pub struct Identity {
    seed: Secret,
    recipient: Recipient,
}

impl Identity {
    /// Draws a new post-quantum identity.
    ///
    /// # Errors
    /// [`Error::Random`] if the operating system gives no random bytes.
    pub fn generate() -> Result<Self, Error> {
        Self::of_seed(random_secret()?, true).ok_or(Error::Random)
    }

    /// Draws a new identity of X25519, for recipients who need a short public key. A future quantum
    /// computer could open files that are sealed to it.
    ///
    /// # Errors
    /// As [`Self::generate`].
    pub fn generate_x25519() -> Result<Self, Error> {
        Self::of_seed(random_secret()?, false).ok_or(Error::Random)
    }

    /// Reads the identities of a file of age's, one a line. Empty lines, and lines that begin
    /// with `#`, are left out.
    ///
    /// # Errors
    /// [`AgeKeyError::Line`], and [`AgeKeyError::None`] if there is no identity. The text is
    /// never quoted.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, AgeKeyError> {
        parse_list(text)
    }

    /// The public key, for others to seal with.
    #[must_use]
    pub fn recipient(&self) -> &Recipient {
        &self.recipient
    }

    /// The identity as age writes it. It is the key: keep it where only its owner reads.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let name = match self.recipient.is_post_quantum() {
            true => PQ_IDENTITY,
            false => X25519_IDENTITY,
        };
        let mut text = bech32::encode(name, &**self.seed);
        text.make_ascii_uppercase();
        text
    }

    pub(crate) fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    fn of_seed(seed: Secret, is_post_quantum: bool) -> Option<Self> {
        let recipient = Recipient {
            is_post_quantum,
            public: public_key(&**seed, is_post_quantum)?,
        };
        Some(Self { seed, recipient })
    }
}

impl FromStr for Identity {
    type Err = AgeKeyError;

    /// Reads `AGE-SECRET-KEY-1…` or `AGE-SECRET-KEY-PQ-1…`, in capitals or in small letters.
    /// The time does not depend on the key.
    fn from_str(text: &str) -> Result<Self, AgeKeyError> {
        for (name, is_post_quantum) in [(PQ_IDENTITY, true), (X25519_IDENTITY, false)] {
            let Some(bytes) = decoded(name, text)? else {
                continue;
            };
            let mut seed = Secret::default();
            if bytes.len() != seed.len() {
                return Err(AgeKeyError::Malformed);
            }
            seed.copy_from_slice(&bytes);
            return Self::of_seed(seed, is_post_quantum).ok_or(AgeKeyError::Malformed);
        }
        Err(match has_name("age-plugin-", &format!("{text}1")) {
            true => AgeKeyError::UnknownKind,
            false => AgeKeyError::NotAnIdentity,
        })
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("recipient", &self.recipient)
            .finish_non_exhaustive()
    }
}

fn parse_list<T: FromStr<Err = AgeKeyError>>(text: &str) -> Result<Vec<T>, AgeKeyError> {
    let mut keys = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        keys.push(line.parse().map_err(|error| AgeKeyError::Line {
            line: number,
            error: Box::new(error),
        })?);
    }
    match keys.is_empty() {
        true => Err(AgeKeyError::None),
        false => Ok(keys),
    }
}

/// Whether a text begins with this name, in small letters or in capitals, and `1`.
fn has_name(name: &str, text: &str) -> bool {
    let named = text.as_bytes().split_at_checked(name.len());
    named.is_some_and(|(start, rest)| {
        start.eq_ignore_ascii_case(name.as_bytes()) && rest.first() == Some(&b'1')
    })
}

/// The bytes of a text of this name; `None` if it has another one.
fn decoded(name: &str, text: &str) -> Result<Option<Zeroizing<Vec<u8>>>, AgeKeyError> {
    if !has_name(name, text) || name == X25519_RECIPIENT && has_name(PQ_RECIPIENT, text) {
        return Ok(None);
    }
    match bech32::decode(name, text) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Malformed::Form) => Err(AgeKeyError::Malformed),
        Err(Malformed::Checksum) => Err(AgeKeyError::Checksum),
    }
}
