//! AES-SIV on the AES instructions of AArch64: a chain, CTR with eight blocks in flight,
//! eight chains side by side.
//!
//! AESE adds the round key first, so the next block of a chain goes into the first round key,
//! with the last of the block before: a chain is made of nothing but AES rounds.

use super::vectors::aes_siv;
use super::{AesSiv, impl_aes_siv};
use crate::kernel::aes::neon::{encrypt_states as encrypt, rounds};
use crate::tier::bytes::{load128, store128};
use core::arch::aarch64::*;

impl_aes_siv!(Neon, chain: |tier| tier);

aes_siv!(Neon, "neon,aes", neon, 16);

#[inline]
#[target_feature(enable = "neon")]
fn kept(state: Vector, lanes: u32, i: usize) -> Vector {
    vandq_u8(state, vdupq_n_u8(0_u8.wrapping_sub((lanes >> i & 1) as u8)))
}

/// A CBC-MAC between two blocks: `state` lacks the last round key, which `ends` has together
/// with the first.
struct Chain<'a, const ROUND_KEYS: usize> {
    keys: &'a RoundKeys<ROUND_KEYS>,
    state: uint8x16_t,
    ends: uint8x16_t,
}

impl<'a, const ROUND_KEYS: usize> Chain<'a, ROUND_KEYS> {
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn start(keys: &'a RoundKeys<ROUND_KEYS>, state: &Block) -> Self {
        let [first, last] = [load128(&keys.0[0]), load128(&keys.0[ROUND_KEYS - 1])];
        Self { keys, state: veorq_u8(load128(state), last), ends: veorq_u8(first, last) }
    }

    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn go_on(&mut self, block: uint8x16_t) {
        let first = veorq_u8(self.ends, block);
        let [state] = rounds::<1, ROUND_KEYS, 0>(self.keys, first, [self.state], |_| ());
        self.state = state;
    }

    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn end(self, out: &mut Block) {
        let last = load128(&self.keys.0[ROUND_KEYS - 1]);
        store128(out, veorq_u8(self.state, last));
    }
}

kernel! {
    fn cbc_mac[const ROUND_KEYS: usize](
        tier: Neon, keys: &RoundKeys<ROUND_KEYS>, state: &mut Block, blocks: &[Block],
    ) {
        let mut chain = Chain::start(keys, state);
        for block in blocks {
            chain.go_on(load128(block));
        }
        chain.end(state);
    }
}

kernel! {
    fn ctr_xor_and_cbc_mac[const ROUND_KEYS: usize](
        tier: Neon, ctr_keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[Block]>,
        in_out: &mut [Block], mac_keys: &RoundKeys<ROUND_KEYS>, state: &mut Block,
    ) {
        let mut counters = Counters::new(counter);
        let mut sources = from.map(<[Block]>::iter);
        let mut chain = Chain::start(mac_keys, state);
        // The CPU looks some blocks ahead: their keystream is made while the chain waits.
        for block in in_out {
            let [keystream] = encrypt(ctr_keys, [counters.next()]);
            let text = sources.as_mut().and_then(Iterator::next).unwrap_or(block);
            let text = veorq_u8(load128(text), keystream);
            store128(block, text);
            chain.go_on(text);
        }
        chain.end(state);
    }
}
