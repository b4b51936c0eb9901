//! What a new key is like, by the names that Tink and tinkey have.

use crate::info::OutputPrefix;
use crate::key_type::{KeyMaterial, KeyType};

/// What a new key is like: its type, its length, and the prefix of what it seals.
///
/// ```
/// use sivka_keyset::{KeyType, OutputPrefix, Template};
///
/// let template = Template::find("AES256_SIV").ok_or("no such template")?;
/// assert_eq!(template, Template::AES256_SIV);
/// assert_eq!(template.key_type(), KeyType::AesSiv);
/// assert_eq!(template.output_prefix(), OutputPrefix::Tink);
/// let raw = Template::find("AES256_SIV_RAW").ok_or("no such template")?;
/// assert_eq!(raw, template.with_output_prefix(OutputPrefix::Raw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    key_type: KeyType,
    key_len: usize,
    salt_len: u32,
    prefix: OutputPrefix,
}

/// What stands behind the name of a template whose prefix is RAW.
const RAW: [&str; 2] = ["_RAW", "_NO_PREFIX"];

macro_rules! templates {
    ($(
        $doc:literal
        $(#[$cfg:meta])?
        $name:ident: $key_type:ident, $key_len:literal, $salt_len:literal;
    )*) => {
        impl Template {
            $(
                #[doc = $doc]
                $(#[$cfg])?
                pub const $name: Self = Self {
                    key_type: KeyType::$key_type,
                    key_len: $key_len,
                    salt_len: $salt_len,
                    prefix: OutputPrefix::Tink,
                };
            )*

            /// Every template with its name, each with the prefix TINK.
            #[must_use]
            pub fn all() -> &'static [(&'static str, Self)] {
                &[$($(#[$cfg])? (stringify!($name), Self::$name)),*]
            }
        }
    };
}
templates! {
    "AES-256-GCM-SIV: the one to take, unless equal values must show as equal."
    AES256_GCM_SIV: AesGcmSiv, 32, 0;
    "AES-128-GCM-SIV."
    AES128_GCM_SIV: AesGcmSiv, 16, 0;
    "AES-SIV with a key of 64 bytes, two of AES-256: deterministic."
    AES256_SIV: AesSiv, 64, 0;
    "AES-256-GCM."
    #[cfg(feature = "other-aeads")]
    AES256_GCM: AesGcm, 32, 0;
    "AES-128-GCM."
    #[cfg(feature = "other-aeads")]
    AES128_GCM: AesGcm, 16, 0;
    "ChaCha20-Poly1305."
    #[cfg(feature = "other-aeads")]
    CHACHA20_POLY1305: ChaCha20Poly1305, 32, 0;
    "XChaCha20-Poly1305."
    #[cfg(feature = "other-aeads")]
    XCHACHA20_POLY1305: XChaCha20Poly1305, 32, 0;
    "XAES-256-GCM with a salt of 12 bytes."
    #[cfg(feature = "other-aeads")]
    XAES_256_GCM_192_BIT_NONCE: XAesGcm, 32, 12;
    "XAES-256-GCM with a salt of 8 bytes."
    #[cfg(feature = "other-aeads")]
    XAES_256_GCM_160_BIT_NONCE: XAesGcm, 32, 8;
}

impl Template {
    /// The template of a name, as `AES256_GCM_SIV`, upper or lower case; with `_RAW` or
    /// `_NO_PREFIX` behind it, the same with the prefix RAW.
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

    /// The same with another prefix.
    #[must_use]
    pub const fn with_output_prefix(self, prefix: OutputPrefix) -> Self {
        Self { prefix, ..self }
    }

    /// The type of the key.
    #[must_use]
    pub const fn key_type(self) -> KeyType {
        self.key_type
    }

    /// The length of the key in bytes.
    #[must_use]
    pub const fn key_len(self) -> usize {
        self.key_len
    }

    /// The prefix of what the key seals.
    #[must_use]
    pub const fn output_prefix(self) -> OutputPrefix {
        self.prefix
    }

    /// Draws a key.
    pub(crate) fn draw(self) -> Result<KeyMaterial, crate::Error> {
        KeyMaterial::generate(self.key_type, self.key_len, self.salt_len)
    }
}
