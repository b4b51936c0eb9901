//! Keys that stay with a key-management service: the keyset has only their URIs.
//!
//! A `KmsAeadKey` encrypts messages at the service. A `KmsEnvelopeAeadKey` has a data-encryption
//! key for each message, of the type in its template, and the service encrypts that key.

use crate::error::{Rule, Unsupported};
use crate::info::OutputPrefix;
use crate::key_type::{KeyType, TINK};
use crate::layout::{Layout, Slot, Values};
use crate::material::Refused;
use crate::template::Template;
use crate::wire::WireMessage;

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
    /// The fields of `KeyTemplate` as they were read, to be written so.
    type_url: String,
    format: Vec<u8>,
    prefix: u32,
}

/// One of both types: its name, and the message of a key.
pub(crate) type Kind = (&'static str, &'static Layout);

const AEAD: Kind = ("KmsAeadKey", &[(&[1], Slot::Version), (&[2, 1], Slot::Uri)]);
const ENVELOPE: Kind = (
    "KmsEnvelopeAeadKey",
    &[
        (&[1], Slot::Version),
        (&[2, 1], Slot::Uri),
        (&[2, 2, 1], Slot::TypeUrl),
        (&[2, 2, 2], Slot::Value),
        (&[2, 2, 3], Slot::OutputPrefix),
    ],
);

impl KmsKey {
    /// The type of a URL, if it is one of these.
    pub(crate) fn kind_of(type_url: &str) -> Option<Kind> {
        let name = type_url.strip_prefix(TINK)?;
        [AEAD, ENVELOPE].into_iter().find(|kind| kind.0 == name)
    }

    fn kind(&self) -> Kind {
        self.envelope.as_ref().map_or(AEAD, |_| ENVELOPE)
    }

    pub(crate) fn type_url(&self) -> String {
        format!("{TINK}{}", self.kind().0)
    }

    pub(crate) fn new(uri: &str, dek: Option<Template>) -> Result<Self, Rule> {
        let envelope = dek.map(|dek| {
            Ok(Envelope {
                // Its messages have no prefix, whatever the template says.
                dek: dek.with_output_prefix(OutputPrefix::Raw),
                type_url: dek.key_type().type_url(),
                format: dek.to_format().ok_or(Rule::DEK_TEMPLATE)?,
                prefix: dek.output_prefix().number(),
            })
        });
        Self::checked(uri.as_bytes(), envelope.transpose()?)
    }

    fn checked(uri: &[u8], envelope: Option<Envelope>) -> Result<Self, Rule> {
        const KMS_URI: Rule = Rule::new("the URI of the KMS key is empty or not printable ASCII");
        let uri = printable(uri).ok_or(KMS_URI)?.to_owned();
        Ok(Self { uri, envelope })
    }

    /// Reads the message of a key.
    pub(crate) fn parse(kind: Kind, value: &[u8]) -> Result<Self, Refused> {
        let values = Values::read(kind.1, WireMessage::new(value))?;
        match values.number(Slot::Version) {
            0 => {}
            version => return Err(Refused::Unsupported(Unsupported::Version(version))),
        }
        let envelope = (kind.0 == ENVELOPE.0).then(|| Envelope::parse(&values));
        Ok(Self::checked(values.bytes(Slot::Uri), envelope.transpose()?)?)
    }

    /// Writes the message of the key.
    pub(crate) fn to_value(&self) -> Vec<u8> {
        let mut values = Values::default();
        values.set_bytes(Slot::Uri, self.uri.as_bytes());
        if let Some(envelope) = &self.envelope {
            values.set_bytes(Slot::TypeUrl, envelope.type_url.as_bytes());
            values.set_bytes(Slot::Value, &envelope.format);
            values.set(Slot::OutputPrefix, envelope.prefix);
        }
        values.write(self.kind().1).to_vec()
    }
}

impl Envelope {
    /// The prefix does not matter: payloads have none.
    fn parse(values: &Values<'_>) -> Result<Self, Refused> {
        let (type_url, format) = (values.bytes(Slot::TypeUrl), values.bytes(Slot::Value));
        let type_url = printable(type_url).ok_or(Rule::DEK_TEMPLATE)?;
        let key_type = KeyType::find(type_url).map_err(Refused::Unsupported)?;
        Ok(Self {
            dek: Template::from_format(key_type, format)?,
            type_url: type_url.to_owned(),
            format: format.to_vec(),
            prefix: values.number(Slot::OutputPrefix),
        })
    }
}

/// A text that is not empty, and has printable ASCII only.
pub(crate) fn printable(bytes: &[u8]) -> Option<&str> {
    let text = str::from_utf8(bytes).ok()?;
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())).then_some(text)
}
