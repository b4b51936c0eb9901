//! Every AEAD and the block cipher of Kuznyechik on every tier. Drawn messages are sealed and
//! opened singly, in batches and in columns: all tiers agree with each other and with the oracle,
//! and no forgery opens. The fuzzer's bytes are opened unchanged, too. The address sanitizer
//! watches reads and writes.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka::{Algorithm, Error, Tier};
use sivka_judge::shapes::{Bytes, Count, Messages, Shape, Source};
use sivka_judge::{EveryTier, OneKey, kuznyechik_blocks};

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
    let tiers = EveryTier::new(algorithm, key);
    let parts = tiers.reference().parts();
    let mut shape = Shape::draw(parts, source);
    if shape.count == Count::Slab {
        // They would take a tenth of a second each.
        shape.count = Count::Groups;
    }
    let messages = Messages::draw(shape, parts, source);
    tiers.check(&messages, 0, BESIDE_THE_ORACLE, source);
}

/// A message that nobody sealed does not open.
fn open_what_is_written(algorithm: &Algorithm, key: &[u8], written: &[u8]) {
    let (nonce, aad) = (vec![0; algorithm.nonce_len()], &written[..written.len() / 2]);
    for tier in Tier::available() {
        let key = OneKey::new(algorithm, key, tier).aead;
        let opened = key.open_with_nonce(&nonce, written, aad);
        assert_eq!(opened, Err(Error::Open), "{algorithm} on {tier}");
        let opened = key.open(written, aad);
        let refused = matches!(opened, Err(Error::Open | Error::NoRandomNonce));
        assert!(refused, "{algorithm} on {tier}: {opened:?}");
    }
}

fuzz_target!(|input: Input| {
    let algorithms = Algorithm::all();
    let algorithm = algorithms[usize::from(input.algorithm) % algorithms.len()];
    let mut source = Bytes::new(input.draws, input.seed);
    let mut key = [0; 64];
    source.fill(&mut key);
    let of_kuznyechik = key.first_chunk().expect("32 bytes and more");
    kuznyechik_blocks(of_kuznyechik, input.written.as_chunks().0);
    let key = &key[..algorithm.key_len()];
    open_what_is_written(algorithm, key, input.written);
    many(algorithm, key, &mut source);
});
