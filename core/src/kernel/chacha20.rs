//! ChaCha20 with a 64-bit nonce and a 64-bit block counter (Bernstein, "ChaCha, a
//! variant of Salsa20", 2008) and HChaCha20 (draft-irtf-cfrg-xchacha-03): what a
//! tier must offer.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod avx512;
mod four_blocks;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(super) mod neon;
mod portable;
mod streams;
#[cfg(test)]
mod tests;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod vectors;

use crate::tier::Token;
pub(crate) use four_blocks::FourBlocks;
pub(crate) use streams::{MAX_STREAMS, StreamNonce, Streams};
use zeroize::Zeroize;

/// A key in bytes, of ChaCha20 and of HChaCha20.
pub(crate) const KEY_LEN: usize = 32;

/// A keystream block in bytes.
pub(crate) const BLOCK_LEN: usize = 64;

/// The first row of a matrix.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The matrix before the rounds: constants, key, counter of zero, nonce.
#[repr(align(64))]
pub(crate) struct Matrix(pub(super) [u32; 16]);

impl Drop for Matrix {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Matrix {
    /// Rows 0 to 2 from the constants and `key`, row 3 from `last_row`.
    #[inline(always)]
    fn with_last_row(key: &[u8; KEY_LEN], last_row: &[u8; 16]) -> Self {
        let mut words = [0; 16];
        words[..4].copy_from_slice(&CONSTANTS);
        let (key, _) = key.as_chunks::<4>();
        let (last_row, _) = last_row.as_chunks::<4>();
        for (word, bytes) in words[4..].iter_mut().zip(key.iter().chain(last_row)) {
            *word = u32::from_le_bytes(*bytes);
        }
        Self(words)
    }

    /// The matrix of block 0; kernels count from there.
    #[inline(always)]
    pub(crate) fn new(key: &[u8; KEY_LEN], nonce: &[u8; 8]) -> Self {
        let mut last_row = [0; 16];
        last_row[8..].copy_from_slice(nonce);
        Self::with_last_row(key, &last_row)
    }
}

/// ChaCha20 and HChaCha20.
pub(crate) trait ChaCha20: Token {
    /// XORs the keystream into `in_out`, from block number `counter` on. The counter
    /// has 64 bits and wraps.
    fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]);

    /// The subkey for the first sixteen bytes of an XChaCha20 nonce.
    #[inline(always)]
    fn hchacha20(self, key: &[u8; KEY_LEN], nonce: &[u8; 16], subkey: &mut [u8; KEY_LEN]) {
        portable::hchacha20(key, nonce, subkey);
    }
}
