//! RFC 8452, section 4: the keys of a message, and from S_s to the tag and the initial counter
//! block, 128 bits wide on every tier.

use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::kernel::aes::blocks::encrypt_states;
use crate::kernel::vector::m128::{self, Vector};
use crate::kernel::vector::narrowest;
use crate::tier::bytes::store128;

macro_rules! blocks {
    ($_tier:ident, $features:literal, $_kernel:literal) => {
        $crate::tier::helpers! {
            $features;
            /// The halves of the keys of a message: for authentication, and for encryption (AES-128
            /// has only the first). `nonce` comes after a counter of zero.
            pub(super) fn derive_halves[const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, nonce: Vector,
            ) -> [Vector; 3] {
                let counted = |counter: u128| m128::xor(nonce, m128::splat(&counter.to_le_bytes()));
                if ROUND_KEYS == 11 {
                    let [a, b, c, d] = encrypt_states(keys, [0, 1, 2, 3].map(counted));
                    let low = m128::low_halves(c, d);
                    [m128::low_halves(a, b), low, low]
                } else {
                    let [a, b, c, d, e, f] = encrypt_states(keys, [0, 1, 2, 3, 4, 5].map(counted));
                    [m128::low_halves(a, b), m128::low_halves(c, d), m128::low_halves(e, f)]
                }
            }

            /// The tag is the encryption of S_s XOR nonce with the top bit cleared.
            pub(super) fn tag[const ROUND_KEYS: usize](
                keys: &RoundKeys<ROUND_KEYS>, nonce: Vector, s_s: Vector,
            ) -> Vector {
                let top_bit_clear = m128::splat(&(u128::MAX >> 1).to_le_bytes());
                let block = m128::and(m128::xor(s_s, nonce), top_bit_clear);
                let [tag] = encrypt_states(keys, [block]);
                tag
            }

            /// The initial counter block is the tag with the top bit set.
            pub(super) fn initial_counter(tag: Vector) -> Vector {
                let top_bit_clear = m128::splat(&(u128::MAX >> 1).to_le_bytes());
                let top_bit = m128::splat(&(1_u128 << 127).to_le_bytes());
                m128::xor(m128::and(tag, top_bit_clear), top_bit)
            }

            pub(super) fn stored(block: Vector) -> Block {
                let mut bytes = [0; 16];
                store128(&mut bytes, block);
                bytes
            }
        }
    };
}
narrowest!(blocks);
