//! Every AEAD and the block cipher of Kuznyechik on every tier. Messages of a drawn shape are
//! sealed and opened singly, in batches and in columns: all tiers agree with each other and
//! with the oracle, and no forgery opens. What the fuzzer wrote is opened as it is, too. The
//! address sanitizer watches what is read and written.
#![no_main]

#[path = "../../core/tests/suite/subject.rs"]
mod subject;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka::{Algorithm, Error, Implementation, Kuznyechik, Tier};
use sivka_oracle::kuznyechik;
use sivka_oracle::shapes::{Bytes, Count, Messages, Shape, Source};
use sivka_oracle::suite::{self, Many};
use subject::OneKey;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    algorithm: u8,
    /// Of the key, of the bytes of all messages, and of what `draws` does not decide.
    seed: u64,
    /// Opened as it is, and encrypted as blocks.
    written: &'a [u8],
    /// A byte or two for each decision: the styles of the messages, then lengths and the rest.
    draws: &'a [u8],
}

/// Messages that are held against the oracle, which is slow: at most so many, of at most so
/// many bytes.
const BESIDE_THE_ORACLE: usize = 3;

fn many(algorithm: &Algorithm, key: &[u8], source: &mut Bytes<'_>) {
    let reference = suite::algorithm(algorithm.name());
    let parts = reference.parts();
    let mut shape = Shape::draw(parts, source);
    if shape.count == Count::Slab {
        // They would take a tenth of a second each.
        shape.count = Count::Groups;
    }
    let messages = Messages::draw(shape, parts, source);
    let mut many = Many::new(reference, key, &messages);
    for tier in Tier::available() {
        many.check(&OneKey::new(algorithm, key, tier));
    }
    for _ in 0..BESIDE_THE_ORACLE.min(messages.len()) {
        many.check_reference(source.below(messages.len()));
    }
}

/// What nobody sealed does not open.
fn open_what_is_written(algorithm: &Algorithm, key: &[u8], written: &[u8]) {
    let (nonce, aad) = (
        vec![0; algorithm.nonce_len()],
        &written[..written.len() / 2],
    );
    for tier in Tier::available() {
        let key = OneKey::new(algorithm, key, tier).aead;
        let opened = key.open_with_nonce(&nonce, written, aad);
        assert_eq!(opened, Err(Error::Open), "{algorithm} on {tier}");
        let opened = key.open(written, aad);
        let refused = matches!(opened, Err(Error::Open | Error::NoRandomNonce));
        assert!(refused, "{algorithm} on {tier}: {opened:?}");
    }
}

/// The whole blocks of `text`, by every tier and every implementation chosen by name.
fn kuznyechik_blocks(key: &[u8; 32], text: &[u8]) {
    let blocks = text.as_chunks::<16>().0;
    let round_keys = kuznyechik::round_keys(key);
    let encrypt = |block| kuznyechik::encrypt_with(&round_keys, block);
    let expected: Vec<_> = blocks.iter().map(encrypt).collect();
    let tiers = Tier::available().map(|tier| Kuznyechik::with_tier(key, tier));
    let named = Implementation::ALL.map(|named| Kuznyechik::with_implementation(key, named));
    for ours in tiers.chain(named) {
        let mut in_out = blocks.to_vec();
        assert_eq!(ours.encrypt_blocks(&mut in_out), Ok(()));
        assert_eq!(in_out, expected, "encryption on {}", ours.tier_name());
        assert_eq!(ours.decrypt_blocks(&mut in_out), Ok(()));
        assert_eq!(in_out, blocks, "decryption on {}", ours.tier_name());
    }
}

fuzz_target!(|input: Input| {
    let algorithms = Algorithm::all();
    let algorithm = algorithms[usize::from(input.algorithm) % algorithms.len()];
    let mut source = Bytes::new(input.draws, input.seed);
    let mut key = [0; 64];
    source.fill(&mut key);
    kuznyechik_blocks(key.first_chunk().expect("32 bytes and more"), input.written);
    let key = &key[..algorithm.key_len()];
    open_what_is_written(algorithm, key, input.written);
    many(algorithm, key, &mut source);
});
