//! Published keystreams, and the counter's carry at every place of every kernel.

use super::*;
use crate::tier::{Tier, on_tier, stack::Depth};
use sivka_oracle::chacha20 as oracle;
use sivka_oracle::vectors;

sivka_oracle::objects! {
    struct Case {
        name: String,
        key: [u8; 32],
        nonce: Vec<u8>,
        counter: [u8; 8],
        input: Vec<u8>,
        output: Vec<u8>,
    }
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
    let text = include_str!("../../../../vectors/chacha20/chacha20.json");
    let mut checked = 0;
    for group in vectors::read::<Case>(text).unwrap() {
        for case in &group.cases {
            let mut data = case.input.clone();
            let counter = u64::from_be_bytes(case.counter);
            match &*group.algorithm {
                "ChaCha20" => xor(t, &case.key, &case.nonce, counter, &mut data),
                "HChaCha20" => data = hchacha20(t, &case.key, &case.nonce).to_vec(),
                "XChaCha20" => {
                    let subkey = hchacha20(t, &case.key, &case.nonce[..16]);
                    xor(t, &subkey, &case.nonce[16..], counter, &mut data);
                }
                other => panic!("what is {other}?"),
            }
            let what = format!("{} {} on {tier}", group.algorithm, case.name);
            assert_eq!(data, case.output, "{what}");
            checked += 1;
        }
    }
    assert_eq!(checked, 8 + 5 + 1 + 1, "not every vector was checked");
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
                assert!(ours == expected, "{len} bytes from block {counter:#x} on {tier}");
            }
        }
    }
}

#[test]
fn vectors_and_carries_on_every_tier() {
    for tier in Tier::available() {
        on_tier!(tier, Depth::Nothing, |t| {
            check(t, tier);
            check_carries(t, tier);
        });
    }
}
