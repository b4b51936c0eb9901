//! The secrets of a sealed file, from its specification: from a key, a passphrase or an identity to
//! the sealed chunks.

use super::algorithms::{
    add_aes, add_family_message, add_gcm_siv, add_kuznyechik, add_mgm, expand, mac,
};
use super::identity;
use super::memory::Needles;
use crate::calls::{Kind, identity_text, letters};
use argon2::{Algorithm, Argon2, Params, Version};
use hmac::Hmac;
use sivka_file::Suite;
use sivka_oracle::chacha20_blake2b::Context;
use sivka_oracle::gcm_siv;
use zeroize::Zeroizing;

type Sha = Hmac<sha2::Sha512>;

const PREFIX_LEN: usize = 20;

/// The secret that a reader needs beside the file, as it is given to a writer.
pub(super) struct Secret {
    kind: Kind,
    bytes: Zeroizing<Vec<u8>>,
}

/// Adds the secrets of the slots of `file` and of its payload. Each slot opens with one of
/// `secrets`; secrets derived from the others are added as well, because they are tried.
pub(super) fn add_file(needles: &mut Needles, file: &[u8], secrets: &[&Secret]) -> Option<()> {
    let suite = file.get(12..16)?.first_chunk().copied();
    let suite = Suite::from_number(u32::from_be_bytes(suite?))?;
    let mut file_key = None;
    for slot in slots(file)? {
        for secret in secrets {
            file_key = add_slot(needles, &file[..PREFIX_LEN], slot, secret).or(file_key);
        }
    }
    let file_key = file_key?;
    add_hmac_key(needles, "the file key", &file_key);
    let header_mac = expand::<Sha>(&file_key, &[b"sivka.file.v1 header mac"], 64);
    add_hmac_key(needles, "the key of the header", &header_mac);
    add_payload(needles, suite, &file_key, file.get(2 * copy_len(file)?..)?.get(..24)?)
}

impl Secret {
    pub(super) fn new(kind: Kind, mut bytes: Zeroizing<Vec<u8>>) -> Self {
        if kind == Kind::Passphrase {
            bytes = letters(&bytes);
        }
        Self { kind, bytes }
    }

    /// Adds it as it is given.
    pub(super) fn add(&self, needles: &mut Needles) {
        let bytes = &*self.bytes;
        needles.add(&format!("the {:?}", self.kind), bytes);
        match self.kind {
            Kind::KeyFile => {
                let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                needles.add("the key in its key file", digits.concat().as_bytes());
            }
            Kind::Passphrase => {}
            Kind::X25519 | Kind::PostQuantum => {
                let text = identity_text(self.kind, bytes);
                // The text before the digits of the secret is no secret.
                let digits = text.rsplit('1').next().unwrap_or_default();
                needles.add("the identity in its text", digits.as_bytes());
                let lower = digits.to_ascii_lowercase();
                needles.add("the identity in lower case", lower.as_bytes());
            }
        }
    }
}

/// Section 4.1: the length of the first copy of the header.
fn copy_len(file: &[u8]) -> Option<usize> {
    let len = file.get(16..20)?.first_chunk().copied();
    usize::try_from(u32::from_be_bytes(len?)).ok()
}

/// Section 4: those slots that are used, which are first.
fn slots(file: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let mut rest = file.get(PREFIX_LEN + 8 + 24..copy_len(file)? - 32)?;
    Some(std::iter::from_fn(move || {
        let &[kind, length @ ..] = rest.first_chunk::<3>()?;
        let (slot, after) = rest.split_at_checked(3 + usize::from(u16::from_be_bytes(length)))?;
        rest = after;
        (kind != 0).then_some(slot)
    }))
}

/// Section 5: the key under which a slot wraps the file key. The file key.
fn add_slot(needles: &mut Needles, prefix: &[u8], slot: &[u8], secret: &Secret) -> Option<Vec<u8>> {
    let wrapping = add_wrapping_key(needles, slot, secret)?;
    let (before, wrapped) = slot.split_at_checked(slot.len().checked_sub(49)?)?;
    let aad = [prefix, before].concat();
    let mut file_key = gcm_siv::open(&wrapping, &[0; 12], &aad, wrapped)?;
    // The kind of the content is beside it.
    file_key.truncate(32);
    Some(file_key)
}

