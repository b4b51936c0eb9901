//! BLAKE2b on the 256-bit VAES tier: nothing in it is AES, so the AVX2 kernel.

use super::{Blake2b, Run, State};
use crate::tier::{Avx2, Vaes256};

impl Blake2b for Vaes256 {
    const LANES: usize = <Avx2 as Blake2b>::LANES;

    #[inline(always)]
    fn compress(self, state: &mut State, run: Run<'_>) {
        self.avx2().compress(state, run);
    }

    #[inline(always)]
    fn compress_many(self, states: &mut [State], runs: &[Run<'_>]) {
        self.avx2().compress_many(states, runs);
    }
}
