//! Encrypted keysets, and what encrypts them.

use crate::binary;
use crate::error::{Error, Misuse};
use crate::info::KeysetInfo;
use crate::json_form;
use crate::key::ReadOptions;
use crate::keyset::{Keyset, check_written};
use std::fmt;
use std::sync::Arc;
use zeroize::Zeroizing;

/// A key that encrypts keysets, and the keys of envelopes: an AEAD of `sivka`, one of another
/// keyset, or a key-management service, for which you implement this.
pub trait KeyEncryptionKey {
    /// Encrypts the keyset. Only [`decrypt`](Self::decrypt) reads the result.
    ///
    /// # Errors
    /// [`Error::Kms`], or another reason for the failure.
    fn encrypt(&self, keyset: &[u8], associated_data: &[u8]) -> Result<Vec<u8>, Error>;

    /// Decrypts a keyset.
    ///
    /// # Errors
    /// [`Error::Open`] if it does not open; [`Error::Kms`] if that cannot be said.
    fn decrypt(
        &self,
        encrypted: &[u8],
        associated_data: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error>;
}

/// One that a keyset's keys share: see [`Keyset::aead_with_kms`](crate::Keyset::aead_with_kms).
pub type SharedKeyEncryptionKey = Arc<dyn KeyEncryptionKey + Send + Sync>;

impl<A: sivka::Aead + ?Sized> KeyEncryptionKey for A {
    fn encrypt(&self, keyset: &[u8], associated_data: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.seal(keyset, associated_data)?)
    }

    fn decrypt(
        &self,
        encrypted: &[u8],
        associated_data: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        Ok(Zeroizing::new(self.open(encrypted, associated_data)?))
    }
}

/// A keyset that only the holder of a key-encryption key reads.
///
/// The associated data are not in it: who decrypts must know them. Tink's older calls and
/// tinkey have none, which is empty.
///
/// ```
/// use sivka_keyset::{EncryptedKeyset, Keyset, ReadOptions, Template};
///
/// let master = sivka::Aes256GcmSiv::new(&[7; 32]); // 32 random bytes in earnest
/// let keyset = Keyset::generate(Template::AES256_SIV)?;
/// let text = keyset.encrypt(&master, b"prod/eu")?.to_json()?;
///
/// let encrypted = EncryptedKeyset::from_json(text.as_bytes(), ReadOptions::default())?;
/// assert_eq!(encrypted.decrypt(&master, b"prod/eu")?, keyset);
/// assert!(encrypted.decrypt(&master, b"prod/us").is_err());
/// # Ok::<(), sivka_keyset::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct EncryptedKeyset {
    encrypted: Vec<u8>,
    info: Option<KeysetInfo>,
    options: ReadOptions,
}

impl Keyset {
    /// Encrypts the keyset.
    ///
    /// # Errors
    /// As [`to_insecure_binary`](Self::to_insecure_binary), and what `key` says.
    pub fn encrypt<K: KeyEncryptionKey + ?Sized>(
        &self,
        key: &K,
        associated_data: &[u8],
    ) -> Result<EncryptedKeyset, Error> {
        Ok(self.encrypted_as(key.encrypt(&self.to_insecure_binary()?, associated_data)?))
    }

    /// The encrypted keyset whose encrypted part somebody else made of
    /// [`to_insecure_binary`](Self::to_insecure_binary).
    #[must_use]
    pub fn encrypted_as(&self, ciphertext: Vec<u8>) -> EncryptedKeyset {
        EncryptedKeyset::new((ciphertext, Some(self.info())), ReadOptions::default())
    }
}

impl EncryptedKeyset {
    fn new((encrypted, info): (Vec<u8>, Option<KeysetInfo>), options: ReadOptions) -> Self {
        Self { encrypted, info, options }
    }

    /// Reads the binary form.
    ///
    /// # Errors
    /// [`Error::Format`] with byte and path, [`Error::LooksCleartext`].
    pub fn from_binary(bytes: &[u8], options: ReadOptions) -> Result<Self, Error> {
        Ok(Self::new(binary::read_encrypted(bytes)?, options))
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`Error::Format`] with byte and path, [`Error::LooksCleartext`].
    pub fn from_json(text: &[u8], options: ReadOptions) -> Result<Self, Error> {
        Ok(Self::new(json_form::read_encrypted(text)?, options))
    }

    /// Writes the binary form, which says nothing of the keys, as Java, Go and Python have it.
    ///
    /// # Errors
    /// [`Misuse::TooLarge`], [`Misuse::NoCiphertext`].
    pub fn to_binary(&self) -> Result<Vec<u8>, Error> {
        let bytes = binary::write_encrypted(self.checked()?);
        check_written(bytes.len()).map(|()| bytes)
    }

    /// Writes the JSON form, which says ids, types and statuses of the keys in the clear, as
    /// Java, Go and Python have it.
    ///
    /// # Errors
    /// [`Misuse::TooLarge`], [`Misuse::NoCiphertext`].
    pub fn to_json(&self) -> Result<String, Error> {
        let text = json_form::write_encrypted(self.checked()?, self.info.as_ref());
        check_written(text.len()).map(|()| text)
    }

    /// The ciphertext, which no reader takes if it is empty.
    fn checked(&self) -> Result<&[u8], Error> {
        let some = (!self.encrypted.is_empty()).then_some(&self.encrypted[..]);
        some.ok_or(Misuse::NoCiphertext.into())
    }

    /// Decrypts the keyset, with the options that it was read with.
    ///
    /// # Errors
    /// [`Error::Open`] for a wrong key, wrong associated data, or damage; [`Error::Format`] if
    /// it opens to something that is no keyset; and as
    /// [`Keyset::from_insecure_binary`].
    pub fn decrypt<K: KeyEncryptionKey + ?Sized>(
        &self,
        key: &K,
        associated_data: &[u8],
    ) -> Result<Keyset, Error> {
        let bytes = key.decrypt(&self.encrypted, associated_data)?;
        Keyset::from_insecure_binary(&bytes, self.options).map_err(|error| match error {
            Error::Format { .. } | Error::LooksEncrypted => {
                Error::format("what it decrypts to is no keyset", 0, "encryptedKeyset")
            }
            other => other,
        })
    }

    /// The input of [`decrypt`](Self::decrypt), for a service to decrypt.
    #[must_use]
    pub fn ciphertext(&self) -> &[u8] {
        &self.encrypted
    }

    /// The info beside the encrypted keyset, if there is any. It is not authenticated: at most show
    /// it, and see [`info_agrees_with`](Self::info_agrees_with).
    #[must_use]
    pub fn unauthenticated_info(&self) -> Option<&KeysetInfo> {
        self.info.as_ref()
    }

    /// Whether the info beside the encrypted keyset is true of the decrypted one, or absent. If it
    /// is false, somebody edited the keyset, or the info of another one.
    #[must_use]
    pub fn info_agrees_with(&self, keyset: &Keyset) -> bool {
        self.info.as_ref().is_none_or(|info| *info == keyset.info())
    }
}

impl fmt::Debug for EncryptedKeyset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncryptedKeyset")
            .field("len", &self.encrypted.len())
            .field("unauthenticated_info", &self.info)
            .finish_non_exhaustive()
    }
}