/// The key that a secret has for a slot.
fn add_wrapping_key(needles: &mut Needles, slot: &[u8], secret: &Secret) -> Option<Vec<u8>> {
    let kind = slot[0];
    let mut wrapping = match secret.kind {
        Kind::X25519 | Kind::PostQuantum => {
            identity::add_wrapping_key(needles, secret.kind, &secret.bytes, slot)?
        }
        Kind::KeyFile | Kind::Passphrase => {
            // The salt is before the commitment and the wrapped key.
            let salt_end = slot.len().checked_sub(81)?;
            let salt = slot.get(salt_end.checked_sub(32)?..salt_end)?;
            let secret = match secret.kind {
                Kind::Passphrase => stretched(&secret.bytes, salt, slot)?,
                _ => secret.bytes.to_vec(),
            };
            add_hmac_key(needles, "what opens the slot", &secret);
            let pseudorandom = mac::<Sha>(salt, &[&secret]);
            add_hmac_key(needles, "what is extracted for the slot", &pseudorandom);
            expand::<Sha>(&pseudorandom, &[b"sivka.file.v1 slot", &[kind]], 64)
        }
    };
    wrapping.truncate(32);
    needles.add("the wrapping key", &wrapping);
    add_aes(needles, "wrapping key", &wrapping);
    add_gcm_siv(needles, &wrapping, &[0; 12]);
    Some(wrapping)
}

/// Section 6: the payload's key, and those of its first chunks.
fn add_payload(needles: &mut Needles, suite: Suite, file_key: &[u8], salt: &[u8]) -> Option<()> {
    let name = suite.aead_name();
    let label = b"c2sp.org/chunked-encryption@v1+";
    // Of a file, whose kind is 0.
    let parts: [&[u8]; 5] = [label, name.as_bytes(), b"\0", salt, &[0]];
    let okm = expand::<Sha>(file_key, &parts, 64 + suite.nonce_len());
    let (key, rest) = okm.split_at(32);
    let mut base = rest[..suite.nonce_len()].to_vec();
    needles.add("the payload key", key);
    if suite == Suite::KuznyechikMgm {
        base[0] &= 0x7f;
    }
    for chunk in 0..8 {
        let mut nonce = base.clone();
        *nonce.last_mut()? ^= chunk;
        match suite {
            Suite::Aes256GcmSiv => {
                add_aes(needles, "payload key", key);
                add_gcm_siv(needles, key, &nonce);
            }
            Suite::XChaCha20Blake2b => {
                let contexts = Context::of("XChaCha20-BLAKE2b");
                add_family_message(needles, key, contexts, &nonce);
            }
            Suite::KuznyechikMgm => {
                let keys = add_kuznyechik(needles, key);
                add_mgm(needles, &keys, &nonce);
            }
            _ => return None,
        }
    }
    Some(())
}

/// Argon2id at the cost that the slot names.
fn stretched(passphrase: &[u8], salt: &[u8], slot: &[u8]) -> Option<Vec<u8>> {
    let mut words = slot[3..15].as_chunks::<4>().0.iter();
    let mut word = || words.next().copied().map(u32::from_be_bytes);
    let params = Params::new(word()?, word()?, word()?, Some(32)).ok()?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut secret = vec![0; 32];
    argon2.hash_password_into(passphrase, salt, &mut secret).ok()?;
    Some(secret)
}

/// A key of HMAC-SHA-512, and the two forms in which it is hashed.
fn add_hmac_key(needles: &mut Needles, name: &str, key: &[u8]) {
    needles.add(name, key);
    for pad in [0x36, 0x5c] {
        let padded: Vec<u8> = key.iter().map(|byte| byte ^ pad).collect();
        needles.add(&format!("{name} for HMAC"), &padded);
    }
}
