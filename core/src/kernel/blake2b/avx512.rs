//! BLAKE2b on AVX-512: one stream in general registers, eight in the lanes of 512-bit vectors.

use super::{BLOCK_LEN, Blake2b, Block, IV, Run, SIGMA, State, portable};
use crate::tier::bytes::{load512, store512};
use crate::tier::{Avx512, kernel, secret};
use core::arch::x86_64::*;
use core::mem;

impl Blake2b for Avx512 {
    const LANES: usize = 8;

    #[inline(always)]
    fn compress(self, state: &mut State, run: Run<'_>) {
        portable::compress(state, run);
    }

    #[inline(always)]
    fn compress_many(self, states: &mut [State], runs: &[Run<'_>]) {
        // One pass over eight lanes takes as long as two and a half over one stream.
        if states.len() < 3 {
            for (state, run) in states.iter_mut().zip(runs) {
                portable::compress(state, *run);
            }
        } else {
            compress_lanes(self, states, runs);
        }
    }
}

/// Columns 0, 2, 4 and 6 of eight rows of eight words, from rows unpacked in pairs, or
/// the odd columns from their upper halves.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarter(pairs: [__m512i; 4]) -> [__m512i; 4] {
    let low = _mm512_shuffle_i64x2::<0x88>(pairs[0], pairs[1]);
    let high = _mm512_shuffle_i64x2::<0xdd>(pairs[0], pairs[1]);
    let low2 = _mm512_shuffle_i64x2::<0x88>(pairs[2], pairs[3]);
    let high2 = _mm512_shuffle_i64x2::<0xdd>(pairs[2], pairs[3]);
    [
        _mm512_shuffle_i64x2::<0x88>(low, low2),
        _mm512_shuffle_i64x2::<0x88>(high, high2),
        _mm512_shuffle_i64x2::<0xdd>(low, low2),
        _mm512_shuffle_i64x2::<0xdd>(high, high2),
    ]
}

/// Eight rows of eight words each become eight columns.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose(r: [__m512i; 8]) -> [__m512i; 8] {
    let low = |i: usize| _mm512_unpacklo_epi64(r[i], r[i + 1]);
    let high = |i: usize| _mm512_unpackhi_epi64(r[i], r[i + 1]);
    let even = quarter([low(0), low(2), low(4), low(6)]);
    let odd = quarter([high(0), high(2), high(4), high(6)]);
    [
        even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3],
    ]
}

/// Four G functions of eight streams, step by step side by side: one alone is a chain
/// of dependent steps. Operands are indices into the working words.
macro_rules! g_lanes {
    ($v:ident, $m:ident, $s:ident, $from:literal: $([$a:literal, $b:literal, $c:literal, $d:literal] $i:literal)*) => {
        $( $v[$a] = _mm512_add_epi64($v[$a], load512(&$m.0[$s[$from + 2 * $i] as usize])); )*
        $( $v[$a] = _mm512_add_epi64($v[$a], $v[$b]); )*
        $( $v[$d] = _mm512_xor_si512($v[$d], $v[$a]); )*
        $( $v[$d] = _mm512_ror_epi64::<32>($v[$d]); )*
        $( $v[$c] = _mm512_add_epi64($v[$c], $v[$d]); )*
        $( $v[$b] = _mm512_xor_si512($v[$b], $v[$c]); )*
        $( $v[$b] = _mm512_ror_epi64::<24>($v[$b]); )*
        $( $v[$a] = _mm512_add_epi64($v[$a], load512(&$m.0[$s[$from + 2 * $i + 1] as usize])); )*
        $( $v[$a] = _mm512_add_epi64($v[$a], $v[$b]); )*
        $( $v[$d] = _mm512_xor_si512($v[$d], $v[$a]); )*
        $( $v[$d] = _mm512_ror_epi64::<16>($v[$d]); )*
        $( $v[$c] = _mm512_add_epi64($v[$c], $v[$d]); )*
        $( $v[$b] = _mm512_xor_si512($v[$b], $v[$c]); )*
        $( $v[$b] = _mm512_ror_epi64::<63>($v[$b]); )*
    };
}

/// The message words of eight blocks: word `i` of every block in vector `i`.
#[repr(align(64))]
struct Words([[u8; 64]; 16]);

