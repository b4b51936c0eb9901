//! Keysets at work: the primary seals, and every enabled key that may have sealed a message
//! is tried on it.

use crate::cipher::{Cipher, cipher};
use crate::error::{Error, Misuse, Rule};
use crate::info::{OutputPrefix, Primitive};
use crate::keyset::{Keyset, Material};
use std::fmt;

/// The enabled keys of a keyset, ready for use.
struct Keys {
    primary_key_id: u32,
    /// Its place in `keys`.
    primary: usize,
    keys: Vec<ReadyKey>,
}

struct ReadyKey {
    prefix: Option<[u8; OutputPrefix::LEN]>,
    cipher: Box<dyn Cipher>,
}

impl Keys {
    fn new(keyset: &Keyset, wanted: Primitive) -> Result<Self, Error> {
        let primitive = keyset.primitive()?;
        if primitive != wanted {
            return Err(Misuse::OtherPrimitive(primitive).into());
        }
        let (mut primary, mut keys) = (None, Vec::new());
        for key in keyset.keys.iter().filter(|key| key.is_enabled()) {
            let Material::Known(material) = &key.material else {
                continue; // No such key is enabled.
            };
            if key.id == keyset.primary_key_id {
                primary = Some(keys.len());
            }
            keys.push(ReadyKey {
                prefix: key.prefix.bytes(key.id),
                cipher: cipher(material)?,
            });
        }
        let primary_key_id = keyset.primary_key_id;
        let no_primary = || Error::rule(Rule::NoPrimary { id: primary_key_id });
        Ok(Self {
            primary_key_id,
            primary: primary.ok_or_else(no_primary)?,
            keys,
        })
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let ReadyKey { prefix, cipher } = &self.keys[self.primary];
        let prefix = prefix.as_ref().map_or(&[][..], |prefix| prefix);
        let mut sealed = vec![0; prefix.len() + plaintext.len() + cipher.overhead()];
        let (start, rest) = sealed.split_at_mut(prefix.len());
        start.copy_from_slice(prefix);
        cipher.seal_into(plaintext, aad, rest)?;
        Ok(sealed)
    }

    /// First the keys with the prefix that `sealed` has, on what follows it; then those
    /// without a prefix on all of it, for their nonces may look like one.
    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let split = sealed.split_first_chunk::<{ OutputPrefix::LEN }>();
        let (start, rest) = split.map_or((None, &[][..]), |(start, rest)| (Some(*start), rest));
        let prefixed = self
            .keys
            .iter()
            .filter(|key| start.is_some() && key.prefix == start);
        let raw = self.keys.iter().filter(|key| key.prefix.is_none());
        let tries = prefixed
            .map(|key| (key, rest))
            .chain(raw.map(|key| (key, sealed)));
        for (ReadyKey { cipher, .. }, sealed) in tries {
            let Some(len) = sealed.len().checked_sub(cipher.overhead()) else {
                continue;
            };
            let mut plaintext = vec![0; len];
            match cipher.open_into(sealed, aad, &mut plaintext) {
                Ok(()) => return Ok(plaintext),
                Err(Error::Open) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::Open)
    }
}

macro_rules! primitive {
    (
        $(#[$attribute:meta])*
        $name:ident, $primitive:ident, $(#[$of_call:meta])* $call:ident
    ) => {
        $(#[$attribute])*
        pub struct $name(Keys);

        impl Keyset {
            $(#[$of_call])*
            ///
            /// # Errors
            /// [`Misuse::OtherPrimitive`]; [`Error::Keyset`] if enabled keys are for different
            /// primitives.
            pub fn $call(&self) -> Result<$name, Error> {
                Keys::new(self, Primitive::$primitive).map($name)
            }
        }

        impl $name {
            /// Seals with the primary key. Returns its prefix and what the key seals.
            ///
            /// # Errors
            /// [`Misuse::TooLong`], [`Error::Random`], [`Error::Aead`].
            pub fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.0.seal(plaintext, aad)
            }

            /// Opens what an enabled key has sealed: tries those with the message's prefix,
            /// then those without any, in the keyset's order.
            ///
            /// These AEADs do not commit to their keys: who may choose keys of a keyset can
            /// make a message that opens under two of them.
            ///
            /// # Errors
            /// [`Error::Open`], the same for every reason; no plaintext is returned or left in
            /// memory. [`Misuse::TooLong`], [`Error::Aead`].
            pub fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
                self.0.open(sealed, aad)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("primary_key_id", &self.0.primary_key_id)
                    .finish_non_exhaustive()
            }
        }
    };
}
primitive! {
    /// The enabled keys of a keyset for AEAD, ready for use; what each Tink calls `Aead`.
    KeysetAead, Aead,
    /// Makes the enabled keys ready to seal and open.
    aead
}
primitive! {
    /// The enabled keys of a keyset for deterministic AEAD, ready for use; what each Tink
    /// calls `DeterministicAead`.
    ///
    /// Equal plaintexts under equal associated data are sealed to equal bytes, for look-ups
    /// and joins, and everybody sees that they are equal: see [`sivka::AesSiv512`]. After
    /// [`promote`](Keyset::promote) they are sealed to other bytes than before.
    KeysetDeterministicAead, DeterministicAead,
    /// Makes the enabled keys ready to seal and open, deterministically.
    deterministic_aead
}

/// What some Androids sealed with the wrong algorithm.
#[cfg(feature = "other-aeads")]
impl Keyset {
    /// Opens what Tink on Android up to API level 29 sealed under a keyset for AES-GCM-SIV:
    /// the system answered that name with AES-GCM, which was not noticed (tink-java issue
    /// 18). Its output looks the same, and no other call opens it.
    ///
    /// Seal anew what this opens.
    ///
    /// # Errors
    /// As [`KeysetAead::open`].
    pub fn open_android_aes_gcm(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        use crate::key_type::{KeyMaterial, KeyType};

        let mut as_aes_gcm = self.clone();
        for key in &mut as_aes_gcm.keys {
            key.material = match &key.material {
                Material::Known(known) if known.key_type == KeyType::AesGcmSiv => {
                    let material = KeyMaterial::new(KeyType::AesGcm, &known.key, 0);
                    material.map_or(Material::None, Material::Known)
                }
                _ => Material::None,
            };
        }
        as_aes_gcm.aead()?.open(sealed, aad)
    }
}
