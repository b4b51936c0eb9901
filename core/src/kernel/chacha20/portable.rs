//! ChaCha20 without an instruction beyond the target's baseline.

use super::{BLOCK_LEN, ChaCha20, KEY_LEN, Matrix};
use crate::tier::{BASELINE_WORDS, Portable, secret};

/// How many blocks are made side by side: as many as a vector has words, so that the
/// compiler can do a step of all of them in one instruction.
const LANES: usize = BASELINE_WORDS;

/// The four rows of `N / 4` matrices: word `j` of row `i` of matrix `lane` is
/// `[i][j * N / 4 + lane]`.
type Rows<const N: usize> = [[u32; N]; 4];

/// The quarter rounds of all columns. A loop over rows, and not the rounds of one column
/// after another, because that is what the compiler makes vectors of.
#[inline(always)]
fn quarter_rounds<const N: usize>(rows: &mut Rows<N>) {
    let [a, b, c, d] = rows;
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        *a = a.wrapping_add(*b);
        *d = (*d ^ *a).rotate_left(16);
        *c = c.wrapping_add(*d);
        *b = (*b ^ *c).rotate_left(12);
        *a = a.wrapping_add(*b);
        *d = (*d ^ *a).rotate_left(8);
        *c = c.wrapping_add(*d);
        *b = (*b ^ *c).rotate_left(7);
    }
}

/// A row whose words moved to the left by `words` of four.
#[inline(always)]
fn turned<const N: usize>(row: &[u32; N], words: usize) -> [u32; N] {
    core::array::from_fn(|i| row[(i + words * (N / 4)) % N])
}

/// Apart from its callers: among their code, the compiler takes the rows to pieces and makes
/// no vectors.
#[inline(never)]
fn twenty_rounds<const N: usize>(rows: &mut Rows<N>) {
    for _ in 0..10 {
        quarter_rounds(rows);
        // Diagonals become columns, and columns again.
        rows[1] = turned(&rows[1], 1);
        rows[2] = turned(&rows[2], 2);
        rows[3] = turned(&rows[3], 3);
        quarter_rounds(rows);
        rows[1] = turned(&rows[1], 3);
        rows[2] = turned(&rows[2], 2);
        rows[3] = turned(&rows[3], 1);
    }
}

/// The first and the last row after twenty rounds, without the final addition.
#[inline(always)]
pub(super) fn hchacha20(key: &[u8; KEY_LEN], nonce: &[u8; 16], subkey: &mut [u8; KEY_LEN]) {
    let mut x = Matrix::with_last_row(key, nonce);
    let (rows, _) = x.0.as_chunks_mut::<4>();
    if let Some(rows) = rows.first_chunk_mut() {
        twenty_rounds(rows);
    }
    let (bytes, _) = subkey.as_chunks_mut::<4>();
    for (bytes, word) in bytes.iter_mut().zip(x.0[..4].iter().chain(&x.0[12..])) {
        *bytes = word.to_le_bytes();
    }
}

impl ChaCha20 for Portable {
    #[inline(always)]
    fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        chacha20_xor(matrix, counter, in_out);
    }
}

pub(super) fn chacha20_xor(matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
    let mut groups = in_out.chunks_exact_mut(LANES * BLOCK_LEN);
    let mut counter = counter;
    for group in &mut groups {
        xor_group::<{ 4 * LANES }>(matrix, counter, group);
        counter = counter.wrapping_add(LANES as u64);
    }
    for block in groups.into_remainder().chunks_mut(BLOCK_LEN) {
        xor_group::<4>(matrix, counter, block);
        counter = counter.wrapping_add(1);
    }
}

/// `N / 4` blocks, the last of which may be shorter.
#[inline(always)]
fn xor_group<const N: usize>(matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
    let lanes = N / 4;
    let word = |i: usize, j: usize| match (4 * i + j / lanes, j % lanes) {
        (12, lane) => counter.wrapping_add(lane as u64) as u32,
        (13, lane) => (counter.wrapping_add(lane as u64) >> 32) as u32,
        (word, _) => matrix.0[word],
    };
    let start: Rows<N> = core::array::from_fn(|i| core::array::from_fn(|j| word(i, j)));
    let mut rows = start;
    twenty_rounds(&mut rows);
    for (row, start) in rows.iter_mut().zip(&start) {
        for (word, start) in row.iter_mut().zip(start) {
            *word = word.wrapping_add(*start);
        }
    }
    let mut keystream = [0; BLOCK_LEN];
    for (lane, block) in in_out.chunks_mut(BLOCK_LEN).enumerate() {
        let (words, _) = keystream.as_chunks_mut::<4>();
        for (i, bytes) in words.iter_mut().enumerate() {
            *bytes = rows[i / 4][i % 4 * lanes + lane].to_le_bytes();
        }
        for (byte, k) in block.iter_mut().zip(&keystream) {
            *byte ^= k;
        }
    }
    secret::wipe(&mut keystream);
    rows = [[0; N]; 4];
    secret::keep_stores(&mut rows);
}
