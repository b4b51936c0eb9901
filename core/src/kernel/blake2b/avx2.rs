//! BLAKE2b on AVX2: one stream in general registers, or four in the lanes of a vector. The
//! 256-bit VAES tier has no more for a hash.

use super::lanes::compress_lanes;
use super::{Blake2b, Block};
use crate::tier::bytes::{load256 as load, opaque256, store256 as store};
use crate::tier::{Avx2, Vaes256};
use _mm256_add_epi64 as add;
use _mm256_xor_si256 as xor;
use core::arch::x86_64::*;

type Vector = __m256i;
const LANES: usize = 4;

compress_lanes!(Avx2, "avx2", apart);
compress_lanes!(impl Avx2, core::convert::identity, FEWEST: 3);
compress_lanes!(impl Vaes256, Vaes256::avx2, FEWEST: 3);

crate::tier::helpers! {
    "avx2";
    /// A sum, each word rotated to the right by 32 bits. Opaque, or the shuffle is drawn into both
    /// sides of the XOR before it.
    fn xor_ror32(a: Vector, b: Vector) -> Vector {
        _mm256_shuffle_epi32::<0b10_11_00_01>(opaque256(xor(a, b)))
    }

    /// By 24 bits.
    fn xor_ror24(a: Vector, b: Vector) -> Vector {
        let bytes = _mm256_set_epi8(
            10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5, 4, 3, //
            10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5, 4, 3,
        );
        _mm256_shuffle_epi8(xor(a, b), opaque256(bytes))
    }

    /// By 16 bits.
    fn xor_ror16(a: Vector, b: Vector) -> Vector {
        let bytes = _mm256_set_epi8(
            9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6, 5, 4, 3, 2, //
            9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6, 5, 4, 3, 2,
        );
        _mm256_shuffle_epi8(xor(a, b), opaque256(bytes))
    }

    /// By 63 bits, which is one to the left.
    fn xor_ror63(a: Vector, b: Vector) -> Vector {
        let sum = xor(a, b);
        _mm256_or_si256(_mm256_srli_epi64::<63>(sum), add(sum, sum))
    }

    /// Four words as a vector.
    fn row(words: [u64; LANES]) -> Vector {
        let [w0, w1, w2, w3] = words.map(u64::cast_signed);
        _mm256_set_epi64x(w3, w2, w1, w0)
    }

    /// Four rows of four words each become four columns.
    fn transpose(r: [Vector; 4]) -> [Vector; 4] {
        let low = |i: usize| _mm256_unpacklo_epi64(r[i], r[i + 1]);
        let high = |i: usize| _mm256_unpackhi_epi64(r[i], r[i + 1]);
        [
            _mm256_permute2x128_si256::<0x20>(low(0), low(2)),
            _mm256_permute2x128_si256::<0x20>(high(0), high(2)),
            _mm256_permute2x128_si256::<0x31>(low(0), low(2)),
            _mm256_permute2x128_si256::<0x31>(high(0), high(2)),
        ]
    }

    /// Quarter `i` sets words `4·i` to `4·i + 3`.
    fn load_quarter[const QUARTER: usize](words: &mut [[u8; 32]; 16], blocks: [&Block; LANES]) {
        let rows = blocks.map(|block| load(&block.as_chunks().0[QUARTER]));
        for (stored, word) in words[4 * QUARTER..].iter_mut().zip(transpose(rows)) {
            store(stored, word);
        }
    }
}
