//! The segments of a stream, under the keys that HKDF makes for it.

use super::aes_ctr::AesCtr;
use super::hmac::HmacKey;
use super::key_len;
use super::verdict::public;
use crate::error::Error;
use crate::material::{Hash, HmacTag, Streaming};
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use hkdf::Hkdf;
use sivka::Tier;
use zeroize::Zeroizing;

/// A segment's number, and whether it is the last, after the stream's prefix of nonces.
pub(crate) type Nonce = [u8; 12];

/// The keys of one stream, of which no more stays in memory than of ours.
pub(crate) struct Segments(Box<sivka::__Erased<Ready>>);

enum Ready {
    Gcm128(Aes128Gcm),
    Gcm256(Aes256Gcm),
    CtrHmac(AesCtr, HmacKey),
}

/// The bytes of the HMAC key of AES-CTR-HMAC's streams.
const HMAC_KEY_LEN: usize = 32;

impl Segments {
    pub(crate) fn new(
        key: &[u8],
        parameters: Streaming,
        salt: &[u8],
        aad: &[u8],
    ) -> Result<Self, Error> {
        sivka::__making_key(|| {
            let ready = Ready::new(key, parameters, salt, aad)?;
            Ok(Self(Box::new(sivka::__Erased::new(ready))))
        })
    }

    /// Encrypts a segment; `tag` is as long as it must be.
    pub(crate) fn seal(&self, nonce: &Nonce, in_out: &mut [u8], tag: &mut [u8]) {
        let len = in_out.len();
        Tier::detect().__run(len, || self.0.seal(nonce, in_out, tag));
    }

    /// Verifies and decrypts a segment, of which nothing is left on [`Error::Open`].
    pub(crate) fn open(&self, nonce: &Nonce, in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let len = in_out.len();
        Tier::detect().__run(len, || self.0.open(nonce, in_out, tag))
    }
}

impl Ready {
    fn new(key: &[u8], parameters: Streaming, salt: &[u8], aad: &[u8]) -> Result<Self, Error> {
        let aes_key_len = parameters.derived_len as usize;
        let hmac_key_len = parameters.hmac.map_or(0, |_: HmacTag| HMAC_KEY_LEN);
        let mut derived = Zeroizing::new(vec![0; aes_key_len + hmac_key_len]);
        let expanded = match parameters.hkdf {
            Hash::Sha1 => Hkdf::<sha1::Sha1>::new(Some(salt), key).expand(aad, &mut derived),
            Hash::Sha512 => Hkdf::<sha2::Sha512>::new(Some(salt), key).expand(aad, &mut derived),
            _ => Hkdf::<sha2::Sha256>::new(Some(salt), key).expand(aad, &mut derived),
        };
        let failed = || key_len(aes_key_len);
        expanded.map_err(|_| failed())?;
        let (aes_key, hmac_key) = derived.split_at(aes_key_len);
        Ok(match (parameters.hmac, aes_key_len) {
            (Some(tag), _) => Self::CtrHmac(AesCtr::new(aes_key)?, HmacKey::new(hmac_key, tag)?),
            (None, 16) => {
                let aead = Aes128Gcm::new_from_slice(aes_key);
                Self::Gcm128(aead.map_err(|_| failed())?)
            }
            (None, _) => {
                let aead = Aes256Gcm::new_from_slice(aes_key);
                Self::Gcm256(aead.map_err(|_| failed())?)
            }
        })
    }

    fn seal(&self, nonce: &Nonce, in_out: &mut [u8], tag: &mut [u8]) {
        let sealed = match self {
            Self::Gcm128(aead) => aead.encrypt_inout_detached(nonce.into(), b"", in_out.into()),
            Self::Gcm256(aead) => aead.encrypt_inout_detached(nonce.into(), b"", in_out.into()),
            Self::CtrHmac(ctr, hmac) => {
                let start = start(nonce);
                ctr.apply(&start, in_out);
                return hmac.tag(&[&start, in_out], tag);
            }
        };
        tag.copy_from_slice(&sealed.expect("a segment is below 2^31 bytes"));
    }

    fn open(&self, nonce: &Nonce, in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let nonce_of_gcm = nonce.into();
        let opened = match self {
            Self::Gcm128(aead) => tag.try_into().is_ok_and(|tag| {
                let in_out = (&mut *in_out).into();
                let opened = aead.decrypt_inout_detached(nonce_of_gcm, b"", in_out, tag);
                opened.is_ok()
            }),
            Self::Gcm256(aead) => tag.try_into().is_ok_and(|tag| {
                let in_out = (&mut *in_out).into();
                let opened = aead.decrypt_inout_detached(nonce_of_gcm, b"", in_out, tag);
                opened.is_ok()
            }),
            Self::CtrHmac(ctr, hmac) => {
                let start = start(nonce);
                let verified = hmac.verify(&[&start, in_out], tag);
                if verified {
                    ctr.apply(&start, in_out);
                }
                verified
            }
        };
        public(opened).then_some(()).ok_or(Error::Open)
    }
}

/// What CTR begins with, and what HMAC hashes before the ciphertext.
fn start(nonce: &Nonce) -> [u8; 16] {
    let mut start = [0; 16];
    start[..nonce.len()].copy_from_slice(nonce);
    start
}
