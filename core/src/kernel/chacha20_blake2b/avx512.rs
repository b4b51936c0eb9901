//! One stream of BLAKE2b in 256-bit rows with eight blocks of ChaCha20 beside it; for a short
//! message in general registers, with four blocks beside it.
//!
//! Rows of 256 bits, although wider ones exist: the hash waits for its own results most
//! of the time, 256-bit vectors may use one port more than 512-bit ones, and both fit in
//! the thirty-two registers.

use super::{Beside, ChaCha20Blake2b, GROUP_LEN, Span};
use crate::kernel::blake2b::avx512::{self as hash, half_round};
use crate::kernel::blake2b::{BLOCK_LEN, Block, State, portable::compress_block};
use crate::kernel::chacha20::avx512 as cipher;
use crate::kernel::chacha20::{self, FourBlocks, Matrix};
use crate::tier::bytes::{in_step512, load512, store512};
use crate::tier::{Avx512, kernel};

impl ChaCha20Blake2b for Avx512 {
    const BESIDE: Option<Beside<Self>> = Some(Beside {
        absorb: absorb_beside,
        xor: xor_four_blocks,
    });

    #[inline(always)]
    fn absorb_and_xor(self, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        absorb_and_xor(self, state, matrix, data, span);
    }
}

const _: () = assert!(GROUP_LEN == cipher::GROUP && GROUP_LEN == 4 * BLOCK_LEN);

kernel! {
    fn absorb_and_xor(tier: Avx512, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        let mut chain = hash::load_chain(state);
        let mut t = state.t;
        for i in 0..span.groups {
            let (hash_at, xor_at) = (span.hash_at + i * GROUP_LEN, span.xor_at + i * GROUP_LEN);
            let counter = (xor_at / chacha20::BLOCK_LEN) as u64;
            let mut group = cipher::begin(matrix, counter);
            let (blocks, _) = data[hash_at..hash_at + GROUP_LEN].as_chunks::<BLOCK_LEN>();
            // Two hash blocks take 48 half rounds, five double rounds of the cipher take
            // 40 quarter rounds: one beside each half round, and none beside every sixth.
            let (pairs, _) = blocks.as_chunks::<2>();
            for [first, second] in pairs {
                macro_rules! hash_block {
                    ($block:ident: $($round:literal: [$($q:literal)*] [$($p:literal)*];)*) => {
                        t += BLOCK_LEN as u64;
                        let mut rows = hash::begin(chain, t, false);
                        $(
                            half_round!(rows, $block, $round, COLUMNS, group: $($q)*);
                            rows.turn();
                            half_round!(rows, $block, $round, DIAGONALS, group: $($p)*);
                            rows.turn_back();
                        )*
                        chain = hash::end(chain, rows);
                    };
                }
                hash_block!(first:
                    0: [0 4 8 12] [1 5 9 13];
                    1: [2 6 10 14] [3 7 11 15];
                    2: [0 5 10 15] [];
                    3: [1 6 11 12] [2 7 8 13];
                    4: [3 4 9 14] [0 4 8 12];
                    5: [1 5 9 13] [];
                    6: [2 6 10 14] [3 7 11 15];
                    7: [0 5 10 15] [1 6 11 12];
                    8: [2 7 8 13] [];
                    9: [3 4 9 14] [0 4 8 12];
                    10: [1 5 9 13] [2 6 10 14];
                    11: [3 7 11 15] [];
                );
                hash_block!(second:
                    0: [0 5 10 15] [1 6 11 12];
                    1: [2 7 8 13] [3 4 9 14];
                    2: [0 4 8 12] [];
                    3: [1 5 9 13] [2 6 10 14];
                    4: [3 7 11 15] [0 5 10 15];
                    5: [1 6 11 12] [];
                    6: [2 7 8 13] [3 4 9 14];
                    7: [0 4 8 12] [1 5 9 13];
                    8: [2 6 10 14] [];
                    9: [3 7 11 15] [0 5 10 15];
                    10: [1 6 11 12] [2 7 8 13];
                    11: [3 4 9 14] [];
                );
            }
            let target = &mut data[xor_at..xor_at + GROUP_LEN];
            if let Some(target) = target.first_chunk_mut::<GROUP_LEN>() {
                cipher::finish(group, matrix, counter, target);
            }
        }
        hash::store_chain(state, chain);
        state.t = t;
    }
}

kernel! {
    /// Here the hash runs in general registers: alone it is sooner done there.
    fn absorb_beside(tier: Avx512, state: &mut State, block: &Block, last_len: Option<u8>, blocks: &mut FourBlocks) {
        let mut rows = blocks.0.each_ref().map(|row| load512(row));
        state.t += last_len.map_or(block.len() as u64, u64::from);
        compress_block(&mut state.h, block, state.t, last_len.is_some(), |round, words| {
            if round < 10 {
                if round.is_multiple_of(2) {
                    cipher::columns(&mut rows);
                } else {
                    cipher::diagonals(&mut rows);
                }
                in_step512(words, &mut rows);
            }
        });
        for (row, vector) in blocks.0.iter_mut().zip(rows) {
            store512(row, vector);
        }
    }
}

kernel! {
    fn xor_four_blocks(tier: Avx512, blocks: &FourBlocks, matrix: &Matrix, in_out: &mut [u8]) {
        let rows = blocks.0.each_ref().map(|row| load512(row));
        cipher::xor_four_matrices(rows, matrix, 0, in_out);
    }
}
