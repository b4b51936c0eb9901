//! Accumulated vectors: a hundred thousand messages of each algorithm, sealed and opened in
//! every way, by all tiers together. `docs/spec/accumulated-vectors.md` says what they are.

use sivka::{Algorithm, Tier};
use sivka_judge::OneKey;
use sivka_judge::accumulated::{Accumulator, Batches, FIRST_BATCHES, rows};
use sivka_judge::conformance::{self, Many};

/// Every tier has the first batches; then each is one tier's, and another's after all 60 forms.
fn check(algorithm: &'static Algorithm, most: usize) {
    let reference = conformance::algorithm(algorithm.name());
    let mut found = Accumulator::default();
    let tiers = Tier::available().count();
    for (number, batch) in Batches::of(reference).take(most).enumerate() {
        let batch = batch.in_forms(number);
        let mut many = Many::new(reference, &batch.key, &batch.messages);
        let is_its = |place| number < FIRST_BATCHES || place == (number + number / 60) % tiers;
        for (_, tier) in Tier::available().enumerate().filter(|(i, _)| is_its(*i)) {
            many.check(&OneKey::new(algorithm, &batch.key, tier));
        }
        let sealed = many.sealed().expect("a tier");
        let tags = sealed.tags.chunks_exact(algorithm.tag_len());
        let each = sealed.texts.strings().zip(tags);
        let each = each.map(|(text, tag)| reference.join(text, tag));
        found.add(&batch, &each.collect::<Vec<_>>().concat());
    }
    let row = usize::from(most != FIRST_BATCHES);
    assert_eq!(found.row(algorithm.name()), rows(algorithm.name())[row]);
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
    std::thread::scope(|scope| {
        for algorithm in Algorithm::all() {
            scope.spawn(|| check(algorithm, usize::MAX));
        }
    });
}
