//! The one AEAD suite: one row per algorithm, every row on every tier.

#[path = "suite/aes_gcm_siv.rs"]
mod aes_gcm_siv;
#[path = "suite/kuznyechik_mgm.rs"]
mod kuznyechik_mgm;

use sivka::Tier;
use sivka_oracle::suite::{Algorithm, MakeSubject, Report, Subject, Suite, run_every_length};
use sivka_oracle::tiers::check_required;
use std::env;
use std::time::Instant;

/// One algorithm of this crate.
struct Row {
    algorithm: Algorithm,
    suite: fn(&Algorithm) -> Suite,
    make: fn(&[u8], Tier) -> Box<dyn Subject>,
    /// What must have run on each tier: a vector file that lost a case, or a
    /// grid that lost a length, is a failure.
    all_of_it: Report,
}

const AES_128_GCM_SIV: Row = Row {
    algorithm: aes_gcm_siv::algorithm("AES-128-GCM-SIV", 16),
    suite: aes_gcm_siv::suite,
    make: aes_gcm_siv::subject_128,
    all_of_it: Report {
        vectors: 24,
        ..AES_GCM_SIV
    },
};

const AES_256_GCM_SIV: Row = Row {
    algorithm: aes_gcm_siv::algorithm("AES-256-GCM-SIV", 32),
    suite: aes_gcm_siv::suite,
    make: aes_gcm_siv::subject_256,
    all_of_it: Report {
        vectors: 24 + 2,
        ..AES_GCM_SIV
    },
};

const AES_GCM_SIV: Report = Report {
    vectors: 0,
    constructed: aes_gcm_siv::CONSTRUCTED,
    plaintext_lengths: 1295,
    aad_lengths: 1295,
    offsets: 65,
    refusals: 0,
    forgeries: 6197,
    truncations: 1058,
};

const KUZNYECHIK_MGM: Row = Row {
    algorithm: kuznyechik_mgm::ALGORITHM,
    suite: kuznyechik_mgm::suite,
    make: kuznyechik_mgm::subject,
    all_of_it: Report {
        vectors: 2,
        constructed: 0,
        plaintext_lengths: 1295,
        aad_lengths: 1295,
        offsets: 65,
        refusals: 8,
        forgeries: 6230,
        truncations: 1046,
    },
};

#[test]
fn aes_128_gcm_siv() {
    AES_128_GCM_SIV.run_on_every_tier();
}

#[test]
fn aes_256_gcm_siv() {
    AES_256_GCM_SIV.run_on_every_tier();
}

#[test]
fn kuznyechik_mgm() {
    KUZNYECHIK_MGM.run_on_every_tier();
}

// The lengths between those of the suite's grid. Runs in an emulator leave these
// out by name (`--skip every_length`): they would take minutes there.

#[test]
fn every_length_of_aes_128_gcm_siv() {
    AES_128_GCM_SIV.run_every_length_on_every_tier();
}

#[test]
fn every_length_of_aes_256_gcm_siv() {
    AES_256_GCM_SIV.run_every_length_on_every_tier();
}

#[test]
fn every_length_of_kuznyechik_mgm() {
    KUZNYECHIK_MGM.run_every_length_on_every_tier();
}

/// The tiers of this machine. `SIVKA_REQUIRE_TIERS` is read here as well as in
/// `dispatch.rs`, so that this binary cannot pass on a lesser machine by testing
/// less.
fn tiers() -> Vec<Tier> {
    let tiers: Vec<Tier> = Tier::available().collect();
    let names: Vec<&str> = tiers.iter().map(|tier| tier.name()).collect();
    if let Ok(required) = env::var("SIVKA_REQUIRE_TIERS") {
        check_required(&required, &names).expect("the tiers that were asked for");
    }
    tiers
}

impl Row {
    fn run_on_every_tier(&self) {
        let suite = (self.suite)(&self.algorithm);
        for tier in tiers() {
            let start = Instant::now();
            let report = suite.run(tier.name(), &|key| (self.make)(key, tier));
            println!(
                "{} on {tier}: {report}, in {:.2?}",
                self.algorithm.name,
                start.elapsed()
            );
            assert_eq!(report, self.all_of_it, "{} on {tier}", self.algorithm.name);
        }
    }

    fn run_every_length_on_every_tier(&self) {
        let tiers = tiers();
        let makes: Vec<_> = tiers
            .iter()
            .map(|tier| |key: &[u8]| (self.make)(key, *tier))
            .collect();
        let makes: Vec<MakeSubject> = makes.iter().map(|make| make as MakeSubject).collect();
        let start = Instant::now();
        let lengths = run_every_length(&self.algorithm, &makes);
        let name = self.algorithm.name;
        println!(
            "{name} on {tiers:?}: {lengths} plaintext lengths, {lengths} aad lengths, in {:.2?}",
            start.elapsed()
        );
        assert_eq!(lengths, 4 * 1024 + 2, "{name}");
    }
}
