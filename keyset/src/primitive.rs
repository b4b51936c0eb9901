//! Keysets at work: the primary seals, and every enabled key that may have sealed a message
//! is tried on it.

use crate::cipher::kms::remote;
use crate::cipher::{FixedOverhead, KeyAead, cipher};
use crate::encrypted::{KeyEncryptionKey, SharedKeyEncryptionKey};
use crate::error::{Error, KeyPlace, Misuse, Rule, Unsupported};
use crate::info::{OutputPrefix, Primitive};
use crate::key::Material;
use crate::key_type::KeyType;
use crate::keyset::Keyset;
use crate::kms::KmsKey;
use crate::material::{KeyMaterial, Parameters};
use std::fmt;
use zeroize::Zeroizing;

/// The enabled keys of a keyset, ready for use.
pub(crate) struct ReadyKeys<C: ?Sized> {
    primitive: Primitive,
    primary_key_id: u32,
    /// Its place in `keys`.
    primary: usize,
    keys: Vec<ReadyKey<C>>,
}

struct ReadyKey<C: ?Sized> {
    prefix: Option<[u8; OutputPrefix::LEN]>,
    cipher: Box<C>,
}

impl<C: ?Sized> fmt::Debug for ReadyKeys<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadyKeys")
            .field("primary_key_id", &self.primary_key_id)
            .finish_non_exhaustive()
    }
}

impl<C: ?Sized> ReadyKeys<C> {
    /// `known` makes a key ready that is in the keyset, `kms` one that is with a service.
    pub(crate) fn new(
        keyset: &Keyset,
        wanted: Primitive,
        known: impl Fn(&KeyMaterial) -> Result<Box<C>, Error>,
        kms: impl Fn(&KmsKey) -> Option<Box<C>>,
    ) -> Result<Self, Error> {
        let primitive = keyset.primitive()?;
        if primitive != wanted {
            return Err(Misuse::OtherPrimitive(primitive).into());
        }
        let (mut primary, mut keys) = (None, Vec::new());
        let keys_with_places = keyset.keys.iter().enumerate();
        for (index, key) in keys_with_places.filter(|(_, key)| key.is_enabled()) {
            let cipher = match &key.material {
                Material::Known(material) => known(material)?,
                Material::Kms(there) => kms(there).ok_or_else(|| Error::Unsupported {
                    key: KeyPlace { index, id: key.id },
                    what: Unsupported::Kms(there.uri.clone()),
                })?,
                Material::Other(_) | Material::None => continue, // No such key is enabled.
            };
            if key.id == keyset.primary_key_id {
                primary = Some(keys.len());
            }
            keys.push(ReadyKey { prefix: key.prefix.bytes(key.id), cipher });
        }
        let primary_key_id = keyset.primary_key_id;
        let no_primary = || Error::rule(Rule::no_primary(primary_key_id));
        Ok(Self { primitive, primary_key_id, primary: primary.ok_or_else(no_primary)?, keys })
    }

    /// The primary's prefix, which may be empty, and what seals.
    pub(crate) fn sealing(&self) -> (&[u8], &C) {
        let ReadyKey { prefix, cipher } = &self.keys[self.primary];
        (prefix.as_ref().map_or(&[], |prefix| prefix), cipher)
    }

    /// The keys in the keyset's order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &C> {
        self.keys.iter().map(|key| &*key.cipher)
    }

    /// The keys to try on a message, each with its part of the message. First come those with the
    /// prefix that `sealed` has. Then come those without one, on all of it, because their nonces
    /// may look like a prefix.
    fn tries<'a>(&'a self, sealed: &'a [u8]) -> impl Iterator<Item = (&'a C, &'a [u8])> {
        let split = sealed.split_first_chunk::<{ OutputPrefix::LEN }>();
        let (start, rest) = split.map_or((None, &[][..]), |(start, rest)| (Some(*start), rest));
        let prefixed = self.keys.iter().filter(move |key| start.is_some() && key.prefix == start);
        let raw = self.keys.iter().filter(|key| key.prefix.is_none());
        prefixed
            .map(move |key| (&*key.cipher, rest))
            .chain(raw.map(move |key| (&*key.cipher, sealed)))
    }
}

impl<C: KeyAead + ?Sized> ReadyKeys<C> {
    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let (prefix, cipher) = self.sealing();
        cipher.seal(prefix, plaintext, aad)
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        for (cipher, sealed) in self.tries(sealed) {
            match cipher.open(sealed, aad) {
                Err(Error::Open) => {}
                opened => return opened,
            }
        }
        Err(Error::Open)
    }
}

impl ReadyKey<dyn FixedOverhead> {
    /// How many bytes longer than its plaintext a sealed message is, with its prefix.
    fn overhead(&self) -> usize {
        self.prefix.map_or(0, |prefix| prefix.len()) + self.cipher.overhead()
    }
}

fn check_len(expected: usize, given: usize) -> Result<(), Error> {
    match given == expected {
        true => Ok(()),
        false => Err(sivka::Error::OutputLen { expected, given }.into()),
    }
}

