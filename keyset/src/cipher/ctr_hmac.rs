//! AES-CTR, then HMAC: IV ‖ ciphertext ‖ tag, whose length is a parameter.

use super::FixedOverhead;
use super::aes_ctr::AesCtr;
use super::hmac::HmacKey;
use crate::error::Error;
use crate::material::CtrHmac;

pub(super) struct CtrHmacCipher {
    ctr: AesCtr,
    hmac: HmacKey,
    iv_len: usize,
}

impl CtrHmacCipher {
    pub(super) fn new(key: &[u8], parameters: CtrHmac) -> Result<Self, Error> {
        let (aes_key, hmac_key) = key.split_at(parameters.aes_key_len);
        Ok(Self {
            ctr: AesCtr::new(aes_key)?,
            hmac: HmacKey::new(hmac_key, parameters.tag)?,
            iv_len: parameters.iv_len as usize,
        })
    }

    /// What CTR begins with: the IV, filled up with zeros.
    fn start(iv: &[u8]) -> [u8; 16] {
        let mut start = [0; 16];
        start[..iv.len()].copy_from_slice(iv);
        start
    }
}

/// What comes after the ciphertext as it is hashed.
fn bits(aad: &[u8]) -> [u8; 8] {
    (8 * aad.len() as u64).to_be_bytes()
}

impl FixedOverhead for CtrHmacCipher {
    fn overhead(&self) -> usize {
        self.iv_len + self.hmac.tag_len
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (hashed, tag) = sealed.split_at_mut(self.iv_len + plaintext.len());
        let (iv, ciphertext) = hashed.split_at_mut(self.iv_len);
        getrandom::fill(iv).map_err(|_| Error::Random)?;
        ciphertext.copy_from_slice(plaintext);
        self.ctr.apply(&Self::start(iv), ciphertext);
        self.hmac.tag(&[aad, hashed, &bits(aad)], tag);
        Ok(())
    }

    /// Decrypts only what was verified.
    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let (hashed, tag) = sealed.split_at(self.iv_len + plaintext.len());
        if !self.hmac.verify(&[aad, hashed, &bits(aad)], tag) {
            return Err(Error::Open);
        }
        let (iv, ciphertext) = hashed.split_at(self.iv_len);
        plaintext.copy_from_slice(ciphertext);
        self.ctr.apply(&Self::start(iv), plaintext);
        Ok(())
    }
}
