//! Keys with their parameters, and the messages that they are written as.

mod parameters;

use crate::error::{Rule, Unsupported};
use crate::key_type::KeyType;
use crate::wire::{FIELD_ROOM, Field, Malformed, WireMessage, Writer};
use parameters::numbers;
pub(crate) use parameters::{CtrHmac, Hash, HmacTag, Streaming};
use std::fmt;
use zeroize::Zeroizing;

/// What a key of a type has beside its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameters {
    None,
    /// The bytes of XAES-256-GCM's salt.
    Salt(u32),
    /// The bytes of AES-EAX's IV.
    Iv(u32),
    CtrHmac(CtrHmac),
    Streaming(Streaming),
}

impl Parameters {
    /// As Tink's templates have them, for a key of so many bytes.
    fn usual(key_type: KeyType, key_len: usize) -> Self {
        match key_type {
            KeyType::XAesGcm => Self::Salt(12),
            KeyType::AesEax => Self::Iv(16),
            KeyType::AesCtrHmac => Self::CtrHmac(CtrHmac::usual(key_len - 32)),
            KeyType::AesGcmHkdfStreaming => {
                Self::Streaming(Streaming::usual(key_len as u32, 4096, false))
            }
            KeyType::AesCtrHmacStreaming => {
                Self::Streaming(Streaming::usual(key_len as u32, 4096, true))
            }
            _ => {
                let _ = key_len;
                Self::None
            }
        }
    }
}

/// A key with its parameters: what the value of `KeyData` says. Wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct KeyMaterial {
    pub(crate) key_type: KeyType,
    /// Of AES-CTR-HMAC the key of AES, then that of HMAC.
    pub(crate) key: Zeroizing<Vec<u8>>,
    pub(crate) parameters: Parameters,
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

impl From<Rule> for Refused {
    fn from(rule: Rule) -> Self {
        Self::Rule(rule)
    }
}

/// Only version 0 of any message is known.
pub(crate) fn check_version(version: u32) -> Result<(), Refused> {
    match version {
        0 => Ok(()),
        _ => Err(Refused::Unsupported(Unsupported::Version(version))),
    }
}

impl KeyMaterial {
    /// Checks what every key of the type must hold.
    pub(crate) fn check(
        key_type: KeyType,
        key_len: usize,
        parameters: Parameters,
    ) -> Result<(), Rule> {
        let given = key_len;
        match parameters {
            Parameters::CtrHmac(parameters) => parameters.check(given),
            Parameters::Streaming(parameters) => parameters.check(given),
            _ if !key_type.key_lens().contains(&given) => Err(Rule::KeyLen { given }),
            Parameters::Salt(given) if !(8..=12).contains(&given) => {
                Err(Rule::len_of("have a salt", given))
            }
            Parameters::Iv(given) if ![12, 16].contains(&given) => {
                Err(Rule::len_of("have an IV", given))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn new(key_type: KeyType, key: &[u8], parameters: Parameters) -> Result<Self, Rule> {
        Self::check(key_type, key.len(), parameters)?;
        Ok(Self {
            key_type,
            key: Zeroizing::new(key.to_vec()),
            parameters,
        })
    }

    /// A key from elsewhere, whose parameters are those of Tink's templates.
    pub(crate) fn import(key_type: KeyType, key: &[u8]) -> Result<Self, Rule> {
        let given = key.len();
        match key_type.key_lens().contains(&given) {
            true => Self::new(key_type, key, Parameters::usual(key_type, given)),
            false => Err(Rule::KeyLen { given }),
        }
    }

    /// Draws a key.
    pub(crate) fn generate(
        key_type: KeyType,
        key_len: usize,
        parameters: Parameters,
    ) -> Result<Self, crate::Error> {
        let mut key = Zeroizing::new(vec![0; key_len]);
        getrandom::fill(&mut key).map_err(|_| crate::Error::Random)?;
        Self::new(key_type, &key, parameters).map_err(|rule| crate::Misuse::NewKey(rule).into())
    }

    /// Reads the message of a key.
    pub(crate) fn parse(key_type: KeyType, value: &[u8]) -> Result<Self, Refused> {
        let message = WireMessage::new(value);
        if key_type == KeyType::AesCtrHmac {
            return CtrHmac::parse(message);
        }
        let mut fields = Fields::default();
        fields.merge(message, key_type.key_field(), key_type.has_parameters())?;
        check_version(fields.version)?;
        let parameters = match key_type {
            KeyType::XAesGcm => Parameters::Salt(fields.parameters.numbers[0]),
            KeyType::AesEax => Parameters::Iv(fields.parameters.numbers[0]),
            KeyType::AesGcmHkdfStreaming => {
                Parameters::Streaming(Streaming::from_fields(&fields.parameters, false)?)
            }
            KeyType::AesCtrHmacStreaming => {
                Parameters::Streaming(Streaming::from_fields(&fields.parameters, true)?)
            }
            _ => Parameters::None,
        };
        Ok(Self::new(key_type, fields.key, parameters)?)
    }

    /// Writes the message of the key.
    pub(crate) fn to_value(&self) -> Zeroizing<Vec<u8>> {
        let parameters = match self.parameters {
            Parameters::None => Zeroizing::new(Vec::new()),
            Parameters::Salt(len) | Parameters::Iv(len) => numbers(&[len]).finish(),
            Parameters::Streaming(parameters) => parameters.to_message(),
            Parameters::CtrHmac(parameters) => return parameters.to_value(&self.key),
        };
        key_message(&parameters, self.key_type.key_field(), &self.key)
    }
}

/// A message of a key: its parameters, if it has any, and its bytes.
fn key_message(parameters: &[u8], key_field: u32, key: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut writer = Writer::new(parameters.len() + key.len() + 3 * FIELD_ROOM);
    writer.bytes(2, parameters);
    writer.bytes(key_field, key);
    writer.finish()
}

/// The fields of a message of a key: `version` is 1, parameters are 2, where the key's bytes
/// are not, and these are where the type says.
#[derive(Default)]
struct Fields<'a> {
    version: u32,
    parameters: ParameterFields,
    key: &'a [u8],
}

/// The fields of every type's parameters: up to three numbers, then those of HMAC.
#[derive(Clone, Copy, Default)]
pub(crate) struct ParameterFields {
    pub(crate) numbers: [u32; 3],
    /// The hash's number, and the bytes of the tag.
    pub(crate) hmac: [u32; 2],
}

impl<'a> Fields<'a> {
    /// Of a field that is there twice the last counts, and messages are merged.
    fn merge(
        &mut self,
        mut message: WireMessage<'a>,
        key_field: u32,
        has_parameters: bool,
    ) -> Result<(), Malformed> {
        while let Some(field) = message.next()? {
            match field {
                (1, Field::Varint(version)) => self.version = version as u32,
                (number, Field::Bytes(key)) if number == key_field => self.key = key.bytes(),
                (2, Field::Bytes(parameters)) if has_parameters => {
                    self.parameters.merge(parameters)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl ParameterFields {
    pub(crate) fn merge(&mut self, mut message: WireMessage<'_>) -> Result<(), Malformed> {
        while let Some(field) = message.next()? {
            match field {
                (number @ 1..=3, Field::Varint(value)) => {
                    self.numbers[number as usize - 1] = value as u32;
                }
                (4, Field::Bytes(mut hmac)) => {
                    while let Some(field) = hmac.next()? {
                        if let (number @ 1..=2, Field::Varint(value)) = field {
                            self.hmac[number as usize - 1] = value as u32;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
