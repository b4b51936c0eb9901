//! Public facts of a keyset: all but the keys.

use std::fmt;

macro_rules! numbered {
    ($(#[$attribute:meta])* $name:ident {
        $($(#[$of_variant:meta])* $variant:ident = $number:literal $text:literal,)*
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$of_variant])* $variant = $number,)*
        }

        impl $name {
            pub(crate) fn from_number(number: u32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            pub(crate) fn number(self) -> u32 {
                self as u32
            }

            /// The name that it has in JSON.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

numbered! {
    /// The use of a key.
    KeyStatus {
        /// It opens, and seals if it is the primary.
        Enabled = 1 "ENABLED",
        /// It does nothing until it is enabled.
        Disabled = 2 "DISABLED",
        /// It is gone; only its id is left.
        Destroyed = 3 "DESTROYED",
    }
}

numbered! {
    /// The prefix of sealed messages. It is not authenticated: it selects the keys that are tried,
    /// and with a wrong one a message does not open.
    OutputPrefix {
        /// The byte 1 and the key's id, four bytes, the highest first.
        Tink = 1 "TINK",
        /// The byte 0 and the key's id; for AEADs the same as `Crunchy`.
        Legacy = 2 "LEGACY",
        /// Nothing: to open what others than Tink have sealed.
        Raw = 3 "RAW",
        /// The byte 0 and the key's id.
        Crunchy = 4 "CRUNCHY",
    }
}

impl OutputPrefix {
    /// The prefix of the key with this id; `None` for a key without one.
    pub(crate) fn bytes(self, id: u32) -> Option<[u8; Self::LEN]> {
        let first = match self {
            Self::Raw => return None,
            Self::Tink => 1,
            Self::Legacy | Self::Crunchy => 0,
        };
        let [a, b, c, d] = id.to_be_bytes();
        Some([first, a, b, c, d])
    }

    /// The length in bytes of a prefix that is not empty.
    pub(crate) const LEN: usize = 5;
}

/// The purpose of the keys of a keyset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Primitive {
    /// [`Keyset::aead`](crate::Keyset::aead): equal plaintexts are sealed to different bytes.
    Aead,
    /// [`Keyset::deterministic_aead`](crate::Keyset::deterministic_aead): equal plaintexts
    /// under equal associated data are sealed to equal bytes.
    DeterministicAead,
    /// [`Keyset::streaming_aead`](crate::Keyset::streaming_aead): whole streams, segment by
    /// segment.
    StreamingAead,
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Aead => "AEAD",
            Self::DeterministicAead => "deterministic AEAD",
            Self::StreamingAead => "streaming AEAD",
        })
    }
}

/// All of a keyset but its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeysetInfo {
    /// The id of the key that seals.
    pub primary_key_id: u32,
    /// The keys, in the keyset's order.
    pub keys: Vec<KeyInfo>,
}

/// All of a key but the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyInfo {
    /// As `type.googleapis.com/google.crypto.tink.AesSivKey`; empty for a destroyed key.
    pub type_url: String,
    /// Its status.
    pub status: KeyStatus,
    /// The id, by which it is promoted, disabled and so on. Java shows ids from 2^31 on as
    /// negative numbers: add 2^32 to these.
    pub id: u32,
    /// The prefix of its messages.
    pub output_prefix: OutputPrefix,
}
