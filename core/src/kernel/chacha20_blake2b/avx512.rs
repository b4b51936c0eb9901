//! One stream of BLAKE2b in general registers, with four blocks of ChaCha20 in vectors beside it.

mod beside;

use super::{Beside, ChaCha20Blake2b, Span};
use crate::kernel::blake2b::{BLOCK_LEN, Block, State};
use crate::kernel::chacha20::avx512 as cipher;
use crate::kernel::chacha20::{self, FourBlocks, Matrix};
use crate::tier::bytes::{load512, store512};
use crate::tier::{Avx512, kernel};

impl ChaCha20Blake2b for Avx512 {
    const BESIDE: Option<Beside<Self>> =
        Some(Beside { absorb: absorb_beside, xor: xor_four_blocks });
    const GROUP_LEN: usize = FourBlocks::LEN;

    #[inline(always)]
    fn absorb_and_xor(self, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        absorb_and_xor(self, state, matrix, data, span);
    }
}

const _: () = assert!(FourBlocks::LEN == 2 * BLOCK_LEN);

kernel! {
    fn absorb_and_xor(tier: Avx512, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        let Span { hash_at, xor_at, groups } = span;
        let len = groups * FourBlocks::LEN;
        if data.len() - xor_at >= len {
            return beside::absorb_and_xor(tier, state, matrix, data, hash_at, xor_at, len);
        }
        // The last group that is XORed is a part of one.
        let len = len - FourBlocks::LEN;
        beside::absorb_and_xor(tier, state, matrix, data, hash_at, xor_at, len);
        let (hash_at, xor_at) = (hash_at + len, xor_at + len);
        let counter = (xor_at / chacha20::BLOCK_LEN) as u64;
        let [mut rows] = cipher::four_matrices(matrix, counter);
        let (blocks, _) = data[hash_at..hash_at + FourBlocks::LEN].as_chunks();
        for block in blocks {
            beside::absorb_block(tier, state, block, None, &mut rows);
        }
        cipher::xor_four_matrices([rows], matrix, counter, &mut data[xor_at..]);
    }

    fn absorb_beside(tier: Avx512, state: &mut State, block: &Block, last_len: Option<u8>, blocks: &mut FourBlocks) {
        let mut rows = blocks.0.0.each_ref().map(|row| load512(row));
        beside::absorb_block(tier, state, block, last_len, &mut rows);
        for (row, vector) in blocks.0.0.iter_mut().zip(rows) {
            store512(row, vector);
        }
    }

    fn xor_four_blocks(tier: Avx512, blocks: &FourBlocks, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        let rows = blocks.0.0.each_ref().map(|row| load512(row));
        cipher::xor_four_matrices([rows], matrix, counter, in_out);
    }
}
