//! Where the powers of a long message are.

use crate::kernel::Block;
use crate::tier::secret;

/// The powers that the vectors of a group are multiplied by, and their halves; wiped when
/// dropped. They are in one place from the beginning: a move would leave a copy behind,
/// and read in one width what was written in another.
#[repr(align(64))]
pub(in crate::kernel) struct Steps<const GROUP: usize> {
    pub(super) powers: [Block; GROUP],
    pub(super) halves: [Block; GROUP],
}

impl<const GROUP: usize> Steps<GROUP> {
    #[inline(always)]
    pub(in crate::kernel) fn new() -> Self {
        Self { powers: [[0; 16]; GROUP], halves: [[0; 16]; GROUP] }
    }
}

impl<const GROUP: usize> Drop for Steps<GROUP> {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.powers.as_flattened_mut());
        secret::wipe(self.halves.as_flattened_mut());
    }
}
