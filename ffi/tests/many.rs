//! Batches and columns through the C interface are what its calls for one message make.

#[path = "many/subject.rs"]
mod subject;

use sivka_judge::conformance::{ALGORITHMS, Many};
use sivka_judge::shapes::{Count, Coverage, Messages, Source, SplitMix64, Style};
use subject::CKey;

#[test]
fn every_pair_of_styles() {
    for algorithm in &ALGORITHMS {
        let parts = algorithm.parts();
        let mut coverage = Coverage::new(parts, Count::ALL);
        let mut source = SplitMix64::new(3);
        let mut key = vec![0; algorithm.key_len];
        source.fill(&mut key);
        let ours = CKey::new(algorithm.name, &key);
        let mut batches = 0;
        while coverage.left() > 0 {
            let shape = coverage.draw(&mut source);
            let messages = Messages::draw(shape, parts, &mut source);
            let executions = Many::new(algorithm, &key, &messages).check(&ours);
            coverage.add(&messages, executions);
            batches += 1;
        }
        println!("{}: {batches} batches", algorithm.name);
        assert!(batches > 81, "each two styles of texts and AADs");
    }
}
