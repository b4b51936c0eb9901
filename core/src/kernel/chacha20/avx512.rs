//! ChaCha20 on AVX-512: one word of sixteen blocks in a 512-bit vector, or of eight in a
//! 256-bit one.

use super::{BLOCK_LEN, ChaCha20, Matrix, portable};
use crate::tier::bytes::{load256, load512, load512_padded, store256, store512, store512_partial};
use crate::tier::{Avx512, kernel, secret};
use core::arch::x86_64::*;

/// Bytes of keystream that the 512-bit kernel makes at a time.
const WIDE: usize = 16 * BLOCK_LEN;

/// Bytes of keystream that the 256-bit kernel makes at a time.
const GROUP: usize = 8 * BLOCK_LEN;

impl ChaCha20 for Avx512 {
    #[inline(always)]
    fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        // One block is sooner made in general registers, whose chains are as long and step faster.
        if in_out.len() <= BLOCK_LEN {
            return portable::chacha20_xor(matrix, counter, in_out);
        }
        let (wide, rest) = in_out.as_chunks_mut::<WIDE>();
        let mut counter = counter;
        if !wide.is_empty() {
            xor_wide(self, matrix, counter, wide);
            counter = counter.wrapping_add(16 * wide.len() as u64);
        }
        let (groups, rest) = rest.as_chunks_mut::<GROUP>();
        for group in groups {
            xor_group(self, matrix, counter, group);
            counter = counter.wrapping_add(8);
        }
        // Few blocks: whole matrices in a vector each, which need no transposition.
        for rest in rest.chunks_mut(4 * BLOCK_LEN) {
            xor_up_to_four(self, matrix, counter, rest);
            counter = counter.wrapping_add(4);
        }
    }
}

/// The column round of four matrices in four rows.
#[inline]
#[target_feature(enable = "avx512f")]
fn columns([a, b, c, d]: &mut [__m512i; 4]) {
    *a = _mm512_add_epi32(*a, *b);
    *d = _mm512_rol_epi32::<16>(_mm512_xor_si512(*d, *a));
    *c = _mm512_add_epi32(*c, *d);
    *b = _mm512_rol_epi32::<12>(_mm512_xor_si512(*b, *c));
    *a = _mm512_add_epi32(*a, *b);
    *d = _mm512_rol_epi32::<8>(_mm512_xor_si512(*d, *a));
    *c = _mm512_add_epi32(*c, *d);
    *b = _mm512_rol_epi32::<7>(_mm512_xor_si512(*b, *c));
}

/// The diagonal round.
#[inline]
#[target_feature(enable = "avx512f")]
fn diagonals(rows: &mut [__m512i; 4]) {
    // Rows a, c and d turn and b, the last to be ready, stays.
    rows[0] = _mm512_shuffle_epi32::<0b10_01_00_11>(rows[0]);
    rows[2] = _mm512_shuffle_epi32::<0b00_11_10_01>(rows[2]);
    rows[3] = _mm512_shuffle_epi32::<0b01_00_11_10>(rows[3]);
    columns(rows);
    rows[0] = _mm512_shuffle_epi32::<0b00_11_10_01>(rows[0]);
    rows[2] = _mm512_shuffle_epi32::<0b10_01_00_11>(rows[2]);
    rows[3] = _mm512_shuffle_epi32::<0b01_00_11_10>(rows[3]);
}

/// Four matrices before the rounds: row `i` of all of them in vector `i`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::kernel) fn four_matrices(matrix: &Matrix, counter: u64) -> [__m512i; 4] {
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
    [row(0), row(1), row(2), last]
}

