//! Sealing and opening with one key, without prefixes.

mod aes_ctr;
mod ctr_hmac;
pub(crate) mod detached;
mod eax;
pub(crate) mod kms;
pub(crate) mod other;

use crate::error::Error;
use crate::key_type::KeyType;
use crate::material::KeyMaterial;
use subtle::ConstantTimeEq;

/// The AEAD of one key. It draws its nonces, and its messages contain them.
pub(crate) trait KeyAead: Send + Sync {
    /// Seals `plaintext` and appends the message to `prefix`.
    fn seal(&self, prefix: &[u8], plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error>;

    /// Opens a message without its prefix.
    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error>;
}

/// An AEAD whose messages are all so many bytes longer than their plaintexts.
pub(crate) trait FixedOverhead: KeyAead {
    /// How many bytes longer than its plaintext a sealed message is.
    fn overhead(&self) -> usize;

    /// Seals `plaintext` into `sealed`, which is as long as it must be.
    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error>;

    /// Opens `sealed` into `plaintext`, which is as long as it must be, and all zeros on
    /// [`Error::Open`].
    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error>;
}

impl<C: FixedOverhead + ?Sized> KeyAead for C {
    fn seal(&self, prefix: &[u8], plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let mut sealed = vec![0; prefix.len() + plaintext.len() + self.overhead()];
        let (start, rest) = sealed.split_at_mut(prefix.len());
        start.copy_from_slice(prefix);
        self.seal_into(plaintext, aad, rest)?;
        Ok(sealed)
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let len = sealed.len().checked_sub(self.overhead());
        let mut plaintext = vec![0; len.ok_or(Error::Open)?];
        self.open_into(sealed, aad, &mut plaintext)?;
        Ok(plaintext)
    }
}

/// Makes a key ready for use.
pub(crate) fn cipher(material: &KeyMaterial) -> Result<Box<dyn FixedOverhead>, Error> {
    let name = match (material.key_type, material.key.len()) {
        (KeyType::AesGcmSiv, 16) => "AES-128-GCM-SIV",
        (KeyType::AesGcmSiv, _) => "AES-256-GCM-SIV",
        (KeyType::AesSiv, _) => "AES-SIV-512",
        _ => return Ok(Box::new(other::cipher(material)?)),
    };
    let algorithm = sivka::Algorithm::find(name);
    let key = algorithm.map(|algorithm| algorithm.new_key(&material.key));
    Ok(Box::new(key.ok_or(Error::Open)??))
}

/// The error for a key of `given` bytes. No caller sees it: readers check the lengths of keys.
fn key_len(given: usize) -> Error {
    let expected = 32;
    Error::Aead(sivka::Error::KeyLen { expected, given })
}

/// Nonce ‖ ciphertext ‖ tag, or where the tag is first, nonce ‖ tag ‖ ciphertext.
impl FixedOverhead for Box<dyn sivka::Aead> {
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

/// Whether two tags are equal, in time that does not depend on where they differ.
fn equal(made: &[u8], given: &[u8]) -> bool {
    public(made.ct_eq(given).unwrap_u8() == 1)
}

/// The result of a comparison, which is public.
fn public(verdict: bool) -> bool {
    #[cfg(feature = "__ctgrind")]
    let verdict = {
        sivka::mark_public(&verdict);
        // The mark is on the memory: a copy in a register would still be secret.
        *std::hint::black_box(&verdict)
    };
    verdict
}
