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

use super::blake2b::{self, Blake2b, Block, Run, State};
use super::chacha20::{self, ChaCha20, FourBlocks, Matrix, Streams};
use crate::tier::Portable;

/// Where a stitched pass works, all in bytes from the start of one buffer. What the hash reads of
/// a group is there before the cipher's turn: either before its XOR (`hash_at >= xor_at`), or
/// after it, and the cipher leads by a group.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    /// The first byte to absorb.
    pub(crate) hash_at: usize,
    /// The first byte to XOR with keystream: a whole number of cipher blocks.
    pub(crate) xor_at: usize,
    /// How many groups of [`ChaCha20Blake2b::GROUP_LEN`] bytes to do of each. The last that is
    /// XORed may be shorter, and then ends the buffer.
    pub(crate) groups: usize,
}

/// A keystream made beside hashes of one block each, which leave the vectors of the CPU idle.
pub(crate) struct Beside<T> {
    /// Absorbs a block, of which if it ends the message so many bytes are the message's, and
    /// beside it makes ten rounds of the cipher.
    pub(crate) absorb: fn(T, &mut State, &Block, Option<u8>, &mut FourBlocks),
    /// XORs the keystream into at most [`FourBlocks::LEN`] bytes, after twenty rounds. The
    /// counter is that of [`FourBlocks::new`].
    pub(crate) xor: fn(T, &FourBlocks, &Matrix, u64, &mut [u8]),
}

/// Hashing and encrypting in one pass.
pub(crate) trait ChaCha20Blake2b: ChaCha20 + Streams + Blake2b {
    /// Where BLAKE2b of one message runs in general registers and the cipher in vectors.
    const BESIDE: Option<Beside<Self>> = None;

    /// The bytes that one step absorbs and encrypts: whole blocks of both.
    const GROUP_LEN: usize = 512;

    /// Group by group: absorbs one group, none of it the message's last block, then XORs
    /// keystream into another. The keystream of `data[0]` begins with block 0.
    ///
    /// # Panics
    ///
    /// If the span leaves `data`; a mode computes it from the length of `data`.
    #[inline(always)]
    fn absorb_and_xor(self, state: &mut State, matrix: &Matrix, data: &mut [u8], span: Span) {
        for i in 0..span.groups {
            let hash_at = span.hash_at + i * Self::GROUP_LEN;
            let xor_at = span.xor_at + i * Self::GROUP_LEN;
            let (blocks, _) =
                data[hash_at..hash_at + Self::GROUP_LEN].as_chunks::<{ blake2b::BLOCK_LEN }>();
            self.compress(state, Run { blocks, last_len: None });
            let counter = (xor_at / chacha20::BLOCK_LEN) as u64;
            let xor_end = data.len().min(xor_at + Self::GROUP_LEN);
            self.chacha20_xor(matrix, counter, &mut data[xor_at..xor_end]);
        }
    }
}

impl ChaCha20Blake2b for Portable {}
