//! The types of keys that are known: one row each, and their messages.

use crate::error::{Rule, Unsupported};
use crate::info::{OutputPrefix, Primitive};
use crate::wire::{FIELD_ROOM, Field, Malformed, Message, Writer};
use std::fmt;
use zeroize::Zeroizing;

/// What every type URL of Tink begins with.
const TINK: &str = "type.googleapis.com/google.crypto.tink.";

/// A type of keys that this library can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyType {
    /// AES-GCM-SIV (RFC 8452), keys of 16 or 32 bytes.
    AesGcmSiv,
    /// AES-SIV (RFC 5297), keys of 64 bytes: deterministic.
    AesSiv,
    /// AES-GCM (SP 800-38D), keys of 16 or 32 bytes. Not misuse-resistant: at most 2^32
    /// messages a key, since nonces are random.
    #[cfg(feature = "other-aeads")]
    AesGcm,
    /// ChaCha20-Poly1305 (RFC 8439), keys of 32 bytes. As AES-GCM in what it promises.
    #[cfg(feature = "other-aeads")]
    ChaCha20Poly1305,
    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), keys of 32 bytes.
    #[cfg(feature = "other-aeads")]
    XChaCha20Poly1305,
    /// XAES-256-GCM (C2SP), keys of 32 bytes, salts of 8 to 12.
    #[cfg(feature = "other-aeads")]
    XAesGcm,
}

/// The types that the feature adds.
#[cfg(not(feature = "other-aeads"))]
const OF_FEATURE: [&str; 4] = [
    "AesGcmKey",
    "ChaCha20Poly1305Key",
    "XChaCha20Poly1305Key",
    "XAesGcmKey",
];

impl KeyType {
    const ALL: &[Self] = &[
        Self::AesGcmSiv,
        Self::AesSiv,
        #[cfg(feature = "other-aeads")]
        Self::AesGcm,
        #[cfg(feature = "other-aeads")]
        Self::ChaCha20Poly1305,
        #[cfg(feature = "other-aeads")]
        Self::XChaCha20Poly1305,
        #[cfg(feature = "other-aeads")]
        Self::XAesGcm,
    ];

    /// The name behind `type.googleapis.com/google.crypto.tink.`, the field of the key's
    /// bytes in its message, and how many these may be.
    const fn row(self) -> (&'static str, u32, &'static [usize]) {
        match self {
            Self::AesGcmSiv => ("AesGcmSivKey", 3, &[16, 32]),
            Self::AesSiv => ("AesSivKey", 2, &[64]),
            #[cfg(feature = "other-aeads")]
            Self::AesGcm => ("AesGcmKey", 3, &[16, 32]),
            #[cfg(feature = "other-aeads")]
            Self::ChaCha20Poly1305 => ("ChaCha20Poly1305Key", 2, &[32]),
            #[cfg(feature = "other-aeads")]
            Self::XChaCha20Poly1305 => ("XChaCha20Poly1305Key", 3, &[32]),
            #[cfg(feature = "other-aeads")]
            Self::XAesGcm => ("XAesGcmKey", 3, &[32]),
        }
    }

    /// The type URL, as `type.googleapis.com/google.crypto.tink.AesSivKey`.
    #[must_use]
    pub fn type_url(self) -> String {
        format!("{TINK}{}", self.row().0)
    }

    /// What keys of this type are for.
    #[must_use]
    pub fn primitive(self) -> Primitive {
        match self {
            Self::AesSiv => Primitive::DeterministicAead,
            _ => Primitive::Aead,
        }
    }

