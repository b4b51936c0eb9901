//! Public keys that files are sealed to, and the identities that open these: age's.

use crate::bech32::{self, Malformed};
use crate::derive::{Secret, array, random_secret};
use crate::encapsulation::{self, MlKem768X25519, X25519};
use crate::error::{AgeKeyError, Error};
use hpke::kem::Kem;
use hpke::{Deserializable, Serializable};
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

const X25519_RECIPIENT: &str = "age";
const PQ_RECIPIENT: &str = "age1pq";
const X25519_IDENTITY: &str = "age-secret-key-";
const PQ_IDENTITY: &str = "age-secret-key-pq-";

/// The part of a post-quantum recipient before that of X25519, in bytes.
const ML_KEM_768_LEN: usize = 1184;

/// A public key of age's (<https://c2sp.org/age>): whoever has it seals files, and whoever
/// has its [`Identity`] opens them.
///
/// `age1…` is X25519: a quantum computer of tomorrow opens what is sealed to it today.
/// `age1pq1…` is ML-KEM-768 with X25519, and stays closed as long as one of the two holds.
///
/// Anybody may have the public key. So that a file opens with an identity does not say who
/// sealed it.
///
/// ```
/// use sivka_file::{Identity, Lock, OpenOptions, Reader, Recipient, SealOptions, Unlock, Writer};
/// use std::io::Write;
///
/// let identity = Identity::generate()?;
/// let recipient: Recipient = identity.recipient().to_string().parse()?;
///
/// let locks = [Lock::Recipient(&recipient)];
/// let mut writer = Writer::new(Vec::new(), &locks, &SealOptions::default())?;
/// writer.write_all(b"text")?;
/// let sealed = writer.finish()?;
///
/// let keys = [Unlock::Identity(&identity)];
/// let mut reader = Reader::new(&sealed[..], &keys, &OpenOptions::default())?;
/// assert_eq!(std::io::read_to_string(&mut reader)?, "text");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(Public);

/// The key, of either kind.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Public {
    X25519(<X25519 as Kem>::PublicKey),
    MlKem768X25519(Box<<MlKem768X25519 as Kem>::PublicKey>),
}

impl Recipient {
    /// Reads recipients, one a line. Empty lines, and lines that begin with `#`, are left out.
    ///
    /// # Errors
    /// [`AgeKeyError::Line`], and [`AgeKeyError::None`] if there is no recipient.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, AgeKeyError> {
        parse_list(text)
    }

    /// Whether a quantum computer does not open what is sealed to it, as far as is known.
    #[must_use]
    pub fn is_post_quantum(&self) -> bool {
        matches!(self.0, Public::MlKem768X25519(_))
    }

    pub(crate) fn public(&self) -> &Public {
        &self.0
    }
}

impl FromStr for Recipient {
    type Err = AgeKeyError;

    /// Reads `age1…` or `age1pq1…`, in small letters or in capitals.
    fn from_str(text: &str) -> Result<Self, AgeKeyError> {
        if let Some(bytes) = decoded(PQ_RECIPIENT, text)? {
            let public = public_key::<MlKem768X25519>(&bytes, ML_KEM_768_LEN)?;
            return Ok(Self(Public::MlKem768X25519(Box::new(public))));
        }
        // Names of other kinds have another `1`, as `age1tag1…`; no digit is one.
        let is_other = has_name(X25519_RECIPIENT, text) && text[4..].contains('1');
        if is_other || text.starts_with("ssh-") {
            return Err(AgeKeyError::UnknownKind);
        }
        let bytes = decoded(X25519_RECIPIENT, text)?.ok_or(AgeKeyError::NotARecipient)?;
        Ok(Self(Public::X25519(public_key::<X25519>(&bytes, 0)?)))
    }
}

/// A public key whose part for X25519, from `share_at` on, secrets can be agreed on with.
fn public_key<K: Kem>(bytes: &[u8], share_at: usize) -> Result<K::PublicKey, AgeKeyError> {
    let public = K::PublicKey::from_bytes(bytes).ok();
    let public = public.filter(|_| encapsulation::agrees(array(bytes, share_at)));
    public.ok_or(AgeKeyError::Malformed)
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match &self.0 {
            Public::X25519(public) => bech32::encode(X25519_RECIPIENT, &public.to_bytes()),
            Public::MlKem768X25519(public) => bech32::encode(PQ_RECIPIENT, &public.to_bytes()),
        };
        f.write_str(&text)
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

    /// Draws a new identity of X25519, for recipients who need a short public key. What is
    /// sealed to it may be opened by a quantum computer of tomorrow.
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

    /// The public key, for whoever seals.
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
        let public = if is_post_quantum {
            let public = encapsulation::public_key::<MlKem768X25519>(&seed)?;
            Public::MlKem768X25519(Box::new(public))
        } else {
            Public::X25519(encapsulation::public_key::<X25519>(&seed)?)
        };
        let recipient = Recipient(public);
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
