//! A keyset as it is written, in binary or JSON, before any rule was looked at, what readers
//! accept, and one key of it, by the rules for one key.

use crate::error::{Error, KeyPlace, Rule, Unsupported};
use crate::info::{KeyInfo, KeyStatus, OutputPrefix};
use crate::key_type::KeyType;
use crate::kms::{KmsKey, printable};
use crate::material::{KeyMaterial, Refused};
use zeroize::Zeroizing;

/// Options of a reader, for keysets that not every Tink writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Several keys of one id, unless it is the primary's. All of them are tried on a message
    /// with that prefix. Off by default. Such a keyset cannot be written:
    /// [`remove`](crate::Keyset::remove) these keys first.
    pub duplicate_ids: bool,
}

/// The message `Keyset`.
#[derive(Default)]
pub(crate) struct KeysetRecord {
    pub(crate) primary_key_id: u32,
    pub(crate) keys: Vec<KeyRecord>,
}

/// The message `Keyset.Key`; enums as their numbers.
#[derive(Default)]
pub(crate) struct KeyRecord {
    /// All empty, if it is not there.
    pub(crate) data: KeyData,
    pub(crate) status: u32,
    pub(crate) id: u32,
    pub(crate) output_prefix: u32,
}

/// The message `KeyData`. Its value is wiped when dropped.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct KeyData {
    pub(crate) type_url: Vec<u8>,
    pub(crate) value: Zeroizing<Vec<u8>>,
    pub(crate) material_type: u32,
}

/// The number of `SYMMETRIC`.
pub(crate) const SYMMETRIC: u32 = 1;
/// That of keys which are with a key-management service.
pub(crate) const REMOTE: u32 = 4;

/// One key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) id: u32,
    pub(crate) status: KeyStatus,
    pub(crate) prefix: OutputPrefix,
    pub(crate) material: Material,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Material {
    /// Of a type that is known.
    Known(KeyMaterial),
    /// Kept by a key-management service.
    Kms(KmsKey),
    /// Of another, as it was read: such a key is not enabled, and is kept as it is.
    Other(KeyData),
    /// Destroyed.
    None,
}

impl Key {
    pub(crate) fn is_enabled(&self) -> bool {
        self.status == KeyStatus::Enabled
    }

    pub(crate) fn info(&self) -> KeyInfo {
        let type_url = match &self.material {
            Material::Known(known) => known.key_type.type_url(),
            Material::Kms(key) => key.type_url(),
            Material::Other(data) => String::from_utf8_lossy(&data.type_url).into_owned(),
            Material::None => String::new(),
        };
        KeyInfo { type_url, status: self.status, id: self.id, output_prefix: self.prefix }
    }

    pub(crate) fn record(&self) -> KeyRecord {
        let data = match &self.material {
            Material::Known(known) => KeyData {
                type_url: known.key_type.type_url().into_bytes(),
                value: known.to_value(),
                material_type: SYMMETRIC,
            },
            Material::Kms(key) => KeyData {
                type_url: key.type_url().into_bytes(),
                value: Zeroizing::new(key.to_value()),
                material_type: REMOTE,
            },
            Material::Other(data) => data.clone(),
            // Java wants its members in JSON, and Go key data, of destroyed keys too. A type of
            // material that is not 0, for Java reads no JSON in which it is.
            Material::None => KeyData { material_type: SYMMETRIC, ..KeyData::default() },
        };
        KeyRecord {
            data,
            status: self.status.number(),
            id: self.id,
            output_prefix: self.prefix.number(),
        }
    }
}

impl KeyRecord {
    /// The key, if it breaks no rule that a key can break by itself.
    pub(crate) fn check(self, index: usize) -> Result<Key, Error> {
        let key = KeyPlace { index, id: self.id };
        self.key().map_err(|refused| match refused {
            Refused::Rule(rule) => Error::of_key(index, key.id, rule),
            Refused::Unsupported(what) => Error::Unsupported { key, what },
        })
    }

    fn key(self) -> Result<Key, Refused> {
        let status = KeyStatus::from_number(self.status);
        let status = status.ok_or_else(|| Rule::unknown("a key has no status", self.status))?;
        let prefix = OutputPrefix::from_number(self.output_prefix);
        let prefix = prefix
            .ok_or_else(|| Rule::unknown("an AEAD has no output prefix", self.output_prefix))?;
        let is_missing = self.data.type_url.is_empty() && self.data.value.is_empty();
        let material = match (is_missing, status) {
            (false, _) => self.data.material(status, prefix)?,
            (true, KeyStatus::Destroyed) => Material::None,
            (true, _) => return Err(Refused::Rule(Rule::new("the key data are missing"))),
        };
        Ok(Key { id: self.id, status, prefix, material })
    }
}

const TYPE_URL: Rule = Rule::new("the type URL is empty or not printable ASCII");

impl KeyData {
    fn material(self, status: KeyStatus, prefix: OutputPrefix) -> Result<Material, Refused> {
        let type_url = printable(&self.type_url).ok_or(TYPE_URL)?;
        let material_type =
            Rule::of_type(format_args!("have the key material type {}", self.material_type));
        if let Some(kind) = KmsKey::kind_of(type_url) {
            if self.material_type != REMOTE {
                return Err(material_type.into());
            }
            return match KmsKey::parse(kind, &self.value) {
                // An envelope of keys that are not known is a key that is not known.
                Err(Refused::Unsupported(Unsupported::Type(_))) if status != KeyStatus::Enabled => {
                    Ok(Material::Other(self))
                }
                parsed => parsed.map(Material::Kms),
            };
        }
        match KeyType::find(type_url) {
            Ok(_) if self.material_type != SYMMETRIC => Err(material_type.into()),
            Ok(key_type) => {
                key_type.check_prefix(prefix).map_err(Refused::Rule)?;
                KeyMaterial::parse(key_type, &self.value).map(Material::Known)
            }
            Err(what) if status == KeyStatus::Enabled => Err(Refused::Unsupported(what)),
            // There is no name to write it by.
            Err(_) if self.material_type > REMOTE => Err(material_type.into()),
            Err(Unsupported::Type(_)) => Ok(Material::Other(self)),
            Err(what) => Err(Refused::Unsupported(what)),
        }
    }
}
