//! Keys that stay with a key-management service: what a keyset says of them is where they are.
//!
//! A `KmsAeadKey` encrypts messages at the service. A `KmsEnvelopeAeadKey` has a data-encryption
//! key for each message, of the type that its template says, and the service encrypts that key.

use crate::error::Rule;
use crate::info::OutputPrefix;
use crate::key_type::{KeyType, TINK};
use crate::material::{Refused, check_version};
use crate::template::Template;
use crate::wire::{FIELD_ROOM, Field, Malformed, WireMessage, Writer};

/// A key of either type. There is nothing secret in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KmsKey {
    pub(crate) uri: String,
    pub(crate) envelope: Option<Envelope>,
}

/// The template of the keys that messages are sealed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Envelope {
    pub(crate) dek: Template,
    /// `KeyTemplate` as it was read, to be written so.
    message: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Aead,
    Envelope,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Aead => "KmsAeadKey",
            Self::Envelope => "KmsEnvelopeAeadKey",
        }
    }
}

impl KmsKey {
    /// The type of a URL, if it is one of these.
    pub(crate) fn kind(type_url: &str) -> Option<Kind> {
        let name = type_url.strip_prefix(TINK)?;
        let mut kinds = [Kind::Aead, Kind::Envelope].into_iter();
        kinds.find(|kind| kind.name() == name)
    }

    pub(crate) fn type_url(&self) -> String {
        let kind = match self.envelope {
            Some(_) => Kind::Envelope,
            None => Kind::Aead,
        };
        format!("{TINK}{}", kind.name())
    }

    pub(crate) fn new(uri: &str, dek: Option<Template>) -> Result<Self, Rule> {
        let envelope = dek.map(|dek| {
            let format = dek.to_format().ok_or(Rule::DekTemplate)?;
            let type_url = dek.key_type().type_url();
            let mut message = Writer::new(type_url.len() + format.len() + 3 * FIELD_ROOM);
            message.bytes(1, type_url.as_bytes());
            message.bytes(2, &format);
            message.number(3, dek.output_prefix().number());
            let message = message.finish().to_vec();
            // What it seals has no prefix, whatever the template says.
            let dek = dek.with_output_prefix(OutputPrefix::Raw);
            Ok(Envelope { dek, message })
        });
        Self::checked(uri.as_bytes(), envelope.transpose()?)
    }

    fn checked(uri: &[u8], envelope: Option<Envelope>) -> Result<Self, Rule> {
        match str::from_utf8(uri) {
            Ok(uri) if !uri.is_empty() && uri.bytes().all(|byte| byte.is_ascii_graphic()) => {
                let uri = uri.to_owned();
                Ok(Self { uri, envelope })
            }
            _ => Err(Rule::KmsUri),
        }
    }

    /// Reads the message of a key: `version` is field 1, and parameters are field 2, of which
    /// 1 is the URI, and 2 the template.
    pub(crate) fn parse(kind: Kind, value: &[u8]) -> Result<Self, Refused> {
        let (mut version, mut uri, mut template) = (0, &[][..], TemplateFields::default());
        let mut message = WireMessage::new(value);
        while let Some(field) = message.next()? {
            match field {
                (1, Field::Varint(number)) => version = number as u32,
                (2, Field::Bytes(mut parameters)) => {
                    while let Some(field) = parameters.next()? {
                        match field {
                            (1, Field::Bytes(bytes)) => uri = bytes.bytes(),
                            (2, Field::Bytes(message)) => template.merge(message)?,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        check_version(version)?;
        let envelope = (kind == Kind::Envelope).then(|| template.envelope());
        Ok(Self::checked(uri, envelope.transpose()?)?)
    }

    /// Writes the message of the key.
    pub(crate) fn to_value(&self) -> Vec<u8> {
        let template = self.envelope.as_ref().map_or(&[][..], |dek| &dek.message);
        let mut parameters = Writer::new(self.uri.len() + template.len() + 2 * FIELD_ROOM);
        parameters.bytes(1, self.uri.as_bytes());
        parameters.bytes(2, template);
        let parameters = parameters.finish();
        let mut message = Writer::new(parameters.len() + FIELD_ROOM);
        message.message(2, &parameters);
        message.finish().to_vec()
    }
}

/// The fields of `KeyTemplate`.
#[derive(Default)]
struct TemplateFields<'a> {
    type_url: &'a [u8],
    format: &'a [u8],
    prefix: u32,
}

impl<'a> TemplateFields<'a> {
    fn merge(&mut self, mut message: WireMessage<'a>) -> Result<(), Malformed> {
        while let Some(field) = message.next()? {
            match field {
                (1, Field::Bytes(bytes)) => self.type_url = bytes.bytes(),
                (2, Field::Bytes(bytes)) => self.format = bytes.bytes(),
                (3, Field::Varint(number)) => self.prefix = number as u32,
                _ => {}
            }
        }
        Ok(())
    }

    /// What the prefix is does not matter: payloads have none.
    fn envelope(&self) -> Result<Envelope, Refused> {
        let printable = self.type_url.iter().all(u8::is_ascii_graphic);
        let type_url = str::from_utf8(self.type_url).unwrap_or_default();
        if !printable || type_url.is_empty() {
            return Err(Rule::DekTemplate.into());
        }
        let key_type = KeyType::find(type_url).map_err(Refused::Unsupported)?;
        let mut message = Writer::new(self.type_url.len() + self.format.len() + 3 * FIELD_ROOM);
        message.bytes(1, self.type_url);
        message.bytes(2, self.format);
        message.number(3, self.prefix);
        Ok(Envelope {
            dek: Template::from_format(key_type, self.format)?,
            message: message.finish().to_vec(),
        })
    }
}
