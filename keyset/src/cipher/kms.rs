//! Messages under keys that are with a key-management service.

use super::{KeyAead, cipher};
use crate::encrypted::SharedKeyEncryptionKey;
use crate::error::{Error, Misuse};
use crate::kms::KmsKey;
use crate::material::KeyMaterial;
use crate::template::Template;

/// Makes a key ready for use, which `key` reaches.
pub(crate) fn remote(there: &KmsKey, key: SharedKeyEncryptionKey) -> Box<dyn KeyAead> {
    match &there.envelope {
        Some(envelope) => Box::new(EnvelopeCipher { key, dek: envelope.dek }),
        None => Box::new(Remote(key)),
    }
}

/// The service encrypts the messages.
struct Remote(SharedKeyEncryptionKey);

impl KeyAead for Remote {
    fn seal(&self, prefix: &[u8], plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        Ok([prefix, &self.0.encrypt(plaintext, aad)?].concat())
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(std::mem::take(&mut *self.0.decrypt(sealed, aad)?))
    }
}

/// The service encrypts a data-encryption key for each message. The message is the length of the
/// encrypted key, four bytes, the highest first ‖ the encrypted key ‖ the message that the key
/// seals, without a prefix.
struct EnvelopeCipher {
    key: SharedKeyEncryptionKey,
    dek: Template,
}

/// The most bytes of an encrypted key.
const MAX_ENCRYPTED_LEN: usize = 4096;

impl KeyAead for EnvelopeCipher {
    fn seal(&self, prefix: &[u8], plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let dek = self.dek.draw()?;
        let encrypted = self.key.encrypt(&dek.to_value(), b"")?;
        let given = encrypted.len();
        if !(1..=MAX_ENCRYPTED_LEN).contains(&given) {
            return Err(Misuse::EncryptedKeyLen(given).into());
        }
        let start = [prefix, &(given as u32).to_be_bytes(), &encrypted].concat();
        cipher(&dek)?.seal(&start, plaintext, aad)
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let (len, rest) = sealed.split_first_chunk().ok_or(Error::Open)?;
        let len = u32::from_be_bytes(*len) as usize;
        if !(1..=MAX_ENCRYPTED_LEN).contains(&len) {
            return Err(Error::Open);
        }
        let (encrypted, payload) = rest.split_at_checked(len).ok_or(Error::Open)?;
        let value = self.key.decrypt(encrypted, b"")?;
        // Its type is the template's: a message does not choose it.
        let dek = KeyMaterial::parse(self.dek.key_type(), &value).map_err(|_| Error::Open)?;
        cipher(&dek)?.open(payload, aad)
    }
}
