//! BLAKE2b on AVX-512: one stream in general registers, eight in the lanes of 512-bit vectors.

use super::lanes::compress_lanes;
use super::{Blake2b, Block};
use crate::tier::Avx512;
use crate::tier::bytes::{load512 as load, store512 as store};
use _mm512_add_epi64 as add;
use _mm512_xor_si512 as xor;
use core::arch::x86_64::*;

type Vector = __m512i;
const LANES: usize = 8;

compress_lanes!(Avx512, "avx512f", together);
compress_lanes!(impl Avx512, core::convert::identity, FEWEST: 3);

/// A sum, each word rotated to the right by so many bits.
macro_rules! xor_ror {
    ($($name:ident $bits:literal)*) => { $(
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn $name(a: Vector, b: Vector) -> Vector {
            _mm512_ror_epi64::<$bits>(xor(a, b))
        }
    )* };
}
xor_ror!(xor_ror32 32 xor_ror24 24 xor_ror16 16 xor_ror63 63);

crate::tier::helpers! {
    "avx512f";
    /// Eight words as a vector.
    fn row(words: [u64; LANES]) -> Vector {
        let [w0, w1, w2, w3, w4, w5, w6, w7] = words.map(u64::cast_signed);
        _mm512_set_epi64(w7, w6, w5, w4, w3, w2, w1, w0)
    }

    /// Columns 0, 2, 4 and 6 of eight rows of eight words, from rows unpacked in pairs, or
    /// the odd columns from their upper halves.
    fn quarter(pairs: [Vector; 4]) -> [Vector; 4] {
        let low = _mm512_shuffle_i64x2::<0x88>(pairs[0], pairs[1]);
        let high = _mm512_shuffle_i64x2::<0xdd>(pairs[0], pairs[1]);
        let low2 = _mm512_shuffle_i64x2::<0x88>(pairs[2], pairs[3]);
        let high2 = _mm512_shuffle_i64x2::<0xdd>(pairs[2], pairs[3]);
        [
            _mm512_shuffle_i64x2::<0x88>(low, low2),
            _mm512_shuffle_i64x2::<0x88>(high, high2),
            _mm512_shuffle_i64x2::<0xdd>(low, low2),
            _mm512_shuffle_i64x2::<0xdd>(high, high2),
        ]
    }

    /// Quarter 0 sets words 0, 2, 4 and 6, quarter 1 the odd ones. Quarters 2 and 3 do the same
    /// with the other half of each block.
    fn load_quarter[const QUARTER: usize](words: &mut [[u8; 64]; 16], blocks: [&Block; LANES]) {
        let half = |i: usize| load(&blocks[i].as_chunks().0[QUARTER / 2]);
        let pair = |i: usize| {
            if QUARTER.is_multiple_of(2) {
                _mm512_unpacklo_epi64(half(i), half(i + 1))
            } else {
                _mm512_unpackhi_epi64(half(i), half(i + 1))
            }
        };
        let columns = quarter([pair(0), pair(2), pair(4), pair(6)]);
        let first = 8 * (QUARTER / 2) + QUARTER % 2;
        for (stored, word) in words[first..].iter_mut().step_by(2).zip(columns) {
            store(stored, word);
        }
    }
}
