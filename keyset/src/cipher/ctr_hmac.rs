//! AES-CTR, then HMAC, with an IV and a tag whose lengths are parameters: a message, or a
//! segment of a stream.

use super::aes_ctr::AesCtr;
use super::detached::Detached;
use super::{equal, key_len};
use crate::error::Error;
use crate::material::{Parameters, hash};
use hmac::{Hmac, KeyInit, Mac};

pub(super) struct CtrHmac {
    ctr: AesCtr,
    hmac: HmacKey,
    /// Tags are cut to it.
    tag_len: usize,
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
            hmac: HmacKey::new(hmac_key, of.hash).ok_or_else(|| key_len(hmac_key.len()))?,
            tag_len: of.tag_len as usize,
            iv_len,
            is_segment,
        })
    }

    /// The input of HMAC.
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

/// The first counter of CTR: the IV, filled up with zeros.
fn start(iv: &[u8]) -> [u8; 16] {
    let mut start = [0; 16];
    start[..iv.len()].copy_from_slice(iv);
    start
}

/// The input of HMAC after the ciphertext.
fn bits(aad: &[u8]) -> [u8; 8] {
    (8 * aad.len() as u64).to_be_bytes()
}

impl Detached for CtrHmac {
    fn nonce_len(&self) -> usize {
        self.iv_len
    }

    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn seal(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        let (start, bits) = (start(iv), bits(aad));
        self.ctr.apply(&start, in_out);
        let hashed = self.hashed(&start, aad, in_out, &bits);
        self.hmac.tag(&hashed, |whole| tag.copy_from_slice(&whole[..self.tag_len]));
        Ok(())
    }

    fn open(&self, iv: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let (start, bits) = (start(iv), bits(aad));
        let hashed = self.hashed(&start, aad, in_out, &bits);
        let equals = |whole: &[u8]| equal(&whole[..self.tag_len], tag);
        if !self.hmac.tag(&hashed, equals) {
            return Err(Error::Open);
        }
        self.ctr.apply(&start, in_out);
        Ok(())
    }
}

macro_rules! hmac_key {
    ($($variant:ident = $hash:ty, $number:path;)*) => {
        /// A key of HMAC with the hash that it names.
        enum HmacKey {
            $($variant(Hmac<$hash>),)*
        }

        impl HmacKey {
            fn new(key: &[u8], hash: u32) -> Option<Self> {
                match hash {
                    $($number => Hmac::new_from_slice(key).ok().map(Self::$variant),)*
                    _ => None,
                }
            }

            /// Hands on the whole tag of all parts.
            fn tag<T>(&self, parts: &[&[u8]], then: impl FnOnce(&[u8]) -> T) -> T {
                match self {
                    $(Self::$variant(mac) => then(&all(mac.clone(), parts).finalize().into_bytes()),)*
                }
            }
        }
    };
}
hmac_key! {
    Sha1 = sha1::Sha1, hash::SHA1;
    Sha224 = sha2::Sha224, hash::SHA224;
    Sha256 = sha2::Sha256, hash::SHA256;
    Sha384 = sha2::Sha384, hash::SHA384;
    Sha512 = sha2::Sha512, hash::SHA512;
}

fn all<M: Mac>(mut mac: M, parts: &[&[u8]]) -> M {
    parts.iter().for_each(|part| mac.update(part));
    mac
}
