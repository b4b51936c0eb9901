//! New keysets, and changes of keysets, as in Tink: every Tink reads the result.

use super::Keyset;
use crate::MAX_KEYS;
use crate::error::{Error, Misuse, Rule};
use crate::info::{KeyStatus, OutputPrefix, Primitive};
use crate::key::{Key, Material};
use crate::key_type::KeyType;
use crate::kms::KmsKey;
use crate::template::Template;

/// # Beginning and rotating
///
/// If several programs share a keyset, change its key in steps. [`add`](Keyset::add) a key and give
/// everyone the keyset, so that all can open its messages. [`promote`](Keyset::promote) it, and
/// give everyone the keyset again. When no message of the old key is left,
/// [`disable`](Keyset::disable) it and, if nobody misses it, [`remove`](Keyset::remove) it.
///
/// ```
/// use sivka_keyset::{Keyset, Template};
///
/// let mut keyset = Keyset::generate(Template::AES256_GCM_SIV)?;
/// let sealed = keyset.aead()?.seal(b"plaintext", b"aad")?;
///
/// let (old, new) = (keyset.primary_key_id(), keyset.add(Template::AES256_GCM_SIV)?);
/// keyset.promote(new)?;
/// assert_eq!(keyset.aead()?.open(&sealed, b"aad")?, b"plaintext");
///
/// keyset.disable(old)?;
/// assert!(keyset.aead()?.open(&sealed, b"aad").is_err());
/// # Ok::<(), sivka_keyset::Error>(())
/// ```
impl Keyset {
    /// Makes a keyset with one key, which is its primary.
    ///
    /// # Errors
    /// [`Error::Random`]; [`Misuse::NewKey`] for a prefix that keys of the type cannot have.
    pub fn generate(template: Template) -> Result<Self, Error> {
        Self::of_one(|keyset| keyset.add(template))
    }

    /// Makes a keyset with one key from elsewhere, which is its primary. If no id is given, a
    /// random one is drawn.
    ///
    /// `key` is the key itself, not a message of Tink's around it. Messages that other programs
    /// than Tink sealed have no prefix, and open with [`OutputPrefix::Raw`].
    ///
    /// # Errors
    /// As [`import`](Self::import).
    pub fn from_key(
        key_type: KeyType,
        key: &[u8],
        prefix: OutputPrefix,
        id: Option<u32>,
    ) -> Result<Self, Error> {
        Self::of_one(|keyset| keyset.import(key_type, key, prefix, id))
    }

    fn of_one(add: impl FnOnce(&mut Self) -> Result<u32, Error>) -> Result<Self, Error> {
        let mut keyset = Self { primary_key_id: 0, keys: Vec::with_capacity(1) };
        keyset.primary_key_id = add(&mut keyset)?;
        Ok(keyset)
    }

    /// Adds a new key, enabled, and gives its id. It seals only when it is
    /// [promoted](Self::promote).
    ///
    /// # Errors
    /// [`Misuse::TooManyKeys`], [`Misuse::OtherPrimitive`], [`Misuse::NewKey`] for a prefix
    /// that keys of the type cannot have, [`Error::Random`]. The keyset is then as it was.
    pub fn add(&mut self, template: Template) -> Result<u32, Error> {
        sivka::__on_clean_stack(|| {
            let material = template.draw()?;
            self.insert(Material::Known(material), template.output_prefix(), None)
        })
    }

    /// Adds a key from elsewhere, enabled, and gives its id; a random one is drawn if none is
    /// given. Parameters are those of Tink's templates: salts of XAES-256-GCM have 12 bytes, IVs
    /// of AES-EAX and AES-CTR-HMAC 16, segments of streams 4 KiB.
    ///
    /// # Errors
    /// As [`add`](Self::add); [`Misuse::NewKey`] for a key of a wrong length,
    /// [`Misuse::NewId`] for an id that is 0 or another key's.
    pub fn import(
        &mut self,
        key_type: KeyType,
        key: &[u8],
        prefix: OutputPrefix,
        id: Option<u32>,
    ) -> Result<u32, Error> {
        sivka::__on_clean_stack(|| {
            let material = Template::import(key_type, key).map_err(Misuse::NewKey)?;
            self.insert(Material::Known(material), prefix, id)
        })
    }

    /// Makes a keyset with one key that stays with a key-management service, which is its
    /// primary: see [`add_kms_key`](Self::add_kms_key).
    ///
    /// # Errors
    /// As [`add_kms_key`](Self::add_kms_key).
    pub fn from_kms_key(uri: &str, dek: Option<Template>) -> Result<Self, Error> {
        Self::of_one(|keyset| keyset.add_kms_key(uri, dek))
    }

    /// Adds a key that stays with a key-management service, at `uri`, enabled, and gives its
    /// id. With a template, `dek`, each message is sealed under a new key of its own, which the
    /// service encrypts: a `KmsEnvelopeAeadKey`. Without one the service encrypts the messages:
    /// a `KmsAeadKey`. Neither has a prefix, and no key is in the keyset.
    ///
    /// [`Keyset::aead_with_kms`] uses it.
    ///
    /// # Errors
    /// As [`add`](Self::add); [`Misuse::NewKey`] for an empty `uri`, and for a template of a
    /// type that envelopes do not have: XAES-256-GCM, AES-SIV, streams.
    pub fn add_kms_key(&mut self, uri: &str, dek: Option<Template>) -> Result<u32, Error> {
        sivka::__on_clean_stack(|| {
            let key = KmsKey::new(uri, dek).map_err(Misuse::NewKey)?;
            self.insert(Material::Kms(key), OutputPrefix::Raw, None)
        })
    }

