//! The types of keys that are known: one row each.

use crate::error::{Rule, Unsupported};
use crate::info::{OutputPrefix, Primitive};
use crate::layout::{Layout, Slot};

/// The beginning of every type URL of Tink.
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
    /// ChaCha20-Poly1305 (RFC 8439), keys of 32 bytes. Its promises are those of AES-GCM.
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
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The type URL, as `type.googleapis.com/google.crypto.tink.AesSivKey`.
    #[must_use]
    pub fn type_url(self) -> String {
        format!("{TINK}{}", self.row().1)
    }

    /// The purpose of keys of this type.
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
                Err(Rule::new("keys of this type have the output prefixes TINK and RAW only"))
            }
            _ => Ok(()),
        }
    }

    /// The message of a key.
    pub(crate) fn message(self) -> &'static Layout {
        self.row().3
    }

    /// The message of a key's template, `None` for a type that envelopes do not have.
    pub(crate) fn format(self) -> Option<&'static Layout> {
        self.row().4
    }

    /// The type of a URL, or why there is none.
    pub(crate) fn find(type_url: &str) -> Result<Self, Unsupported> {
        let name = type_url.strip_prefix(TINK).unwrap_or_default();
        let found = ROWS.iter().find(|row| row.1 == name);
        found.map(|row| row.0).ok_or_else(|| Unsupported::Type(type_url.to_owned()))
    }
}

/// The row of a type: the name after [`TINK`], the length of a new key in bytes, the message of a
/// key, and that of a template. Only types in envelopes have a template.
struct Row(KeyType, &'static str, &'static [usize], &'static Layout, Option<&'static Layout>);

/// One for each type, in the order of [`KeyType`].
#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row(KeyType::AesGcmSiv, "AesGcmSivKey", &[16, 32], KEY_3, Some(LEN_2)),
    Row(KeyType::AesSiv, "AesSivKey", &[64], KEY_2, None),
    Row(KeyType::AesGcm, "AesGcmKey", &[16, 32], KEY_3, Some(LEN_2_VERSION_3)),
    Row(KeyType::ChaCha20Poly1305, "ChaCha20Poly1305Key", &[32], KEY_2, Some(&[])),
    Row(KeyType::XChaCha20Poly1305, "XChaCha20Poly1305Key", &[32], KEY_3, Some(VERSION)),
    Row(KeyType::XAesGcm, "XAesGcmKey", &[32], IV_2_KEY_3, None),
    Row(KeyType::AesEax, "AesEaxKey", &[16, 32], IV_2_KEY_3, Some(IV_1_LEN_2)),
    Row(KeyType::AesCtrHmac, "AesCtrHmacAeadKey", &[48, 64], CTR_HMAC, Some(CTR_HMAC_FORMAT)),
    Row(KeyType::AesGcmHkdfStreaming, "AesGcmHkdfStreamingKey", &[16, 32], GCM_STREAM, None),
    Row(KeyType::AesCtrHmacStreaming, "AesCtrHmacStreamingKey", &[16, 32], CTR_HMAC_STREAM, None),
];

const KEY_2: &Layout = &[(&[1], Slot::Version), (&[2], Slot::Key)];
const KEY_3: &Layout = &[(&[1], Slot::Version), (&[3], Slot::Key)];
const IV_2_KEY_3: &Layout = &[(&[1], Slot::Version), (&[2, 1], Slot::IvLen), (&[3], Slot::Key)];
/// A message for each of both keys.
const CTR_HMAC: &Layout = &[
    (&[1], Slot::Version),
    (&[2, 1], Slot::AesVersion),
    (&[2, 2, 1], Slot::IvLen),
    (&[2, 3], Slot::Key),
    (&[3, 1], Slot::HmacVersion),
    (&[3, 2, 1], Slot::Hash),
    (&[3, 2, 2], Slot::TagLen),
    (&[3, 3], Slot::HmacKey),
];
const GCM_STREAM: &Layout = &[
    (&[1], Slot::Version),
    (&[2, 1], Slot::SegmentLen),
    (&[2, 2], Slot::DerivedLen),
    (&[2, 3], Slot::Hkdf),
    (&[3], Slot::Key),
];
const CTR_HMAC_STREAM: &Layout = &[
    (&[1], Slot::Version),
    (&[2, 1], Slot::SegmentLen),
    (&[2, 2], Slot::DerivedLen),
    (&[2, 3], Slot::Hkdf),
    (&[2, 4, 1], Slot::Hash),
    (&[2, 4, 2], Slot::TagLen),
    (&[3], Slot::Key),
];

const VERSION: &Layout = &[(&[1], Slot::Version)];
const LEN_2: &Layout = &[(&[1], Slot::Version), (&[2], Slot::KeyLen)];
const LEN_2_VERSION_3: &Layout = &[(&[2], Slot::KeyLen), (&[3], Slot::Version)];
const IV_1_LEN_2: &Layout = &[(&[1, 1], Slot::IvLen), (&[2], Slot::KeyLen)];
const CTR_HMAC_FORMAT: &Layout = &[
    (&[1, 1, 1], Slot::IvLen),
    (&[1, 2], Slot::KeyLen),
    (&[2, 1, 1], Slot::Hash),
    (&[2, 1, 2], Slot::TagLen),
    (&[2, 2], Slot::HmacKeyLen),
    (&[2, 3], Slot::HmacVersion),
];
