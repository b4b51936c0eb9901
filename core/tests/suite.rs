//! The one AEAD suite: one row per algorithm, every row on every tier.

#[path = "suite/aes_gcm_siv.rs"]
mod aes_gcm_siv;
#[path = "suite/chacha20_blake2b.rs"]
mod chacha20_blake2b;
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

/// One algorithm of the ChaCha20-BLAKE2b family with one tag length: the name of its
/// tests, the algorithm, its subject, and its counts.
macro_rules! chacha20_blake2b {
    ($test:ident, $algorithm:ident, $make:ident, $tag_len:literal, $forgeries:literal, $truncations:literal) => {
        mod $test {
            use super::{Report, Row, chacha20_blake2b as family};

            const ROW: Row = Row {
                algorithm: family::$algorithm::<$tag_len>(),
                suite: family::suite,
                make: family::$make::<$tag_len>,
                all_of_it: Report {
                    vectors: 20,
                    constructed: 0,
                    plaintext_lengths: 1295,
                    aad_lengths: 1295,
                    offsets: 65,
                    refusals: 0,
                    forgeries: $forgeries,
                    truncations: $truncations,
                },
            };

            #[test]
            fn on_every_tier() {
                ROW.run_on_every_tier();
            }

            #[test]
            fn every_length() {
                ROW.run_every_length_on_every_tier();
            }
        }
    };
}
chacha20_blake2b!(
    chacha20_blake2b_32,
    chacha20,
    subject_chacha20,
    32,
    7064,
    1310
);
chacha20_blake2b!(
    chacha20_blake2b_48,
    chacha20,
    subject_chacha20,
    48,
    8220,
    1598
);
chacha20_blake2b!(
    chacha20_blake2b_64,
    chacha20,
    subject_chacha20,
    64,
    9377,
    1886
);
chacha20_blake2b!(
    xchacha20_blake2b_32,
    xchacha20,
    subject_xchacha20,
    32,
    8220,
    1454
);
chacha20_blake2b!(
    xchacha20_blake2b_48,
    xchacha20,
    subject_xchacha20,
    48,
    9377,
    1742
);
chacha20_blake2b!(
    xchacha20_blake2b_64,
    xchacha20,
    subject_xchacha20,
    64,
    10532,
    2030
);
chacha20_blake2b!(xchacha20_blake2b_siv_32, siv, subject_siv, 32, 6486, 1238);
chacha20_blake2b!(xchacha20_blake2b_siv_48, siv, subject_siv, 48, 7643, 1526);
chacha20_blake2b!(xchacha20_blake2b_siv_64, siv, subject_siv, 64, 8798, 1814);
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
