//! Four blocks whose rounds are made in stretches, beside something else.

use super::Matrix;
use crate::tier::secret::Vectors;

/// The matrices of four blocks on their way through the rounds, side by side: row `i` of all
/// four in vector `i`.
pub(crate) struct FourBlocks(pub(in crate::kernel) Vectors<64, 4>);

impl FourBlocks {
    /// Bytes of keystream.
    pub(crate) const LEN: usize = 4 * super::BLOCK_LEN;

    /// Four blocks of a keystream from this counter on, before the rounds.
    #[inline(always)]
    pub(crate) fn new(matrix: &Matrix, counter: u64) -> Self {
        let mut blocks = Self(Vectors::default());
        for (row, words) in blocks.0.0.iter_mut().zip(matrix.0.as_chunks::<4>().0) {
            for (i, bytes) in row.as_chunks_mut().0.iter_mut().enumerate() {
                *bytes = words[i % 4].to_le_bytes();
            }
        }
        for (i, block) in (0..).zip(blocks.0.0[3].as_chunks_mut::<16>().0) {
            block[..8].copy_from_slice(&counter.wrapping_add(i).to_le_bytes());
        }
        blocks
    }
}
