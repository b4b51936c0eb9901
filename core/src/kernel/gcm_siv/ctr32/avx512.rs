//! CTR of RFC 8452 on VAES, four blocks in a 512-bit vector.
//!
//! Eight vectors are in flight and the round keys in registers; the text is folded
//! into the last round key, so the last round yields the result itself. A long text
//! has most of its first rounds looked up.

use super::first_rounds::{FirstRounds, WORTHWHILE_LEN, without_low_byte};
use super::vectors::{keystream_xor, parted};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::kernel::vector::m512::{self as vector, side_by_side};
use crate::tier::bytes::{load128, load512, store512};
use crate::tier::{Avx512, kernel, secret};
use core::arch::x86_64::*;

crate::tier::helpers! {
    "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq";
    /// `word` in the first word of each block.
    fn every_first_word(word: i32) -> __m512i {
        _mm512_maskz_set1_epi32(0x1111, word)
    }

    /// The counter block and the three after it.
    fn four_counters(counter: &Block) -> __m512i {
        _mm512_add_epi32(
            _mm512_broadcast_i32x4(load128(counter)),
            _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0),
        )
    }

    /// The first two rounds under the first three round keys.
    fn two_rounds(keys: &[__m512i; 3], blocks: __m512i) -> __m512i {
        let state = _mm512_aesenc_epi128(_mm512_xor_si512(blocks, keys[0]), keys[1]);
        _mm512_aesenc_epi128(state, keys[2])
    }

    /// The table of the first two rounds for a message that begins with `counter`.
    pub(in crate::kernel) fn first_rounds['a, const ROUND_KEYS: usize](
        keys: &RoundKeys<ROUND_KEYS>, counter: &Block, room: &'a mut TableRoom,
    ) -> FirstRounds<'a> {
        let (keys, four) = ([0, 1, 2].map(|i| vector::splat(&keys.0[i])), every_first_word(4));
        let mut counters = four_counters(&without_low_byte(counter));
        FirstRounds::new(room, || {
            let mut blocks = [0; 64];
            store512(&mut blocks, two_rounds(&keys, counters));
            counters = _mm512_add_epi8(counters, four);
            blocks
        })
    }
}

/// Bytes of a vector.
const VECTOR_LEN: usize = 64;
/// Vectors of four blocks in flight.
pub(in crate::kernel) const STRIDE: usize = 8;

/// Memory for a table of the first two rounds, and for one stride after the wrap.
pub(in crate::kernel) type TableRoom = secret::Room<72>;

/// A keystream: the round keys spread over the lanes, and four counters.
pub(in crate::kernel) struct Keystream<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> {
    round_keys: [__m512i; ROUND_KEYS],
    counter: __m512i,
    /// The lowest byte of the first counter.
    low: usize,
    table: FirstRounds<'a>,
    /// The common part of the first rounds since the lowest byte last wrapped, which is not in the
    /// table: nothing at the start.
    rest: __m512i,
}

impl<const ROUND_KEYS: usize, const LOOK_UP: bool> Drop for Keystream<'_, ROUND_KEYS, LOOK_UP> {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe_vectors(&mut self.round_keys);
    }
}

impl<'a, const ROUND_KEYS: usize, const LOOK_UP: bool> Keystream<'a, ROUND_KEYS, LOOK_UP> {
    crate::tier::helpers! {
        "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq";
        /// Starts at `counter`, whose first four bytes count, little-endian, modulo 2^32.
        /// `table` is [`FirstRounds::NONE`], or, to `LOOK_UP`, was made for this message.
        pub(in crate::kernel) fn new(
            keys: &RoundKeys<ROUND_KEYS>, counter: &Block, table: FirstRounds<'a>,
        ) -> Self {
            let mut round_keys = [_mm512_setzero_si512(); ROUND_KEYS];
            for (wide, key) in round_keys.iter_mut().zip(&keys.0) {
                *wide = _mm512_broadcast_i32x4(load128(key));
            }
            Self {
                round_keys,
                counter: four_counters(counter),
                low: usize::from(counter[0]),
                table,
                rest: _mm512_setzero_si512(),
            }
        }

        /// The next `N` vectors of counters, at most [`STRIDE`], after every round but the last.
        /// `beside` is called once a round; its work runs at the same time.
        pub(in crate::kernel) fn next[const N: usize](
            &mut self, mut beside: impl FnMut(usize),
        ) -> [__m512i; N] {
            if let Some(states) = self.look_up() {
                beside(0);
                self.rounds::<N, 3>(states, |i| beside(i + 1))
            } else {
                let states = self.count();
                self.rounds::<N, 1>(states, beside)
            }
        }

        /// The next counters under the first round key.
        fn count[const N: usize](&mut self) -> [__m512i; N] {
            let mut states = [self.counter; N];
            for state in &mut states {
                *state = _mm512_xor_si512(self.counter, self.round_keys[0]);
                self.counter = _mm512_add_epi32(self.counter, every_first_word(4));
            }
            states
        }

        /// The next counters after two rounds, if they are to be looked up.
        fn look_up[const N: usize](&mut self) -> Option<[__m512i; N]> {
            if !LOOK_UP {
                return None;
            }
            let rounds = self.table.vectors::<64, N>(self.low)?;
            let (before, until_wrap) = (self.rest, (256 - self.low) % 256);
            if until_wrap < 4 * N {
                let wrapped = _mm512_add_epi32(self.counter, every_first_word(until_wrap as i32));
                let state = two_rounds(self.round_keys.first_chunk()?, wrapped);
                let looked_up = load128(self.table.block(0));
                let rest = _mm_xor_si128(_mm512_castsi512_si128(state), looked_up);
                self.rest = _mm512_broadcast_i32x4(rest);
            }
            let mut states = [self.rest; N];
            if (1..4 * N).contains(&until_wrap) {
                let after_wrap = u64::MAX << (2 * until_wrap);
                for (i, state) in states.iter_mut().enumerate() {
                    let words = (after_wrap >> (8 * i)) as u8;
                    *state = _mm512_mask_blend_epi64(words, before, self.rest);
                }
            }
            for (state, round) in states.iter_mut().zip(rounds) {
                *state = _mm512_xor_si512(*state, load512(round));
            }
            self.counter = _mm512_add_epi32(self.counter, every_first_word(4 * N as i32));
            self.low = (self.low + 4 * N) % 256;
            Some(states)
        }

        /// The rounds from `FIRST` to the last but one.
        fn rounds[const N: usize, const FIRST: usize](
            &self, mut states: [__m512i; N], mut beside: impl FnMut(usize),
        ) -> [__m512i; N] {
            for (i, key) in self.round_keys[FIRST..ROUND_KEYS - 1].iter().enumerate() {
                for state in &mut states {
                    *state = _mm512_aesenc_epi128(*state, *key);
                }
                side_by_side(&mut states);
                beside(i);
            }
            states
        }

        /// The last round with the text in it.
        pub(in crate::kernel) fn last_round(&self, state: __m512i, text: __m512i) -> __m512i {
            let key = _mm512_xor_si512(text, self.round_keys[ROUND_KEYS - 1]);
            _mm512_aesenclast_epi128(state, key)
        }
    }
}

keystream_xor!(Avx512, "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq", REST: 1 2 3 4 6);
