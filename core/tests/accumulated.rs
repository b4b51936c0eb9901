//! Accumulated vectors: a hundred thousand messages of each algorithm, sealed and opened in
//! every way on every tier. `docs/spec/accumulated-vectors.md` says what they are.

use sivka::{Algorithm, Tier};
use sivka_differential::OneKey;
use sivka_oracle::accumulated::{Accumulator, Batches, FIRST_BATCHES, rows};
use sivka_oracle::conformance::{self, Many};
use std::thread;

/// After so many batches the forms begin again.
const FORMS: usize = 60;

/// So many batches, each in the next of all forms; what they seal to is in the file. Every tier has
/// the first ones. Each of the others is one tier's, so that every tier meets every form.
fn check(algorithm: &'static Algorithm, most: usize) {
    let reference = conformance::algorithm(algorithm.name());
    let mut found = Accumulator::default();
    for (number, batch) in Batches::of(reference).take(most).enumerate() {
        let batch = batch.in_forms(number);
        let mut many = Many::new(reference, &batch.key, &batch.messages);
        let tiers: Vec<Tier> = Tier::available().collect();
        let turn = (number + number / FORMS) % tiers.len();
        let is_first = number < FIRST_BATCHES;
        let tiers = tiers.into_iter().enumerate();
        for (_, tier) in tiers.filter(|(place, _)| is_first || *place == turn) {
            many.check(&OneKey::new(algorithm, &batch.key, tier));
        }
        let sealed = many.sealed().expect("a tier");
        let tags = sealed.tags.chunks_exact(algorithm.tag_len());
        let each = sealed.texts.strings().zip(tags);
        let each: Vec<_> = each.map(|(text, tag)| reference.join(text, tag)).collect();
        found.add(&batch, &each.concat());
    }
    let [first, all] = rows(algorithm.name());
    let expected = if most == FIRST_BATCHES { first } else { all };
    assert_eq!(found.row(algorithm.name()), expected);
}

/// In an emulator too, so of one tag length of each construction.
#[test]
fn the_first_batches_of_each_construction() {
    let all = Algorithm::all().iter();
    for algorithm in all.filter(|algorithm| !algorithm.name().contains("-Tag")) {
        check(algorithm, FIRST_BATCHES);
    }
}

/// Runs in an emulator leave this out by name: it would take minutes there.
#[test]
fn every_hundred_thousand() {
    thread::scope(|scope| {
        for algorithm in Algorithm::all() {
            scope.spawn(|| check(algorithm, usize::MAX));
        }
    });
}
