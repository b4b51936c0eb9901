//! POLYVAL on the 256-bit VAES tier: still the 128-bit kernel.

use super::{Polyval, avx2};
use crate::kernel::Block;
use crate::tier::Vaes256;

impl Polyval for Vaes256 {
    type Hasher = avx2::Hasher;

    #[inline(always)]
    fn hasher(self, h: &Block, hint_len: usize) -> Self::Hasher {
        self.avx2().hasher(h, hint_len)
    }

    #[inline(always)]
    fn update_padded(self, hasher: &mut Self::Hasher, data: &[u8]) {
        self.avx2().update_padded(hasher, data);
    }

    #[inline(always)]
    fn finish(self, hasher: Self::Hasher) -> Block {
        self.avx2().finish(hasher)
    }
}
