//! Templates of new keys, by the names of Tink and tinkey.

use crate::error::Rule;
use crate::info::OutputPrefix;
use crate::key_type::KeyType;
use crate::layout::{Slot, Values};
use crate::material::{KeyMaterial, Parameters, Refused};
use crate::wire::WireMessage;
use zeroize::Zeroizing;

/// The template of a new key: its type, its length, and its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    key_type: KeyType,
    key_len: usize,
    parameters: Parameters,
    prefix: OutputPrefix,
}

/// The end of the name of a template whose prefix is RAW.
const RAW: [&str; 2] = ["_RAW", "_NO_PREFIX"];

macro_rules! templates {
    ($(
        $doc:literal
        $name:ident: $key_type:ident, $key_len:literal, $parameters:expr, $prefix:ident;
    )*) => {
        impl Template {
            $(
                #[doc = $doc]
                pub const $name: Self = Self {
                    key_type: KeyType::$key_type,
                    key_len: $key_len,
                    parameters: $parameters,
                    prefix: OutputPrefix::$prefix,
                };
            )*

            /// Every template with its name; each with the prefix TINK, but those of streams,
            /// which have none.
            #[must_use]
            pub fn all() -> &'static [(&'static str, Self)] {
                &[$((stringify!($name), Self::$name)),*]
            }
        }
    };
}
templates! {
    "AES-256-GCM-SIV: the one to take, unless equal values must show as equal."
    AES256_GCM_SIV: AesGcmSiv, 32, Parameters::NONE, Tink;
    "AES-128-GCM-SIV."
    AES128_GCM_SIV: AesGcmSiv, 16, Parameters::NONE, Tink;
    "AES-SIV with a key of 64 bytes, two of AES-256: deterministic."
    AES256_SIV: AesSiv, 64, Parameters::NONE, Tink;
    "AES-256-GCM."
    AES256_GCM: AesGcm, 32, Parameters::NONE, Tink;
    "AES-128-GCM."
    AES128_GCM: AesGcm, 16, Parameters::NONE, Tink;
    "ChaCha20-Poly1305."
    CHACHA20_POLY1305: ChaCha20Poly1305, 32, Parameters::NONE, Tink;
    "XChaCha20-Poly1305."
    XCHACHA20_POLY1305: XChaCha20Poly1305, 32, Parameters::NONE, Tink;
    "XAES-256-GCM with a salt of 12 bytes."
    XAES_256_GCM_192_BIT_NONCE: XAesGcm, 32, Parameters::iv(12), Tink;
    "XAES-256-GCM with a salt of 8 bytes."
    XAES_256_GCM_160_BIT_NONCE: XAesGcm, 32, Parameters::iv(8), Tink;
    "AES-128-EAX with IVs of 16 bytes."
    AES128_EAX: AesEax, 16, Parameters::iv(16), Tink;
    "AES-256-EAX with IVs of 16 bytes."
    AES256_EAX: AesEax, 32, Parameters::iv(16), Tink;
    "AES-128-CTR and HMAC-SHA256, tags of 16 bytes; the key is AES's, then 32 bytes of HMAC's."
    AES128_CTR_HMAC_SHA256: AesCtrHmac, 48, Parameters::ctr_hmac(16), Tink;
    "AES-256-CTR and HMAC-SHA256, tags of 32 bytes; the key is AES's, then 32 bytes of HMAC's."
    AES256_CTR_HMAC_SHA256: AesCtrHmac, 64, Parameters::ctr_hmac(32), Tink;
    "Streams of AES-128-GCM in segments of 4 KiB."
    AES128_GCM_HKDF_4KB: AesGcmHkdfStreaming, 16, Parameters::stream(16, 4096, false), Raw;
    "Streams of AES-128-GCM in segments of 1 MiB."
    AES128_GCM_HKDF_1MB: AesGcmHkdfStreaming, 16, Parameters::stream(16, 1 << 20, false), Raw;
    "Streams of AES-256-GCM in segments of 4 KiB."
    AES256_GCM_HKDF_4KB: AesGcmHkdfStreaming, 32, Parameters::stream(32, 4096, false), Raw;
    "Streams of AES-256-GCM in segments of 1 MiB."
    AES256_GCM_HKDF_1MB: AesGcmHkdfStreaming, 32, Parameters::stream(32, 1 << 20, false), Raw;
    "Streams of AES-128-CTR and HMAC-SHA256 in segments of 4 KiB."
    AES128_CTR_HMAC_SHA256_4KB: AesCtrHmacStreaming, 16, Parameters::stream(16, 4096, true), Raw;
    "Streams of AES-128-CTR and HMAC-SHA256 in segments of 1 MiB."
    AES128_CTR_HMAC_SHA256_1MB: AesCtrHmacStreaming, 16, Parameters::stream(16, 1 << 20, true), Raw;
    "Streams of AES-256-CTR and HMAC-SHA256 in segments of 4 KiB."
    AES256_CTR_HMAC_SHA256_4KB: AesCtrHmacStreaming, 32, Parameters::stream(32, 4096, true), Raw;
    "Streams of AES-256-CTR and HMAC-SHA256 in segments of 1 MiB."
    AES256_CTR_HMAC_SHA256_1MB: AesCtrHmacStreaming, 32, Parameters::stream(32, 1 << 20, true), Raw;
}

