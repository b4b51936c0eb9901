//! Keysets: their rules, and how they change.

mod rotation;

use crate::binary;
use crate::error::{Error, Misuse, Rule};
use crate::info::{KeyInfo, KeysetInfo};
use crate::json_form;
use crate::key::{Key, KeysetRecord, Material, ReadOptions};
use crate::template::Template;
use crate::{MAX_KEYS, MAX_LEN};
use std::collections::HashSet;
use std::fmt;
use zeroize::Zeroizing;

/// Keys for one purpose. One of them, the primary, seals; all enabled keys open.
///
/// Keys are wiped when they are dropped, and `Debug` shows [`info`](Self::info) only.
#[derive(PartialEq, Eq)]
pub struct Keyset {
    pub(crate) primary_key_id: u32,
    pub(crate) keys: Vec<Key>,
}

impl Clone for Keyset {
    fn clone(&self) -> Self {
        sivka::__on_clean_stack(|| Self {
            primary_key_id: self.primary_key_id,
            keys: self.keys.clone(),
        })
    }
}

impl Keyset {
    /// Reads a keyset in the clear, in binary. Insecure if others can read or change the bytes.
    ///
    /// # Errors
    /// [`Error::Format`] with byte and path, [`Error::LooksEncrypted`], [`Error::Keyset`] and
    /// [`Error::Unsupported`] with the key's id.
    pub fn from_insecure_binary(bytes: &[u8], options: ReadOptions) -> Result<Self, Error> {
        sivka::__on_clean_stack(|| Self::check(binary::read_keyset(bytes)?, options))
    }

    /// Reads a keyset in the clear, in JSON. Insecure where others can read the text, or
    /// change it.
    ///
    /// # Errors
    /// As [`from_insecure_binary`](Self::from_insecure_binary).
    pub fn from_insecure_json(text: &[u8], options: ReadOptions) -> Result<Self, Error> {
        sivka::__on_clean_stack(|| Self::check(json_form::read_keyset(text)?, options))
    }

    /// Writes the keyset in the clear, in binary: it holds the keys. Keep it where only its
    /// owner reads, or [`encrypt`](Self::encrypt) it.
    ///
    /// # Errors
    /// [`Misuse::AmbiguousId`] and [`Misuse::TooLarge`].
    pub fn to_insecure_binary(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let bytes = binary::write_keyset(&self.record()?);
        check_written(bytes.len()).map(|()| bytes)
    }

    /// Writes the keyset in the clear, in JSON, in one line: it holds the keys. Keep it where
    /// only its owner reads, or [`encrypt`](Self::encrypt) it.
    ///
    /// JSON of one keyset differs from writer to writer: neither compare nor sign it.
    ///
    /// # Errors
    /// As [`to_insecure_binary`](Self::to_insecure_binary).
    pub fn to_insecure_json(&self) -> Result<Zeroizing<String>, Error> {
        let text = json_form::write_keyset(&self.record()?);
        check_written(text.len()).map(|()| text)
    }

    /// All of the keyset but its keys.
    #[must_use]
    pub fn info(&self) -> KeysetInfo {
        KeysetInfo {
            primary_key_id: self.primary_key_id,
            keys: self.keys.iter().map(Key::info).collect(),
        }
    }

    /// The entry of [`info`](Self::info) for the key at `index`, counted from 0; `None` if there is
    /// none.
    #[must_use]
    pub fn key_info(&self, index: usize) -> Option<KeyInfo> {
        self.keys.get(index).map(Key::info)
    }

    /// The id of the key that seals.
    #[must_use]
    pub fn primary_key_id(&self) -> u32 {
        self.primary_key_id
    }

    /// The template of a new key that replaces the primary: the primary's type, length, parameters
    /// and prefix. `None` if a key-management service has the primary.
    #[must_use]
    pub fn primary_template(&self) -> Option<Template> {
        let primary = self.keys.iter().find(|key| key.id == self.primary_key_id)?;
        match &primary.material {
            Material::Known(material) => Some(Template::of(material, primary.prefix)),
            Material::Kms(_) | Material::Other(_) | Material::None => None,
        }
    }

    /// Checks a keyset that was read, key by key and as a whole.
    fn check(record: KeysetRecord, options: ReadOptions) -> Result<Self, Error> {
        let keys = record.keys.into_iter().enumerate();
        let keys = keys.map(|(index, key)| key.check(index));
        let keyset =
            Self { primary_key_id: record.primary_key_id, keys: keys.collect::<Result<_, _>>()? };
        keyset.check_whole(options)?;
        Ok(keyset)
    }

    fn check_whole(&self, options: ReadOptions) -> Result<(), Error> {
        if self.keys.is_empty() {
            return Err(Error::rule(Rule::new("the keyset has no key")));
        }
        debug_assert!(self.keys.len() <= MAX_KEYS, "readers count");
        let mut ids = HashSet::new();
        for (index, key) in self.keys.iter().enumerate() {
            let allowed = options.duplicate_ids && key.id != self.primary_key_id;
            if !ids.insert(key.id) && !allowed {
                let rule = Rule::new("an earlier key has the same id");
                return Err(Error::of_key(index, key.id, rule));
            }
        }
        if !self.keys.iter().any(Key::is_enabled) {
            return Err(Error::rule(Rule::NO_ENABLED_KEY));
        }
        let id = self.primary_key_id;
        match self.keys.iter().position(|key| key.id == id) {
            Some(index) if self.keys[index].is_enabled() => Ok(()),
            Some(index) => {
                let rule = Rule::new("the primary key is not enabled");
                Err(Error::of_key(index, id, rule))
            }
            None => Err(Error::rule(Rule::no_primary(id))),
        }
    }

    /// The keyset as it is written.
    fn record(&self) -> Result<KeysetRecord, Error> {
        let mut ids = HashSet::new();
        if let Some(key) = self.keys.iter().find(|key| !ids.insert(key.id)) {
            return Err(Misuse::AmbiguousId(key.id).into());
        }
        Ok(sivka::__on_clean_stack(|| KeysetRecord {
            primary_key_id: self.primary_key_id,
            keys: self.keys.iter().map(Key::record).collect(),
        }))
    }
}

/// The output has the length of the input.
pub(crate) fn check_written(len: usize) -> Result<(), Error> {
    match len > MAX_LEN {
        true => Err(Misuse::TooLarge.into()),
        false => Ok(()),
    }
}

impl fmt::Debug for Keyset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyset").field("info", &self.info()).finish_non_exhaustive()
    }
}
