//! AES-CTR, then HMAC: IV ‖ ciphertext ‖ tag, whose length is a parameter.

use super::aes_ctr::AesCtr;
use super::detached::Detached;
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

impl Detached for CtrHmacCipher {
    fn nonce_len(&self) -> usize {
        self.iv_len
    }

    fn tag_len(&self) -> usize {
        self.hmac.tag_len
    }

    fn seal(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        self.ctr.apply(&Self::start(iv), in_out);
        self.hmac.tag(&[aad, iv, in_out, &bits(aad)], tag);
        Ok(())
    }

    fn open(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        if !self.hmac.verify(&[aad, iv, in_out, &bits(aad)], tag) {
            return Err(Error::Open);
        }
        self.ctr.apply(&Self::start(iv), in_out);
        Ok(())
    }
}
