//! The secrets of a keyset's key, of every type, from the types' definitions: its forms in the
//! keyset, its prepared state, and the keys of its messages and streams.

use super::super::algorithms::{
    FEW, add_aes, add_aes_siv, add_cmac_subkeys, add_gcm_siv, expand, mac,
};
use super::super::memory::Needles;
use crate::calls::{ASSOCIATED, TYPES};
use crate::secret::Secrets;
use base64ct::{Base64Unpadded, Encoding as _};
use hmac::Hmac;
use sha2::Sha256;
use sha2::block_api::compress256;
use sivka_keyset::Primitive;
use sivka_oracle::aes::Aes;
use sivka_oracle::{aes_siv, chacha20, polyval};

/// The bytes of Tink's prefix.
const PREFIX_LEN: usize = 5;

/// Adds all of them, of the sealed messages too. The key is the first of the secrets.
pub(super) fn add(needles: &mut Needles, name: &str, secrets: &Secrets, sealed: &[u8]) {
    let row = TYPES.iter().find(|(.., known)| *known == name);
    let key = secrets.bytes(row.map_or(0, |(_, key_len, _)| *key_len));
    needles.add("the key", &key);
    // JSON has it in base64, after a few bytes of another field.
    for before in 0..3 {
        let digits = Base64Unpadded::encode_string(&key[before..]);
        needles.add("the key in base64", digits.as_bytes());
    }
    add_ready(needles, name, &key);
    if !sealed.is_empty() {
        add_message(needles, name, &key, sealed);
        // Streams have buffers of their own.
        if matches!(row, Some((of, ..)) if of.primitive() == Primitive::StreamingAead) {
            needles.add("the text of a stream", &secrets.bytes(sealed.len()));
        }
    }
}

/// The secrets derived from a key before the first message.
fn add_ready(needles: &mut Needles, name: &str, key: &[u8]) {
    match name {
        "AES-256-GCM-SIV" => add_aes(needles, "key-generating key", key),
        "AES-SIV-512" => add_aes_siv(needles, key),
        "AES-128-GCM" | "AES-256-GCM" => add_gcm(needles, "key", key),
        "AES-128-EAX" | "AES-256-EAX" | "XAES-256-GCM" => {
            add_aes(needles, "key", key);
            add_cmac_subkeys(needles, key);
        }
        "AES-128-CTR-HMAC" | "AES-256-CTR-HMAC" => {
            let (aes_key, hmac_key) = key.split_at(key.len() - 32);
            add_aes(needles, "key of CTR", aes_key);
            add_hmac_sha256(needles, "the key of HMAC", hmac_key);
        }
        // The other types have only the key, or secrets of each message.
        _ => {}
    }
}

/// The secrets derived from a key and the beginning of a sealed message.
fn add_message(needles: &mut Needles, name: &str, key: &[u8], sealed: &[u8]) {
    let message = &sealed[PREFIX_LEN.min(sealed.len())..];
    match name {
        "AES-256-GCM-SIV" => add_gcm_siv(needles, key, &message[..12]),
        "ChaCha20-Poly1305" => {
            let key = key.first_chunk().expect("32 bytes");
            let nonce = message.first_chunk().expect("a nonce stands first");
            add_poly1305(needles, key, nonce);
        }
        "XChaCha20-Poly1305" => {
            let key = key.first_chunk().expect("32 bytes");
            let (start, rest) = message.split_first_chunk().expect("a nonce stands first");
            let subkey = chacha20::hchacha20(key, start);
            needles.add("the subkey", &subkey);
            let mut nonce = [0; 12];
            nonce[4..].copy_from_slice(&rest[..8]);
            add_poly1305(needles, &subkey, &nonce);
        }
        "XAES-256-GCM" => {
            let derived = [1, 2].map(|counter| {
                let mut block = [0, counter, b'X', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
                block[4..].copy_from_slice(&message[..12]);
                aes_siv::cmac(key, &block)
            });
            needles.add("the key of a message", derived.as_flattened());
            add_gcm(needles, "key of a message", derived.as_flattened());
        }
        "AES-256-GCM-HKDF" => {
            let derived = add_hkdf(needles, key, &sealed[1..33], 32);
            add_gcm(needles, "key of a stream", &derived);
        }
        "AES-128-CTR-HMAC-streams" => {
            let len = key.len();
            let derived = add_hkdf(needles, key, &sealed[1..=len], len + 32);
            add_aes(needles, "key of a stream", &derived[..len]);
            add_hmac_sha256(needles, "the HMAC key of a stream", &derived[len..]);
        }
        _ => {}
    }
}

/// SP 800-38D: the round keys, and H, in the form of GHASH and in that of POLYVAL (RFC 8452,
/// appendix A), whose powers implementations make.
fn add_gcm(needles: &mut Needles, name: &str, key: &[u8]) {
    add_aes(needles, name, key);
    let h = Aes::new(key).encrypt_block([0; 16]);
    needles.add(&format!("H of the {name}"), &h);
    let reversed = u128::from_be_bytes(h);
    let h = (reversed << 1) ^ ((reversed >> 127) * (0xc2 << 120 | 1));
    let mut power = h;
    for i in 1..=FEW {
        needles.add(&format!("H^{i} of the {name}"), &power.to_le_bytes());
        power = polyval::dot(power, h);
    }
}

/// RFC 8439 section 2.6: the one-time key of a message.
fn add_poly1305(needles: &mut Needles, key: &[u8; 32], nonce: &[u8; 12]) {
    let (start, rest) = nonce.split_first_chunk::<4>().expect("12 bytes");
    let counter = u64::from(u32::from_le_bytes(*start)) << 32;
    let block = chacha20::block(key, rest.first_chunk().expect("8 bytes"), counter);
    needles.add("the one-time key of Poly1305", &block[..32]);
}

/// RFC 5869 with SHA-256: the extracted and expanded values of HKDF.
fn add_hkdf(needles: &mut Needles, key: &[u8], salt: &[u8], len: usize) -> Vec<u8> {
    let extracted = mac::<Hmac<Sha256>>(salt, &[key]);
    add_hmac_sha256(needles, "what HKDF extracts", &extracted);
    let out = expand::<Hmac<Sha256>>(&extracted, &[ASSOCIATED], len);
    needles.add("the keys of a stream", &out);
    out
}

/// A key of HMAC-SHA-256, its two hashed forms, and the states of the hashes that have absorbed
/// them.
fn add_hmac_sha256(needles: &mut Needles, name: &str, key: &[u8]) {
    needles.add(name, key);
    for pad in [0x36, 0x5c] {
        let mut block = [pad; 64];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        needles.add(&format!("{name}, padded"), &block[..key.len()]);
        // FIPS 180-4 section 5.3.3.
        let mut state = [
            0x6a09_e667,
            0xbb67_ae85,
            0x3c6e_f372,
            0xa54f_f53a,
            0x510e_527f,
            0x9b05_688c,
            0x1f83_d9ab,
            0x5be0_cd19,
        ];
        compress256(&mut state, &[block]);
        let state = state.map(u32::to_ne_bytes);
        needles.add(&format!("the hash of {name}"), state.as_flattened());
    }
}
