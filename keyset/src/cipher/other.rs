//! AEADs of RustCrypto's crates, which other people's keysets have. Each draws its nonces from
//! the operating system.

use super::ctr_hmac::CtrHmacCipher;
use super::detached::Detached;
use super::eax::Eax;
use super::verdict::public;
use super::{FixedOverhead, key_len};
use crate::error::Error;
use crate::key_type::KeyType;
use crate::material::{KeyMaterial, Parameters};
use aes::{Aes128, Aes256};
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use cmac::{Cmac, Mac};
use sivka::Tier;
use zeroize::Zeroizing;

/// Makes a key ready for use. Its length was checked when it was read.
pub(super) fn cipher(material: &KeyMaterial) -> Result<Box<dyn FixedOverhead>, Error> {
    let key = material.key.as_slice();
    sivka::__making_key(|| match (material.key_type, material.parameters) {
        (KeyType::AesGcm, _) if key.len() == 16 => kept(Random::<Aes128Gcm, 12>::new(key)),
        (KeyType::AesGcm, _) => kept(Random::<Aes256Gcm, 12>::new(key)),
        (KeyType::ChaCha20Poly1305, _) => kept(Random::<ChaCha20Poly1305, 12>::new(key)),
        (KeyType::XChaCha20Poly1305, _) => kept(Random::<XChaCha20Poly1305, 24>::new(key)),
        (_, Parameters::Salt(len)) => kept(Xaes::new(key, len as usize)),
        (_, Parameters::Iv(len)) if key.len() == 16 => kept(Eax::<Cmac<Aes128>>::new(key, len)),
        (_, Parameters::Iv(len)) => kept(Eax::<Cmac<Aes256>>::new(key, len)),
        (_, Parameters::CtrHmac(parameters)) => kept(CtrHmacCipher::new(key, parameters)),
        (_, Parameters::None | Parameters::Streaming(_)) => Err(key_len(key.len())),
    })
}

/// A key of others' code, of which no more stays in memory than of ours.
struct Kept<C>(sivka::__Erased<C>);

fn kept<C: Detached + 'static>(cipher: Result<C, Error>) -> Result<Box<dyn FixedOverhead>, Error> {
    Ok(Box::new(Kept(sivka::__Erased::new(cipher?))))
}

/// Nonce ‖ ciphertext ‖ tag.
impl<C: Detached> FixedOverhead for Kept<C> {
    fn overhead(&self) -> usize {
        self.0.nonce_len() + self.0.tag_len()
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at_mut(self.0.nonce_len());
        let (in_out, tag) = rest.split_at_mut(plaintext.len());
        getrandom::fill(nonce).map_err(|_| Error::Random)?;
        in_out.copy_from_slice(plaintext);
        let len = aad.len() + plaintext.len();
        Tier::detect().__run(len, || self.0.seal(nonce, aad, in_out, tag))
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at(self.0.nonce_len());
        let (ciphertext, tag) = rest.split_at(plaintext.len());
        plaintext.copy_from_slice(ciphertext);
        let len = aad.len() + plaintext.len();
        let opened = Tier::detect().__run(len, || self.0.open(nonce, aad, plaintext, tag));
        if opened.is_err() {
            plaintext.fill(0);
        }
        opened
    }
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

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let too_long = too_long(in_out);
        let nonce = nonce.try_into().map_err(|_| Error::Open)?;
        let made = self.0.encrypt_inout_detached(nonce, aad, in_out.into());
        tag.copy_from_slice(&made.map_err(|_| too_long)?);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let nonce = nonce.try_into().map_err(|_| Error::Open)?;
        let tag = tag.try_into().map_err(|_| Error::Open)?;
        let opened = self
            .0
            .decrypt_inout_detached(nonce, aad, in_out.into(), tag);
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

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let (salt, nonce) = nonce.split_at(self.salt_len);
        self.derived(salt)?.seal(nonce, aad, in_out, tag)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], in_out: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let (salt, nonce) = nonce.split_at(self.salt_len);
        self.derived(salt)?.open(nonce, aad, in_out, tag)
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
