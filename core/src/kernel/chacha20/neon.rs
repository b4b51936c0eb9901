//! ChaCha20 on NEON: one word of four blocks in a vector, four or eight blocks at a time.

use super::streams::{StreamNonce, Streams};
use super::vectors::{rounds, streams::xor_streams};
use super::{BLOCK_LEN, ChaCha20, Matrix};
use crate::kernel::Block;
use crate::tier::bytes::{load128, load128_padded, store128, store128_partial};
use crate::tier::secret::{self, Vectors};
use crate::tier::{Neon, kernel};
use core::arch::aarch64::*;
use vaddq_u32 as add;
use vdupq_n_u32 as splat;
use veorq_u32 as xor;

type Vector = uint32x4_t;
const LANES: usize = 4;

rounds!("neon");
xor_streams!(Neon);
xor_streams!(impl Neon, core::convert::identity, FEWEST: 2, LONGEST: 128);

/// Bytes of keystream that one set of vectors makes.
pub(in crate::kernel) const GROUP: usize = 4 * BLOCK_LEN;

impl ChaCha20 for Neon {
    #[inline(always)]
    fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        let (groups, rest) = in_out.as_chunks_mut();
        let (pairs, one) = groups.as_chunks_mut();
        xor_sets::<2>(self, matrix, counter, pairs);
        let counter = counter.wrapping_add(8 * pairs.len() as u64);
        xor_sets::<1>(self, matrix, counter, one.as_chunks_mut().0);
        if !rest.is_empty() {
            let counter = counter.wrapping_add(4 * one.len() as u64);
            let mut last = [[[0; GROUP]]];
            last.as_flattened_mut().as_flattened_mut()[..rest.len()].copy_from_slice(rest);
            xor_sets::<1>(self, matrix, counter, &mut last);
            let [[last]] = &mut last;
            rest.copy_from_slice(&last[..rest.len()]);
            secret::wipe(last);
        }
    }
}

/// Word `i` of four blocks in vector `i`.
pub(in crate::kernel) type Group = [Vector; 16];

/// Indices of bytes that turn each word to the left by 8 bits.
const LEFT_8: Block = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];

crate::tier::helpers! {
    "neon";
    /// The matrices of four blocks before the rounds.
    pub(in crate::kernel) fn begin(matrix: &Matrix, counter: u64) -> Group {
        let mut words = [vdupq_n_u32(0); 16];
        for (word, value) in words.iter_mut().zip(matrix.0) {
            *word = vdupq_n_u32(value);
        }
        let counters = |first: u64| {
            let pair = vcombine_u64(vcreate_u64(first), vcreate_u64(first.wrapping_add(1)));
            vreinterpretq_u32_u64(pair)
        };
        let (low, high) = (counters(counter), counters(counter.wrapping_add(2)));
        words[12] = vuzp1q_u32(low, high);
        words[13] = vuzp2q_u32(low, high);
        words
    }

    /// A round of columns.
    pub(in crate::kernel) fn columns(x: &mut Group) {
        column_round!(x);
    }

    /// A round of diagonals.
    pub(in crate::kernel) fn diagonals(x: &mut Group) {
        diagonal_round!(x);
    }

    /// Four words of four blocks become sixteen bytes of each block.
    fn transpose([a, b, c, d]: [uint32x4_t; 4]) -> [uint8x16_t; 4] {
        let wide = |v| vreinterpretq_u64_u32(v);
        let (ab_even, ab_odd) = (wide(vtrn1q_u32(a, b)), wide(vtrn2q_u32(a, b)));
        let (cd_even, cd_odd) = (wide(vtrn1q_u32(c, d)), wide(vtrn2q_u32(c, d)));
        [
            vreinterpretq_u8_u64(vzip1q_u64(ab_even, cd_even)),
            vreinterpretq_u8_u64(vzip1q_u64(ab_odd, cd_odd)),
            vreinterpretq_u8_u64(vzip2q_u64(ab_even, cd_even)),
            vreinterpretq_u8_u64(vzip2q_u64(ab_odd, cd_odd)),
        ]
    }

    /// Adds the matrices of the beginning, and XORs the keystream into `in_out`.
    pub(in crate::kernel) fn finish(
        x: Group, matrix: &Matrix, counter: u64, in_out: &mut [u8; GROUP],
    ) {
        let start = begin(matrix, counter);
        let (quarters, _) = in_out.as_chunks_mut::<16>();
        for i in 0..4 {
            let words = core::array::from_fn(|j| vaddq_u32(x[4 * i + j], start[4 * i + j]));
            for (block, keystream) in transpose(words).into_iter().enumerate() {
                let quarter = &mut quarters[4 * block + i];
                store128(quarter, veorq_u8(load128(quarter), keystream));
            }
        }
    }
}

kernel! {
    /// `N` sets of vectors: the quarter rounds of one leave half of the vector units idle.
    fn xor_sets[const N: usize](tier: Neon, matrix: &Matrix, counter: u64, texts: &mut [[[u8; GROUP]; N]]) {
        let mut counter = counter;
        for groups in texts {
            let counters: [u64; N] = core::array::from_fn(|i| counter.wrapping_add(4 * i as u64));
            let mut sets = counters.map(|counter| begin(matrix, counter));
            for _ in 0..10 {
                sets.iter_mut().for_each(|x| columns(x));
                sets.iter_mut().for_each(|x| diagonals(x));
            }
            for ((x, counter), group) in sets.into_iter().zip(counters).zip(groups) {
                finish(x, matrix, counter, group);
            }
            counter = counter.wrapping_add(4 * N as u64);
        }
    }
}

crate::tier::helpers! {
    "neon";
    fn load(bytes: &[u8; 16]) -> Vector {
        vreinterpretq_u32_u8(load128(bytes))
    }

    fn store(bytes: &mut [u8; 16], v: Vector) {
        store128(bytes, vreinterpretq_u8_u32(v));
    }

    fn left_16(v: Vector) -> Vector {
        vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(v)))
    }

    fn left_12(v: Vector) -> Vector {
        vsriq_n_u32::<20>(vshlq_n_u32::<12>(v), v)
    }

    fn left_8(v: Vector) -> Vector {
        vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(v), load128(&LEFT_8)))
    }

    fn left_7(v: Vector) -> Vector {
        vsriq_n_u32::<25>(vshlq_n_u32::<7>(v), v)
    }

    /// Lane `i` is lane `lanes[i]` of `from`.
    fn select(from: Vector, lanes: Vector) -> Vector {
        let first = vmulq_n_u32(lanes, 0x0404_0404);
        let bytes = vaddq_u32(first, vdupq_n_u32(0x0302_0100));
        vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(from), vreinterpretq_u8_u32(bytes)))
    }

    /// XORs into each place, of at most a block, the keystream in its lane.
    fn xor_blocks(words: [Vector; 16], places: &mut [&mut [u8]; LANES]) {
        for (quarter, words) in words.as_chunks::<4>().0.iter().enumerate() {
            for (place, keystream) in places.iter_mut().zip(transpose(*words)) {
                let place = place.get_mut(16 * quarter..).unwrap_or_default();
                if let Some(place) = place.first_chunk_mut() {
                    store128(place, veorq_u8(load128(place), keystream));
                } else if !place.is_empty() {
                    let text = load128_padded(place);
                    store128_partial(place, veorq_u8(text, keystream));
                }
            }
        }
    }
}
