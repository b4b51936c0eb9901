//! The types of keys that are known: one row each.

use crate::error::{Rule, Unsupported};
use crate::info::{OutputPrefix, Primitive};

/// What every type URL of Tink begins with.
pub(crate) const TINK: &str = "type.googleapis.com/google.crypto.tink.";

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
    AesGcm,
    /// ChaCha20-Poly1305 (RFC 8439), keys of 32 bytes. As AES-GCM in what it promises.
    ChaCha20Poly1305,
    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), keys of 32 bytes.
    XChaCha20Poly1305,
    /// XAES-256-GCM (C2SP), keys of 32 bytes, salts of 8 to 12.
    XAesGcm,
    /// AES-EAX, keys of 16 or 32 bytes, IVs of 12 or 16.
    AesEax,
    /// AES-CTR, then HMAC over associated data, IV and ciphertext. New keys are one of AES, 16
    /// or 32 bytes, and one of HMAC-SHA256, 32 bytes, after it.
    AesCtrHmac,
    /// Streams in segments of AES-GCM, under a key that HKDF makes for each; keys of 16 or 32
    /// bytes.
    AesGcmHkdfStreaming,
    /// Streams in segments of AES-CTR and HMAC, under keys that HKDF makes for each; keys of 16
    /// or 32 bytes.
    AesCtrHmacStreaming,
}

impl KeyType {
    const ALL: &[Self] = &[
        Self::AesGcmSiv,
        Self::AesSiv,
        Self::AesGcm,
        Self::ChaCha20Poly1305,
        Self::XChaCha20Poly1305,
        Self::XAesGcm,
        Self::AesEax,
        Self::AesCtrHmac,
        Self::AesGcmHkdfStreaming,
        Self::AesCtrHmacStreaming,
    ];

    /// The name after `type.googleapis.com/google.crypto.tink.`, the field of the key's
    /// bytes in its message, and how many a new key has.
    const fn row(self) -> (&'static str, u32, &'static [usize]) {
        match self {
            Self::AesGcmSiv => ("AesGcmSivKey", 3, &[16, 32]),
            Self::AesSiv => ("AesSivKey", 2, &[64]),
            Self::AesGcm => ("AesGcmKey", 3, &[16, 32]),
            Self::ChaCha20Poly1305 => ("ChaCha20Poly1305Key", 2, &[32]),
            Self::XChaCha20Poly1305 => ("XChaCha20Poly1305Key", 3, &[32]),
            Self::XAesGcm => ("XAesGcmKey", 3, &[32]),
            Self::AesEax => ("AesEaxKey", 3, &[16, 32]),
            // Both keys are in messages of their own, in the field 3 of each.
            Self::AesCtrHmac => ("AesCtrHmacAeadKey", 3, &[48, 64]),
            Self::AesGcmHkdfStreaming => ("AesGcmHkdfStreamingKey", 3, &[16, 32]),
            Self::AesCtrHmacStreaming => ("AesCtrHmacStreamingKey", 3, &[16, 32]),
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
            Self::AesGcmHkdfStreaming | Self::AesCtrHmacStreaming => Primitive::StreamingAead,
            _ => Primitive::Aead,
        }
    }

    /// How long keys may be, in bytes. Keys of AES-CTR-HMAC and of streams that are read may
    /// be longer: other tools choose the HMAC's and HKDF's length as they like.
    #[must_use]
    pub fn key_lens(self) -> &'static [usize] {
        self.row().2
    }

    /// Whether a key of this type may have a prefix.
    pub(crate) fn check_prefix(self, prefix: OutputPrefix) -> Result<(), Rule> {
        match (self, prefix) {
            (Self::XAesGcm, OutputPrefix::Crunchy | OutputPrefix::Legacy) => {
                Err(Rule::OutputPrefixOfType)
            }
            _ => Ok(()),
        }
    }

    /// Whether the field 2 of its message holds parameters.
    pub(crate) fn has_parameters(self) -> bool {
        use KeyType::{AesGcm, AesGcmSiv, AesSiv, ChaCha20Poly1305, XChaCha20Poly1305};
        !matches!(
            self,
            AesGcmSiv | AesSiv | AesGcm | ChaCha20Poly1305 | XChaCha20Poly1305
        )
    }

    /// The field of the key's bytes in its message.
    pub(crate) const fn key_field(self) -> u32 {
        self.row().1
    }

    /// The type of a URL, or why there is none.
    pub(crate) fn find(type_url: &str) -> Result<Self, Unsupported> {
        let name = type_url.strip_prefix(TINK).unwrap_or_default();
        let mut known = Self::ALL.iter().copied();
        let found = known.find(|known| known.row().0 == name);
        found.ok_or_else(|| Unsupported::Type(type_url.to_owned()))
    }
}
