//! ChaCha20 on the 256-bit VAES tier: nothing in it is AES, so the AVX2 kernel.

use super::{ChaCha20, Matrix};
use crate::tier::Vaes256;

impl ChaCha20 for Vaes256 {
    #[inline(always)]
    fn chacha20_xor(self, matrix: &Matrix, counter: u64, in_out: &mut [u8]) {
        self.avx2().chacha20_xor(matrix, counter, in_out);
    }
}