/// The enabled keys of a keyset for messages, ready for use: `Aead` or `DeterministicAead` of Tink,
/// as the keyset's purpose is.
#[derive(Debug)]
pub struct KeysetAead(ReadyKeys<dyn FixedOverhead>);

impl Keyset {
    /// Makes the enabled keys ready to seal and open.
    ///
    /// # Errors
    /// [`Misuse::OtherPrimitive`]; [`Error::Keyset`] if enabled keys are for different
    /// primitives; [`Unsupported::Kms`] if one is with a key-management service.
    pub fn aead(&self) -> Result<KeysetAead, Error> {
        ReadyKeys::new(self, Primitive::Aead, cipher, |_| None).map(KeysetAead)
    }

    /// Makes the enabled keys ready to seal and open, deterministically.
    ///
    /// Equal plaintexts under equal associated data are sealed to equal bytes, for look-ups
    /// and joins, and everybody sees that they are equal: see [`sivka::AesSiv512`]. After
    /// [`promote`](Keyset::promote) they are sealed to other bytes than before.
    ///
    /// # Errors
    /// As [`aead`](Self::aead).
    pub fn deterministic_aead(&self) -> Result<KeysetAead, Error> {
        ReadyKeys::new(self, Primitive::DeterministicAead, cipher, |_| None).map(KeysetAead)
    }
}

impl KeysetAead {
    /// The same keys, if they are for `wanted`.
    ///
    /// # Errors
    /// [`Misuse::OtherPrimitive`].
    pub fn only_for(&self, wanted: Primitive) -> Result<&Self, Error> {
        match self.0.primitive == wanted {
            true => Ok(self),
            false => Err(Misuse::OtherPrimitive(self.0.primitive).into()),
        }
    }

    /// Seals with the primary key. Returns its prefix and the message.
    ///
    /// # Errors
    /// [`Misuse::TooLong`], [`Error::Random`], [`Error::Aead`].
    pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.seal(plaintext, aad)
    }

    /// Opens a message of an enabled key: tries those with the message's prefix, then those without
    /// any, in the keyset's order.
    ///
    /// These AEADs do not commit to their keys: anyone who may choose keys of a keyset can make a
    /// message that opens under two of them.
    ///
    /// # Errors
    /// [`Error::Open`], the same for every reason; no plaintext is returned or left in memory.
    /// [`Misuse::TooLong`], [`Error::Aead`].
    pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.open(sealed, aad)
    }

    /// The length in bytes that [`seal`](Self::seal) gives for a plaintext of `plaintext_len`
    /// bytes; saturates if no memory is so large.
    #[must_use]
    pub fn seal_len(&self, plaintext_len: usize) -> usize {
        plaintext_len.saturating_add(self.0.keys[self.0.primary].overhead())
    }

    /// The capacity in bytes that [`open_into`](Self::open_into) needs for a message of
    /// `sealed_len` bytes: as long as the plaintext, or longer if keys of the keyset seal to
    /// different lengths.
    #[must_use]
    pub fn open_len(&self, sealed_len: usize) -> usize {
        let least = self.0.keys.iter().map(ReadyKey::overhead).min();
        sealed_len.saturating_sub(least.unwrap_or_default())
    }

    /// [`seal`](Self::seal) into `sealed`, whose length is [`seal_len`](Self::seal_len).
    ///
    /// # Errors
    /// As [`seal`](Self::seal): `sealed` holds zeros then. [`Error::Aead`] for another length.
    pub fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        check_len(self.seal_len(plaintext.len()), sealed.len())?;
        let (prefix, cipher) = self.0.sealing();
        let (start, rest) = sealed.split_at_mut(prefix.len());
        start.copy_from_slice(prefix);
        let result = cipher.seal_into(plaintext, aad, rest);
        if result.is_err() {
            sealed.fill(0);
        }
        result
    }

    /// [`open`](Self::open) into the start of `plaintext`, whose length is
    /// [`open_len`](Self::open_len). Returns the length of the plaintext.
    ///
    /// # Errors
    /// [`Error::Open`]: `plaintext` holds zeros then. [`Error::Aead`] for another length, and
    /// as [`open`](Self::open).
    pub fn open_into(
        &self,
        sealed: &[u8],
        aad: &[u8],
        plaintext: &mut [u8],
    ) -> Result<usize, Error> {
        check_len(self.open_len(sealed.len()), plaintext.len())?;
        for (cipher, sealed) in self.0.tries(sealed) {
            let Some(len) = sealed.len().checked_sub(cipher.overhead()) else {
                continue;
            };
            match cipher.open_into(sealed, aad, &mut plaintext[..len]) {
                Ok(()) => return Ok(len),
                Err(Error::Open) => {}
                Err(error) => return Err(error),
            }
        }
        plaintext.fill(0);
        Err(Error::Open)
    }
}

