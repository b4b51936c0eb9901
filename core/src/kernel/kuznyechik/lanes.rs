//! A block in each lane of 128 bits, for what is too little to fill byte slices: written once
//! for every width.
//!
//! With GFNI the state is in the names of `aes_field`, where a lane's bytes can each be
//! multiplied by their own coefficient: L is sixteen such products of turned lanes.

use super::constants::{l, table};

/// L or its inverse as products of turned blocks: entry `[turn][to]` is the coefficient of what
/// comes to byte `to` when the block is turned by `turn` bytes, which is byte `to + turn`.
pub(super) const fn turned(inverse: bool) -> [[u8; 16]; 16] {
    table!([[0; 16]; 16], |turn| {
        table!([0; 16], |to| {
            let from = (to + turn) % 16;
            // R's coefficients are a palindrome: the inverse is L of the bytes in reverse order.
            let (from, to) = if inverse { (15 - from, 15 - to) } else { (from, to) };
            l((1_u128 << (8 * from)).to_le_bytes())[to]
        })
    })
}

/// Defines L for the vectors of a width, and the addition of `key`: with the products that are
/// there first, as a sum of its own would be one more that the next round waits for.
macro_rules! linear {
    ($features:literal) => {
        $crate::tier::helpers! {
            $features;
            pub(in crate::kernel::kuznyechik) fn linear(
                multipliers: &Multipliers, v: Vector, key: Vector,
            ) -> Vector {
                let turned = [v, align::<1>(v, v), align::<2>(v, v), align::<3>(v, v)];
                let product = |near: usize, far: usize| {
                    multiply(turned[near], in_lanes(&multipliers.0[near][far]))
                };
                let sum = |far| xor3(product(0, far), product(1, far), product(2, far));
                let [a, b, c, d] = [sum(0), sum(1), sum(2), sum(3)];
                let a = xor3(a, product(3, 0), key);
                let [b, c, d] =
                    [xor(b, product(3, 1)), xor(c, product(3, 2)), xor(d, product(3, 3))];
                let b = align::<4>(b, b);
                let c = turn_words::<0b01_00_11_10>(c);
                let d = align::<12>(d, d);
                xor(xor3(b, c, d), a)
            }
        }
    };
}

/// Defines `encrypt_blocks` and `decrypt_blocks` with up to `$most` vectors of `LANES` blocks
/// side by side, as one alone would wait for its own results. `enter` and `leave` change names.
macro_rules! lanes {
    ($tier:ident, $features:literal, VECTORS: $most:literal $(or $fewer:literal)*) => {
        $crate::tier::helpers! {
            $features;
            fn load_all[const N: usize](blocks: &[Block]) -> [Vector; N] {
                let mut states = [in_lanes(&[0; 16]); N];
                for (state, blocks) in states.iter_mut().zip(blocks.chunks(LANES)) {
                    *state = enter(load(blocks));
                }
                states
            }

            fn store_all[const N: usize](states: [Vector; N], blocks: &mut [Block]) {
                for (state, blocks) in states.iter().zip(blocks.chunks_mut(LANES)) {
                    store(blocks, leave(*state));
                }
            }

            fn encrypt[const N: usize](keys: &RoundKeys, blocks: &mut [Block]) {
                let [first, rest @ ..] = &*keys.plain;
                let key = enter(in_lanes(first));
                let mut states = load_all::<N>(blocks).map(|state| xor(state, key));
                for key in rest {
                    let key = enter(in_lanes(key));
                    for state in &mut states {
                        *state = linear(&L, substitute(&PI, *state), key);
                    }
                }
                store_all(states, blocks);
            }

            fn decrypt[const N: usize](keys: &RoundKeys, blocks: &mut [Block]) {
                let [first, rest @ ..] = &*keys.plain;
                let mut states = load_all::<N>(blocks);
                for key in rest.iter().rev() {
                    let key = enter(in_lanes(key));
                    for state in &mut states {
                        let sum = linear(&L_INVERSE, xor(*state, key), in_lanes(&[0; 16]));
                        *state = substitute_inverse(&PI_INVERSE, sum);
                    }
                }
                let key = enter(in_lanes(first));
                store_all(states.map(|state| xor(state, key)), blocks);
            }
        }

        lanes!(@ $tier, encrypt_blocks, encrypt, $most $($fewer)*);
        lanes!(@ $tier, decrypt_blocks, decrypt, $most $($fewer)*);
    };
    (@ $tier:ident, $blocks:ident, $crypt:ident, $most:literal $($fewer:literal)*) => {
        kernel! {
            pub(super) fn $blocks(tier: $tier, keys: &RoundKeys, blocks: &mut [Block]) {
                for blocks in blocks.chunks_mut($most * LANES) {
                    match blocks.len().div_ceil(LANES) {
                        $( $fewer => $crypt::<$fewer>(keys, blocks), )*
                        _ => $crypt::<$most>(keys, blocks),
                    }
                }
            }
        }
    };
}

/// Defines `expand`, the key schedule in lanes of which one is used.
macro_rules! key_schedule {
    ($tier:ident, $sliced:expr) => {
        kernel! {
            pub(in crate::kernel::kuznyechik) fn expand(tier: $tier, key: &[u8; 32]) -> RoundKeys {
                let keys = $crate::kernel::kuznyechik::round_keys::feistel!(
                    key,
                    |block: &Block| enter(in_lanes(block)),
                    |v| {
                        let mut block = [[0; 16]];
                        store(&mut block, leave(v));
                        block[0]
                    },
                    |v, sum| linear(&L, substitute(&PI, v), sum),
                    |a, b| xor(a, b)
                );
                $sliced(keys)
            }
        }
    };
}

pub(super) use {key_schedule, lanes, linear};
