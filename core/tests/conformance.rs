//! The conformance tests of every AEAD: every algorithm on every tier.

use sivka::{Algorithm, NonceRule, Tier};
use sivka_differential::OneKey;
use sivka_oracle::conformance::{self, Conformance, MakeSubject, Subject, run_every_length};
use sivka_oracle::tiers::check_required;
use std::sync::Mutex;
use std::time::Instant;
use std::{env, thread};

fn key_of(algorithm: &Algorithm, key: &[u8], tier: Tier) -> Box<dyn Subject> {
    Box::new(OneKey::new(algorithm, key, tier))
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

fn on_every_tier(algorithms: impl Iterator<Item = &'static Algorithm> + Send) {
    for_each(algorithms, |algorithm, row| {
        let conformance = Conformance::new(row);
        for tier in tiers() {
            let start = Instant::now();
            let report = conformance.run(tier.name(), &|key| key_of(algorithm, key, tier));
            let time = start.elapsed();
            println!("{algorithm} on {tier}: {report}, in {time:.2?}");
            assert_eq!(report, row.all_of_it, "{algorithm} on {tier}");
        }
    });
}

#[test]
fn every_algorithm_on_every_tier() {
    let all = Algorithm::all().iter().copied();
    on_every_tier(all.filter(|algorithm| has_usual_tags(algorithm)));
}

/// Runs in an emulator leave this and the next one out by name (`--skip every_length`): they
/// would take minutes there.
#[test]
fn every_length_of_tag_on_every_tier() {
    let all = Algorithm::all().iter().copied();
    on_every_tier(all.filter(|algorithm| !has_usual_tags(algorithm)));
}

/// The lengths between those of the grid of the conformance tests, for one tag length of each
/// construction.
#[test]
fn every_length() {
    let all = Algorithm::all().iter().copied();
    let constructions = all.filter(|algorithm| has_usual_tags(algorithm));
    for_each(constructions, |algorithm, row| {
        let tiers = tiers();
        let makes: Vec<_> = tiers
            .iter()
            .map(|tier| |key: &[u8]| key_of(algorithm, key, *tier))
            .collect();
        let makes: Vec<MakeSubject> = makes.iter().map(|make| make as MakeSubject).collect();
        let start = Instant::now();
        let lengths = run_every_length(row, &makes);
        println!(
            "{algorithm} on {tiers:?}: {lengths} plaintext lengths, {lengths} aad lengths, in {:.2?}",
            start.elapsed()
        );
        assert_eq!(lengths, 4 * 1024 + 2, "{algorithm}");
    });
}
