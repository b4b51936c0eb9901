//! Where the chains of a group are: which row and lane each begins in.

use super::{Keyed, ROOM};
use crate::kernel::Block;
use crate::kernel::aes_siv::MIN_LANES;

/// Where chains are in the rows.
pub(super) struct Chains {
    /// As the kernel has it.
    pub(super) going_on: [u32; ROOM / MIN_LANES],
    lanes: usize,
    /// Below this row a lane takes no more chains.
    full: usize,
    /// Where the next chain goes.
    lane: usize,
    row: usize,
    /// How many rows are in use.
    used: usize,
}

impl Chains {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { going_on: [0; ROOM / MIN_LANES], lanes: 1, full: 0, lane: 0, row: 0, used: 0 }
    }

    /// Clears the lanes for chains of these lengths, and returns the most blocks that their rows
    /// have.
    pub(super) fn start(&mut self, lanes: usize, lens: impl Iterator<Item = usize>) -> usize {
        let (blocks, longest) =
            lens.fold((0, 0), |(sum, longest), len| (sum + len, len.max(longest)));
        self.lanes = lanes;
        self.full = blocks.div_ceil(lanes);
        (self.lane, self.row, self.used) = (0, 0, 0);
        let rows = self.full + longest;
        self.going_on[..rows].fill(u32::MAX);
        rows * lanes
    }

    /// The places of the blocks of a chain.
    pub(super) fn place(&mut self, len: usize) -> impl Iterator<Item = usize> + use<> {
        if self.row >= self.full {
            (self.lane, self.row) = (self.lane + 1, 0);
        }
        self.going_on[self.row] &= !(1 << self.lane);
        let first = self.row * self.lanes + self.lane;
        self.row += len;
        self.used = self.used.max(self.row);
        (first..).step_by(self.lanes)
    }

    pub(super) fn run(&self, keys: &(impl Keyed + ?Sized), rows: &mut [Block]) {
        let rows = &mut rows[..self.used * self.lanes];
        keys.cbc_mac_lanes(&self.going_on[..self.used], rows);
    }
}
