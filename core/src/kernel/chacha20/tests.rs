//! Published keystreams, and the counter's carry at every place of every kernel.

use super::*;
use crate::tier::{Tier, on_tier};
use sivka_oracle::chacha20 as oracle;
use sivka_oracle::vectors::Object;

struct Case {
    algorithm: String,
    name: String,
    key: [u8; 32],
    nonce: Vec<u8>,
    counter: u64,
    input: Vec<u8>,
    output: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../../vectors/chacha20/chacha20.json");
    let mut file = Object::parse(text, "chacha20.json").unwrap();
    file.take_string("source").unwrap();
    let groups = file.take_objects("groups").unwrap();
    file.finish().unwrap();
    let mut cases = Vec::new();
    for mut group in groups {
        let algorithm = group.take_string("algorithm").unwrap();
        group.take_string("section").unwrap();
        let before = cases.len();
        for mut case in group.take_objects("cases").unwrap() {
            let counter = case.take_bytes("counter").unwrap();
            cases.push(Case {
                algorithm: algorithm.clone(),
                name: case.take_string("name").unwrap(),
                key: case.take_bytes("key").unwrap().try_into().unwrap(),
                nonce: case.take_bytes("nonce").unwrap(),
                counter: u64::from_be_bytes(counter.try_into().unwrap()),
                input: case.take_bytes("input").unwrap(),
                output: case.take_bytes("output").unwrap(),
            });
            case.finish().unwrap();
        }
        assert_eq!(group.take("case_count").unwrap(), cases.len() - before);
        group.finish().unwrap();
    }
    cases
}

fn xor<T: ChaCha20>(t: T, key: &[u8; 32], nonce: &[u8], counter: u64, data: &mut [u8]) {
    let matrix = Matrix::new(key, nonce.try_into().unwrap());
    t.run(|| t.chacha20_xor(&matrix, counter, data));
}

fn hchacha20<T: ChaCha20>(t: T, key: &[u8; 32], nonce: &[u8]) -> [u8; 32] {
    let mut subkey = [0; 32];
    t.run(|| t.hchacha20(key, nonce.try_into().unwrap(), &mut subkey));
    subkey
}

fn check<T: ChaCha20>(t: T, tier: Tier) {
    let cases = cases();
    assert_eq!(cases.len(), 8 + 5 + 1 + 1, "not every vector was checked");
    for case in &cases {
        let what = format!("{} {} on {tier}", case.algorithm, case.name);
        let mut data = case.input.clone();
        match &*case.algorithm {
            "ChaCha20" => xor(t, &case.key, &case.nonce, case.counter, &mut data),
            "HChaCha20" => data = hchacha20(t, &case.key, &case.nonce).to_vec(),
            "XChaCha20" => {
                let subkey = hchacha20(t, &case.key, &case.nonce[..16]);
                xor(t, &subkey, &case.nonce[16..], case.counter, &mut data);
            }
            other => panic!("what is {other}?"),
        }
        assert_eq!(data, case.output, "{what}");
    }
}

/// The low word of the counter runs over before every block of the widest kernel and
/// its narrower successors; the whole counter wraps as well.
fn check_carries<T: ChaCha20>(t: T, tier: Tier) {
    let (key, nonce) = ([7; 32], [9; 8]);
    for carry in [1_u64 << 32, 1 << 33, 0] {
        for blocks_before in 0..40 {
            let counter = carry.wrapping_sub(blocks_before);
            for len in [64 * 45 - 3, 64 * 16, 64 * 8, 64 * 4, 100] {
                let mut ours = vec![0x55; len];
                let mut expected = ours.clone();
                xor(t, &key, &nonce, counter, &mut ours);
                oracle::xor(&key, &nonce, counter, &mut expected);
                assert!(
                    ours == expected,
                    "{len} bytes from block {counter:#x} on {tier}"
                );
            }
        }
    }
}

#[test]
fn vectors_and_carries_on_every_tier() {
    for tier in Tier::available() {
        on_tier!(tier, |t| {
            check(t, tier);
            check_carries(t, tier);
        });
    }
}
