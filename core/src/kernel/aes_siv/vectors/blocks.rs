//! AES-SIV over vectors of one block: a chain, CTR with eight blocks in flight, eight chains side by side.
//!
//! A chain is made of nothing but AES rounds. The next block and the first round key are in
//! the last round key: `AESENCLAST(x, last ^ first ^ block)`. The sum of the three is there
//! before the rounds are done.

use crate::kernel::aes::blocks::{encrypt_states as encrypt, rounds};
use crate::kernel::vector::narrowest;
use crate::tier::bytes::{load128, store128};

macro_rules! blocks {
    ($tier:ident, $features:literal, $_kernel:literal) => {
        aes_siv!($tier, $features, m128, 16, chain: |tier| tier);

        /// A CBC-MAC between two blocks: `state` already has the block and the first round key in it.
        struct Chain<'a, const ROUND_KEYS: usize> {
            keys: &'a RoundKeys<ROUND_KEYS>,
            state: Vector,
            /// The first round key and the last.
            ends: Vector,
        }

        impl<'a, const ROUND_KEYS: usize> Chain<'a, ROUND_KEYS> {
            $crate::tier::helpers! {
                $features;
                fn start(keys: &'a RoundKeys<ROUND_KEYS>, state: &Block, block: Vector) -> Self {
                    let [first, last] = [load128(&keys.0[0]), load128(&keys.0[ROUND_KEYS - 1])];
                    Self {
                        keys,
                        state: vector::xor(vector::xor(load128(state), first), block),
                        ends: vector::xor(first, last),
                    }
                }

                fn go_on(&mut self, block: Vector) {
                    let [state] = rounds(self.keys, [self.state]);
                    self.state = vector::aes_last_round(state, vector::xor(self.ends, block));
                }

                fn end(self, out: &mut Block) {
                    let [state] = rounds(self.keys, [self.state]);
                    let last = load128(&self.keys.0[ROUND_KEYS - 1]);
                    store128(out, vector::aes_last_round(state, last));
                }
            }
        }

        kernel! {
            pub(super) fn cbc_mac[const ROUND_KEYS: usize](
                tier: $tier, keys: &RoundKeys<ROUND_KEYS>, state: &mut Block, blocks: &[Block],
            ) {
                let Some((first, rest)) = blocks.split_first() else { return };
                let mut chain = Chain::start(keys, state, load128(first));
                for block in rest {
                    chain.go_on(load128(block));
                }
                chain.end(state);
            }

            pub(super) fn ctr_xor_and_cbc_mac[const ROUND_KEYS: usize](
                tier: $tier, ctr_keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[Block]>,
                in_out: &mut [Block], mac_keys: &RoundKeys<ROUND_KEYS>, state: &mut Block,
            ) {
                let mut counters = Counters::new(counter);
                let mut sources = from.map(<[Block]>::iter);
                let mut blocks = in_out.iter_mut();
                // The CPU looks some ten blocks ahead: their keystream is made while the chain waits.
                let mut next = || {
                    let block = blocks.next()?;
                    let [keystream] = encrypt(ctr_keys, [counters.next()]);
                    let text = sources.as_mut().and_then(Iterator::next).unwrap_or(block);
                    let text = vector::xor(load128(text), keystream);
                    store128(block, text);
                    Some(text)
                };
                let Some(first) = next() else { return };
                let mut chain = Chain::start(mac_keys, state, first);
                while let Some(text) = next() {
                    chain.go_on(text);
                }
                chain.end(state);
            }
        }
    };
}
narrowest!(blocks);
