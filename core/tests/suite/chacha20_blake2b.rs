//! The ChaCha20-BLAKE2b family as the suite sees it, each tag length a row of its own.

use sivka::{ChaCha20Blake2b, Error, LongTag, TagLen, Tier, XChaCha20Blake2b, XChaCha20Blake2bSiv};
use sivka_oracle::chacha20_blake2b as oracle;
use sivka_oracle::suite::{Algorithm, Failure, Subject, Suite};
use sivka_oracle::vectors::{self, Case};
use std::sync::atomic::{AtomicU64, Ordering};

const VECTORS: &str = include_str!("../../../vectors/chacha20-blake2b/aead.json");

fn tag_len(bytes: usize) -> TagLen {
    match bytes {
        32 => TagLen::Bytes32,
        48 => TagLen::Bytes48,
        64 => TagLen::Bytes64,
        other => panic!("no tag has {other} bytes"),
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Open => Failure::Open,
        _ => Failure::Misuse,
    }
}

fn array<const LEN: usize>(bytes: &[u8]) -> &[u8; LEN] {
    bytes
        .try_into()
        .expect("as many bytes as the algorithm says")
}

fn tag(bytes: &[u8]) -> LongTag {
    LongTag::try_from(bytes).expect("a tag of TAG_LEN bytes")
}

/// The cases of this algorithm whose tags are this long.
fn cases(algorithm: &str, tag_len: usize) -> Vec<Case> {
    let groups = vectors::read(VECTORS).expect("a well-formed vector file");
    groups
        .into_iter()
        .filter(|group| group.algorithm == algorithm)
        .flat_map(|group| group.cases)
        .filter(|case| case.tag.len() == tag_len)
        .collect()
}

/// The vectors of this tag length and the grid of lengths.
pub(crate) fn suite(algorithm: &Algorithm) -> Suite {
    let cases = cases(algorithm.name, algorithm.tag_len);
    Suite::new(*algorithm, cases, Vec::new())
}

pub(crate) const fn chacha20<const TAG_LEN: usize>() -> Algorithm {
    Algorithm {
        name: "ChaCha20-BLAKE2b",
        key_len: 32,
        nonce_len: 8,
        tag_len: TAG_LEN,
        seal: |key, m| {
            oracle::chacha20_blake2b_seal(
                array(key),
                array(&m.nonce),
                &m.aad,
                &m.plaintext,
                TAG_LEN,
            )
        },
        refuses: |_| false,
    }
}

pub(crate) const fn xchacha20<const TAG_LEN: usize>() -> Algorithm {
    Algorithm {
        name: "XChaCha20-BLAKE2b",
        key_len: 32,
        nonce_len: 24,
        tag_len: TAG_LEN,
        seal: |key, m| {
            oracle::xchacha20_blake2b_seal(
                array(key),
                array(&m.nonce),
                &m.aad,
                &m.plaintext,
                TAG_LEN,
            )
        },
        refuses: |_| false,
    }
}

pub(crate) const fn siv<const TAG_LEN: usize>() -> Algorithm {
    Algorithm {
        name: "XChaCha20-BLAKE2b-SIV",
        key_len: 32,
        nonce_len: 0,
        tag_len: TAG_LEN,
        seal: |key, m| {
            oracle::xchacha20_blake2b_siv_seal(array(key), &m.aad, &m.plaintext, TAG_LEN)
        },
        refuses: |_| false,
    }
}

/// ChaCha20-BLAKE2b has no level that draws nonces: its caller counts, and so does this.
struct Counting {
    key: ChaCha20Blake2b,
    counter: AtomicU64,
}

pub(crate) fn subject_chacha20<const TAG_LEN: usize>(key: &[u8], tier: Tier) -> Box<dyn Subject> {
    Box::new(Counting {
        key: ChaCha20Blake2b::with_tier(array(key), tag_len(TAG_LEN), tier),
        counter: AtomicU64::new(0),
    })
}

impl Subject for Counting {
    fn tier_name(&self) -> &str {
        self.key.tier_name()
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        let nonce = self.counter.fetch_add(1, Ordering::Relaxed).to_le_bytes();
        let sealed = self.seal_with_nonce(&nonce, plaintext, aad)?;
        Ok([&nonce[..], &sealed].concat())
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        let (nonce, ciphertext) = sealed.split_at_checked(8).ok_or(Failure::Open)?;
        self.open_with_nonce(nonce, ciphertext, aad)
    }

    fn seal_with_nonce(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        self.key
            .seal_with_nonce(array(nonce), plaintext, aad)
            .map_err(failure)
    }

    fn open_with_nonce(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        self.key
            .open_with_nonce(array(nonce), ciphertext, aad)
            .map_err(failure)
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
    ) -> Result<Vec<u8>, Failure> {
        let tag = self.key.seal_in_place(array(nonce), aad, in_out);
        tag.map(|tag| tag.as_bytes().to_vec()).map_err(failure)
    }

    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        bytes: &[u8],
    ) -> Result<(), Failure> {
        self.key
            .open_in_place(array(nonce), aad, in_out, &tag(bytes))
            .map_err(failure)
    }
}

struct Extended(XChaCha20Blake2b);

pub(crate) fn subject_xchacha20<const TAG_LEN: usize>(key: &[u8], tier: Tier) -> Box<dyn Subject> {
    Box::new(Extended(XChaCha20Blake2b::with_tier(
        array(key),
        tag_len(TAG_LEN),
        tier,
    )))
}

impl Subject for Extended {
    fn tier_name(&self) -> &str {
        self.0.tier_name()
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.0.seal(plaintext, aad).map_err(failure)
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.0.open(sealed, aad).map_err(failure)
    }

    fn seal_with_nonce(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        self.0
            .seal_with_nonce(array(nonce), plaintext, aad)
            .map_err(failure)
    }

    fn open_with_nonce(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        self.0
            .open_with_nonce(array(nonce), ciphertext, aad)
            .map_err(failure)
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
    ) -> Result<Vec<u8>, Failure> {
        let tag = self.0.seal_in_place(array(nonce), aad, in_out);
        tag.map(|tag| tag.as_bytes().to_vec()).map_err(failure)
    }

    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        bytes: &[u8],
    ) -> Result<(), Failure> {
        self.0
            .open_in_place(array(nonce), aad, in_out, &tag(bytes))
            .map_err(failure)
    }
}

/// SIV: the nonce is empty at every level.
struct Siv(XChaCha20Blake2bSiv);

pub(crate) fn subject_siv<const TAG_LEN: usize>(key: &[u8], tier: Tier) -> Box<dyn Subject> {
    Box::new(Siv(XChaCha20Blake2bSiv::with_tier(
        array(key),
        tag_len(TAG_LEN),
        tier,
    )))
}

impl Subject for Siv {
    fn tier_name(&self) -> &str {
        self.0.tier_name()
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.0.seal(plaintext, aad).map_err(failure)
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.0.open(sealed, aad).map_err(failure)
    }

    fn seal_with_nonce(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        assert!(nonce.is_empty());
        self.seal(plaintext, aad)
    }

    fn open_with_nonce(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        assert!(nonce.is_empty());
        self.open(ciphertext, aad)
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
    ) -> Result<Vec<u8>, Failure> {
        assert!(nonce.is_empty());
        let tag = self.0.seal_in_place(aad, in_out);
        tag.map(|tag| tag.as_bytes().to_vec()).map_err(failure)
    }

    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        bytes: &[u8],
    ) -> Result<(), Failure> {
        assert!(nonce.is_empty());
        self.0
            .open_in_place(aad, in_out, &tag(bytes))
            .map_err(failure)
    }
}
