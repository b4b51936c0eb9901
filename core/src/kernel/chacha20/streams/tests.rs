//! Keystreams side by side are those of one after another.

use super::*;
use crate::kernel::chacha20::Matrix;
use crate::tier::{Tier, on_tier};
use std::vec::Vec;

const KEY: [u8; KEY_LEN] = [7; KEY_LEN];

fn expected<T: Streams>(t: T, nonce: &StreamNonce, extended: bool, text: &mut [u8]) {
    let (first, last) = nonce.split_at(16);
    let mut subkey = KEY;
    if extended {
        t.run(|| t.hchacha20(&KEY, first.try_into().unwrap(), &mut subkey));
    }
    let matrix = Matrix::new(&subkey, last.try_into().unwrap());
    t.run(|| t.chacha20_xor(&matrix, 0, text));
}

fn check<T: Streams>(t: T, tier: Tier, count: usize, len_of: impl Fn(usize) -> usize) {
    let nonces: Vec<StreamNonce> =
        (0..count).map(|i| core::array::from_fn(|j| (31 * i + j) as u8)).collect();
    let texts: Vec<Vec<u8>> =
        (0..count).map(|i| (0..len_of(i)).map(|j| (i + 3 * j) as u8).collect()).collect();
    for extended in [false, true] {
        let mut actual = texts.clone();
        let mut places: Vec<&mut [u8]> = actual.iter_mut().map(|text| &mut **text).collect();
        t.run(|| t.xor_streams(&KEY, &nonces, extended, &mut places));
        for (i, (actual, nonce)) in actual.iter().zip(&nonces).enumerate() {
            let mut text = texts[i].clone();
            expected(t, nonce, extended, &mut text);
            assert!(*actual == text, "text {i} of {count}, {} bytes, on {tier}", text.len());
        }
    }
}

#[test]
fn keystreams_side_by_side_are_those_of_one_after_another() {
    fn every_count_and_length<T: Streams>(t: T, tier: Tier) {
        assert!(T::STREAMS <= MAX_STREAMS && T::FEWEST <= T::STREAMS);
        for count in 1..=T::STREAMS {
            check(t, tier, count, |i| 13 * i);
            check(t, tier, count, |i| 64 * (i % 4));
            check(t, tier, count, |i| if i == count - 1 { T::LONGEST.min(2100) } else { 1 });
        }
        for len in 0..=200 {
            check(t, tier, T::STREAMS, |_| len);
        }
    }
    for tier in Tier::available() {
        on_tier!(tier, |t| every_count_and_length(t, tier));
    }
}
