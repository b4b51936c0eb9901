//! What encrypts keys.

use crate::error::Error;
use std::sync::Arc;
use zeroize::Zeroizing;

/// What encrypts keysets, and the keys of envelopes: an AEAD of `sivka`, that of another keyset,
/// or a key-management service that somebody writes this for.
pub trait KeyEncryptionKey {
    /// Encrypts the keyset. What comes out is read by [`decrypt`](Self::decrypt) only.
    ///
    /// # Errors
    /// [`Error::Kms`], or whatever else keeps it from doing so.
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
