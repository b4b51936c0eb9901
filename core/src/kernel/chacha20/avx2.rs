//! ChaCha20 on AVX2: one word of eight blocks in a vector.

use super::{BLOCK_LEN, ChaCha20, Matrix, portable};
use crate::tier::bytes::{load256, load256_padded, opaque256, store256, store256_partial};
use crate::tier::{Avx2, kernel, secret};
use core::arch::x86_64::*;

/// Bytes of keystream made at a time.
const GROUP: usize = 8 * BLOCK_LEN;

impl ChaCha20 for Avx2 {
    #[inline(always)]
    fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        if in_out.len() <= BLOCK_LEN {
            return portable::chacha20_xor(matrix, counter, in_out);
        }
        let (groups, rest) = in_out.as_chunks_mut::<GROUP>();
        let mut counter = counter;
        if !groups.is_empty() {
            xor_groups(self, matrix, counter, groups);
            counter = counter.wrapping_add(8 * groups.len() as u64);
        }
        // Few blocks: whole matrices in two halves of a vector, which need no transposition.
        for rest in rest.chunks_mut(4 * BLOCK_LEN) {
            xor_up_to_four(self, matrix, counter, rest);
            counter = counter.wrapping_add(4);
        }
    }
}

/// Each 32-bit word rotated to the left by 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rol16(v: __m256i) -> __m256i {
    let bytes = _mm256_set_epi8(
        13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2, //
        13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2,
    );
    _mm256_shuffle_epi8(v, opaque256(bytes))
}

/// By 8 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rol8(v: __m256i) -> __m256i {
    let bytes = _mm256_set_epi8(
        14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3, //
        14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3,
    );
    _mm256_shuffle_epi8(v, opaque256(bytes))
}

/// By `LEFT` bits, where `RIGHT` is the rest of the 32.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rol<const LEFT: i32, const RIGHT: i32>(v: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_slli_epi32::<LEFT>(v), _mm256_srli_epi32::<RIGHT>(v))
}

/// The quarter rounds of the words in four registers.
macro_rules! quarter_round {
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        $a = _mm256_add_epi32($a, $b);
        $d = rol16(_mm256_xor_si256($d, $a));
        $c = _mm256_add_epi32($c, $d);
        $b = rol::<12, 20>(_mm256_xor_si256($b, $c));
        $a = _mm256_add_epi32($a, $b);
        $d = rol8(_mm256_xor_si256($d, $a));
        $c = _mm256_add_epi32($c, $d);
        $b = rol::<7, 25>(_mm256_xor_si256($b, $c));
    };
}

/// The column round of two matrices in four rows.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn columns([a, b, c, d]: &mut [__m256i; 4]) {
    quarter_round!(*a, *b, *c, *d);
}

/// The diagonal round.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn diagonals(rows: &mut [__m256i; 4]) {
    // Rows a, c and d turn and b, the last to be ready, stays.
    rows[0] = _mm256_shuffle_epi32::<0b10_01_00_11>(rows[0]);
    rows[2] = _mm256_shuffle_epi32::<0b00_11_10_01>(rows[2]);
    rows[3] = _mm256_shuffle_epi32::<0b01_00_11_10>(rows[3]);
    columns(rows);
    rows[0] = _mm256_shuffle_epi32::<0b00_11_10_01>(rows[0]);
    rows[2] = _mm256_shuffle_epi32::<0b10_01_00_11>(rows[2]);
    rows[3] = _mm256_shuffle_epi32::<0b01_00_11_10>(rows[3]);
}

/// The counters of eight blocks, low words and high words.
#[inline]
#[target_feature(enable = "avx2")]
fn counters(counter: u64) -> (__m256i, __m256i) {
    let count = _mm256_set1_epi64x(counter.cast_signed());
    // Blocks in an order that the shuffles below, which keep to halves, put right.
    let first = _mm256_castsi256_ps(_mm256_add_epi64(count, _mm256_set_epi64x(5, 4, 1, 0)));
    let second = _mm256_castsi256_ps(_mm256_add_epi64(count, _mm256_set_epi64x(7, 6, 3, 2)));
    (
        _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(first, second)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(first, second)),
    )
}

