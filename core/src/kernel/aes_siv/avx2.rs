//! AES-SIV on AES-NI: a chain, CTR with eight blocks in flight, eight chains side by side.
//!
//! A chain is made of nothing but AES rounds. The next block and the first round key are in
//! the last round key: `AESENCLAST(x, last ^ first ^ block)`. The sum of the three is there
//! before the rounds are done.

use super::vectors::aes_siv;
use super::{AesSiv, impl_aes_siv};
use crate::kernel::aes::avx2::{encrypt_states as encrypt, rounds};
use crate::tier::bytes::{load128, store128};
use core::arch::x86_64::*;

impl_aes_siv!(Avx2, chain: |tier| tier);
aes_siv!(Avx2, "aes,pclmulqdq,avx2", m128, 16);

#[inline]
#[target_feature(enable = "avx2")]
fn kept(state: Vector, lanes: u32, i: usize) -> Vector {
    _mm_and_si128(state, _mm_set1_epi32(-((lanes >> i & 1) as i32)))
}

/// A CBC-MAC between two blocks: `state` already has the block and the first round key in it.
struct Chain<'a, const ROUND_KEYS: usize> {
    keys: &'a RoundKeys<ROUND_KEYS>,
    state: __m128i,
    /// The first round key and the last.
    ends: __m128i,
}

impl<'a, const ROUND_KEYS: usize> Chain<'a, ROUND_KEYS> {
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn start(keys: &'a RoundKeys<ROUND_KEYS>, state: &Block, block: __m128i) -> Self {
        let [first, last] = [load128(&keys.0[0]), load128(&keys.0[ROUND_KEYS - 1])];
        Self {
            keys,
            state: _mm_xor_si128(_mm_xor_si128(load128(state), first), block),
            ends: _mm_xor_si128(first, last),
        }
    }

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn go_on(&mut self, block: __m128i) {
        let [state] = rounds::<1, ROUND_KEYS, 1>(self.keys, [self.state], |_| ());
        self.state = _mm_aesenclast_si128(state, _mm_xor_si128(self.ends, block));
    }

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn end(self, out: &mut Block) {
        let [state] = rounds::<1, ROUND_KEYS, 1>(self.keys, [self.state], |_| ());
        let last = load128(&self.keys.0[ROUND_KEYS - 1]);
        store128(out, _mm_aesenclast_si128(state, last));
    }
}

kernel! {
    pub(super) fn cbc_mac[const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, state: &mut Block, blocks: &[Block],
    ) {
        let Some((first, rest)) = blocks.split_first() else { return };
        let mut chain = Chain::start(keys, state, load128(first));
        for block in rest {
            chain.go_on(load128(block));
        }
        chain.end(state);
    }
}

kernel! {
    pub(super) fn ctr_xor_and_cbc_mac[const ROUND_KEYS: usize](
        tier: Avx2, ctr_keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[Block]>,
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
            let text = _mm_xor_si128(load128(text), keystream);
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