    /// Adds a new key and makes it the primary, at once.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn rotate(&mut self, template: Template) -> Result<u32, Error> {
        let id = self.add(template)?;
        self.primary_key_id = id;
        Ok(id)
    }

    /// Makes an enabled key the primary, which seals from now on.
    ///
    /// # Errors
    /// [`Misuse::NotEnabled`], [`Misuse::NoSuchKey`], [`Misuse::AmbiguousId`].
    pub fn promote(&mut self, id: u32) -> Result<(), Error> {
        if !self.keys[self.index(id)?].is_enabled() {
            return Err(Misuse::NotEnabled(id).into());
        }
        self.primary_key_id = id;
        Ok(())
    }

    /// Lets a disabled key open again.
    ///
    /// # Errors
    /// [`Misuse::Destroyed`], [`Misuse::NoSuchKey`], [`Misuse::AmbiguousId`];
    /// [`Error::Unsupported`] for a key of a type that this library cannot use.
    pub fn enable(&mut self, id: u32) -> Result<(), Error> {
        let index = self.index(id)?;
        let key = &self.keys[index];
        if key.status == KeyStatus::Destroyed {
            return Err(Misuse::Destroyed(id).into());
        }
        let mut record = key.record();
        record.status = KeyStatus::Enabled.number();
        self.keys[index] = record.check(index)?;
        Ok(())
    }

    /// Keeps a key from opening, until it is [enabled](Self::enable).
    ///
    /// # Errors
    /// [`Misuse::Primary`], [`Misuse::Destroyed`], [`Misuse::NoSuchKey`],
    /// [`Misuse::AmbiguousId`].
    pub fn disable(&mut self, id: u32) -> Result<(), Error> {
        let key = self.find_other_than_primary(id)?;
        if key.status == KeyStatus::Destroyed {
            return Err(Misuse::Destroyed(id).into());
        }
        key.status = KeyStatus::Disabled;
        Ok(())
    }

    /// Wipes a key for good; its id and status stay. tink-go does not read such a keyset, nor
    /// does tink-java in JSON: [`remove`](Self::remove) does the same and leaves nothing to
    /// stumble over.
    ///
    /// # Errors
    /// [`Misuse::Primary`], [`Misuse::NoSuchKey`], [`Misuse::AmbiguousId`].
    pub fn destroy(&mut self, id: u32) -> Result<(), Error> {
        let key = self.find_other_than_primary(id)?;
        key.status = KeyStatus::Destroyed;
        key.material = Material::None;
        Ok(())
    }

    /// Wipes a key and its entry; every one with this id, if there are several.
    ///
    /// # Errors
    /// [`Misuse::Primary`], [`Misuse::NoSuchKey`].
    pub fn remove(&mut self, id: u32) -> Result<(), Error> {
        if id == self.primary_key_id {
            return Err(Misuse::Primary(id).into());
        }
        let before = self.keys.len();
        self.keys.retain(|key| key.id != id);
        match self.keys.len() < before {
            true => Ok(()),
            false => Err(Misuse::NoSuchKey(id).into()),
        }
    }

    /// The purpose of the enabled keys.
    ///
    /// # Errors
    /// [`Error::Keyset`] if they are for different primitives.
    pub fn primitive(&self) -> Result<Primitive, Error> {
        let enabled = self.keys.iter().filter(|key| key.is_enabled());
        let primitives = enabled.filter_map(|key| key.material.primitive());
        let mut primitives = primitives;
        match primitives.next() {
            Some(first) if primitives.all(|other| other == first) => Ok(first),
            Some(_) => {
                Err(Error::rule(Rule::new("the keyset mixes keys for different primitives")))
            }
            None => Err(Error::rule(Rule::NO_ENABLED_KEY)),
        }
    }

    fn insert(
        &mut self,
        material: Material,
        prefix: OutputPrefix,
        id: Option<u32>,
    ) -> Result<u32, Error> {
        if self.keys.len() >= MAX_KEYS {
            return Err(Misuse::TooManyKeys.into());
        }
        if let Material::Known(known) = &material {
            let allowed = known.key_type.check_prefix(prefix);
            allowed.map_err(Misuse::NewKey)?;
        }
        if !self.keys.is_empty() {
            let primitive = self.primitive()?;
            if material.primitive() != Some(primitive) {
                return Err(Misuse::OtherPrimitive(primitive).into());
            }
        }
        let is_free = |id: u32| id != 0 && self.keys.iter().all(|key| key.id != id);
        let id = match id {
            Some(id) if is_free(id) => id,
            Some(id) => return Err(Misuse::NewId(id).into()),
            None => loop {
                let id = getrandom::u32().map_err(|_| Error::Random)?;
                if is_free(id) {
                    break id;
                }
            },
        };
        self.keys.push(Key { id, status: KeyStatus::Enabled, prefix, material });
        Ok(id)
    }

    fn index(&self, id: u32) -> Result<usize, Misuse> {
        let mut found = (0..self.keys.len()).filter(|index| self.keys[*index].id == id);
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            (Some(_), Some(_)) => Err(Misuse::AmbiguousId(id)),
            (None, _) => Err(Misuse::NoSuchKey(id)),
        }
    }

    fn find_other_than_primary(&mut self, id: u32) -> Result<&mut Key, Misuse> {
        let index = self.index(id)?;
        match id == self.primary_key_id {
            true => Err(Misuse::Primary(id)),
            false => Ok(&mut self.keys[index]),
        }
    }
}

impl Material {
    /// Its purpose; `None` if that is unknown.
    fn primitive(&self) -> Option<Primitive> {
        match self {
            Self::Known(known) => Some(known.key_type.primitive()),
            Self::Kms(_) => Some(Primitive::Aead),
            Self::Other(_) | Self::None => None,
        }
    }
}
