//! ChaCha20 beside BLAKE2b: what a tier may offer for one message.
//!
//! BLAKE2b of one message is one long chain of dependent steps that leaves most of the
//! CPU idle, and ChaCha20 is independent of it. Running both in one instruction
//! stream hides the time of the cipher in that of the hash.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(test)]
mod tests;

use super::blake2b::{self, Blake2b, Block, Run, State};
use super::chacha20::{self, ChaCha20, FourBlocks, Matrix, Streams};
use crate::tier::Portable;

/// The bytes that one step absorbs and encrypts: four hash blocks, eight cipher blocks.
pub(crate) const GROUP_LEN: usize = 512;

/// Where a stitched pass works, all in bytes from the start of one buffer.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    /// The first byte to absorb.
    pub(crate) hash_at: usize,
    /// The first byte to XOR with keystream: a whole number of cipher blocks.
    pub(crate) xor_at: usize,
    /// How many groups of [`GROUP_LEN`] bytes to do of each.
    pub(crate) groups: usize,
}

/// A keystream made beside hashes of one block each, which leave the vectors of the CPU idle.
pub(crate) struct Beside<T> {
    /// Absorbs a block, of which if it ends the message so many bytes are the message's, and
    /// beside it makes ten rounds of the cipher.
    pub(crate) absorb: fn(T, &mut State, &Block, Option<u8>, &mut FourBlocks),
    /// XORs the keystream into at most [`FourBlocks::LEN`] bytes, after twenty rounds.
    pub(crate) xor: fn(T, &FourBlocks, &Matrix, &mut [u8]),
}

/// Hashing and encrypting in one pass.
pub(crate) trait ChaCha20Blake2b: ChaCha20 + Streams + Blake2b {
    /// Where BLAKE2b of one message runs in general registers and the cipher in vectors.
    const BESIDE: Option<Beside<Self>> = None;

    /// Group by group: absorbs one group, none of it the message's last block, then XORs
    /// keystream into another. The keystream of `data[0]` begins with block 0.
    ///
    /// # Panics
    ///
    /// If the span leaves `data`; a mode computes it from the length of `data`.
    #[inline(always)]
    fn absorb_and_xor(self, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        for i in 0..span.groups {
            let (hash_at, xor_at) = (span.hash_at + i * GROUP_LEN, span.xor_at + i * GROUP_LEN);
            let (blocks, _) =
                data[hash_at..hash_at + GROUP_LEN].as_chunks::<{ blake2b::BLOCK_LEN }>();
            self.compress(
                state,
                Run {
                    blocks,
                    last_len: None,
                },
            );
            let counter = (xor_at / chacha20::BLOCK_LEN) as u64;
            self.chacha20_xor(matrix, counter, &mut data[xor_at..xor_at + GROUP_LEN]);
        }
    }
}

impl ChaCha20Blake2b for Portable {}
