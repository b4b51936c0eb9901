//! ChaCha20 beside BLAKE2b: what a tier may offer for one message.
//!
//! BLAKE2b of one message is one long chain of dependent steps that leaves most of the
//! CPU idle, and ChaCha20 is independent of it. Running both in one instruction
//! stream hides the cipher behind the hash.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;

use super::blake2b::{self, Blake2b, Run, State};
use super::chacha20::{self, ChaCha20, Matrix};
use crate::tier::Portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::tier::{Avx2, Vaes256};

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

/// Hashing and encrypting in one pass.
pub(crate) trait ChaCha20Blake2b: ChaCha20 + Blake2b {
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
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl ChaCha20Blake2b for Avx2 {}
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl ChaCha20Blake2b for Vaes256 {}
