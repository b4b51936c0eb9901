//! One stream of BLAKE2b in general registers with ChaCha20 in vector registers beside it:
//! neither uses what the other waits for.

use super::{ChaCha20Blake2b, Span};
use crate::kernel::blake2b::{self, State, portable::compress_block};
use crate::kernel::chacha20::neon::{GROUP, begin, columns, diagonals, finish};
use crate::kernel::chacha20::{self, ChaCha20, Matrix};
use crate::tier::bytes::side_by_side;
use crate::tier::{Neon, kernel};

impl ChaCha20Blake2b for Neon {
    #[inline(always)]
    fn absorb_and_xor(self, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        absorb_and_xor(self, state, matrix, data, span);
    }
}

/// What goes together: two hash blocks and four cipher blocks.
const HASH_BLOCKS: usize = GROUP / blake2b::BLOCK_LEN;
const _: () = assert!(HASH_BLOCKS == 2 && Neon::GROUP_LEN.is_multiple_of(GROUP));

kernel! {
    fn absorb_and_xor(tier: Neon, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        for i in 0..span.groups * (Neon::GROUP_LEN / GROUP) {
            let (hash_at, xor_at) = (span.hash_at + i * GROUP, span.xor_at + i * GROUP);
            let counter = (xor_at / chacha20::BLOCK_LEN) as u64;
            let mut x = begin(matrix, counter);
            let (blocks, _) = data[hash_at..hash_at + GROUP].as_chunks();
            // Two hash blocks have twenty-four rounds, the cipher twenty.
            let mut round_beside = |round: usize, words: &mut [u64; 16]| {
                if round < 20 {
                    if round.is_multiple_of(2) {
                        columns(&mut x);
                    } else {
                        diagonals(&mut x);
                    }
                    side_by_side(words, &mut x);
                }
            };
            if let [first, second] = blocks {
                state.t += blake2b::BLOCK_LEN as u64;
                compress_block(&mut state.h, first, state.t, false, &mut round_beside);
                state.t += blake2b::BLOCK_LEN as u64;
                compress_block(&mut state.h, second, state.t, false, |i, words| {
                    round_beside(12 + i, words);
                });
            }
            let rest = data.get_mut(xor_at..).unwrap_or(&mut []);
            if let Some(target) = rest.first_chunk_mut::<GROUP>() {
                finish(x, matrix, counter, target);
            } else {
                tier.chacha20_xor(matrix, counter, rest);
            }
        }
    }
}
