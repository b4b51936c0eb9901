//! AES-CTR, then HMAC, with an IV and a tag whose lengths are parameters: a message, or a
//! segment of a stream.

use super::aes_ctr::AesCtr;
use super::detached::Detached;
use super::hmac::HmacKey;
use crate::error::Error;
use crate::material::Parameters;

pub(super) struct CtrHmac {
    ctr: AesCtr,
    hmac: HmacKey,
    iv_len: usize,
    /// The associated data of a stream is in its keys.
    is_segment: bool,
}

impl CtrHmac {
    pub(super) fn of_messages(key: &[u8], parameters: Parameters) -> Result<Self, Error> {
        let iv_len = parameters.iv_len as usize;
        Self::new(key, parameters, iv_len, false)
    }

    pub(super) fn of_segments(key: &[u8], parameters: Parameters) -> Result<Self, Error> {
        Self::new(key, parameters, 12, true)
    }

    fn new(key: &[u8], of: Parameters, iv_len: usize, is_segment: bool) -> Result<Self, Error> {
        let (aes_key, hmac_key) = key.split_at(of.aes_key_len as usize);
        Ok(Self {
            ctr: AesCtr::new(aes_key)?,
            hmac: HmacKey::new(hmac_key, of.hash, of.tag_len)?,
            iv_len,
            is_segment,
        })
    }

    /// What HMAC hashes.
    fn hashed<'a>(
        &self,
        start: &'a [u8; 16],
        aad: &'a [u8],
        text: &'a [u8],
        bits: &'a [u8; 8],
    ) -> [&'a [u8]; 4] {
        match self.is_segment {
            true => [start, text, &[], &[]],
            false => [aad, &start[..self.iv_len], text, bits],
        }
    }
}

/// What CTR begins with: the IV, filled up with zeros.
fn start(iv: &[u8]) -> [u8; 16] {
    let mut start = [0; 16];
    start[..iv.len()].copy_from_slice(iv);
    start
}

/// What comes after the ciphertext as it is hashed.
fn bits(aad: &[u8]) -> [u8; 8] {
    (8 * aad.len() as u64).to_be_bytes()
}

impl Detached for CtrHmac {
    fn nonce_len(&self) -> usize {
        self.iv_len
    }

    fn tag_len(&self) -> usize {
        self.hmac.tag_len
    }

    fn seal(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        let (start, bits) = (start(iv), bits(aad));
        self.ctr.apply(&start, in_out);
        self.hmac.tag(&self.hashed(&start, aad, in_out, &bits), tag);
        Ok(())
    }

    fn open(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let (start, bits) = (start(iv), bits(aad));
        if !self
            .hmac
            .verify(&self.hashed(&start, aad, in_out, &bits), tag)
        {
            return Err(Error::Open);
        }
        self.ctr.apply(&start, in_out);
        Ok(())
    }
}
