//! Rounds beside a hash are the rounds and the hash.

use super::*;
use crate::tier::{Tier, on_tier};
use std::vec;

fn check<T: ChaCha20Blake2b>(t: T) -> bool {
    let Some(Beside { absorb, xor }) = T::BESIDE else {
        return false;
    };
    let matrix = Matrix::new(&core::array::from_fn(|i| (7 * i) as u8), &[9; 8]);
    let mut blocks = FourBlocks::new(&matrix, 3);
    let block: Block = core::array::from_fn(|i| (3 * i) as u8);
    for last_len in [None, Some(60)] {
        let (mut actual, mut expected) = (State::keyed(64, 64), State::keyed(64, 64));
        t.run(|| absorb(t, &mut actual, &block, last_len, &mut blocks));
        let blocks = core::slice::from_ref(&block);
        t.run(|| t.compress(&mut expected, Run { blocks, last_len }));
        assert_eq!(actual.output(), expected.output());
    }
    for len in 0..=FourBlocks::LEN {
        let mut actual = vec![0x5a; len];
        let mut expected = actual.clone();
        t.run(|| xor(t, &blocks, &matrix, 3, &mut actual));
        t.run(|| t.chacha20_xor(&matrix, 3, &mut expected));
        assert_eq!(actual, expected, "{len}");
    }
    true
}

#[test]
fn a_keystream_made_beside_hashes_is_the_keystream() {
    let checked = Tier::available().filter(|tier| on_tier!(tier, |t| check(t)));
    // Every tier of x86-64 that has vectors of its own.
    let expected = Tier::available().filter(|tier| !["portable", "neon"].contains(&tier.name()));
    assert_eq!(checked.count(), expected.count());
}
