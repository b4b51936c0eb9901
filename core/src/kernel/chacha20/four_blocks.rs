//! Four blocks whose rounds are made in stretches, beside something else.

use super::Matrix;
use crate::tier::secret;

/// The matrices of four blocks on their way through the rounds, side by side: row `i` of all
/// four in vector `i`.
#[repr(align(64))]
pub(crate) struct FourBlocks(pub(in crate::kernel) [[u8; 64]; 4]);

impl Drop for FourBlocks {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

impl FourBlocks {
    /// Bytes of keystream.
    pub(crate) const LEN: usize = 4 * super::BLOCK_LEN;

    /// Four blocks of a keystream from this counter on, before the rounds.
    #[inline(always)]
    pub(crate) fn new(matrix: &Matrix, counter: u64) -> Self {
        let mut blocks = Self([[0; 64]; 4]);
        for (row, words) in blocks.0.iter_mut().zip(matrix.0.as_chunks::<4>().0) {
            for (i, bytes) in row.as_chunks_mut().0.iter_mut().enumerate() {
                *bytes = words[i % 4].to_le_bytes();
            }
        }
        for (i, block) in (0..).zip(blocks.0[3].as_chunks_mut::<16>().0) {
            block[..8].copy_from_slice(&counter.wrapping_add(i).to_le_bytes());
        }
        blocks
    }
}
