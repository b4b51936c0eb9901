//! The algorithms: one row each.

use super::{Algorithm, counters};
use sivka_oracle::vectors::File;
use sivka_oracle::{aes_siv, chacha20_blake2b, gcm_siv, mgm};

/// The file of a name, compiled in.
macro_rules! vectors {
    ($name:literal) => {
        File {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/", $name)),
        }
    };
}

/// Every algorithm.
pub const ALGORITHMS: [Algorithm; 15] = [
    Algorithm { name: "AES-128-GCM-SIV", key_len: 16, vector_count: 24, ..AES_256_GCM_SIV },
    AES_256_GCM_SIV,
    family("ChaCha20-BLAKE2b", 8, 32),
    family("XChaCha20-BLAKE2b", 24, 32),
    family("XChaCha20-BLAKE2b-SIV", 0, 32),
    KUZNYECHIK_MGM,
    family("ChaCha20-BLAKE2b-Tag48", 8, 48),
    family("ChaCha20-BLAKE2b-Tag64", 8, 64),
    family("XChaCha20-BLAKE2b-Tag48", 24, 48),
    family("XChaCha20-BLAKE2b-Tag64", 24, 64),
    family("XChaCha20-BLAKE2b-SIV-Tag48", 0, 48),
    family("XChaCha20-BLAKE2b-SIV-Tag64", 0, 64),
    aes_siv("AES-SIV-256", 32, 7),
    aes_siv("AES-SIV-384", 48, 8),
    aes_siv("AES-SIV-512", 64, 11),
];

/// The algorithm of a name.
///
/// # Panics
///
/// If there is none: an implementation has an algorithm without a reference.
#[must_use]
pub fn algorithm(name: &str) -> &'static Algorithm {
    let mut rows = ALGORITHMS.iter();
    rows.find(|row| row.name == name).unwrap_or_else(|| panic!("{name}: no reference"))
}

const AES_256_GCM_SIV: Algorithm = Algorithm {
    name: "AES-256-GCM-SIV",
    key_len: 32,
    nonce_len: gcm_siv::NONCE_LEN,
    tag_len: gcm_siv::TAG_LEN,
    counts_nonces: false,
    tag_first: false,
    reference: |key, message, _| {
        gcm_siv::seal(key, &message.nonce, &message.aad, &message.plaintext)
    },
    refuses: |_| false,
    vector_files: &[
        vectors!("aes-gcm-siv/rfc8452.json"),
        vectors!("aes-gcm-siv/rfc8452-counter-wrap.json"),
    ],
    constructed: counters::counters,
    vector_count: 24 + 2,
};

const KUZNYECHIK_MGM: Algorithm = Algorithm {
    name: "Kuznyechik-MGM",
    key_len: 32,
    nonce_len: 16,
    tag_len: 16,
    counts_nonces: false,
    tag_first: false,
    reference: |key, message, _| {
        let nonce = array(&message.nonce);
        let sealed = mgm::seal(array(key), nonce, &message.aad, &message.plaintext);
        sealed.expect("a message to seal")
    },
    refuses: |message| {
        message.nonce[0] >= 0x80 || message.aad.is_empty() && message.plaintext.is_empty()
    },
    vector_files: &[vectors!("kuznyechik/rfc9058.json")],
    constructed: |_| Vec::new(),
    vector_count: 2,
};

/// A construction with ChaCha20 and BLAKE2b, by the length of its nonces.
const fn family(name: &'static str, nonce_len: usize, tag_len: usize) -> Algorithm {
    Algorithm {
        name,
        key_len: 32,
        nonce_len,
        tag_len,
        counts_nonces: nonce_len == 8,
        tag_first: false,
        reference: |key, m, tag_len| {
            chacha20_blake2b::seal(array(key), &m.nonce, &m.aad, &m.plaintext, tag_len)
        },
        refuses: |_| false,
        vector_files: &[vectors!("chacha20-blake2b/aead.json")],
        constructed: |_| Vec::new(),
        vector_count: 20,
    }
}

const fn aes_siv(name: &'static str, key_len: usize, vector_count: usize) -> Algorithm {
    Algorithm {
        name,
        key_len,
        nonce_len: 0,
        tag_len: aes_siv::TAG_LEN,
        counts_nonces: false,
        tag_first: true,
        reference: |key, message, _| aes_siv::seal(key, &[&message.aad], &message.plaintext),
        refuses: |_| false,
        vector_files: &[vectors!("aes-siv/aead.json")],
        constructed: counters::of_aes_siv,
        vector_count,
    }
}

fn array<const LEN: usize>(bytes: &[u8]) -> &[u8; LEN] {
    let array = bytes.try_into();
    array.expect("as many bytes as the algorithm says")
}
