//! BLAKE2b (RFC 7693): what a tier must offer.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod lanes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
pub(super) mod portable;
#[cfg(test)]
mod tests;

use crate::tier::Token;
use zeroize::Zeroize;

/// A message block in bytes.
pub(crate) const BLOCK_LEN: usize = 128;

/// The longest key and the longest hash in bytes.
pub(crate) const MAX_LEN: usize = 64;

/// A message block.
pub(crate) type Block = [u8; BLOCK_LEN];

/// RFC 7693 section 2.6.
pub(super) const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// RFC 7693 section 2.7; rounds 10 and 11 repeat rounds 0 and 1.
const SIGMA: [[u8; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The chaining value and the bytes absorbed so far.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct State {
    pub(super) h: [u64; 8],
    /// The offset counter. Its upper half (RFC 7693 section 3.2) stays zero: no input
    /// of ours reaches 2^64 bytes.
    pub(super) t: u64,
}

impl State {
    /// The state before the key block: parameters of section 2.8 for a key of
    /// `key_len` and a hash of `hash_len` bytes.
    #[inline(always)]
    pub(crate) fn keyed(key_len: usize, hash_len: usize) -> Self {
        let mut h = IV;
        h[0] ^= 0x0101_0000 ^ ((key_len as u64) << 8) ^ hash_len as u64;
        Self { h, t: 0 }
    }

    /// The hash after the last block; a shorter one is its beginning.
    #[inline(always)]
    pub(crate) fn output(&self) -> [u8; MAX_LEN] {
        let mut out = [0; MAX_LEN];
        let (bytes, _) = out.as_chunks_mut::<8>();
        for (bytes, word) in bytes.iter_mut().zip(self.h) {
            *bytes = word.to_le_bytes();
        }
        out
    }
}

impl Drop for State {
    #[inline(always)]
    fn drop(&mut self) {
        self.h.zeroize();
    }
}

/// Consecutive blocks of one message.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) blocks: &'a [Block],
    /// If the run ends the message: how many bytes of its last block are the message's.
    /// The rest of that block is zeros.
    pub(crate) last_len: Option<u8>,
}

/// BLAKE2b, one stream or several side by side.
pub(crate) trait Blake2b: Token {
    /// How many streams [`Blake2b::compress_many`] takes.
    const LANES: usize;

    /// Absorbs a run of blocks.
    #[inline(always)]
    fn compress(self, state: &mut State, run: Run<'_>) {
        portable::compress(state, run);
    }

    /// Absorbs a run into each state. The runs are equally long in blocks; there are as
    /// many as states, and at most [`Blake2b::LANES`].
    #[inline(always)]
    fn compress_many(self, states: &mut [State], runs: &[Run<'_>]) {
        for (state, run) in states.iter_mut().zip(runs) {
            self.compress(state, *run);
        }
    }
}
