//! ChaCha20 on AVX-512: one word of sixteen blocks in a vector, or one row of four.

use super::streams::{StreamNonce, Streams};
use super::vectors::{chacha20, quarter_round, rounds, streams::xor_streams};
use super::{BLOCK_LEN, FourBlocks, Matrix};
use crate::tier::bytes::{load512 as load, load512_padded, store512 as store, store512_partial};
use crate::tier::secret::Vectors;
use crate::tier::{Avx512, kernel};
use _mm512_add_epi32 as add;
use _mm512_shuffle_epi32 as turn_words;
use _mm512_xor_si512 as xor;
use core::arch::x86_64::*;

type Vector = __m512i;
const LANES: usize = 16;

/// Bytes of keystream that are made at a time.
const GROUP: usize = LANES * BLOCK_LEN;

rounds!("avx512f,avx512bw");
chacha20!(Avx512, "avx512f,avx512bw");
xor_streams!(Avx512);
xor_streams!(impl Avx512, core::convert::identity, FEWEST: 3, LONGEST: 2048);

/// Each word turned to the left by so many bits.
macro_rules! left {
    ($($name:ident $bits:literal)*) => { $(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn $name(v: Vector) -> Vector {
            _mm512_rol_epi32::<$bits>(v)
        }
    )* };
}
left!(left_16 16 left_12 12 left_8 8 left_7 7);

crate::tier::helpers! {
    "avx512f,avx512bw";
    fn splat(word: u32) -> Vector {
        _mm512_set1_epi32(word.cast_signed())
    }

    /// Lane `i` is lane `lanes[i]` of `from`.
    fn select(from: Vector, lanes: Vector) -> Vector {
        _mm512_permutexvar_epi32(lanes, from)
    }

    /// Quarters of four blocks become whole ones.
    fn join_quarters([a, b, c, d]: [Vector; 4]) -> [Vector; 4] {
        let (ab_even, ab_odd) =
            (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xdd>(a, b));
        let (cd_even, cd_odd) =
            (_mm512_shuffle_i32x4::<0x88>(c, d), _mm512_shuffle_i32x4::<0xdd>(c, d));
        [
            _mm512_shuffle_i32x4::<0x88>(ab_even, cd_even),
            _mm512_shuffle_i32x4::<0x88>(ab_odd, cd_odd),
            _mm512_shuffle_i32x4::<0xdd>(ab_even, cd_even),
            _mm512_shuffle_i32x4::<0xdd>(ab_odd, cd_odd),
        ]
    }

    /// XORs into each place, of at most a block, the keystream in its lane.
    fn xor_blocks(words: [Vector; 16], places: &mut [&mut [u8]; LANES]) {
        let keystream = Keystream::of(words);
        for i in 0..4 {
            for (place, keystream) in places[i..].iter_mut().step_by(4).zip(keystream.blocks(i)) {
                if !place.is_empty() {
                    let text = load512_padded(place);
                    store512_partial(place, xor(text, keystream));
                }
            }
        }
    }
}

