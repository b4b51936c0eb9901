//! HPKE (RFC 9180) as section 5.4 of the specification uses it, put together from its parts:
//! base mode, HKDF-SHA-512, and no AEAD.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Sha256, Sha512};
use x_wing::{Decapsulate, KeyExport};

/// A KEM, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kem {
    X25519 = 0x0020,
    MlKem768X25519 = 0x647a,
}

impl Kem {
    /// The public key of a secret one.
    pub(crate) fn public(self, secret: &[u8; 32]) -> Vec<u8> {
        match self {
            Self::X25519 => {
                x25519_dalek::x25519(*secret, x25519_dalek::X25519_BASEPOINT_BYTES).to_vec()
            }
            Self::MlKem768X25519 => {
                let secret = x_wing::DecapsulationKey::from(*secret);
                x_wing::Decapsulator::encapsulation_key(&secret)
                    .to_bytes()
                    .to_vec()
            }
        }
    }

    /// The encapsulated key and the shared secret.
    pub(crate) fn encapsulate(self, public: &[u8], random: &[u8; 64]) -> (Vec<u8>, Vec<u8>) {
        match self {
            Self::X25519 => {
                let suite = self.suite_id();
                let prk = labeled_extract(256, &suite, b"", b"dkp_prk", &random[..32]);
                let ephemeral = labeled_expand(256, &suite, &prk, b"sk", b"", 32);
                let ephemeral: [u8; 32] = ephemeral.try_into().expect("32 bytes");
                let encapsulated = self.public(&ephemeral);
                let shared = x25519_dalek::x25519(ephemeral, public.try_into().expect("32 bytes"));
                let secret = self.shared_secret(&shared, &encapsulated, public);
                (encapsulated, secret)
            }
            Self::MlKem768X25519 => {
                let public = x_wing::TryKeyInit::new(public.try_into().expect("1216 bytes"));
                let public: x_wing::EncapsulationKey = public.expect("a public key");
                let (encapsulated, secret) = public.encapsulate_deterministic(&(*random).into());
                (encapsulated.to_vec(), secret.to_vec())
            }
        }
    }

    /// The shared secret; also where there is none, because X25519's is zero.
    pub(crate) fn decapsulate(self, secret: &[u8; 32], encapsulated: &[u8]) -> Vec<u8> {
        match self {
            Self::X25519 => {
                let shared =
                    x25519_dalek::x25519(*secret, encapsulated.try_into().expect("32 bytes"));
                self.shared_secret(&shared, encapsulated, &self.public(secret))
            }
            Self::MlKem768X25519 => {
                let secret = x_wing::DecapsulationKey::from(*secret);
                let encapsulated = encapsulated.try_into().expect("1120 bytes");
                secret.decapsulate(encapsulated).to_vec()
            }
        }
    }

    /// Whether X25519's secret is zero.
    pub(crate) fn is_zero(encapsulated: &[u8]) -> bool {
        let share = encapsulated.last_chunk::<32>().expect("a share");
        x25519_dalek::x25519([1; 32], *share) == [0; 32]
    }

    fn shared_secret(self, shared: &[u8], encapsulated: &[u8], public: &[u8]) -> Vec<u8> {
        let suite = self.suite_id();
        let prk = labeled_extract(256, &suite, b"", b"eae_prk", shared);
        let context = [encapsulated, public].concat();
        labeled_expand(256, &suite, &prk, b"shared_secret", &context, 32)
    }

    fn suite_id(self) -> Vec<u8> {
        [&b"KEM"[..], &(self as u16).to_be_bytes()].concat()
    }

    /// RFC 9180 sections 5.1 and 5.3: `Context.Export("", 64)`.
    pub(crate) fn export(self, secret: &[u8], info: &[u8]) -> Vec<u8> {
        let suite = [
            b"HPKE",
            &(self as u16).to_be_bytes()[..],
            &[0, 3],
            &[0xff, 0xff],
        ]
        .concat();
        let psk_id_hash = labeled_extract(512, &suite, b"", b"psk_id_hash", b"");
        let info_hash = labeled_extract(512, &suite, b"", b"info_hash", info);
        let context = [&[0][..], &psk_id_hash, &info_hash].concat();
        let secret = labeled_extract(512, &suite, secret, b"secret", b"");
        let exporter = labeled_expand(512, &suite, &secret, b"exp", &context, 64);
        labeled_expand(512, &suite, &exporter, b"sec", b"", 64)
    }
}

fn labeled_extract(bits: u16, suite: &[u8], salt: &[u8], label: &[u8], ikm: &[u8]) -> Vec<u8> {
    hmac(bits, salt, &[b"HPKE-v1", suite, label, ikm].concat())
}

fn labeled_expand(
    bits: u16,
    suite: &[u8],
    prk: &[u8],
    label: &[u8],
    info: &[u8],
    len: u16,
) -> Vec<u8> {
    // No more than one block is asked for.
    let len_bytes = len.to_be_bytes();
    let info = [&len_bytes, &b"HPKE-v1"[..], suite, label, info, &[1]].concat();
    hmac(bits, prk, &info)[..usize::from(len)].to_vec()
}

fn hmac(bits: u16, key: &[u8], message: &[u8]) -> Vec<u8> {
    match bits {
        256 => {
            let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length");
            mac.update(message);
            mac.finalize().into_bytes().to_vec()
        }
        _ => {
            let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("any length");
            mac.update(message);
            mac.finalize().into_bytes().to_vec()
        }
    }
}
