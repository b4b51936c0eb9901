//! Messages of drawn shapes, others in every run: every tier equals the oracle.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::collection::vec;
use proptest::prelude::*;
use sivka::Algorithm;
use sivka_differential::{EveryTier, kuznyechik_blocks};
use sivka_oracle::conformance;
use sivka_oracle::shapes::{Count, Coverage, Messages, Source, SplitMix64};
use std::hash::{BuildHasher, RandomState};

/// Batches of each algorithm: a third of those that show every pair of styles.
const BATCHES: usize = 60;

/// Messages of each batch that are held against the oracle.
const BESIDE_THE_ORACLE: usize = 12;

#[test]
fn every_algorithm() {
    for algorithm in Algorithm::all() {
        // A failure says the seed of its messages.
        let mut source = SplitMix64::new(RandomState::new().hash_one(algorithm.name()));
        let parts = conformance::algorithm(algorithm.name()).parts();
        let counts = [Count::Few, Count::Group, Count::Groups];
        let mut coverage = Coverage::new(parts, &counts);
        for _ in 0..BATCHES {
            let mut key = vec![0; algorithm.key_len()];
            source.fill(&mut key);
            let tiers = EveryTier::new(algorithm, &key);
            let messages = Messages::draw(coverage.draw(&mut source), parts, &mut source);
            let executions = tiers.check(&messages, 0, BESIDE_THE_ORACLE, &mut source);
            coverage.add(&messages, executions.iter().sum());
        }
        let pairs = coverage.pairs().filter(|pair| pair.executions > 0);
        assert!(pairs.count() > 1000, "{algorithm}: few shapes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_implementation_of_kuznyechik(key: [u8; 32], blocks in vec(any::<[u8; 16]>(), 0..150)) {
        kuznyechik_blocks(&key, &blocks);
    }
}
