//! AES-SIV on the AES instructions of AArch64: a chain, CTR with eight blocks in flight,
//! eight chains side by side.
//!
//! AESE adds the round key first, so the next block of a chain goes into the first round key,
//! with the last of the block before: a chain is made of nothing but AES rounds.

use super::{AesSiv, impl_aes_siv};
use crate::kernel::Block;
use crate::kernel::aes::neon::{RoundKeys, encrypt_states, rounds};
use crate::tier::bytes::{load128, load128_padded, store128, store128_partial};
use crate::tier::{Neon, kernel, secret};
use core::arch::aarch64::*;

impl_aes_siv!(Neon, chain: |tier| tier);

/// The latency of AESE with AESMC times their throughput, rounded up.
const LANES: usize = 8;

/// Counters, one block after the other.
struct Counters(uint64x2_t);

impl Counters {
    /// The bytes of a block in the opposite order, where a vector counts.
    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn reversed(block: uint8x16_t) -> uint8x16_t {
        let halves = vrev64q_u8(block);
        vextq_u8::<8>(halves, halves)
    }

    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn new(first: &Block) -> Self {
        Self(vreinterpretq_u64_u8(Self::reversed(load128(first))))
    }

    #[inline]
    #[target_feature(enable = "neon,aes")]
    fn next(&mut self) -> uint8x16_t {
        let counter = Self::reversed(vreinterpretq_u8_u64(self.0));
        self.0 = vaddq_u64(self.0, vsetq_lane_u64::<0>(1, vdupq_n_u64(0)));
        counter
    }
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
        Self {
            keys,
            state: veorq_u8(load128(state), last),
            ends: veorq_u8(first, last),
        }
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
            let [keystream] = encrypt_states(ctr_keys, [counters.next()]);
            let text = sources.as_mut().and_then(Iterator::next).unwrap_or(block);
            let text = veorq_u8(load128(text), keystream);
            store128(block, text);
            chain.go_on(text);
        }
        chain.end(state);
    }
}

/// Up to `N` blocks, the last of them perhaps cut short.
#[inline]
#[target_feature(enable = "neon,aes")]
fn xor_up_to<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counters: &mut Counters,
    from: Option<&[u8]>,
    in_out: &mut [u8],
) {
    let mut states = [vdupq_n_u8(0); N];
    for state in &mut states {
        *state = counters.next();
    }
    let mut sources = from.map(|from| from.chunks(16));
    let keystream = encrypt_states(keys, states);
    for (piece, keystream) in in_out.chunks_mut(16).zip(keystream) {
        let text = sources.as_mut().and_then(Iterator::next).unwrap_or(piece);
        let text = load128_padded(text);
        store128_partial(piece, veorq_u8(text, keystream));
    }
}

kernel! {
    fn ctr_xor[const ROUND_KEYS: usize](
        tier: Neon, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        let mut counters = Counters::new(counter);
        let mut sources = from.map(|from| from.chunks(LANES * 16));
        for piece in in_out.chunks_mut(LANES * 16) {
            let from = sources.as_mut().and_then(Iterator::next);
            match piece.len().div_ceil(16) {
                0 | 1 => xor_up_to::<1, _>(keys, &mut counters, from, piece),
                2 => xor_up_to::<2, _>(keys, &mut counters, from, piece),
                3 | 4 => xor_up_to::<4, _>(keys, &mut counters, from, piece),
                _ => xor_up_to::<LANES, _>(keys, &mut counters, from, piece),
            }
        }
    }
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn encrypt_row<const ROUND_KEYS: usize>(keys: &RoundKeys<ROUND_KEYS>, row: &mut [Block; LANES]) {
    let mut states = [vdupq_n_u8(0); LANES];
    for (state, block) in states.iter_mut().zip(&*row) {
        *state = load128(block);
    }
    for (block, state) in row.iter_mut().zip(encrypt_states(keys, states)) {
        store128(block, state);
    }
}

kernel! {
    fn encrypt_all[const ROUND_KEYS: usize](
        tier: Neon, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block],
    ) {
        let (strides, rest) = blocks.as_chunks_mut::<LANES>();
        for stride in strides.iter_mut() {
            encrypt_row(keys, stride);
        }
        if !rest.is_empty() {
            let mut stride = [[0; 16]; LANES];
            stride[..rest.len()].copy_from_slice(rest);
            encrypt_row(keys, &mut stride);
            rest.copy_from_slice(&stride[..rest.len()]);
            secret::wipe(stride.as_flattened_mut());
        }
    }
}

kernel! {
    fn cbc_mac_lanes[const ROUND_KEYS: usize](
        tier: Neon, keys: &RoundKeys<ROUND_KEYS>, going_on: &[u32], rows: &mut [Block],
    ) {
        let mut states = [vdupq_n_u8(0); LANES];
        for (row, lanes) in rows.as_chunks_mut::<LANES>().0.iter_mut().zip(going_on) {
            for (i, (state, block)) in states.iter_mut().zip(&*row).enumerate() {
                let goes_on = vdupq_n_u8(0_u8.wrapping_sub((lanes >> i & 1) as u8));
                *state = veorq_u8(vandq_u8(*state, goes_on), load128(block));
            }
            states = encrypt_states(keys, states);
            for (block, state) in row.iter_mut().zip(states) {
                store128(block, state);
            }
        }
    }
}
