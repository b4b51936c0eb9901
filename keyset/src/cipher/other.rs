//! AEADs of RustCrypto's crates, which other people's keysets have.

use super::ctr_hmac::CtrHmac;
use super::detached::{Detached, kept};
use super::eax::Eax;
use super::{key_len, public};
use crate::error::Error;
use crate::key_type::KeyType;
use crate::material::{KeyMaterial, hash};
use aes::{Aes128, Aes256};
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use cmac::{Cmac, Mac};
use hkdf::Hkdf;
use zeroize::Zeroizing;

/// Makes a key ready for use. Its length was checked when it was read.
pub(super) fn cipher(material: &KeyMaterial) -> Result<Box<dyn Detached>, Error> {
    let (key, parameters) = (material.key.as_slice(), material.parameters);
    let iv_len = parameters.iv_len as usize;
    sivka::__making_key(|| match (material.key_type, key.len()) {
        (KeyType::AesGcm, 16) => kept(Random::<Aes128Gcm, 12>::new(key)),
        (KeyType::AesGcm, _) => kept(Random::<Aes256Gcm, 12>::new(key)),
        (KeyType::ChaCha20Poly1305, _) => kept(Random::<ChaCha20Poly1305, 12>::new(key)),
        (KeyType::XChaCha20Poly1305, _) => kept(Random::<XChaCha20Poly1305, 24>::new(key)),
        (KeyType::XAesGcm, _) => kept(Xaes::new(key, iv_len)),
        (KeyType::AesEax, 16) => kept(Eax::<Cmac<Aes128>>::new(key, iv_len)),
        (KeyType::AesEax, _) => kept(Eax::<Cmac<Aes256>>::new(key, iv_len)),
        (KeyType::AesCtrHmac, _) => kept(CtrHmac::of_messages(key, parameters)),
        _ => Err(key_len(key.len())),
    })
}

/// The keys of a stream's segments, which HKDF makes.
pub(crate) fn segments(
    material: &KeyMaterial,
    salt: &[u8],
    aad: &[u8],
) -> Result<Box<dyn Detached>, Error> {
    /// The bytes of the HMAC key of AES-CTR-HMAC's streams.
    const HMAC_KEY_LEN: usize = 32;
    let (key, parameters) = (&material.key, material.parameters);
    let has_hmac = material.key_type == KeyType::AesCtrHmacStreaming;
    let aes_key_len = parameters.aes_key_len as usize;
    sivka::__making_key(|| {
        let len = aes_key_len + if has_hmac { HMAC_KEY_LEN } else { 0 };
        let mut derived = Zeroizing::new(vec![0; len]);
        let expanded = match parameters.hkdf {
            hash::SHA1 => Hkdf::<sha1::Sha1>::new(Some(salt), key).expand(aad, &mut derived),
            hash::SHA512 => Hkdf::<sha2::Sha512>::new(Some(salt), key).expand(aad, &mut derived),
            _ => Hkdf::<sha2::Sha256>::new(Some(salt), key).expand(aad, &mut derived),
        };
        expanded.map_err(|_| key_len(len))?;
        match aes_key_len {
            _ if has_hmac => kept(CtrHmac::of_segments(&derived, parameters)),
            16 => kept(Random::<Aes128Gcm, 12>::new(&derived)),
            _ => kept(Random::<Aes256Gcm, 12>::new(&derived)),
        }
    })
}

/// An AEAD of a crate.
struct Random<A, const NONCE_LEN: usize>(A);

impl<A: AeadInOut + KeyInit, const NONCE_LEN: usize> Random<A, NONCE_LEN> {
    fn new(key: &[u8]) -> Result<Self, Error> {
        let aead = A::new_from_slice(key);
        aead.map(Self).map_err(|_| key_len(key.len()))
    }
}

impl<A: AeadInOut + Send + Sync, const NONCE_LEN: usize> Detached for Random<A, NONCE_LEN> {
    fn nonce_len(&self) -> usize {
        NONCE_LEN
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        let too_long = too_long(text);
        let nonce = nonce.try_into().map_err(|_| Error::Open)?;
        let made = self.0.encrypt_inout_detached(nonce, aad, text.into());
        tag.copy_from_slice(&made.map_err(|_| too_long)?);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let nonce = nonce.try_into().map_err(|_| Error::Open)?;
        let tag = tag.try_into().map_err(|_| Error::Open)?;
        let opened = self.0.decrypt_inout_detached(nonce, aad, text.into(), tag);
        public(opened.is_ok()).then_some(()).ok_or(Error::Open)
    }
}

/// XAES-256-GCM (C2SP), with a salt of 8 to 12 bytes: salt ‖ nonce ‖ ciphertext ‖ tag.
struct Xaes {
    mac: Cmac<Aes256>,
    salt_len: usize,
}

impl Xaes {
    fn new(key: &[u8], salt_len: usize) -> Result<Self, Error> {
        let mac = <Cmac<Aes256> as cmac::KeyInit>::new_from_slice(key);
        let mac = mac.map_err(|_| key_len(key.len()))?;
        Ok(Self { mac, salt_len })
    }

    /// The key of one message: CMAC of a counter, `X`, and the salt filled up with zeros; the
    /// counter-mode KDF of SP 800-108.
    fn derived(&self, salt: &[u8]) -> Result<Random<Aes256Gcm, 12>, Error> {
        let mut key = Zeroizing::new([0; 32]);
        for (counter, half) in (1..).zip(key.chunks_exact_mut(16)) {
            let mut block = [0; 16];
            block[..4].copy_from_slice(&[0, counter, b'X', 0]);
            block[4..4 + salt.len()].copy_from_slice(salt);
            let mac = self.mac.clone().chain_update(block).finalize();
            half.copy_from_slice(&Zeroizing::new(<[u8; 16]>::from(mac.into_bytes()))[..]);
        }
        Random::new(&*key)
    }
}

impl Detached for Xaes {
    fn nonce_len(&self) -> usize {
        self.salt_len + 12
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        let (salt, nonce) = nonce.split_at(self.salt_len);
        self.derived(salt)?.seal(nonce, aad, text, tag)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let (salt, nonce) = nonce.split_at(self.salt_len);
        self.derived(salt)?.open(nonce, aad, text, tag)
    }
}

/// The only reason for which these AEADs do not seal.
fn too_long(plaintext: &[u8]) -> Error {
    sivka::Error::TooLong {
        what: "plaintext",
        limit: (1 << 36) - 32,
        given: plaintext.len() as u64,
    }
    .into()
}
