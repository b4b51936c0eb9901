//! CTR of RFC 8452 on AES-NI, eight blocks in flight.

use super::Ctr32;
use super::first_rounds::{FirstRounds, WORTHWHILE_LEN, without_low_byte};
use crate::kernel::Block;
use crate::kernel::aes::avx2::rounds;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load128, load128_padded, store128, store128_partial};
use crate::tier::{Avx2, kernel, secret};
use core::arch::x86_64::*;

macro_rules! impl_ctr32 {
    ($key_len:literal) => {
        impl Ctr32<$key_len> for Avx2 {
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
    tier: Avx2,
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

/// The first two rounds of one block.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn two_rounds<const ROUND_KEYS: usize>(keys: &RoundKeys<ROUND_KEYS>, block: __m128i) -> __m128i {
    let state = _mm_xor_si128(block, load128(&keys.0[0]));
    _mm_aesenc_si128(
        _mm_aesenc_si128(state, load128(&keys.0[1])),
        load128(&keys.0[2]),
    )
}

/// Blocks in flight: the latency of AESENC times its throughput, rounded up.
pub(in crate::kernel) const STRIDE: usize = 8;

/// Room for a table of the first two rounds.
pub(in crate::kernel) type TableRoom = secret::Room<64>;

/// The table of the first two rounds for a message that begins with `counter`.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(in crate::kernel) fn first_rounds<'a, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    room: &'a mut TableRoom,
) -> FirstRounds<'a> {
    let mut counter = load128(&without_low_byte(counter));
    FirstRounds::new(room, || {
        let mut blocks = [0; 64];
        for block in blocks.as_chunks_mut().0 {
            store128(block, two_rounds(keys, counter));
            counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1));
        }
        blocks
    })
}

/// A keystream: the round keys and a counter.
pub(in crate::kernel) struct Keystream<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> {
    keys: &'a RoundKeys<ROUND_KEYS>,
    counter: __m128i,
    /// The lowest byte of the counter.
    low: usize,
    table: FirstRounds<'a>,
    /// What the first rounds have in common since the lowest byte last wrapped, and the
    /// table has not: nothing at the start.
    rest: __m128i,
}

impl<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> Keystream<'a, ROUND_KEYS, LOOK_UP> {
    /// Starts at `counter`, whose first four bytes count, little-endian, modulo 2^32.
    /// `table` is [`FirstRounds::NONE`], or, to `LOOK_UP`, was made for this message.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn new(
        keys: &'a RoundKeys<ROUND_KEYS>,
        counter: &Block,
        table: FirstRounds<'a>,
    ) -> Self {
        Self {
            keys,
            counter: load128(counter),
            low: usize::from(counter[0]),
            table,
            rest: _mm_setzero_si128(),
        }
    }

    /// The next `N` counters, at most [`STRIDE`], after every round but the last; `beside`
    /// as for [`rounds`].
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn next<const N: usize>(
        &mut self,
        mut beside: impl FnMut(usize),
    ) -> [__m128i; N] {
        // Each way has the rounds once: where `beside` has two places, it is not inlined.
        if LOOK_UP {
            let states = self.look_up();
            beside(0);
            rounds::<N, ROUND_KEYS, 3>(self.keys, states, |i| beside(i + 1))
        } else {
            let states = self.count();
            rounds::<N, ROUND_KEYS, 1>(self.keys, states, beside)
        }
    }

    /// The next counters under the first round key.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn count<const N: usize>(&mut self) -> [__m128i; N] {
        let first = load128(&self.keys.0[0]);
        let mut states = [first; N];
        for state in &mut states {
            *state = _mm_xor_si128(self.counter, first);
            self.counter = _mm_add_epi32(self.counter, _mm_set_epi32(0, 0, 0, 1));
        }
        if LOOK_UP {
            self.low = (self.low + N) % 256;
        }
        states
    }

    /// The next counters after two rounds: looked up, unless the table ends before.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn look_up<const N: usize>(&mut self) -> [__m128i; N] {
        let Some(rounds) = self.table.vectors::<16, N>(self.low) else {
            let mut states = self.count();
            for i in 1..3 {
                let key = load128(&self.keys.0[i]);
                for state in &mut states {
                    *state = _mm_aesenc_si128(*state, key);
                }
            }
            return states;
        };
        if self.low < STRIDE {
            let state = two_rounds(self.keys, self.counter);
            self.rest = _mm_xor_si128(state, load128(self.table.block(self.low)));
        }
        let mut states = [self.rest; N];
        for (state, round) in states.iter_mut().zip(rounds) {
            *state = _mm_xor_si128(*state, load128(round));
        }
        self.counter = _mm_add_epi32(self.counter, _mm_set_epi32(0, 0, 0, N as i32));
        self.low = (self.low + N) % 256;
        states
    }

    /// The last round with the text in it.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn last_round(&self, state: __m128i, text: __m128i) -> __m128i {
        _mm_aesenclast_si128(
            state,
            _mm_xor_si128(text, load128(&self.keys.0[ROUND_KEYS - 1])),
        )
    }

    /// XORs `N` vectors of keystream into `in_out`, or into `from` on the way there.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn xor_vectors<const N: usize>(
        &mut self,
        from: Option<&[Block; N]>,
        in_out: &mut [Block; N],
    ) {
        let states = self.next::<N>(|_| ());
        for (i, (block, state)) in in_out.iter_mut().zip(states).enumerate() {
            let text = load128(from.map_or(&*block, |from| &from[i]));
            store128(block, self.last_round(state, text));
        }
    }

    /// Up to `N` blocks, the last of them perhaps cut short.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn xor_rest<const N: usize>(&mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
        let states = self.next::<N>(|_| ());
        let mut sources = from.map(|from| from.chunks(16));
        for (piece, state) in in_out.chunks_mut(16).zip(states) {
            let text = sources.as_mut().and_then(Iterator::next).unwrap_or(piece);
            let text = load128_padded(text);
            store128_partial(piece, self.last_round(state, text));
        }
    }

    /// XORs the last of the keystream into `in_out`, or into `from` on the way there.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    pub(in crate::kernel) fn xor(&mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
        let whole = in_out.len() - in_out.len() % (STRIDE * 16);
        let (strides, rest) = in_out.split_at_mut(whole);
        let (mut sources, rest_from) = match from.map(|from| from.split_at(whole)) {
            Some((strides, rest)) => {
                let strides = strides.as_chunks::<16>().0.as_chunks::<STRIDE>().0.iter();
                (Some(strides), Some(rest))
            }
            None => (None, None),
        };
        for stride in strides.as_chunks_mut::<16>().0.as_chunks_mut::<STRIDE>().0 {
            self.xor_vectors(sources.as_mut().and_then(Iterator::next), stride);
        }
        match rest.len().div_ceil(16) {
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
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        Keystream::<_, false>::new(keys, counter, FirstRounds::NONE).xor(from, in_out);
    }
}

kernel! {
    fn ctr32_xor_long[const ROUND_KEYS: usize](
        tier: Avx2, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        let mut room = TableRoom::new();
        let table = first_rounds(keys, counter, &mut room);
        Keystream::<_, true>::new(keys, counter, table).xor(from, in_out);
    }
}