kernel! {
    fn xor_groups(tier: Avx512, matrix: &Matrix, counter: u64, groups: &mut [[u8; GROUP]]) {
        let mut counter = counter;
        // The shuffles that turn words into blocks all want one port. They belong to the
        // group before and are among the rounds of this one, which fill the other.
        let mut keystream = Keystream(Vectors::default());
        let mut before: Option<&mut [u8; GROUP]> = None;
        for group in groups {
            let mut start = matrix.0.map(|word| splat(word));
            let count = _mm512_set1_epi64(counter.cast_signed());
            let low = _mm512_add_epi64(count, _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
            let high = _mm512_add_epi64(count, _mm512_set_epi64(15, 14, 13, 12, 11, 10, 9, 8));
            let even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
            let odd = add(even, _mm512_set1_epi32(1));
            start[12] = _mm512_permutex2var_epi32(low, even, high);
            start[13] = _mm512_permutex2var_epi32(low, odd, high);
            let mut x = start;
            for i in 0..4 {
                double_round!(x);
                if before.is_some() {
                    keystream.join_words(i);
                }
            }
            for i in 0..4 {
                double_round!(x);
                if let Some(before) = &mut before {
                    keystream.xor_blocks(i, before);
                }
            }
            double_round!(x);
            double_round!(x);
            for ((word, x), start) in keystream.0.0.iter_mut().zip(x).zip(start) {
                store(word, add(x, start));
            }
            before = Some(group);
            counter = counter.wrapping_add(16);
        }
        if let Some(before) = before {
            for i in 0..4 {
                keystream.join_words(i);
            }
            for i in 0..4 {
                keystream.xor_blocks(i, before);
            }
        }
    }
}

/// Sixteen blocks of keystream between the rounds and the text: at first, vector `i` holds
/// word `i` of every block.
struct Keystream(Vectors<BLOCK_LEN, 16>);

impl Keystream {
    crate::tier::helpers! {
        "avx512f,avx512bw";
        /// Blocks whose words are in the lanes of vectors.
        fn of(words: [Vector; 16]) -> Self {
            let mut keystream = Self(Vectors::default());
            for (word, vector) in keystream.0.0.iter_mut().zip(words) {
                store(word, vector);
            }
            for i in 0..4 {
                keystream.join_words(i);
            }
            keystream
        }

        /// Joins words `4i` to `4i + 3`, for `i` below 4: vector `4i + j` then holds those of
        /// blocks `j`, `j + 4`, `j + 8` and `j + 12`, each in its 128-bit lane.
        fn join_words(&mut self, i: usize) {
            let (quads, _) = self.0.0.as_chunks_mut::<4>();
            let words = &mut quads[i];
            let [a, b, c, d] = words.each_ref().map(|word| load(word));
            let (ab_low, ab_high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let (cd_low, cd_high) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            store(&mut words[0], _mm512_unpacklo_epi64(ab_low, cd_low));
            store(&mut words[1], _mm512_unpackhi_epi64(ab_low, cd_low));
            store(&mut words[2], _mm512_unpacklo_epi64(ab_high, cd_high));
            store(&mut words[3], _mm512_unpackhi_epi64(ab_high, cd_high));
        }

        /// Blocks `i`, `i + 4`, `i + 8` and `i + 12`, for `i` below 4, after all words are joined.
        fn blocks(&self, i: usize) -> [Vector; 4] {
            let [a, b, c, d] = [0, 4, 8, 12].map(|quad| load(&self.0.0[quad + i]));
            join_quarters([a, b, c, d])
        }

        /// XORs the same into the text.
        fn xor_blocks(&self, i: usize, in_out: &mut [u8; GROUP]) {
            let (blocks, _) = in_out.as_chunks_mut::<BLOCK_LEN>();
            for (block, keystream) in blocks[i..].iter_mut().step_by(4).zip(self.blocks(i)) {
                store(block, xor(load(block), keystream));
            }
        }
    }
}

crate::tier::helpers! {
    "avx512f,avx512bw";
    /// Four matrices before the rounds: row `i` of all of them in vector `i`.
    pub(in crate::kernel) fn four_matrices(matrix: &Matrix, counter: u64) -> [[Vector; 4]; 1] {
        let row = |i: usize| {
            let w = |j: usize| matrix.0[4 * i + j].cast_signed();
            _mm512_broadcast_i32x4(_mm_set_epi32(w(3), w(2), w(1), w(0)))
        };
        // The counter fills the first half of each last row; the nonce stays.
        let counters = _mm512_add_epi64(
            _mm512_set1_epi64(counter.cast_signed()),
            _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0),
        );
        let last = _mm512_mask_mov_epi64(row(3), 0b0101_0101, counters);
        [[row(0), row(1), row(2), last]]
    }

    /// XORs what the rounds made of [`four_matrices`] into up to four blocks.
    pub(in crate::kernel) fn xor_four_matrices(
        [[a, b, c, d]]: [[Vector; 4]; 1], matrix: &Matrix, counter: u64, in_out: &mut [u8],
    ) {
        let [start] = four_matrices(matrix, counter);
        let (a, b) = (add(a, start[0]), add(b, start[1]));
        let (c, d) = (add(c, start[2]), add(d, start[3]));
        let keystream = join_quarters([a, b, c, d]);
        // What a mask stored would have to reach memory before the hash can load it.
        if let Some(whole) = in_out.first_chunk_mut::<{ 4 * BLOCK_LEN }>() {
            let (blocks, _) = whole.as_chunks_mut::<BLOCK_LEN>();
            for (block, keystream) in blocks.iter_mut().zip(keystream) {
                store(block, xor(load(block), keystream));
            }
            return;
        }
        // Written out, so that no keystream goes through memory.
        let mut chunks = in_out.chunks_mut(BLOCK_LEN);
        macro_rules! xor_next {
            ($($i:literal)*) => { $(
                if let Some(chunk) = chunks.next() {
                    let text = load512_padded(chunk);
                    store512_partial(chunk, xor(text, keystream[$i]));
                }
            )* };
        }
        xor_next!(0 1 2 3);
    }
}
