//! MGM's multiplication on the 256-bit VAES tier: the 128-bit kernel, which the cipher
//! beside it leaves ample room for.

use super::{MgmMultiply, avx2};
use crate::kernel::Block;
use crate::tier::Vaes256;

impl MgmMultiply for Vaes256 {
    type Sum = avx2::Sum;

    #[inline(always)]
    fn zero(self) -> Self::Sum {
        self.avx2().zero()
    }

    #[inline(always)]
    fn multiply_add(self, sum: &mut Self::Sum, h: &[Block], data: &[u8]) {
        self.avx2().multiply_add(sum, h, data);
    }

    #[inline(always)]
    fn reduce(self, sum: Self::Sum) -> Block {
        self.avx2().reduce(sum)
    }
}
