//! The conformance tests of every AEAD: every algorithm on every tier.

use sivka::{Algorithm, NonceRule, Tier};
use sivka_judge::OneKey;
use sivka_judge::conformance::{self, Conformance, MakeSubject, Subject, run_lengths};
use sivka_oracle::lengths::gaps;
use sivka_oracle::tiers::check_required;
use std::sync::Mutex;
use std::{env, thread};

fn key_of(algorithm: &Algorithm, key: &[u8], tier: Tier) -> Box<dyn Subject> {
    Box::new(OneKey::new(algorithm, key, tier))
}

/// The tiers of this machine. `SIVKA_REQUIRE_TIERS` is read here as well as in `dispatch.rs`, so
/// that this binary cannot pass on a lesser machine by testing less.
fn tiers() -> Vec<Tier> {
    let tiers: Vec<Tier> = Tier::available().collect();
    let names: Vec<&str> = tiers.iter().map(|tier| tier.name()).collect();
    if let Ok(required) = env::var("SIVKA_REQUIRE_TIERS") {
        check_required(&required, &names).expect("the tiers that were asked for");
    }
    tiers
}

/// Runs `check` for each algorithm and its reference, on as many threads as there are CPUs.
fn for_each(
    algorithms: impl Iterator<Item = &'static Algorithm> + Send,
    check: impl Fn(&'static Algorithm, &'static conformance::Algorithm) + Sync,
) {
    let left = Mutex::new(algorithms);
    let next = || left.lock().expect("no panic under the lock").next();
    let work = || {
        while let Some(algorithm) = next() {
            check(algorithm, conformance::algorithm(algorithm.name()));
        }
    };
    // None where there are no threads, as in WebAssembly.
    let others = thread::available_parallelism().map_or(0, |threads| threads.get() - 1);
    thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(work);
        }
        work();
    });
}

#[test]
fn every_algorithm_has_its_reference() {
    let ours = Algorithm::all().iter().map(|ours| ours.name());
    assert!(ours.eq(conformance::ALGORITHMS.iter().map(|row| row.name)));
    for ours in Algorithm::all() {
        let row = conformance::algorithm(ours.name());
        let lens = (ours.key_len(), ours.nonce_len(), ours.tag_len());
        assert_eq!(lens, (row.key_len, row.nonce_len, row.tag_len), "{ours}");
        let counts = ours.nonce_rule() == NonceRule::Counter;
        assert_eq!(counts, row.counts_nonces, "{ours}");
        assert_eq!(ours.tag_first(), row.tag_first, "{ours}");
    }
}

/// Whether its tags are of the usual length: others differ in the last block of the hash alone.
fn has_usual_tags(algorithm: &Algorithm) -> bool {
    !algorithm.name().contains("-Tag")
}

/// Whether it is also run on an AArch64 without the instructions for SHA-3.
fn is_run_without_sha3(algorithm: &Algorithm) -> bool {
    algorithm.name().contains("GCM-SIV") || algorithm.name().contains("BLAKE2b")
}

fn on_every_tier(is_meant: fn(&Algorithm) -> bool) {
    let seed = sivka_judge::seed();
    let meant = Algorithm::all().iter().copied().filter(|one| is_meant(one));
    for_each(meant, |algorithm, row| {
        let conformance = Conformance::new(row, seed);
        for tier in tiers() {
            conformance.run(tier.name(), &|key| key_of(algorithm, key, tier));
        }
    });
}

#[test]
fn gcm_siv_and_blake2b_on_every_tier() {
    on_every_tier(|one| has_usual_tags(one) && is_run_without_sha3(one));
}

#[test]
fn siv_and_kuznyechik_on_every_tier() {
    on_every_tier(|one| has_usual_tags(one) && !is_run_without_sha3(one));
}

/// Runs in an emulator leave this and those after it out by name (`--skip every_length`):
/// they would take minutes there.
#[test]
fn every_length_of_tag_on_every_tier() {
    on_every_tier(|algorithm| !has_usual_tags(algorithm));
}

/// Holds these lengths against the reference, for one tag length of each construction.
fn lengths_on_every_tier(lens: &[usize]) {
    let all = Algorithm::all().iter().copied();
    for_each(all.filter(|one| has_usual_tags(one)), |algorithm, row| {
        let tiers = tiers();
        let makes: Vec<_> =
            tiers.iter().map(|tier| |key: &[u8]| key_of(algorithm, key, *tier)).collect();
        let makes: Vec<MakeSubject> = makes.iter().map(|make| make as MakeSubject).collect();
        run_lengths(row, &makes, lens);
    });
}

/// The lengths between those of the grid of the conformance tests.
#[test]
fn every_length() {
    lengths_on_every_tier(&gaps().collect::<Vec<_>>());
}

/// No counter of bytes, blocks or bits ends before 2 MiB.
#[test]
fn every_length_is_counted_whole() {
    lengths_on_every_tier(&[(2 << 20) + 17]);
}
