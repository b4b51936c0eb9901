//! CTR of RFC 8452 on VAES, two blocks in a 256-bit vector, eight vectors in flight.
//!
//! Sixteen registers hold the states and one round key at a time, which a
//! broadcasting load spreads over the lanes once for all eight.

use super::Ctr32;
use super::first_rounds::{FirstRounds, WORTHWHILE_LEN, without_low_byte};
use crate::kernel::Block;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{
    load128, load256, load256_padded, side_by_side256, store256, store256_partial,
};
use crate::tier::{Vaes256, kernel, secret};
use core::arch::x86_64::*;

macro_rules! impl_ctr32 {
    ($key_len:literal) => {
        impl Ctr32<$key_len> for Vaes256 {
            #[inline(always)]
            fn ctr32_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                xor_keystream(self, keys, counter, from, in_out);
            }
        }
    };
}
impl_ctr32!(16);
impl_ctr32!(32);

/// [`Ctr32::ctr32_xor`] for either key length.
#[inline(always)]
pub(in crate::kernel) fn xor_keystream<const ROUND_KEYS: usize>(
    tier: Vaes256,
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    from: Option<&[u8]>,
    in_out: &mut [u8],
) {
    if in_out.len() < WORTHWHILE_LEN {
        ctr32_xor(tier, keys, counter, from, in_out);
    } else {
        ctr32_xor_long(tier, keys, counter, from, in_out);
    }
}

/// Vectors of two blocks in flight.
pub(in crate::kernel) const STRIDE: usize = 8;

/// `word` in the first word of each block.
#[inline]
#[target_feature(enable = "avx2")]
fn every_first_word(word: i32) -> __m256i {
    _mm256_set_epi32(0, 0, 0, word, 0, 0, 0, word)
}

/// The counter block and the one after it.
#[inline]
#[target_feature(enable = "avx2")]
fn two_counters(counter: &Block) -> __m256i {
    _mm256_add_epi32(
        _mm256_broadcastsi128_si256(load128(counter)),
        _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0),
    )
}

/// The first two rounds.
#[inline]
#[target_feature(enable = "avx2,vaes")]
fn two_rounds<const ROUND_KEYS: usize>(keys: &RoundKeys<ROUND_KEYS>, blocks: __m256i) -> __m256i {
    let state = _mm256_xor_si256(blocks, wide_key(keys, 0));
    _mm256_aesenc_epi128(
        _mm256_aesenc_epi128(state, wide_key(keys, 1)),
        wide_key(keys, 2),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn wide_key<const ROUND_KEYS: usize>(keys: &RoundKeys<ROUND_KEYS>, i: usize) -> __m256i {
    _mm256_broadcastsi128_si256(load128(&keys.0[i]))
}

/// Room for a table of the first two rounds.
pub(in crate::kernel) type TableRoom = secret::Room<64>;

/// The table of the first two rounds for a message that begins with `counter`.
#[inline]
#[target_feature(enable = "avx2,vaes")]
pub(in crate::kernel) fn first_rounds<'a, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    room: &'a mut TableRoom,
) -> FirstRounds<'a> {
    let mut counters = two_counters(&without_low_byte(counter));
    FirstRounds::new(room, || {
        let mut blocks = [0; 64];
        for vector in blocks.as_chunks_mut().0 {
            store256(vector, two_rounds(keys, counters));
            counters = _mm256_add_epi32(counters, every_first_word(2));
        }
        blocks
    })
}

/// A keystream: the round keys and two counters.
pub(in crate::kernel) struct Keystream<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> {
    keys: &'a RoundKeys<ROUND_KEYS>,
    counter: __m256i,
    /// The lowest byte of the first counter.
    low: usize,
    table: FirstRounds<'a>,
    /// What the first rounds have in common since the lowest byte last wrapped, and the
    /// table has not: nothing at the start.
    rest: __m256i,
}

