//! The key schedule, the same on every tier: thirty-two rounds of the tier's own S and L.

use super::Block;
use zeroize::Zeroizing;

/// K_1, …, K_10 (RFC 7801 section 4.3).
pub(crate) type RoundKeys = Zeroizing<[Block; 10]>;

/// The Feistel network of RFC 7801 section 4.3, on values that stay in registers: `$load` makes
/// one of a block and `$store` a block of one, `$ls` is L(S(value)) in constant time, and `$xor`
/// the sum of two.
macro_rules! feistel {
    ($key:expr, $load:expr, $store:expr, $ls:expr, $xor:expr) => {{
        use $crate::kernel::kuznyechik::{constants::ITERATION_CONSTANTS, round_keys::RoundKeys};
        let (load, store, ls, xor) = ($load, $store, $ls, $xor);
        let mut keys = RoundKeys::default();
        let (halves, _) = $key.as_chunks();
        keys[..2].copy_from_slice(halves);
        let [mut a1, mut a0] = [load(&keys[0]), load(&keys[1])];
        for (pair, constants) in ITERATION_CONSTANTS.as_chunks::<8>().0.iter().enumerate() {
            for constant in constants {
                let next = xor(ls(xor(a1, load(constant))), a0);
                a0 = a1;
                a1 = next;
            }
            keys[2 * pair + 2] = store(a1);
            keys[2 * pair + 3] = store(a0);
        }
        keys
    }};
}
pub(super) use feistel;