/// The matrices that the rounds begin with: word `i` of eight blocks in vector `i`. In
/// memory, because the rounds fill all registers.
///
/// The alignment has a use beyond this value: it makes the compiler align the stack, and
/// what it puts there for want of registers then never lies in two cache lines.
#[repr(align(64))]
struct Start([[u8; 32]; 16]);

impl Drop for Start {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

kernel! {
    fn xor_groups(tier: Avx2, matrix: &Matrix, counter: u64, groups: &mut [[u8; GROUP]]) {
        let mut counter = counter;
        let mut start = Start([[0; 32]; 16]);
        for (start, word) in start.0.iter_mut().zip(matrix.0) {
            store256(start, _mm256_set1_epi32(word.cast_signed()));
        }
        for in_out in groups {
            let (low, high) = counters(counter);
            store256(&mut start.0[12], low);
            store256(&mut start.0[13], high);
            let mut x = start.0.each_ref().map(|word| load256(word));
            macro_rules! q {
                ($a:literal, $b:literal, $c:literal, $d:literal) => {
                    quarter_round!(x[$a], x[$b], x[$c], x[$d])
                };
            }
            for _ in 0..10 {
                q!(0, 4, 8, 12); q!(1, 5, 9, 13); q!(2, 6, 10, 14); q!(3, 7, 11, 15);
                q!(0, 5, 10, 15); q!(1, 6, 11, 12); q!(2, 7, 8, 13); q!(3, 4, 9, 14);
            }
            let (halves, _) = in_out.as_chunks_mut::<32>();
            for (side, words) in x.as_chunks::<8>().0.iter().enumerate() {
                let mut words = *words;
                for (word, start) in words.iter_mut().zip(&start.0[8 * side..]) {
                    *word = _mm256_add_epi32(*word, load256(start));
                }
                for (block, keystream) in transpose(words).into_iter().enumerate() {
                    let half = &mut halves[2 * block + side];
                    store256(half, _mm256_xor_si256(load256(half), keystream));
                }
            }
            counter = counter.wrapping_add(8);
        }
    }
}

/// Eight words of eight blocks become half of each block.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose(x: [__m256i; 8]) -> [__m256i; 8] {
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

/// Four matrices before the rounds, two by two: row `i` of both in vector `i`.
#[inline]
#[target_feature(enable = "avx2")]
fn four_matrices(matrix: &Matrix, counter: u64) -> [[__m256i; 4]; 2] {
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
    [
        [row(0), row(1), row(2), last_row(0)],
        [row(0), row(1), row(2), last_row(2)],
    ]
}

/// XORs what the rounds made of [`four_matrices`] into up to four blocks.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::kernel) fn xor_four_matrices(
    pairs: [[__m256i; 4]; 2],
    matrix: &Matrix,
    counter: u64,
    in_out: &mut [u8],
) {
    let starts = four_matrices(matrix, counter);
    let texts = in_out.chunks_mut(2 * BLOCK_LEN);
    for ((pair, start), text) in pairs.iter().zip(&starts).zip(texts) {
        let sum = |i: usize| _mm256_add_epi32(pair[i], start[i]);
        let [a, b, c, d] = [sum(0), sum(1), sum(2), sum(3)];
        let keystream = [
            _mm256_permute2x128_si256::<0x20>(a, b),
            _mm256_permute2x128_si256::<0x20>(c, d),
            _mm256_permute2x128_si256::<0x31>(a, b),
            _mm256_permute2x128_si256::<0x31>(c, d),
        ];
        for (half, keystream) in text.chunks_mut(32).zip(keystream) {
            if let Ok(half) = <&mut [u8; 32]>::try_from(&mut *half) {
                store256(half, _mm256_xor_si256(load256(half), keystream));
            } else {
                let text = load256_padded(half);
                store256_partial(half, _mm256_xor_si256(text, keystream));
            }
        }
    }
}

kernel! {
    fn xor_up_to_four(tier: Avx2, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        let mut pairs = four_matrices(matrix, counter);
        for _ in 0..10 {
            pairs.iter_mut().for_each(|pair| columns(pair));
            pairs.iter_mut().for_each(|pair| diagonals(pair));
        }
        xor_four_matrices(pairs, matrix, counter, in_out);
    }
}