/// XORs what the rounds made of [`four_matrices`] into up to four blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::kernel) fn xor_four_matrices(
    [a, b, c, d]: [__m512i; 4],
    matrix: &Matrix,
    counter: u64,
    in_out: &mut [u8],
) {
    let start = four_matrices(matrix, counter);
    let (a, b) = (_mm512_add_epi32(a, start[0]), _mm512_add_epi32(b, start[1]));
    let (c, d) = (_mm512_add_epi32(c, start[2]), _mm512_add_epi32(d, start[3]));
    let (ab_even, ab_odd) = (
        _mm512_shuffle_i32x4::<0x88>(a, b),
        _mm512_shuffle_i32x4::<0xdd>(a, b),
    );
    let (cd_even, cd_odd) = (
        _mm512_shuffle_i32x4::<0x88>(c, d),
        _mm512_shuffle_i32x4::<0xdd>(c, d),
    );
    let keystream = [
        _mm512_shuffle_i32x4::<0x88>(ab_even, cd_even),
        _mm512_shuffle_i32x4::<0x88>(ab_odd, cd_odd),
        _mm512_shuffle_i32x4::<0xdd>(ab_even, cd_even),
        _mm512_shuffle_i32x4::<0xdd>(ab_odd, cd_odd),
    ];
    // What a mask stored would have to reach memory before the hash can load it.
    if let Some(whole) = in_out.first_chunk_mut::<{ 4 * BLOCK_LEN }>() {
        let (blocks, _) = whole.as_chunks_mut::<BLOCK_LEN>();
        for (block, keystream) in blocks.iter_mut().zip(keystream) {
            store512(block, _mm512_xor_si512(load512(block), keystream));
        }
        return;
    }
    // Written out, so that no keystream goes through memory.
    let mut chunks = in_out.chunks_mut(BLOCK_LEN);
    macro_rules! xor_next {
        ($($i:literal)*) => { $(
            if let Some(chunk) = chunks.next() {
                let text = load512_padded(chunk);
                store512_partial(chunk, _mm512_xor_si512(text, keystream[$i]));
            }
        )* };
    }
    xor_next!(0 1 2 3);
}

kernel! {
    fn xor_up_to_four(tier: Avx512, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        let mut rows = four_matrices(matrix, counter);
        for _ in 0..10 {
            columns(&mut rows);
            diagonals(&mut rows);
        }
        xor_four_matrices(rows, matrix, counter, in_out);
    }
}

/// Four quarter rounds; `$rol` and the like name the intrinsics of one width.
macro_rules! quarter_round {
    ($x:ident, $a:literal, $b:literal, $c:literal, $d:literal, $add:ident, $xor:ident, $rol:ident) => {
        $x[$a] = $add($x[$a], $x[$b]);
        $x[$d] = $rol::<16>($xor($x[$d], $x[$a]));
        $x[$c] = $add($x[$c], $x[$d]);
        $x[$b] = $rol::<12>($xor($x[$b], $x[$c]));
        $x[$a] = $add($x[$a], $x[$b]);
        $x[$d] = $rol::<8>($xor($x[$d], $x[$a]));
        $x[$c] = $add($x[$c], $x[$d]);
        $x[$b] = $rol::<7>($xor($x[$b], $x[$c]));
    };
}

