//! The algorithms: one row each, and what must have run of each on a tier.

use super::{Algorithm, Report, counters};
use sivka_oracle::vectors::File;
use sivka_oracle::{aes_siv, chacha20_blake2b, gcm_siv, mgm};

/// The file of a name, compiled in.
macro_rules! vectors {
    ($name:literal) => {
        File {
            name: $name,
            text: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../vectors/",
                $name
            )),
        }
    };
}

/// Every algorithm.
pub const ALGORITHMS: [Algorithm; 15] = [
    Algorithm {
        name: "AES-128-GCM-SIV",
        key_len: 16,
        all_of_it: counts(24, counters::CONSTRUCTED, 0, 6197, 1058),
        ..AES_256_GCM_SIV
    },
    AES_256_GCM_SIV,
    chacha20("ChaCha20-BLAKE2b", 32, 7064, 1310),
    xchacha20("XChaCha20-BLAKE2b", 32, 8220, 1454),
    siv("XChaCha20-BLAKE2b-SIV", 32, 6486, 1238),
    KUZNYECHIK_MGM,
    chacha20("ChaCha20-BLAKE2b-Tag48", 48, 8220, 1598),
    chacha20("ChaCha20-BLAKE2b-Tag64", 64, 9377, 1886),
    xchacha20("XChaCha20-BLAKE2b-Tag48", 48, 9377, 1742),
    xchacha20("XChaCha20-BLAKE2b-Tag64", 64, 10532, 2030),
    siv("XChaCha20-BLAKE2b-SIV-Tag48", 48, 7643, 1526),
    siv("XChaCha20-BLAKE2b-SIV-Tag64", 64, 8798, 1814),
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
    rows.find(|row| row.name == name)
        .unwrap_or_else(|| panic!("{name}: no reference"))
}

/// The pairs of styles that go together where there are nonces, and where there are none.
const PAIRS_WITH_NONCES: usize = 2172;
const PAIRS_WITHOUT: usize = 1862;

const fn without_nonces(report: Report) -> Report {
    Report {
        pairs_of_styles: PAIRS_WITHOUT,
        ..report
    }
}

const fn counts(
    vectors: usize,
    constructed: usize,
    refusals: usize,
    forgeries: usize,
    truncations: usize,
) -> Report {
    Report {
        vectors,
        constructed,
        plaintext_lengths: 1295,
        aad_lengths: 1295,
        offsets: 65,
        refusals,
        forgeries,
        truncations,
        pairs_of_styles: PAIRS_WITH_NONCES,
    }
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
    all_of_it: counts(24 + 2, counters::CONSTRUCTED, 0, 6197, 1058),
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
    all_of_it: counts(2, 0, 8, 6230, 1046),
};

const fn siv(
    name: &'static str,
    tag_len: usize,
    forgeries: usize,
    truncations: usize,
) -> Algorithm {
    Algorithm {
        name,
        key_len: 32,
        nonce_len: 0,
        tag_len,
        counts_nonces: false,
        tag_first: false,
        reference: |key, m, tag_len| {
            let key = array(key);
            chacha20_blake2b::xchacha20_blake2b_siv_seal(key, &m.aad, &m.plaintext, tag_len)
        },
        refuses: |_| false,
        vector_files: &[vectors!("chacha20-blake2b/aead.json")],
        constructed: |_| Vec::new(),
        all_of_it: without_nonces(counts(20, 0, 0, forgeries, truncations)),
    }
}

const fn aes_siv(name: &'static str, key_len: usize, vectors: usize) -> Algorithm {
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
        all_of_it: without_nonces(counts(vectors, counters::AES_SIV_CONSTRUCTED, 0, 5330, 950)),
    }
}

const fn chacha20(
    name: &'static str,
    tag_len: usize,
    forgeries: usize,
    truncations: usize,
) -> Algorithm {
    Algorithm {
        nonce_len: 8,
        counts_nonces: true,
        all_of_it: counts(20, 0, 0, forgeries, truncations),
        reference: |key, m, tag_len| {
            let (key, nonce) = (array(key), array(&m.nonce));
            chacha20_blake2b::chacha20_blake2b_seal(key, nonce, &m.aad, &m.plaintext, tag_len)
        },
        ..siv(name, tag_len, forgeries, truncations)
    }
}

const fn xchacha20(
    name: &'static str,
    tag_len: usize,
    forgeries: usize,
    truncations: usize,
) -> Algorithm {
    Algorithm {
        nonce_len: 24,
        all_of_it: counts(20, 0, 0, forgeries, truncations),
        reference: |key, m, tag_len| {
            let (key, nonce) = (array(key), array(&m.nonce));
            chacha20_blake2b::xchacha20_blake2b_seal(key, nonce, &m.aad, &m.plaintext, tag_len)
        },
        ..siv(name, tag_len, forgeries, truncations)
    }
}

fn array<const LEN: usize>(bytes: &[u8]) -> &[u8; LEN] {
    let array = bytes.try_into();
    array.expect("as many bytes as the algorithm says")
}
