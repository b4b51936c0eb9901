//! Messages of drawn shapes, others in every run: every tier equals the oracle.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "suite/subject.rs"]
mod subject;

use proptest::collection::vec;
use proptest::prelude::*;
use sivka::{Algorithm, Implementation, Kuznyechik, Tier};
use sivka_oracle::kuznyechik;
use sivka_oracle::shapes::{Count, Coverage, Messages, Source, SplitMix64};
use sivka_oracle::suite::{self, Many};
use std::hash::{BuildHasher, RandomState};
use subject::OneKey;

/// Batches of each algorithm: a third of those that show every pair of styles.
const BATCHES: usize = 60;

/// Messages of each batch that are held against the oracle.
const BESIDE_THE_ORACLE: usize = 12;

#[test]
fn every_algorithm() {
    for algorithm in Algorithm::all() {
        let reference = suite::algorithm(algorithm.name());
        let parts = reference.parts();
        let counts = [Count::Few, Count::Group, Count::Groups];
        let mut coverage = Coverage::new(parts, &counts);
        // A failure says the seed of its messages.
        let mut source = SplitMix64::new(RandomState::new().hash_one(algorithm.name()));
        for _ in 0..BATCHES {
            let mut key = vec![0; algorithm.key_len()];
            source.fill(&mut key);
            let shape = coverage.draw(&mut source);
            let messages = Messages::draw(shape, parts, &mut source);
            let mut many = Many::new(reference, &key, &messages);
            let mut executions = 0;
            for tier in Tier::available() {
                executions += many.check(&OneKey::new(algorithm, &key, tier));
            }
            for _ in 0..BESIDE_THE_ORACLE.min(messages.len()) {
                many.check_reference(source.below(messages.len()));
            }
            coverage.add(&messages, executions);
        }
        let pairs = coverage.pairs().filter(|pair| pair.executions > 0);
        assert!(pairs.count() > 1000, "{algorithm}: few shapes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kuznyechik_blocks(key: [u8; 32], blocks in vec(any::<[u8; 16]>(), 0..150)) {
        let round_keys = kuznyechik::round_keys(&key);
        let expected: Vec<_> = blocks
            .iter()
            .map(|block| kuznyechik::encrypt_with(&round_keys, block))
            .collect();
        let tiers = Tier::available().map(|tier| Kuznyechik::with_tier(&key, tier));
        let named = Implementation::ALL
            .map(|implementation| Kuznyechik::with_implementation(&key, implementation));
        for ours in tiers.chain(named) {
            let mut in_out = blocks.clone();
            ours.encrypt_blocks(&mut in_out).unwrap();
            prop_assert_eq!(&in_out, &expected, "{}", ours.tier_name());
            ours.decrypt_blocks(&mut in_out).unwrap();
            prop_assert_eq!(&in_out, &blocks, "{}", ours.tier_name());
        }
    }
}
