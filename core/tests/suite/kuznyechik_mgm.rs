//! Kuznyechik-MGM as the suite sees it.

use sivka::{Error, KuznyechikMgm, Tag, Tier};
use sivka_oracle::mgm;
use sivka_oracle::suite::{Algorithm, Failure, Message, Subject, Suite};
use sivka_oracle::vectors;

const RFC_9058: &str = include_str!("../../../vectors/kuznyechik/rfc9058.json");

fn refuses(message: &Message) -> bool {
    message.nonce[0] >= 0x80 || message.aad.is_empty() && message.plaintext.is_empty()
}

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "Kuznyechik-MGM",
    key_len: 32,
    nonce_len: 16,
    tag_len: 16,
    seal: |key, message| {
        let key = key.try_into().expect("32 bytes");
        let nonce = message.nonce[..].try_into().expect("16 bytes");
        mgm::seal(key, nonce, &message.aad, &message.plaintext).expect("a message to seal")
    },
    refuses,
};

pub(crate) fn suite(algorithm: &Algorithm) -> Suite {
    let groups = vectors::read(RFC_9058).expect("a vector file");
    let cases = groups.into_iter().flat_map(|group| {
        assert_eq!(group.algorithm, algorithm.name);
        group.cases
    });
    Suite::new(*algorithm, cases.collect(), Vec::new())
}

pub(crate) fn subject(key: &[u8], tier: Tier) -> Box<dyn Subject> {
    let key = key.try_into().expect("a key of KEY_LEN bytes");
    Box::new(OneKey(KuznyechikMgm::with_tier(key, tier)))
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Open => Failure::Open,
        _ => Failure::Misuse,
    }
}

/// A key, in a type of this crate so that it can be a [`Subject`].
struct OneKey(KuznyechikMgm);

fn nonce(bytes: &[u8]) -> &[u8; 16] {
    bytes.try_into().expect("a nonce of NONCE_LEN bytes")
}

impl Subject for OneKey {
    fn tier_name(&self) -> &str {
        self.0.tier_name()
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.0.seal(plaintext, aad).map_err(failure)
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        self.0.open(sealed, aad).map_err(failure)
    }

    fn seal_with_nonce(&self, n: &[u8], plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        let sealed = self.0.seal_with_nonce(nonce(n), plaintext, aad);
        sealed.map_err(failure)
    }

    fn open_with_nonce(&self, n: &[u8], ciphertext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        let opened = self.0.open_with_nonce(nonce(n), ciphertext, aad);
        opened.map_err(failure)
    }

    fn seal_in_place(&self, n: &[u8], aad: &[u8], in_out: &mut [u8]) -> Result<Vec<u8>, Failure> {
        let tag = self.0.seal_in_place(nonce(n), aad, in_out);
        tag.map(|tag| tag.as_bytes().to_vec()).map_err(failure)
    }

    fn open_in_place(
        &self,
        n: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Failure> {
        let tag = Tag::from(<[u8; 16]>::try_from(tag).expect("a tag of TAG_LEN bytes"));
        let opened = self.0.open_in_place(nonce(n), aad, in_out, &tag);
        opened.map_err(failure)
    }
}
