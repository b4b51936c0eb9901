//! The one AEAD suite: one row per algorithm, every row on every tier.

#[path = "suite/aes_gcm_siv.rs"]
mod aes_gcm_siv;
#[path = "suite/kuznyechik_mgm.rs"]
mod kuznyechik_mgm;

use sivka::Tier;
use sivka_oracle::suite::{Report, Subject, Suite};
use sivka_oracle::tiers::check_required;
use std::env;
use std::time::Instant;

/// One algorithm of this crate.
struct Row {
    name: &'static str,
    suite: fn() -> Suite,
    make: fn(&[u8], Tier) -> Box<dyn Subject>,
    /// What must have run on each tier: a vector file that lost a case, or a
    /// grid that lost a length, is a failure.
    all_of_it: Report,
}

const AES_128_GCM_SIV: Row = Row {
    name: "AES-128-GCM-SIV",
    suite: aes_gcm_siv::suite_128,
    make: aes_gcm_siv::subject_128,
    all_of_it: Report {
        vectors: 24,
        ..AES_GCM_SIV
    },
};

const AES_256_GCM_SIV: Row = Row {
    name: "AES-256-GCM-SIV",
    suite: aes_gcm_siv::suite_256,
    make: aes_gcm_siv::subject_256,
    all_of_it: Report {
        vectors: 24 + 2,
        ..AES_GCM_SIV
    },
};

const AES_GCM_SIV: Report = Report {
    vectors: 0,
    constructed: aes_gcm_siv::CONSTRUCTED,
    plaintext_lengths: 4 * 1024 + 2,
    aad_lengths: 4 * 1024 + 2,
    offsets: 65,
    refusals: 0,
    forgeries: 6197,
    truncations: 1058,
};

const KUZNYECHIK_MGM: Row = Row {
    name: "Kuznyechik-MGM",
    suite: kuznyechik_mgm::suite,
    make: kuznyechik_mgm::subject,
    all_of_it: Report {
        vectors: 2,
        constructed: 0,
        plaintext_lengths: 4 * 1024 + 2,
        aad_lengths: 4 * 1024 + 2,
        offsets: 65,
        refusals: 3,
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

impl Row {
    fn run_on_every_tier(&self) {
        let tiers: Vec<Tier> = Tier::available().collect();
        let names: Vec<&str> = tiers.iter().map(|tier| tier.name()).collect();
        // Here as well as in `dispatch.rs`, so that this binary cannot pass on a
        // lesser machine by testing less.
        if let Ok(required) = env::var("SIVKA_REQUIRE_TIERS") {
            check_required(&required, &names).expect("the tiers that were asked for");
        }
        let suite = (self.suite)();
        for tier in tiers {
            let start = Instant::now();
            let report = suite.run(tier.name(), &|key| (self.make)(key, tier));
            println!(
                "{} on {tier}: {report}, in {:.2?}",
                self.name,
                start.elapsed()
            );
            assert_eq!(report, self.all_of_it, "{} on {tier}", self.name);
        }
    }
}
