//! ChaCha20 on AVX2: one word of eight blocks in a vector, or one row of two. The 256-bit VAES
//! tier has no more for it.

use super::streams::{StreamNonce, Streams};
use super::vectors::{chacha20, quarter_round, rounds, streams::xor_streams};
use super::{BLOCK_LEN, FourBlocks, Matrix};
use crate::tier::bytes::{
    load256 as load, load256_padded, opaque256, store256 as store, store256_partial,
};
use crate::tier::secret::Vectors;
use crate::tier::{Avx2, Vaes256, kernel};
use _mm256_add_epi32 as add;
use _mm256_shuffle_epi32 as turn_words;
use _mm256_xor_si256 as xor;
use core::arch::x86_64::*;

type Vector = __m256i;
const LANES: usize = 8;

rounds!("avx2");
chacha20!(Avx2, "avx2");
xor_streams!(Avx2);
xor_streams!(impl Avx2, core::convert::identity, FEWEST: 3, LONGEST: 2048);
xor_streams!(impl Vaes256, Vaes256::avx2, FEWEST: 3, LONGEST: 2048);

impl ChaCha20 for Vaes256 {
    #[inline(always)]
    fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        self.avx2().chacha20_xor(matrix, counter, in_out);
    }
}

crate::tier::helpers! {
    "avx2";
    fn splat(word: u32) -> Vector {
        _mm256_set1_epi32(word.cast_signed())
    }

    /// Each 32-bit word rotated to the left by 16 bits.
    fn left_16(v: Vector) -> Vector {
        let bytes = _mm256_set_epi8(
            13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2, //
            13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2,
        );
        _mm256_shuffle_epi8(v, opaque256(bytes))
    }

    /// By 8 bits.
    fn left_8(v: Vector) -> Vector {
        let bytes = _mm256_set_epi8(
            14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3, //
            14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3,
        );
        _mm256_shuffle_epi8(v, opaque256(bytes))
    }

    /// By `LEFT` bits, where `RIGHT` is the rest of the 32.
    fn left[const LEFT: i32, const RIGHT: i32](v: Vector) -> Vector {
        _mm256_or_si256(_mm256_slli_epi32::<LEFT>(v), _mm256_srli_epi32::<RIGHT>(v))
    }

    fn left_12(v: Vector) -> Vector {
        left::<12, 20>(v)
    }

    fn left_7(v: Vector) -> Vector {
        left::<7, 25>(v)
    }

    /// Lane `i` is lane `lanes[i]` of `from`.
    fn select(from: Vector, lanes: Vector) -> Vector {
        _mm256_permutevar8x32_epi32(from, lanes)
    }

    /// Eight words of eight blocks become half of each block.
    fn transpose(x: [Vector; 8]) -> [Vector; 8] {
        let quad = |i: usize| {
            let (a, b, c, d) = (x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]);
            let (ab_low, ab_high) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
            let (cd_low, cd_high) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
            [
                _mm256_unpacklo_epi64(ab_low, cd_low),
                _mm256_unpackhi_epi64(ab_low, cd_low),
                _mm256_unpacklo_epi64(ab_high, cd_high),
                _mm256_unpackhi_epi64(ab_high, cd_high),
            ]
        };
        let (upper, lower) = (quad(0), quad(1));
        core::array::from_fn(|i| {
            if i < 4 {
                _mm256_permute2x128_si256::<0x20>(upper[i], lower[i])
            } else {
                _mm256_permute2x128_si256::<0x31>(upper[i - 4], lower[i - 4])
            }
        })
    }

    /// XORs into each place, of at most a block, the keystream in its lane.
    fn xor_blocks(words: [Vector; 16], places: &mut [&mut [u8]; LANES]) {
        for (half, words) in words.as_chunks::<8>().0.iter().enumerate() {
            for (place, keystream) in places.iter_mut().zip(transpose(*words)) {
                let place = place.get_mut(32 * half..).unwrap_or_default();
                if let Some(place) = place.first_chunk_mut() {
                    store(place, xor(load(place), keystream));
                } else if !place.is_empty() {
                    let text = load256_padded(place);
                    store256_partial(place, xor(text, keystream));
                }
            }
        }
    }

    /// The counters of eight blocks, low words and high words.
    fn counters(counter: u64) -> (Vector, Vector) {
        let count = _mm256_set1_epi64x(counter.cast_signed());
        // Blocks in an order that the shuffles below, which keep to halves, put right.
        let first = _mm256_castsi256_ps(_mm256_add_epi64(count, _mm256_set_epi64x(5, 4, 1, 0)));
        let second = _mm256_castsi256_ps(_mm256_add_epi64(count, _mm256_set_epi64x(7, 6, 3, 2)));
        (
            _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(first, second)),
            _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(first, second)),
        )
    }
}