kernel! {
    fn xor_wide(tier: Avx512, matrix: &Matrix, counter: u64, wide: &mut [[u8; WIDE]]) {
        let mut counter = counter;
        // The shuffles that turn words into blocks all want one port. They belong to the
        // group before and are among the rounds of this one, which fill the other.
        let mut keystream = Keystream([[0; BLOCK_LEN]; 16]);
        let mut before: Option<&mut [u8; WIDE]> = None;
        for wide in wide {
            let mut start = matrix.0.map(|word| _mm512_set1_epi32(word.cast_signed()));
            let count = _mm512_set1_epi64(counter.cast_signed());
            let low = _mm512_add_epi64(count, _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
            let high = _mm512_add_epi64(count, _mm512_set_epi64(15, 14, 13, 12, 11, 10, 9, 8));
            let even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
            let odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
            start[12] = _mm512_permutex2var_epi32(low, even, high);
            start[13] = _mm512_permutex2var_epi32(low, odd, high);
            let mut x = start;
            // Four quarter rounds step by step side by side: one alone is a chain of
            // dependent steps.
            macro_rules! step {
                ($rol:literal: $($sum:literal += $term:literal, $turned:literal;)*) => {
                    $( x[$sum] = _mm512_add_epi32(x[$sum], x[$term]); )*
                    $( x[$turned] = _mm512_xor_si512(x[$turned], x[$sum]); )*
                    $( x[$turned] = _mm512_rol_epi32::<$rol>(x[$turned]); )*
                };
            }
            macro_rules! double_round {
                () => {
                    step!(16: 0 += 4, 12; 1 += 5, 13; 2 += 6, 14; 3 += 7, 15;);
                    step!(12: 8 += 12, 4; 9 += 13, 5; 10 += 14, 6; 11 += 15, 7;);
                    step!(8: 0 += 4, 12; 1 += 5, 13; 2 += 6, 14; 3 += 7, 15;);
                    step!(7: 8 += 12, 4; 9 += 13, 5; 10 += 14, 6; 11 += 15, 7;);
                    step!(16: 0 += 5, 15; 1 += 6, 12; 2 += 7, 13; 3 += 4, 14;);
                    step!(12: 10 += 15, 5; 11 += 12, 6; 8 += 13, 7; 9 += 14, 4;);
                    step!(8: 0 += 5, 15; 1 += 6, 12; 2 += 7, 13; 3 += 4, 14;);
                    step!(7: 10 += 15, 5; 11 += 12, 6; 8 += 13, 7; 9 += 14, 4;);
                };
            }
            for i in 0..4 {
                double_round!();
                if before.is_some() {
                    keystream.join_words(i);
                }
            }
            for i in 0..4 {
                double_round!();
                if let Some(before) = &mut before {
                    keystream.xor_blocks(i, before);
                }
            }
            double_round!();
            double_round!();
            for ((word, x), start) in keystream.0.iter_mut().zip(x).zip(start) {
                store512(word, _mm512_add_epi32(x, start));
            }
            before = Some(wide);
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
#[repr(align(64))]
pub(super) struct Keystream([[u8; BLOCK_LEN]; 16]);

impl Drop for Keystream {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

impl Keystream {
    /// Blocks whose words are in the lanes of vectors.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn of(words: [__m512i; 16]) -> Self {
        let mut keystream = Self([[0; BLOCK_LEN]; 16]);
        for (word, vector) in keystream.0.iter_mut().zip(words) {
            store512(word, vector);
        }
        for i in 0..4 {
            keystream.join_words(i);
        }
        keystream
    }

    /// Joins words `4i` to `4i + 3`, for `i` below 4: vector `4i + j` then holds those of
    /// blocks `j`, `j + 4`, `j + 8` and `j + 12`, each in its 128-bit lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn join_words(&mut self, i: usize) {
        let (quads, _) = self.0.as_chunks_mut::<4>();
        let words = &mut quads[i];
        let [a, b, c, d] = words.each_ref().map(|word| load512(word));
        let (ab_low, ab_high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (cd_low, cd_high) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        store512(&mut words[0], _mm512_unpacklo_epi64(ab_low, cd_low));
        store512(&mut words[1], _mm512_unpackhi_epi64(ab_low, cd_low));
        store512(&mut words[2], _mm512_unpacklo_epi64(ab_high, cd_high));
        store512(&mut words[3], _mm512_unpackhi_epi64(ab_high, cd_high));
    }

    /// Blocks `i`, `i + 4`, `i + 8` and `i + 12`, for `i` below 4, after all words are joined.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn blocks(&self, i: usize) -> [__m512i; 4] {
        let [a, b, c, d] = [0, 4, 8, 12].map(|quad| load512(&self.0[quad + i]));
        let (ab_even, ab_odd) = (
            _mm512_shuffle_i32x4::<0x88>(a, b),
            _mm512_shuffle_i32x4::<0xdd>(a, b),
        );
        let (cd_even, cd_odd) = (
            _mm512_shuffle_i32x4::<0x88>(c, d),
            _mm512_shuffle_i32x4::<0xdd>(c, d),
        );
        [
            _mm512_shuffle_i32x4::<0x88>(ab_even, cd_even),
            _mm512_shuffle_i32x4::<0x88>(ab_odd, cd_odd),
            _mm512_shuffle_i32x4::<0xdd>(ab_even, cd_even),
            _mm512_shuffle_i32x4::<0xdd>(ab_odd, cd_odd),
        ]
    }

    /// XORs the same into the text.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn xor_blocks(&self, i: usize, in_out: &mut [u8; WIDE]) {
        let (blocks, _) = in_out.as_chunks_mut::<BLOCK_LEN>();
        for (block, keystream) in blocks[i..].iter_mut().step_by(4).zip(self.blocks(i)) {
            store512(block, _mm512_xor_si512(load512(block), keystream));
        }
    }
}

/// One word of eight blocks in each vector.
#[derive(Clone, Copy)]
struct Group([__m256i; 16]);

/// Eight matrices with consecutive counters.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn begin(matrix: &Matrix, counter: u64) -> Group {
    let mut x = matrix.0.map(|word| _mm256_set1_epi32(word.cast_signed()));
    let count = _mm256_set1_epi64x(counter.cast_signed());
    let low = _mm256_add_epi64(count, _mm256_set_epi64x(3, 2, 1, 0));
    let high = _mm256_add_epi64(count, _mm256_set_epi64x(7, 6, 5, 4));
    x[12] = _mm256_permutex2var_epi32(low, _mm256_set_epi32(14, 12, 10, 8, 6, 4, 2, 0), high);
    x[13] = _mm256_permutex2var_epi32(low, _mm256_set_epi32(15, 13, 11, 9, 7, 5, 3, 1), high);
    Group(x)
}

/// Quarter round `Q` of a double round: 0 to 3 are columns, 4 to 7 diagonals.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn quarter<const Q: usize>(group: &mut Group) {
    let x = &mut group.0;
    macro_rules! q {
        ($a:literal, $b:literal, $c:literal, $d:literal) => {
            quarter_round!(
                x,
                $a,
                $b,
                $c,
                $d,
                _mm256_add_epi32,
                _mm256_xor_si256,
                _mm256_rol_epi32
            )
        };
    }
    match Q % 8 {
        0 => {
            q!(0, 4, 8, 12);
        }
        1 => {
            q!(1, 5, 9, 13);
        }
        2 => {
            q!(2, 6, 10, 14);
        }
        3 => {
            q!(3, 7, 11, 15);
        }
        4 => {
            q!(0, 5, 10, 15);
        }
        5 => {
            q!(1, 6, 11, 12);
        }
        6 => {
            q!(2, 7, 8, 13);
        }
        _ => {
            q!(3, 4, 9, 14);
        }
    }
}