impl Template {
    /// The template of a name, as `AES256_GCM_SIV`, upper or lower case; with `_RAW` or
    /// `_NO_PREFIX` after it, the same with the prefix RAW.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        let stem = RAW.iter().find_map(|raw| name.strip_suffix(raw));
        let wanted = stem.unwrap_or(&name);
        let (_, found) = Self::all().iter().find(|(known, _)| *known == wanted)?;
        Some(match stem {
            Some(_) => found.with_output_prefix(OutputPrefix::Raw),
            None => *found,
        })
    }

    /// The same with another prefix. Streams have none, whatever a keyset says.
    #[must_use]
    pub const fn with_output_prefix(self, prefix: OutputPrefix) -> Self {
        Self { prefix, ..self }
    }

    /// The type of the key.
    #[must_use]
    pub const fn key_type(self) -> KeyType {
        self.key_type
    }

    /// The prefix of the key's messages.
    #[must_use]
    pub const fn output_prefix(self) -> OutputPrefix {
        self.prefix
    }

    /// A key from elsewhere, with the parameters of the first template of its type and length.
    pub(crate) fn import(key_type: KeyType, key: &[u8]) -> Result<KeyMaterial, Rule> {
        let mut all = Self::all().iter().map(|(_, template)| template);
        let like_it = all.find(|known| known.key_type == key_type && known.key_len == key.len());
        let like_it = like_it.ok_or_else(|| Rule::key_len(key.len()))?;
        KeyMaterial::new(key_type, key, like_it.parameters)
    }

    /// That of a key which is there.
    pub(crate) fn of(material: &KeyMaterial, prefix: OutputPrefix) -> Self {
        Self {
            key_type: material.key_type,
            key_len: material.key.len(),
            parameters: material.parameters,
            prefix,
        }
    }

    /// Draws a key.
    pub(crate) fn draw(self) -> Result<KeyMaterial, crate::Error> {
        let mut key = Zeroizing::new(vec![0; self.key_len]);
        getrandom::fill(&mut key).map_err(|_| crate::Error::Random)?;
        let made = KeyMaterial::new(self.key_type, &key, self.parameters);
        made.map_err(|rule| crate::Misuse::NewKey(rule).into())
    }

    /// The message `*KeyFormat`, `None` for a type that envelopes do not have.
    pub(crate) fn to_format(self) -> Option<Vec<u8>> {
        let values = self.parameters.values(self.key_type, self.key_len);
        let format = values.write(self.key_type.format()?);
        Some(format.to_vec())
    }

    /// Reads the message of a key's format.
    pub(crate) fn from_format(key_type: KeyType, format: &[u8]) -> Result<Self, Refused> {
        let layout = key_type.format().ok_or(Rule::DEK_TEMPLATE)?;
        let mut values = Values::read(layout, WireMessage::new(format))?;
        if let [only] = *key_type.key_lens() {
            values.set(Slot::KeyLen, only as u32);
        }
        // An envelope cannot hold much longer keys, and nobody has them.
        let lens = [Slot::KeyLen, Slot::HmacKeyLen].map(|slot| values.number(slot));
        if lens[0] > 32 || lens[1] > 1024 {
            let given = lens[0].max(lens[1]) as usize;
            return Err(Rule::key_len(given).into());
        }
        let (key_len, parameters) = Parameters::read(key_type, &values)?;
        Ok(Self { key_type, key_len, parameters, prefix: OutputPrefix::Raw })
    }
}