kernel! {
    fn xor_groups(tier: Avx2, matrix: &Matrix, counter: u64, groups: &mut [[u8; LANES * BLOCK_LEN]]) {
        let mut counter = counter;
        // The matrices that the rounds begin with: word `i` of eight blocks in vector `i`. In
        // memory, because the rounds fill all registers.
        let mut start = Vectors::<32, 16>::default();
        for (start, word) in start.0.iter_mut().zip(matrix.0) {
            store(start, splat(word));
        }
        for in_out in groups {
            let (low, high) = counters(counter);
            store(&mut start.0[12], low);
            store(&mut start.0[13], high);
            let mut x = start.0.each_ref().map(|word| load(word));
            // One after the other: registers are few.
            for _ in 0..10 {
                quarter_round!(x, 0, 4, 8, 12); quarter_round!(x, 1, 5, 9, 13); quarter_round!(x, 2, 6, 10, 14); quarter_round!(x, 3, 7, 11, 15);
                quarter_round!(x, 0, 5, 10, 15); quarter_round!(x, 1, 6, 11, 12); quarter_round!(x, 2, 7, 8, 13); quarter_round!(x, 3, 4, 9, 14);
            }
            let (halves, _) = in_out.as_chunks_mut::<32>();
            for (side, words) in x.as_chunks::<8>().0.iter().enumerate() {
                let mut words = *words;
                for (word, start) in words.iter_mut().zip(&start.0[8 * side..]) {
                    *word = add(*word, load(start));
                }
                for (block, keystream) in transpose(words).into_iter().enumerate() {
                    let half = &mut halves[2 * block + side];
                    store(half, xor(load(half), keystream));
                }
            }
            counter = counter.wrapping_add(8);
        }
    }
}

crate::tier::helpers! {
    "avx2";
    /// Four matrices before the rounds, two by two: row `i` of both in vector `i`.
    fn four_matrices(matrix: &Matrix, counter: u64) -> [[Vector; 4]; 2] {
        let row = |i: usize| {
            let w = |j: usize| matrix.0[4 * i + j].cast_signed();
            _mm256_broadcastsi128_si256(_mm_set_epi32(w(3), w(2), w(1), w(0)))
        };
        // The counter fills the first half of each last row; the nonce stays.
        let last_row = |i: u64| {
            let count = |i| counter.wrapping_add(i).cast_signed();
            let counters = _mm256_set_epi64x(0, count(i + 1), 0, count(i));
            _mm256_blend_epi32::<0b0011_0011>(row(3), counters)
        };
        [[row(0), row(1), row(2), last_row(0)], [row(0), row(1), row(2), last_row(2)]]
    }

    /// XORs what the rounds made of [`four_matrices`] into up to four blocks.
    pub(in crate::kernel) fn xor_four_matrices(
        pairs: [[Vector; 4]; 2], matrix: &Matrix, counter: u64, in_out: &mut [u8],
    ) {
        let starts = four_matrices(matrix, counter);
        let texts = in_out.chunks_mut(2 * BLOCK_LEN);
        for ((pair, start), text) in pairs.iter().zip(&starts).zip(texts) {
            let sum = |i: usize| add(pair[i], start[i]);
            let [a, b, c, d] = [sum(0), sum(1), sum(2), sum(3)];
            let keystream = [
                _mm256_permute2x128_si256::<0x20>(a, b),
                _mm256_permute2x128_si256::<0x20>(c, d),
                _mm256_permute2x128_si256::<0x31>(a, b),
                _mm256_permute2x128_si256::<0x31>(c, d),
            ];
            for (half, keystream) in text.chunks_mut(32).zip(keystream) {
                if let Ok(half) = <&mut [u8; 32]>::try_from(&mut *half) {
                    store(half, xor(load(half), keystream));
                } else {
                    let text = load256_padded(half);
                    store256_partial(half, xor(text, keystream));
                }
            }
        }
    }
}
