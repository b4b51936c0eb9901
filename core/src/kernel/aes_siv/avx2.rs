//! AES-SIV on AES-NI: a chain, CTR with eight blocks in flight, eight chains side by side.
//!
//! A chain is made of nothing but AES rounds. The next block and the first round key are in
//! the last round key: `AESENCLAST(x, last ^ first ^ block)`. The sum of the three is there
//! before the rounds are done.

use super::{AesSiv, impl_aes_siv};
use crate::kernel::Block;
use crate::kernel::aes::avx2::{encrypt_states, rounds};
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load128, load128_padded, store128, store128_partial};
use crate::tier::{Avx2, kernel, secret};
use core::arch::x86_64::*;

impl_aes_siv!(Avx2, chain: |tier| tier, ctr: |tier| tier);

/// The latency of AESENC times its throughput, rounded up.
const LANES: usize = 8;

/// The bytes of a block in the opposite order, where a vector counts.
#[inline]
#[target_feature(enable = "avx2")]
fn reversed(block: __m128i) -> __m128i {
    let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_shuffle_epi8(block, order)
}

/// Counters, one block after the other.
struct Counters(__m128i);

impl Counters {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(first: &Block) -> Self {
        Self(reversed(load128(first)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn next(&mut self) -> __m128i {
        let counter = reversed(self.0);
        self.0 = _mm_add_epi64(self.0, _mm_set_epi64x(0, 1));
        counter
    }
}

/// A CBC-MAC between two blocks: `state` is what the next rounds work on, the block and the
/// first round key already in it.
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
            let [keystream] = encrypt_states(ctr_keys, [counters.next()]);
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

/// Up to `N` blocks, the last of them perhaps cut short.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn xor_up_to<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counters: &mut Counters,
    from: Option<&[u8]>,
    in_out: &mut [u8],
) {
    let mut states = [_mm_setzero_si128(); N];
    for state in &mut states {
        *state = counters.next();
    }
    let mut sources = from.map(|from| from.chunks(16));
    let keystream = encrypt_states(keys, states);
    for (piece, keystream) in in_out.chunks_mut(16).zip(keystream) {
        let text = sources.as_mut().and_then(Iterator::next).unwrap_or(piece);
        let text = load128_padded(text);
        store128_partial(piece, _mm_xor_si128(text, keystream));
    }
}

kernel! {
    pub(super) fn ctr_xor[const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
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

kernel! {
    fn encrypt_all[const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block],
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

#[inline]
#[target_feature(enable = "aes,avx2")]
fn encrypt_row<const ROUND_KEYS: usize>(keys: &RoundKeys<ROUND_KEYS>, row: &mut [Block; LANES]) {
    let mut states = [_mm_setzero_si128(); LANES];
    for (state, block) in states.iter_mut().zip(&*row) {
        *state = load128(block);
    }
    for (block, state) in row.iter_mut().zip(encrypt_states(keys, states)) {
        store128(block, state);
    }
}

kernel! {
    fn cbc_mac_lanes[const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, going_on: &[u32], rows: &mut [Block],
    ) {
        let mut states = [_mm_setzero_si128(); LANES];
        for (row, lanes) in rows.as_chunks_mut::<LANES>().0.iter_mut().zip(going_on) {
            for (i, (state, block)) in states.iter_mut().zip(&*row).enumerate() {
                let goes_on = _mm_set1_epi32(-((lanes >> i & 1) as i32));
                *state = _mm_xor_si128(_mm_and_si128(*state, goes_on), load128(block));
            }
            states = encrypt_states(keys, states);
            for (block, state) in row.iter_mut().zip(states) {
                store128(block, state);
            }
        }
    }
}
