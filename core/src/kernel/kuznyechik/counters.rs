//! Blocks that count, which counter modes encrypt: a run that counts in its left half and,
//! after it, one that counts in its right half. Halves are big-endian and wrap.

use super::Block;
use zeroize::Zeroize;

/// Two runs of counters side by side.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    /// How many blocks count in the left half.
    pub(crate) left_len: usize,
    /// The first of them, as a big-endian number.
    pub(crate) left: u128,
    /// The first of those that count in the right half.
    pub(crate) right: u128,
}

impl Counters {
    /// The counters themselves, as many as there are `blocks`.
    #[inline(always)]
    pub(crate) fn fill(self, blocks: &mut [Block]) {
        let (left, right) = blocks.split_at_mut(self.left_len.min(blocks.len()));
        for (n, block) in (0..).zip(left) {
            *block = add_left(self.left, n).to_be_bytes();
        }
        for (n, block) in (0..).zip(right) {
            *block = add_right(self.right, n).to_be_bytes();
        }
    }

    /// Goes on to the counters after these, of which `right_len` counted in the right half.
    #[inline(always)]
    pub(crate) fn advance(&mut self, right_len: usize) {
        self.left = add_left(self.left, self.left_len as u64);
        self.right = add_right(self.right, right_len as u64);
    }
}

impl Zeroize for Counters {
    fn zeroize(&mut self) {
        self.left.zeroize();
        self.right.zeroize();
    }
}

/// The left half of the block plus `n`, modulo 2^64.
#[inline(always)]
fn add_left(block: u128, n: u64) -> u128 {
    block.wrapping_add(u128::from(n) << 64)
}

/// The right half of the block plus `n`, modulo 2^64.
#[inline(always)]
fn add_right(block: u128, n: u64) -> u128 {
    let right = (block as u64).wrapping_add(n);
    block >> 64 << 64 | u128::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::kuznyechik::Kuznyechik;
    use crate::tier::{Tier, on_tier, stack::Depth};
    use std::vec;

    /// Every tier that makes counters by itself makes these; every carry is met.
    #[test]
    fn encrypted_counters_are_the_encryption_of_counters() {
        fn check<T: Kuznyechik>(t: T) {
            let keys = t.run(|| t.expand(&[0x5a; 32]));
            let halves = [0, 0xff, 0xffc8, 0x12ff_ffff_ffd0, u64::MAX, u64::MAX - 40];
            for len in [0, 1, 63, 64, 65, 130] {
                for left_len in [0, 1, 31, 32, 33, 64, 100] {
                    for half in halves {
                        let both = u128::from(half) << 64 | u128::from(half);
                        let counters = Counters { left_len, left: both, right: both ^ 0x77 };
                        let mut expected = vec![[0; 16]; len];
                        counters.fill(&mut expected);
                        let mut actual = vec![[0xee; 16]; len];
                        t.run(|| t.encrypt_blocks(&keys, &mut expected));
                        t.run(|| t.encrypt_counters(&keys, counters, &mut actual));
                        assert_eq!(actual, expected, "{len}, {left_len}, {half:x}");
                    }
                }
            }
        }
        for tier in Tier::available() {
            on_tier!(tier, Depth::Nothing, |t| check(t));
        }
    }
}