/// With keys for AEAD; deterministic ones are [`Misuse::OtherPrimitive`].
impl KeyEncryptionKey for KeysetAead {
    fn encrypt(&self, keyset: &[u8], associated_data: &[u8]) -> Result<Vec<u8>, Error> {
        self.only_for(Primitive::Aead)?.seal(keyset, associated_data)
    }

    fn decrypt(
        &self,
        encrypted: &[u8],
        associated_data: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let opened = self.only_for(Primitive::Aead)?.open(encrypted, associated_data);
        opened.map(Zeroizing::new)
    }
}

/// # Keys at a key-management service
///
/// A keyset may name keys that never leave a service, by a URI. The caller provides the calls of
/// that service: a [`KeyEncryptionKey`](crate::KeyEncryptionKey).
///
/// ```
/// use sivka_keyset::{Keyset, SharedKeyEncryptionKey, Template};
/// use std::sync::Arc;
///
/// // Stands for a service, whose key it would not show.
/// let service: SharedKeyEncryptionKey = Arc::new(sivka::Aes256GcmSiv::new(&[7; 32]));
/// let kms = |uri: &str| (uri == "example-kms://eu/users").then(|| service.clone());
///
/// let dek = Some(Template::AES256_GCM_SIV);
/// let keyset = Keyset::from_kms_key("example-kms://eu/users", dek)?;
/// let aead = keyset.aead_with_kms(&kms)?;
/// let sealed = aead.seal(b"plaintext", b"aad")?;
/// assert_eq!(aead.open(&sealed, b"aad")?, b"plaintext");
/// assert!(keyset.aead().is_err()); // The key is not in the keyset.
/// # Ok::<(), sivka_keyset::Error>(())
/// ```
impl Keyset {
    /// Makes the enabled keys ready to seal and open, as [`aead`](Self::aead) does. `kms` finds the
    /// keys at a key-management service, by their URIs.
    ///
    /// Each message under a `KmsAeadKey`, sealed or tried, is one call of the service. Under a
    /// `KmsEnvelopeAeadKey` it is one too, with the data-encryption key: between 1 and 4096 bytes
    /// in encrypted form, with empty associated data.
    ///
    /// # Errors
    /// [`Unsupported::Kms`] for an enabled key that `kms` does not find; and as
    /// [`aead`](Self::aead).
    pub fn aead_with_kms(
        &self,
        kms: &dyn Fn(&str) -> Option<SharedKeyEncryptionKey>,
    ) -> Result<KeysetAeadWithKms, Error> {
        let reached = |there: &KmsKey| Some(remote(there, kms(&there.uri)?));
        let known = |material: &KeyMaterial| Ok(cipher(material)? as Box<dyn KeyAead>);
        ReadyKeys::new(self, Primitive::Aead, known, reached).map(KeysetAeadWithKms)
    }
}

/// The enabled keys of a keyset for AEAD, ready for use, some of them with a key-management
/// service: see [`Keyset::aead_with_kms`].
#[derive(Debug)]
pub struct KeysetAeadWithKms(ReadyKeys<dyn KeyAead>);

impl KeysetAeadWithKms {
    /// Seals with the primary key, as [`KeysetAead::seal`] does.
    ///
    /// # Errors
    /// As [`KeysetAead::seal`], and errors of the service: [`Error::Kms`],
    /// [`Misuse::EncryptedKeyLen`].
    pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.seal(plaintext, aad)
    }

    /// Opens a message of an enabled key, as [`KeysetAead::open`] does.
    ///
    /// # Errors
    /// As [`KeysetAead::open`]; and [`Error::Kms`] if the service did not answer whether a message
    /// opens.
    pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.open(sealed, aad)
    }
}

/// Messages that some Androids sealed with the wrong algorithm.
impl Keyset {
    /// Opens messages that Tink on Android up to API level 29 sealed under a keyset for
    /// AES-GCM-SIV. The system used AES-GCM under that name, which was not noticed (tink-java issue
    /// 18). The output looks the same, and no other call opens it.
    ///
    /// Seal the plaintext again. All enabled keys for AES-GCM-SIV are tried, also if none is the
    /// primary: after rotation to another type it opens the same.
    ///
    /// # Errors
    /// As [`KeysetAead::open`], also if there is no such key; [`Misuse::OtherPrimitive`].
    pub fn open_android_aes_gcm(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let primitive = self.primitive()?;
        if primitive != Primitive::Aead {
            return Err(Misuse::OtherPrimitive(primitive).into());
        }
        let mut keys = Vec::new();
        for key in self.keys.iter().filter(|key| key.is_enabled()) {
            if let Material::Known(known) = &key.material
                && known.key_type == KeyType::AesGcmSiv
            {
                let material = KeyMaterial::new(KeyType::AesGcm, &known.key, Parameters::NONE);
                keys.push(ReadyKey {
                    prefix: key.prefix.bytes(key.id),
                    cipher: cipher(&material.map_err(Error::rule)?)?,
                });
            }
        }
        ReadyKeys {
            primitive,
            primary_key_id: self.primary_key_id,
            primary: 0, // Nothing is sealed.
            keys,
        }
        .open(sealed, aad)
    }
}
