//! ChaCha20 one block at a time, in general registers.

use super::{BLOCK_LEN, ChaCha20, KEY_LEN, Matrix};
use crate::tier::{Portable, secret};

#[inline(always)]
fn quarter_round(x: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(16);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(12);
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(8);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(7);
}

#[inline(always)]
fn twenty_rounds(x: &mut [u32; 16]) {
    for _ in 0..10 {
        quarter_round(x, 0, 4, 8, 12);
        quarter_round(x, 1, 5, 9, 13);
        quarter_round(x, 2, 6, 10, 14);
        quarter_round(x, 3, 7, 11, 15);
        quarter_round(x, 0, 5, 10, 15);
        quarter_round(x, 1, 6, 11, 12);
        quarter_round(x, 2, 7, 8, 13);
        quarter_round(x, 3, 4, 9, 14);
    }
}

/// The first and the last row after twenty rounds, without the final addition.
#[inline(always)]
pub(super) fn hchacha20(key: &[u8; KEY_LEN], nonce: &[u8; 16], subkey: &mut [u8; KEY_LEN]) {
    let mut x = Matrix::with_last_row(key, nonce);
    twenty_rounds(&mut x.0);
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
    let mut keystream = [0; BLOCK_LEN];
    for (i, chunk) in (0..).zip(in_out.chunks_mut(BLOCK_LEN)) {
        let counter = counter.wrapping_add(i);
        let mut start = matrix.0;
        start[12] = counter as u32;
        start[13] = (counter >> 32) as u32;
        let mut x = start;
        twenty_rounds(&mut x);
        let (words, _) = keystream.as_chunks_mut::<4>();
        for ((bytes, word), start) in words.iter_mut().zip(x).zip(start) {
            *bytes = word.wrapping_add(start).to_le_bytes();
        }
        for (byte, k) in chunk.iter_mut().zip(&keystream) {
            *byte ^= k;
        }
    }
    secret::wipe(&mut keystream);
}
