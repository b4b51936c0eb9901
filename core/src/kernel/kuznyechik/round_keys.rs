//! The key schedule, the same on every tier: thirty-two rounds of the tier's own S and L.

use super::Block;
use super::constants::ITERATION_CONSTANTS;
use zeroize::{Zeroize, Zeroizing};

/// K_1, …, K_10 (RFC 7801 section 4.3).
pub(crate) type RoundKeys = Zeroizing<[Block; 10]>;

/// Runs the Feistel network of section 4.3; `ls` is L(S(block)), which must take the
/// same time for every block.
#[inline(always)]
pub(super) fn expand(key: &[u8; 32], ls: impl Fn(&mut Block)) -> RoundKeys {
    let mut keys = Zeroizing::new([[0; 16]; 10]);
    let mut a1 = [0; 16];
    let mut a0 = [0; 16];
    a1.copy_from_slice(&key[..16]);
    a0.copy_from_slice(&key[16..]);
    keys[0] = a1;
    keys[1] = a0;
    for (pair, constants) in ITERATION_CONSTANTS.as_chunks::<8>().0.iter().enumerate() {
        for constant in constants {
            let mut f = xor(&a1, constant);
            ls(&mut f);
            let next = xor(&f, &a0);
            f.zeroize();
            a0 = a1;
            a1 = next;
        }
        keys[2 * pair + 2] = a1;
        keys[2 * pair + 3] = a0;
    }
    a1.zeroize();
    a0.zeroize();
    keys
}

#[inline(always)]
pub(super) fn xor(a: &Block, b: &Block) -> Block {
    (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)).to_ne_bytes()
}
