//! The first two rounds of counter mode, looked up.
//!
//! The counter fills the first column of the state. SubBytes works byte by byte. ShiftRows
//! takes the four bytes of a column to four different ones; MixColumns keeps within a column.
//! Everything but SubBytes is linear (FIPS 197 section 5.1). So after one round
//! each column depends on a single byte of the counter, and two rounds are a sum of terms
//! that depend on one each:
//!
//! ```text
//! two_rounds(c0, c1, c2, c3) = f0(c0) ^ f1(c1) ^ f2(c2) ^ f3(c3)
//! ```
//!
//! The lowest byte alone differs among 256 blocks. A table of the two rounds for every c0,
//! made once for a message, turns them into one XOR with a `rest`, the same for those 256
//! blocks. The index is public: the counter starts at the tag.

use crate::kernel::Block;
use crate::tier::secret;

/// From this length of a text on, a table saves more than it costs.
pub(in crate::kernel) const WORTHWHILE_LEN: usize = 16 << 10;

/// The state after two rounds for each lowest byte of the counter, with the other bytes of the
/// message's first counter. A table of more than 64 vectors repeats after them.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct FirstRounds<'a>(&'a [[u8; 64]]);

impl<'a> FirstRounds<'a> {
    /// The table of a keystream that does not look anything up.
    pub(in crate::kernel) const NONE: Self = Self(&[]);

    /// `next` makes four blocks after four, in order.
    #[inline(always)]
    pub(super) fn new<const VECTORS: usize>(
        room: &'a mut secret::Room<VECTORS>,
        next: impl FnMut() -> [u8; 64],
    ) -> Self {
        Self(room.write(next))
    }

    /// `N` vectors of `VECTOR_LEN` bytes for the lowest bytes from `low` on, if the table
    /// goes so far.
    #[inline(always)]
    pub(super) fn vectors<const VECTOR_LEN: usize, const N: usize>(
        self,
        low: usize,
    ) -> Option<&'a [[u8; VECTOR_LEN]; N]> {
        let bytes = self.0.as_flattened().get(16 * low..)?;
        bytes.as_chunks().0.first_chunk()
    }

    /// One block.
    #[inline(always)]
    pub(super) fn block(self, low: usize) -> &'a Block {
        &self.0.as_flattened().as_chunks().0[low % 256]
    }
}

/// The counter with a lowest byte of zero.
#[inline(always)]
pub(super) fn without_low_byte(counter: &Block) -> Block {
    let mut block = *counter;
    block[0] = 0;
    block
}
