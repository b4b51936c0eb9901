//! A short message's keystream beside the hashes that make its MAC key: BLAKE2b in general
//! registers, two blocks of ChaCha20 in each vector. The 256-bit VAES tier has no more for it.

use super::{Beside, ChaCha20Blake2b};
use crate::kernel::blake2b::{Block, State, portable::compress_block};
use crate::kernel::chacha20::avx2::{columns, diagonals, xor_four_matrices};
use crate::kernel::chacha20::{FourBlocks, Matrix};
use crate::tier::bytes::{in_step256, load256, store256};
use crate::tier::{Avx2, Vaes256, kernel};
use core::arch::x86_64::*;

impl ChaCha20Blake2b for Avx2 {
    const BESIDE: Option<Beside<Self>> =
        Some(Beside { absorb: absorb_beside, xor: xor_four_blocks });
}

impl ChaCha20Blake2b for Vaes256 {
    const BESIDE: Option<Beside<Self>> = Some(Beside {
        absorb: |t, state, block, last_len, blocks| {
            absorb_beside(t.avx2(), state, block, last_len, blocks);
        },
        xor: |t, blocks, matrix, counter, in_out| {
            xor_four_blocks(t.avx2(), blocks, matrix, counter, in_out);
        },
    });
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(blocks: &FourBlocks) -> [[__m256i; 4]; 2] {
    let mut pairs = [[_mm256_setzero_si256(); 4]; 2];
    for (i, row) in blocks.0.0.iter().enumerate() {
        for (pair, half) in pairs.iter_mut().zip(row.as_chunks().0) {
            pair[i] = load256(half);
        }
    }
    pairs
}

kernel! {
    fn absorb_beside(tier: Avx2, state: &mut State, block: &Block, last_len: Option<u8>, blocks: &mut FourBlocks) {
        let mut pairs = load(blocks);
        state.t += last_len.map_or(block.len() as u64, u64::from);
        compress_block(&mut state.h, block, state.t, last_len.is_some(), |round, words| {
            if round < 10 {
                for pair in &mut pairs {
                    if round.is_multiple_of(2) {
                        columns(pair);
                    } else {
                        diagonals(pair);
                    }
                }
                if let Some(vectors) = pairs.as_flattened_mut().first_chunk_mut() {
                    in_step256(words, vectors);
                }
            }
        });
        for (i, row) in blocks.0.0.iter_mut().enumerate() {
            for (pair, half) in pairs.iter().zip(row.as_chunks_mut().0) {
                store256(half, pair[i]);
            }
        }
    }

    fn xor_four_blocks(tier: Avx2, blocks: &FourBlocks, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        xor_four_matrices(load(blocks), matrix, counter, in_out);
    }
}
