//! AEADs of RustCrypto's crates, which other people's keysets have. Each draws its nonces from
//! the operating system.

use super::ctr_hmac::CtrHmacCipher;
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

/// All of them have tags of this length.
const TAG_LEN: usize = 16;

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

fn kept<C: FixedOverhead + 'static>(
    cipher: Result<C, Error>,
) -> Result<Box<dyn FixedOverhead>, Error> {
    Ok(Box::new(Kept(sivka::__Erased::new(cipher?))))
}

impl<C: FixedOverhead> FixedOverhead for Kept<C> {
    fn overhead(&self) -> usize {
        self.0.overhead()
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let len = aad.len() + plaintext.len();
        Tier::detect().__run(len, || self.0.seal_into(plaintext, aad, sealed))
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let len = aad.len() + plaintext.len();
        Tier::detect().__run(len, || self.0.open_into(sealed, aad, plaintext))
    }
}

/// An AEAD with random nonces: nonce ‖ ciphertext ‖ tag.
struct Random<A, const NONCE_LEN: usize>(A);

impl<A, const NONCE_LEN: usize> Random<A, NONCE_LEN>
where
    A: AeadInOut + KeyInit,
{
    fn new(key: &[u8]) -> Result<Self, Error> {
        let aead = A::new_from_slice(key);
        aead.map(Self).map_err(|_| key_len(key.len()))
    }
}

impl<A: AeadInOut + Send + Sync, const NONCE_LEN: usize> FixedOverhead for Random<A, NONCE_LEN> {
    fn overhead(&self) -> usize {
        NONCE_LEN + TAG_LEN
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at_mut(NONCE_LEN);
        getrandom::fill(nonce).map_err(|_| Error::Random)?;
        seal(&self.0, nonce, plaintext, aad, rest)
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let (nonce, rest) = sealed.split_at(NONCE_LEN);
        open(&self.0, nonce, rest, aad, plaintext)
    }
}

/// XAES-256-GCM (C2SP), with a salt of 8 to 12 bytes: salt ‖ nonce ‖ ciphertext ‖ tag.
struct Xaes {
    mac: Cmac<Aes256>,
    salt_len: usize,
}

impl Xaes {
    const NONCE_LEN: usize = 12;

    fn new(key: &[u8], salt_len: usize) -> Result<Self, Error> {
        let mac = <Cmac<Aes256> as cmac::KeyInit>::new_from_slice(key);
        let mac = mac.map_err(|_| key_len(key.len()))?;
        Ok(Self { mac, salt_len })
    }

    /// The key of one message: CMAC of a counter, `X`, and the salt filled up with zeros; the
    /// counter-mode KDF of SP 800-108.
    fn derived(&self, salt: &[u8]) -> Result<Aes256Gcm, Error> {
        let mut key = Zeroizing::new([0; 32]);
        for (counter, half) in (1..).zip(key.chunks_exact_mut(16)) {
            let mut block = [0; 16];
            block[..4].copy_from_slice(&[0, counter, b'X', 0]);
            block[4..4 + salt.len()].copy_from_slice(salt);
            let mac = self.mac.clone().chain_update(block).finalize();
            half.copy_from_slice(&Zeroizing::new(<[u8; 16]>::from(mac.into_bytes()))[..]);
        }
        Aes256Gcm::new_from_slice(&*key).map_err(|_| key_len(key.len()))
    }
}

impl FixedOverhead for Xaes {
    fn overhead(&self) -> usize {
        self.salt_len + Self::NONCE_LEN + TAG_LEN
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (drawn, rest) = sealed.split_at_mut(self.salt_len + Self::NONCE_LEN);
        getrandom::fill(drawn).map_err(|_| Error::Random)?;
        let (salt, nonce) = drawn.split_at(self.salt_len);
        seal(&self.derived(salt)?, nonce, plaintext, aad, rest)
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        let (salt, rest) = sealed.split_at(self.salt_len);
        let (nonce, rest) = rest.split_at(Self::NONCE_LEN);
        open(&self.derived(salt)?, nonce, rest, aad, plaintext)
    }
}

/// Seals to ciphertext ‖ tag.
fn seal(
    aead: &impl AeadInOut,
    nonce: &[u8],
    plaintext: &[u8],
    aad: &[u8],
    sealed: &mut [u8],
) -> Result<(), Error> {
    let too_long = |_| too_long(plaintext);
    let (ciphertext, tag) = sealed.split_at_mut(plaintext.len());
    ciphertext.copy_from_slice(plaintext);
    let nonce = nonce.try_into().map_err(|_| Error::Open)?;
    let made = aead.encrypt_inout_detached(nonce, aad, ciphertext.into());
    tag.copy_from_slice(&made.map_err(too_long)?);
    Ok(())
}

/// Opens ciphertext ‖ tag.
fn open(
    aead: &impl AeadInOut,
    nonce: &[u8],
    sealed: &[u8],
    aad: &[u8],
    plaintext: &mut [u8],
) -> Result<(), Error> {
    let (ciphertext, tag) = sealed.split_at(plaintext.len());
    plaintext.copy_from_slice(ciphertext);
    let nonce = nonce.try_into().map_err(|_| Error::Open)?;
    let tag = tag.try_into().map_err(|_| Error::Open)?;
    let opened = aead.decrypt_inout_detached(nonce, aad, plaintext.into(), tag);
    if public(opened.is_ok()) {
        return Ok(());
    }
    plaintext.fill(0);
    Err(Error::Open)
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
