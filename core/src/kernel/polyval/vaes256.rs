//! POLYVAL on the 256-bit VAES tier: still the 128-bit kernel.

use super::Polyval;
use crate::kernel::Block;
use crate::tier::Vaes256;

impl Polyval for Vaes256 {
    #[inline(always)]
    fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        self.avx2().polyval(h, aad, text, length_block)
    }
}