impl<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> Keystream<'a, ROUND_KEYS, LOOK_UP> {
    /// Starts at `counter`, whose first four bytes count, little-endian, modulo 2^32.
    /// `table` is [`FirstRounds::NONE`], or, to `LOOK_UP`, was made for this message.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn new(
        keys: &'a RoundKeys<ROUND_KEYS>,
        counter: &Block,
        table: FirstRounds<'a>,
    ) -> Self {
        Self {
            keys,
            counter: two_counters(counter),
            low: usize::from(counter[0]),
            table,
            rest: _mm256_setzero_si256(),
        }
    }

    /// The next `N` vectors of counters, at most [`STRIDE`], after every round but the last;
    /// `beside` is called once a round with what may run at the same time.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn next<const N: usize>(
        &mut self,
        mut beside: impl FnMut(usize),
    ) -> [__m256i; N] {
        // Each way has the rounds once: where `beside` has two places, it is not inlined.
        if LOOK_UP {
            let states = self.look_up();
            beside(0);
            self.rounds::<N, 3>(states, |i| beside(i + 1))
        } else {
            let states = self.count();
            self.rounds::<N, 1>(states, beside)
        }
    }

    /// The next counters under the first round key.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn count<const N: usize>(&mut self) -> [__m256i; N] {
        let first = wide_key(self.keys, 0);
        let mut states = [first; N];
        for state in &mut states {
            *state = _mm256_xor_si256(self.counter, first);
            self.counter = _mm256_add_epi32(self.counter, every_first_word(2));
        }
        if LOOK_UP {
            self.low = (self.low + 2 * N) % 256;
        }
        states
    }

    /// The next counters after two rounds: looked up, unless the table ends before.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    fn look_up<const N: usize>(&mut self) -> [__m256i; N] {
        let Some(rounds) = self.table.vectors::<32, N>(self.low) else {
            let mut states = self.count();
            for i in 1..3 {
                let key = wide_key(self.keys, i);
                for state in &mut states {
                    *state = _mm256_aesenc_epi128(*state, key);
                }
            }
            return states;
        };
        if self.low < 2 * STRIDE {
            let state = _mm256_castsi256_si128(two_rounds(self.keys, self.counter));
            let rest = _mm_xor_si128(state, load128(self.table.block(self.low)));
            self.rest = _mm256_broadcastsi128_si256(rest);
        }
        let mut states = [self.rest; N];
        for (state, round) in states.iter_mut().zip(rounds) {
            *state = _mm256_xor_si256(*state, load256(round));
        }
        self.counter = _mm256_add_epi32(self.counter, every_first_word(2 * N as i32));
        self.low = (self.low + 2 * N) % 256;
        states
    }

    /// The rounds from `FIRST` to the last but one.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    fn rounds<const N: usize, const FIRST: usize>(
        &self,
        mut states: [__m256i; N],
        mut beside: impl FnMut(usize),
    ) -> [__m256i; N] {
        for i in FIRST..ROUND_KEYS - 1 {
            let key = wide_key(self.keys, i);
            for state in &mut states {
                *state = _mm256_aesenc_epi128(*state, key);
            }
            side_by_side256(&mut states);
            beside(i - FIRST);
        }
        states
    }

    /// The last round with the text in it.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn last_round(&self, state: __m256i, text: __m256i) -> __m256i {
        _mm256_aesenclast_epi128(
            state,
            _mm256_xor_si256(text, wide_key(self.keys, ROUND_KEYS - 1)),
        )
    }

    /// XORs `N` vectors of keystream into `in_out`, or into `from` on the way there.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn xor_vectors<const N: usize>(
        &mut self,
        from: Option<&[[u8; 32]; N]>,
        in_out: &mut [[u8; 32]; N],
    ) {
        let states = self.next::<N>(|_| ());
        for (i, (vector, state)) in in_out.iter_mut().zip(states).enumerate() {
            let text = load256(from.map_or(&*vector, |from| &from[i]));
            store256(vector, self.last_round(state, text));
        }
    }

    /// Up to `N` vectors, the last of them perhaps cut short.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    fn xor_rest<const N: usize>(&mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
        let states = self.next::<N>(|_| ());
        let mut sources = from.map(|from| from.chunks(32));
        for (piece, state) in in_out.chunks_mut(32).zip(states) {
            let text = sources.as_mut().and_then(Iterator::next).unwrap_or(piece);
            let text = load256_padded(text);
            store256_partial(piece, self.last_round(state, text));
        }
    }

    /// XORs the last of the keystream into `in_out`, or into `from` on the way there.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn xor(&mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
        let whole = in_out.len() - in_out.len() % (STRIDE * 32);
        let (strides, rest) = in_out.split_at_mut(whole);
        let (mut sources, rest_from) = match from.map(|from| from.split_at(whole)) {
            Some((strides, rest)) => {
                let strides = strides.as_chunks::<32>().0.as_chunks::<STRIDE>().0.iter();
                (Some(strides), Some(rest))
            }
            None => (None, None),
        };
        for stride in strides.as_chunks_mut::<32>().0.as_chunks_mut::<STRIDE>().0 {
            self.xor_vectors(sources.as_mut().and_then(Iterator::next), stride);
        }
        match rest.len().div_ceil(32) {
            0 => {}
            1 => self.xor_rest::<1>(rest_from, rest),
            2 => self.xor_rest::<2>(rest_from, rest),
            3 | 4 => self.xor_rest::<4>(rest_from, rest),
            _ => self.xor_rest::<8>(rest_from, rest),
        }
    }
}

kernel! {
    fn ctr32_xor[const ROUND_KEYS: usize](
        tier: Vaes256, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        Keystream::<_, false>::new(keys, counter, FirstRounds::NONE).xor(from, in_out);
    }
}

kernel! {
    fn ctr32_xor_long[const ROUND_KEYS: usize](
        tier: Vaes256, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        let mut room = TableRoom::new();
        let table = first_rounds(keys, counter, &mut room);
        Keystream::<_, true>::new(keys, counter, table).xor(from, in_out);
    }
}
