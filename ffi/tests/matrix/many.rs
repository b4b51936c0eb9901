//! Many messages in one call, in the matrix: every accumulated vector, and messages of drawn
//! shapes, in every form that a language offers.

use super::Language;
use super::case::Case;
use super::offers;
use sivka::{Algorithm, NonceRule};
use sivka_judge::accumulated::{Accumulator, Batches, rows};
use sivka_judge::conformance;
use sivka_judge::shapes::{Count, Coverage, Messages, Source as _, SplitMix64};
use std::collections::BTreeMap;
use std::sync::{Arc, mpsc};
use std::thread;

/// Every accumulated vector in every language, each batch in one of its forms.
pub(super) fn accumulated(languages: &mut [Language]) {
    on_each(languages, 1, |ask| {
        for algorithm in Algorithm::all() {
            let mut found = Accumulator::default();
            let batches = Batches::of(conformance::algorithm(algorithm.name()));
            for (number, batch) in batches.enumerate() {
                let batch = batch.in_forms(number);
                let case = Case::new(algorithm, batch.key.clone(), batch.messages.clone());
                let case = case.expect("messages that are not refused");
                let sealed = case.rows(false, false);
                found.add(&batch, &sealed.bytes);
                ask(case);
            }
            let [_, expected] = rows(algorithm.name());
            assert_eq!(found.row(algorithm.name()), expected);
        }
    });
}

/// Messages of every pair of styles in every language, in each of its forms.
pub(super) fn shapes(languages: &mut [Language]) {
    on_each(languages, usize::MAX, |ask| {
        for algorithm in Algorithm::all() {
            let parts = conformance::algorithm(algorithm.name()).parts();
            let mut coverage = Coverage::new(parts, &[Count::Few, Count::Group, Count::Groups]);
            let mut source = SplitMix64::new(27);
            // MGM has no message that is empty in every part.
            let never = usize::from(algorithm.name() == "Kuznyechik-MGM");
            while coverage.left() > never {
                let mut key = vec![0; algorithm.key_len()];
                source.fill(&mut key);
                let messages = Messages::draw(coverage.draw(&mut source), parts, &mut source);
                if let Some(case) = Case::new(algorithm, key, messages) {
                    coverage.add(&case.messages, case.messages.len() as u64);
                    ask(case);
                }
            }
        }
    });
}

/// Asks every language for each case, in so many of the forms that take it, those first that
/// were used least. Each form of each algorithm must have had some.
fn on_each(languages: &mut [Language], most: usize, cases: impl FnOnce(&dyn Fn(Case))) {
    thread::scope(|scope| {
        let start = |language| {
            let (sender, receiver) = mpsc::sync_channel::<Arc<Case>>(64);
            scope.spawn(move || ask_all(language, most, receiver));
            sender
        };
        let senders: Vec<_> = languages.iter_mut().map(start).collect();
        cases(&|case| {
            let case = Arc::new(case);
            for sender in &senders {
                // A language that failed takes no more, and says why itself.
                let _ = sender.send(Arc::clone(&case));
            }
        });
    });
}

fn ask_all(language: &mut Language, most: usize, cases: mpsc::Receiver<Arc<Case>>) {
    let forms = offers::forms_of_many(&language.name);
    let mut asked: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for case in cases {
        let counts = asked.entry(case.algorithm.name());
        let counts = counts.or_insert_with(|| vec![0; forms.len()]);
        let mut taking: Vec<usize> = (0..forms.len()).filter(|i| case.takes(&forms[*i])).collect();
        taking.sort_by_key(|i| counts[*i]);
        for i in taking.into_iter().take(most) {
            case.ask(language, &forms[i]);
            counts[i] += 1;
        }
    }
    for algorithm in Algorithm::all() {
        for (form, count) in forms.iter().zip(&asked[algorithm.name()]) {
            let offered = !form.draws || algorithm.nonce_rule() != NonceRule::Counter;
            let what = format!("{} for {algorithm}, {form:?}", language.name);
            assert!(*count >= 10 || !offered, "{what}: {count} batches");
        }
    }
}