    /// How long keys may be, in bytes.
    #[must_use]
    pub fn key_lens(self) -> &'static [usize] {
        self.row().2
    }

    /// Whether a key of this type may have a prefix.
    pub(crate) fn check_prefix(self, prefix: OutputPrefix) -> Result<(), Rule> {
        match (self, prefix) {
            #[cfg(feature = "other-aeads")]
            (Self::XAesGcm, OutputPrefix::Crunchy | OutputPrefix::Legacy) => {
                Err(Rule::OutputPrefixOfType)
            }
            _ => Ok(()),
        }
    }

    fn has_salt(self) -> bool {
        match self {
            #[cfg(feature = "other-aeads")]
            Self::XAesGcm => true,
            _ => false,
        }
    }

    /// The type of a URL, or why there is none.
    pub(crate) fn find(type_url: &str) -> Result<Self, Unsupported> {
        let name = type_url.strip_prefix(TINK).unwrap_or_default();
        let found = Self::ALL.iter().find(|known| known.row().0 == name);
        found.copied().ok_or_else(|| {
            #[cfg(not(feature = "other-aeads"))]
            if OF_FEATURE.contains(&name) {
                return Unsupported::TypeOfFeature(type_url.to_owned());
            }
            Unsupported::Type(type_url.to_owned())
        })
    }
}

/// A key with its parameters: what the value of `KeyData` says. Wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct KeyMaterial {
    pub(crate) key_type: KeyType,
    pub(crate) key: Zeroizing<Vec<u8>>,
    /// Of XAES-256-GCM; 0 for all others.
    pub(crate) salt_len: u32,
}

impl fmt::Debug for KeyMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key_type.fmt(f)
    }
}

/// Why the value of `KeyData` is refused.
#[derive(Debug)]
pub(crate) enum Refused {
    Rule(Rule),
    Unsupported(Unsupported),
}

impl From<Malformed> for Refused {
    fn from(malformed: Malformed) -> Self {
        Self::Rule(Rule::KeyData(malformed.problem))
    }
}

impl KeyMaterial {
    /// Checks what every key of the type must hold.
    pub(crate) fn new(key_type: KeyType, key: &[u8], salt_len: u32) -> Result<Self, Rule> {
        let given = key.len();
        if !key_type.key_lens().contains(&given) {
            return Err(Rule::KeyLen { given });
        }
        if key_type.has_salt() && !(8..=12).contains(&salt_len) {
            return Err(Rule::SaltLen { given: salt_len });
        }
        Ok(Self {
            key_type,
            key: Zeroizing::new(key.to_vec()),
            salt_len: if key_type.has_salt() { salt_len } else { 0 },
        })
    }

    /// Draws a key.
    pub(crate) fn generate(
        key_type: KeyType,
        key_len: usize,
        salt_len: u32,
    ) -> Result<Self, crate::Error> {
        let mut key = Zeroizing::new(vec![0; key_len]);
        getrandom::fill(&mut key).map_err(|_| crate::Error::Random)?;
        Self::new(key_type, &key, salt_len).map_err(|rule| crate::Misuse::NewKey(rule).into())
    }

    /// Reads the message of a key: `version` is field 1, parameters are field 2 where the
    /// type has some, and the key's bytes stand in the field that the type says.
    pub(crate) fn parse(key_type: KeyType, value: &[u8]) -> Result<Self, Refused> {
        let (_, key_field, _) = key_type.row();
        let (mut version, mut salt_len, mut key) = (0, 0, &[][..]);
        let mut message = Message::new(value);
        while let Some(field) = message.next()? {
            match field {
                (1, Field::Varint(number)) => version = number as u32,
                (number, Field::Bytes(bytes)) if number == key_field => key = bytes.bytes(),
                (2, Field::Bytes(mut parameters)) if key_type.has_salt() => {
                    while let Some(field) = parameters.next()? {
                        if let (1, Field::Varint(number)) = field {
                            salt_len = number as u32;
                        }
                    }
                }
                _ => {}
            }
        }
        match version {
            0 => Self::new(key_type, key, salt_len).map_err(Refused::Rule),
            _ => Err(Refused::Unsupported(Unsupported::Version(version))),
        }
    }

    /// Writes the message of the key.
    pub(crate) fn to_value(&self) -> Zeroizing<Vec<u8>> {
        let (_, key_field, _) = self.key_type.row();
        let mut parameters = Writer::new(FIELD_ROOM);
        parameters.number(1, self.salt_len);
        let mut writer = Writer::new(self.key.len() + 3 * FIELD_ROOM);
        writer.bytes(2, &parameters.finish());
        writer.bytes(key_field, &self.key);
        writer.finish()
    }
}
