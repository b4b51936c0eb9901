//! What one key does: messages without their prefix.

#[cfg(feature = "other-aeads")]
pub(crate) mod other;

use crate::error::Error;
use crate::key_type::{KeyMaterial, KeyType};

/// The AEAD of one key, which draws its nonces and puts them into what it seals.
pub(crate) trait Cipher: Send + Sync {
    /// How many bytes longer than its plaintext a sealed message is.
    fn overhead(&self) -> usize;

    /// Seals `plaintext` into `sealed`, which is as long as it must be.
    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error>;

    /// Opens `sealed` into `plaintext`, which is as long as it must be, and all zeros on
    /// [`Error::Open`].
    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error>;
}

/// Makes a key ready for use.
pub(crate) fn cipher(material: &KeyMaterial) -> Result<Box<dyn Cipher>, Error> {
    let name = match (material.key_type, material.key.len()) {
        (KeyType::AesGcmSiv, 16) => "AES-128-GCM-SIV",
        (KeyType::AesGcmSiv, _) => "AES-256-GCM-SIV",
        (KeyType::AesSiv, _) => "AES-SIV-512",
        #[cfg(feature = "other-aeads")]
        _ => return other::cipher(material),
    };
    let algorithm = sivka::Algorithm::find(name);
    let key = algorithm.map(|algorithm| algorithm.new_key(&material.key));
    Ok(Box::new(key.ok_or(Error::Open)??))
}

/// Nonce ‖ ciphertext ‖ tag, or where the tag stands first, nonce ‖ tag ‖ ciphertext.
impl Cipher for Box<dyn sivka::Aead> {
    fn overhead(&self) -> usize {
        self.algorithm().nonce_len() + self.algorithm().tag_len()
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at_mut(self.algorithm().nonce_len());
        let (tag, ciphertext) = match self.algorithm().tag_first() {
            true => rest.split_at_mut(self.algorithm().tag_len()),
            false => {
                let (ciphertext, tag) = rest.split_at_mut(plaintext.len());
                (tag, ciphertext)
            }
        };
        let message_len = (plaintext.len() as u64).saturating_add(aad.len() as u64);
        self.draw_nonces(nonce, message_len)?;
        let aead: &dyn sivka::Aead = &**self;
        Ok(aead.seal_into(nonce, plaintext, aad, ciphertext, tag)?)
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at(self.algorithm().nonce_len());
        let (tag, ciphertext) = match self.algorithm().tag_first() {
            true => rest.split_at(self.algorithm().tag_len()),
            false => {
                let (ciphertext, tag) = rest.split_at(plaintext.len());
                (tag, ciphertext)
            }
        };
        let aead: &dyn sivka::Aead = &**self;
        Ok(aead.open_into(nonce, ciphertext, aad, tag, plaintext)?)
    }
}
