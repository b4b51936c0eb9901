//! BLAKE2's own known answers, on every tier.

use super::*;
use crate::tier::{Tier, on_tier, stack::Depth};
use sivka_oracle::vectors;

sivka_oracle::objects! {
    struct Case { name: String, key: Vec<u8>, input: Vec<u8>, output: Vec<u8> }
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../../vectors/blake2b/keyed.json");
    let groups = vectors::read::<Case>(text).unwrap().into_iter();
    let cases = groups.flat_map(|group| {
        assert_eq!(group.algorithm, "BLAKE2b");
        group.cases
    });
    cases.collect()
}

/// The hashes without a key that BoringSSL and AWS-LC test themselves with.
fn cases_without_key() -> Vec<Case> {
    let text = include_str!("../../../../vectors/published/boringssl/blake2b256_tests.txt");
    let fields = |name| text.lines().filter_map(move |line| line.strip_prefix(name));
    let bytes = |digits: &str| sivka_oracle::vectors::hex(digits.trim()).unwrap();
    let pairs = fields("IN:").zip(fields("HASH:"));
    let case = |(input, output): (&str, &str)| Case {
        name: format!("without key, {} B", bytes(input).len()),
        key: Vec::new(),
        input: bytes(input),
        output: bytes(output),
    };
    pairs.map(case).collect()
}

/// Key block, if there is a key, and input as blocks, and how many bytes of the last are the
/// message's.
fn blocks(case: &Case) -> (Vec<Block>, u8) {
    let mut bytes = case.key.clone();
    if !bytes.is_empty() {
        bytes.resize(BLOCK_LEN, 0);
    }
    bytes.extend_from_slice(&case.input);
    let last_len = match bytes.len() {
        0 => 0,
        len => (len - 1) % BLOCK_LEN + 1,
    };
    bytes.resize(bytes.len().next_multiple_of(BLOCK_LEN).max(BLOCK_LEN), 0);
    (bytes.as_chunks().0.to_vec(), last_len as u8)
}

fn check<T: Blake2b>(t: T, tier: Tier) {
    let mut cases = cases();
    cases.extend(cases_without_key());
    assert_eq!(cases.len(), 256 + 16 + 18 + 259, "not every known answer was checked");
    for case in &cases {
        let (blocks, last_len) = blocks(case);
        let mut state = State::keyed(case.key.len(), case.output.len());
        let run = Run { blocks: &blocks, last_len: Some(last_len) };
        t.run(|| t.compress(&mut state, run));
        assert_eq!(state.output()[..case.output.len()], case.output, "{} on {tier}", case.name);
    }
}

#[test]
fn known_answers_on_every_tier() {
    for tier in Tier::available() {
        on_tier!(tier, Depth::Nothing, |t| check(t, tier));
    }
}