/// Adds the matrices that the rounds began with, and XORs the keystream into `in_out`.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn finish(group: Group, matrix: &Matrix, counter: u64, in_out: &mut [u8; GROUP]) {
    let mut x = group.0;
    for (x, start) in x.iter_mut().zip(begin(matrix, counter).0) {
        *x = _mm256_add_epi32(*x, start);
    }
    let [
        x0,
        x1,
        x2,
        x3,
        x4,
        x5,
        x6,
        x7,
        x8,
        x9,
        x10,
        x11,
        x12,
        x13,
        x14,
        x15,
    ] = x;
    let left = transpose8([x0, x1, x2, x3, x4, x5, x6, x7]);
    let right = transpose8([x8, x9, x10, x11, x12, x13, x14, x15]);
    let (halves, _) = in_out.as_chunks_mut::<32>();
    for (i, keystream) in (0..).zip(left) {
        let half: &mut [u8; 32] = &mut halves[2 * i];
        store256(half, _mm256_xor_si256(load256(half), keystream));
    }
    for (i, keystream) in (0..).zip(right) {
        let half: &mut [u8; 32] = &mut halves[2 * i + 1];
        store256(half, _mm256_xor_si256(load256(half), keystream));
    }
}

/// Eight words of eight blocks become half of each block.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn transpose8(x: [__m256i; 8]) -> [__m256i; 8] {
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

kernel! {
    fn xor_group(tier: Avx512, matrix: &Matrix, counter: u64, in_out: &mut [u8; GROUP]) {
        let mut group = begin(matrix, counter);
        for _ in 0..10 {
            quarter::<0>(&mut group); quarter::<1>(&mut group);
            quarter::<2>(&mut group); quarter::<3>(&mut group);
            quarter::<4>(&mut group); quarter::<5>(&mut group);
            quarter::<6>(&mut group); quarter::<7>(&mut group);
        }
        finish(group, matrix, counter, in_out);
    }
}
