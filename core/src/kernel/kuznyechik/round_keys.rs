//! The key schedule, the same on every tier: thirty-two rounds of the tier's own S and L.

use crate::tier::erased::Scratch;

/// K_1, …, K_10 (RFC 7801 section 4.3).
pub(crate) type RoundKeys = Scratch<10>;

/// The Feistel network of RFC 7801 section 4.3, on values that stay in registers: `$load` makes
/// one of a block and `$store` a block of one, `$ls_xor` is L(S(value)) plus another value in
/// constant time, and `$xor` the sum of two.
///
/// A round adds its constant to what it reads. Here the round before has added it, to the half
/// that is there early, so that no round waits for that sum.
macro_rules! feistel {
    ($key:expr, $load:expr, $store:expr, $ls_xor:expr, $xor:expr) => {{
        use $crate::kernel::kuznyechik::{constants::ITERATION_CONSTANTS, round_keys::RoundKeys};
        let (load, store, ls_xor, xor) = ($load, $store, $ls_xor, $xor);
        let mut keys = RoundKeys::new();
        let (halves, _) = $key.as_chunks();
        keys[..2].copy_from_slice(halves);
        let mut constant = load(&ITERATION_CONSTANTS[0]);
        let [a1, mut a0] = [load(&keys[0]), load(&keys[1])];
        // a_1 with the constant of the round that reads it.
        let mut sum = xor(a1, constant);
        for round in 0..32 {
            let after = load(&ITERATION_CONSTANTS[(round + 1) % 32]);
            let next = ls_xor(sum, xor(a0, after));
            a0 = xor(sum, constant);
            (sum, constant) = (next, after);
            if round % 8 == 7 {
                let pair = round / 8 * 2;
                keys[pair + 2] = store(xor(sum, constant));
                keys[pair + 3] = store(a0);
            }
        }
        keys
    }};
}
pub(super) use feistel;
