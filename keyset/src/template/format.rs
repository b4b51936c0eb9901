//! Templates as KMS envelopes have them: the messages `*KeyFormat` of the AEADs that they allow.

use super::Template;
use crate::error::Rule;
use crate::info::OutputPrefix;
use crate::key_type::KeyType;
use crate::material::{CtrHmac, HmacTag, ParameterFields};
use crate::material::{KeyMaterial, Parameters, Refused, check_version};
use crate::wire::{FIELD_ROOM, Field, Malformed, WireMessage, Writer};

impl Template {
    /// The message of a key's format, `None` for a type that envelopes do not have.
    pub(crate) fn to_format(self) -> Option<Vec<u8>> {
        let key_len = self.key_len as u32;
        Some(match (self.key_type, self.parameters) {
            (KeyType::AesGcmSiv, _) => format(&[], key_len),
            (KeyType::AesGcm, _) => format(&[], key_len),
            (KeyType::ChaCha20Poly1305 | KeyType::XChaCha20Poly1305, _) => Vec::new(),
            (KeyType::AesEax, Parameters::Iv(len)) => format(&message_of(len), key_len),
            (KeyType::AesCtrHmac, Parameters::CtrHmac(parameters)) => {
                let aes_key_len = parameters.aes_key_len as u32;
                let aes = format(&message_of(parameters.iv_len), aes_key_len);
                let hmac = format(&parameters.tag.to_message(), key_len - aes_key_len);
                let mut message = Writer::new(aes.len() + hmac.len() + 2 * FIELD_ROOM);
                message.message(1, &aes);
                message.message(2, &hmac);
                message.finish().to_vec()
            }
            _ => return None,
        })
    }

    /// Reads the message of a key's format.
    pub(crate) fn from_format(key_type: KeyType, format: &[u8]) -> Result<Self, Refused> {
        let mut fields = Fields::default();
        let (key_len, parameters) = match key_type {
            KeyType::AesGcmSiv => {
                fields.merge(WireMessage::new(format), false)?;
                check_version(fields.numbers[0])?;
                (fields.numbers[1], Parameters::None)
            }
            KeyType::AesGcm => {
                fields.merge(WireMessage::new(format), false)?;
                check_version(fields.numbers[2])?;
                (fields.numbers[1], Parameters::None)
            }
            KeyType::ChaCha20Poly1305 => (32, Parameters::None),
            KeyType::XChaCha20Poly1305 => {
                fields.merge(WireMessage::new(format), false)?;
                check_version(fields.numbers[0])?;
                (32, Parameters::None)
            }
            KeyType::AesEax => {
                fields.merge(WireMessage::new(format), true)?;
                (
                    fields.numbers[1],
                    Parameters::Iv(fields.parameters.numbers[0]),
                )
            }
            KeyType::AesCtrHmac => ctr_hmac(WireMessage::new(format))?,
            _ => return Err(Rule::DekTemplate.into()),
        };
        let key_len = key_len as usize;
        KeyMaterial::check(key_type, key_len, parameters)?;
        Ok(Self {
            key_type,
            key_len,
            parameters,
            prefix: OutputPrefix::Raw,
        })
    }
}

/// A message of parameters, if there are any, and the length of keys.
fn format(parameters: &[u8], key_len: u32) -> Vec<u8> {
    let mut message = Writer::new(parameters.len() + 2 * FIELD_ROOM);
    message.bytes(1, parameters);
    message.number(2, key_len);
    message.finish().to_vec()
}

/// Parameters that are one number.
fn message_of(number: u32) -> Vec<u8> {
    let mut message = Writer::new(FIELD_ROOM);
    message.number(1, number);
    message.finish().to_vec()
}

/// `AesCtrHmacAeadKeyFormat`: a format for each of both keys.
fn ctr_hmac(mut message: WireMessage<'_>) -> Result<(u32, Parameters), Refused> {
    let (mut aes, mut hmac) = (Fields::default(), Fields::default());
    while let Some(field) = message.next()? {
        match field {
            (1, Field::Bytes(format)) => aes.merge(format, true)?,
            (2, Field::Bytes(format)) => hmac.merge(format, true)?,
            _ => {}
        }
    }
    check_version(hmac.numbers[2])?;
    let [hash, tag_len, _] = hmac.parameters.numbers;
    let (aes_key_len, hmac_key_len) = (aes.numbers[1], hmac.numbers[1]);
    // An envelope has no room for keys that are much longer, and nobody has them.
    if hmac_key_len > 1024 || aes_key_len > 32 {
        let given = hmac_key_len.max(aes_key_len) as usize;
        return Err(Rule::KeyLen { given }.into());
    }
    let parameters = CtrHmac {
        aes_key_len: aes_key_len as usize,
        iv_len: aes.parameters.numbers[0],
        tag: HmacTag::from_numbers([hash, tag_len])?,
    };
    Ok((aes_key_len + hmac_key_len, Parameters::CtrHmac(parameters)))
}

/// The fields of a format: numbers in 1 to 3, or parameters in 1.
#[derive(Default)]
struct Fields {
    numbers: [u32; 3],
    parameters: ParameterFields,
}

impl Fields {
    fn merge(
        &mut self,
        mut message: WireMessage<'_>,
        has_parameters: bool,
    ) -> Result<(), Malformed> {
        while let Some(field) = message.next()? {
            match field {
                (number @ 1..=3, Field::Varint(value)) => {
                    self.numbers[number as usize - 1] = value as u32;
                }
                (1, Field::Bytes(parameters)) if has_parameters => {
                    self.parameters.merge(parameters)?;
                }
                _ => {
                    let _ = has_parameters;
                }
            }
        }
        Ok(())
    }
}
