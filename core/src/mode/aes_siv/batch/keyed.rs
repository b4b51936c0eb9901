//! The tier of a batch, with its key.

use super::super::{LastBlocks, Subkeys, open, seal};
use crate::kernel::Block;
use crate::kernel::aes_siv::AesSiv;

/// The kernels of a tier, through a table. Each call is for many blocks, so that the table
/// costs nothing; the code around the calls is compiled once, not for each tier and length of
/// key.
pub(super) trait Keyed {
    /// [`AesSiv::LANES`].
    fn lanes(&self) -> usize;

    fn last_blocks(&self) -> &LastBlocks;

    /// CMAC(<zero>).
    fn zero(&self) -> u128;

    /// D after one string.
    fn sum(&self, aad: &[u8]) -> u128;

    /// [`AesSiv::ctr_xor`] in place, under K2.
    fn ctr_xor(&self, counter: &Block, in_out: &mut [u8]);

    /// [`AesSiv::encrypt_all`] under K2.
    fn encrypt_all(&self, blocks: &mut [Block]);

    /// [`AesSiv::cbc_mac_lanes`] under K1.
    fn cbc_mac_lanes(&self, rows: &mut [Block]);

    /// [`seal`] in place.
    fn seal(&self, aad: &[u8], in_out: &mut [u8], tag: &mut Block);

    /// [`open`] in place.
    fn open(&self, aad: &[u8], in_out: &mut [u8], tag: &Block) -> bool;
}

impl<T: AesSiv<HALF>, const HALF: usize> Keyed for OnTier<'_, T, HALF> {
    fn lanes(&self) -> usize {
        T::LANES
    }

    fn last_blocks(&self) -> &LastBlocks {
        &self.keys.last_blocks
    }

    fn zero(&self) -> u128 {
        self.keys.zero
    }

    fn sum(&self, aad: &[u8]) -> u128 {
        self.keys.sum::<T, HALF>(self.tier, &[aad])
    }

    fn ctr_xor(&self, counter: &Block, in_out: &mut [u8]) {
        self.tier.ctr_xor(&self.keys.ctr, counter, None, in_out);
    }

    fn encrypt_all(&self, blocks: &mut [Block]) {
        self.tier.encrypt_all(&self.keys.ctr, blocks);
    }

    fn cbc_mac_lanes(&self, rows: &mut [Block]) {
        self.tier.cbc_mac_lanes(&self.keys.mac, rows);
    }

    fn seal(&self, aad: &[u8], in_out: &mut [u8], tag: &mut Block) {
        seal::<T, HALF>(self.tier, self.keys, &[aad], None, in_out, tag);
    }

    fn open(&self, aad: &[u8], in_out: &mut [u8], tag: &Block) -> bool {
        open::<T, HALF>(self.tier, self.keys, &[aad], None, in_out, tag)
    }
}

/// A key of a tier whose kernels take halves of `HALF` bytes.
pub(super) struct OnTier<'k, T: AesSiv<HALF>, const HALF: usize> {
    pub(super) tier: T,
    pub(super) keys: &'k Subkeys<T::RoundKeys>,
}