impl Drop for Words {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

impl Words {
    /// Quarter 0 sets words 0, 2, 4 and 6, quarter 1 the odd ones. Quarters 2 and 3 do the same
    /// with the other half of each block.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load_quarter<const QUARTER: usize>(&mut self, blocks: [&Block; 8]) {
        let half = |i: usize| load512(&blocks[i].as_chunks::<64>().0[QUARTER / 2]);
        let pair = |i: usize| {
            if QUARTER.is_multiple_of(2) {
                _mm512_unpacklo_epi64(half(i), half(i + 1))
            } else {
                _mm512_unpackhi_epi64(half(i), half(i + 1))
            }
        };
        let words = quarter([pair(0), pair(2), pair(4), pair(6)]);
        let first = 8 * (QUARTER / 2) + QUARTER % 2;
        for (stored, word) in self.0[first..].iter_mut().step_by(2).zip(words) {
            store512(stored, word);
        }
    }
}

kernel! {
    /// Lanes without a stream repeat the first stream and are thrown away.
    fn compress_lanes(tier: Avx512, states: &mut [State], runs: &[Run<'_>]) {
        let [Some(first), ..] = [runs.first()] else { return };
        let lanes: [usize; 8] = core::array::from_fn(|lane| if lane < runs.len() { lane } else { 0 });
        let mut h = transpose(lanes.map(|lane| load_words8(&states[lane].h)));
        let mut t = load_words8(&lanes.map(|lane| states[lane].t));
        let last_len = lanes.map(|lane| runs[lane].last_len.map_or(BLOCK_LEN as u64, u64::from));
        let last_flag = lanes.map(|lane| if runs[lane].last_len.is_some() { u64::MAX } else { 0 });
        let count = first.blocks.len();
        let blocks = lanes.map(|lane| &runs[lane].blocks[..count]);
        let nth = |i: usize| (i < count).then(|| blocks.map(|blocks| &blocks[i]));
        // The shuffles that bring a word of all streams together all want one port. They
        // belong to the next blocks and are among the rounds of these, which fill the other.
        let mut words = [const { Words([[0; 64]; 16]) }; 2];
        let [this, next] = &mut words;
        let (mut this, mut next) = (this, next);
        if let Some(blocks) = nth(0) {
            this.load_quarter::<0>(blocks);
            this.load_quarter::<1>(blocks);
            this.load_quarter::<2>(blocks);
            this.load_quarter::<3>(blocks);
        }
        for i in 0..count {
            let (len, flag) = if i + 1 == count {
                (load_words8(&last_len), load_words8(&last_flag))
            } else {
                (_mm512_set1_epi64(BLOCK_LEN as i64), _mm512_setzero_si512())
            };
            t = _mm512_add_epi64(t, len);
            let following = nth(i + 1);
            let iv = |i: usize| _mm512_set1_epi64(IV[i].cast_signed());
            let mut v = [
                h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7],
                iv(0), iv(1), iv(2), iv(3),
                _mm512_xor_si512(iv(4), t), iv(5), _mm512_xor_si512(iv(6), flag), iv(7),
            ];
            macro_rules! rounds {
                ($($round:literal)*) => { $({
                    const S: [u8; 16] = SIGMA[$round % 10];
                    g_lanes!(v, this, S, 0: [0, 4, 8, 12] 0 [1, 5, 9, 13] 1 [2, 6, 10, 14] 2 [3, 7, 11, 15] 3);
                    g_lanes!(v, this, S, 8: [0, 5, 10, 15] 0 [1, 6, 11, 12] 1 [2, 7, 8, 13] 2 [3, 4, 9, 14] 3);
                })* };
            }
            macro_rules! load_next {
                ($quarter:literal) => {
                    if let Some(blocks) = following {
                        next.load_quarter::<$quarter>(blocks);
                    }
                };
            }
            rounds!(0 1);
            load_next!(0);
            rounds!(2 3 4);
            load_next!(1);
            rounds!(5 6 7);
            load_next!(2);
            rounds!(8 9 10);
            load_next!(3);
            rounds!(11);
            mem::swap(&mut this, &mut next);
            for i in 0..8 {
                h[i] = _mm512_ternarylogic_epi64::<0x96>(h[i], v[i], v[i + 8]);
            }
        }
        let counted = store_words8(t);
        for ((state, h), t) in states.iter_mut().zip(transpose(h)).zip(counted) {
            state.h = store_words8(h);
            state.t = t;
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_words8(words: &[u64; 8]) -> __m512i {
    let w = |i: usize| words[i].cast_signed();
    _mm512_set_epi64(w(7), w(6), w(5), w(4), w(3), w(2), w(1), w(0))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words8(v: __m512i) -> [u64; 8] {
    let mut bytes = [0; 64];
    store512(&mut bytes, v);
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}
