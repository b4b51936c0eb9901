//! A keyset as it is written, in binary or JSON, before any rule was looked at.

use crate::error::{Error, KeyPlace, Rule, Unsupported};
use crate::info::{KeyStatus, OutputPrefix};
use crate::key_type::KeyType;
use crate::keyset::{Key, Material};
use crate::kms::KmsKey;
use crate::material::{KeyMaterial, Refused};
use zeroize::Zeroizing;

/// The message `Keyset`.
#[derive(Default)]
pub(crate) struct KeysetRecord {
    pub(crate) primary_key_id: u32,
    pub(crate) keys: Vec<KeyRecord>,
}

/// The message `Keyset.Key`; enums as their numbers.
#[derive(Default)]
pub(crate) struct KeyRecord {
    pub(crate) data: Option<KeyData>,
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

impl KeyRecord {
    /// The key, if it breaks no rule that a key can break by itself.
    pub(crate) fn check(self, index: usize) -> Result<Key, Error> {
        let key = KeyPlace { index, id: self.id };
        self.key().map_err(|refused| match refused {
            Refused::Rule(rule) => Error::Keyset {
                key: Some(key),
                rule,
            },
            Refused::Unsupported(what) => Error::Unsupported { key, what },
        })
    }

    fn key(self) -> Result<Key, Refused> {
        let status = KeyStatus::from_number(self.status);
        let status = status.ok_or(Refused::Rule(Rule::Status(self.status)))?;
        let prefix = OutputPrefix::from_number(self.output_prefix);
        let prefix = prefix.ok_or(Refused::Rule(Rule::OutputPrefix(self.output_prefix)))?;
        // Some write a destroyed key with key data whose every field is empty.
        let data = self.data.filter(|data| {
            let empty = data.type_url.is_empty() && data.value.is_empty();
            !(empty && status == KeyStatus::Destroyed)
        });
        let material = match data {
            Some(data) => data.material(status, prefix)?,
            None if status == KeyStatus::Destroyed => Material::None,
            None => return Err(Refused::Rule(Rule::NoKeyData)),
        };
        Ok(Key {
            id: self.id,
            status,
            prefix,
            material,
        })
    }
}

impl KeyData {
    fn material(self, status: KeyStatus, prefix: OutputPrefix) -> Result<Material, Refused> {
        let printable = !self.type_url.is_empty() && self.type_url.iter().all(u8::is_ascii_graphic);
        let type_url = str::from_utf8(&self.type_url).unwrap_or_default();
        if !printable {
            return Err(Refused::Rule(Rule::TypeUrl));
        }
        let material_type = Refused::Rule(Rule::KeyMaterialType(self.material_type));
        if let Some(kind) = KmsKey::kind(type_url) {
            if self.material_type != REMOTE {
                return Err(material_type);
            }
            return match KmsKey::parse(kind, &self.value) {
                // An envelope of keys that are not known is a key that is not known.
                Err(Refused::Unsupported(Unsupported::Type(_) | Unsupported::TypeOfFeature(_)))
                    if status != KeyStatus::Enabled =>
                {
                    Ok(Material::Other(self))
                }
                parsed => parsed.map(Material::Kms),
            };
        }
        match KeyType::find(type_url) {
            Ok(_) if self.material_type != SYMMETRIC => Err(material_type),
            Ok(key_type) => {
                key_type.check_prefix(prefix).map_err(Refused::Rule)?;
                KeyMaterial::parse(key_type, &self.value).map(Material::Known)
            }
            Err(what) if status == KeyStatus::Enabled => Err(Refused::Unsupported(what)),
            // There is no name to write it by.
            Err(_) if self.material_type > REMOTE => Err(material_type),
            Err(Unsupported::Type(_) | Unsupported::TypeOfFeature(_)) => Ok(Material::Other(self)),
            Err(what) => Err(Refused::Unsupported(what)),
        }
    }
}
