//! Kuznyechik on the 256-bit VAES tier. Its AES instructions are of no use here; where the
//! CPU also has GFNI, that is.

pub(super) mod lanes;

use super::avx2::{broadcast, choose, look_up};
use super::byte_sliced::nibbles::{
    InverseTables, Tables, halves, inverse_tables, look_ups, tables,
};
use super::byte_sliced::vectors::byte_slices;
use super::byte_sliced::{self, RELATIONS, linear, matrix, matrix_of};
use super::pi::{ALPHA, OMEGA, invert, tabulate};
use super::{Block, Kuznyechik};
use crate::tier::bytes::{load256 as load, store256 as store};
use crate::tier::{Avx2, Vaes256, Vaes256Gfni, kernel};
use _mm256_add_epi8 as add;
use _mm256_min_epu8 as min;
use _mm256_sub_epi8 as sub;
use _mm256_unpackhi_epi8 as unpack_high;
use _mm256_unpacklo_epi8 as unpack_low;
use _mm256_xor_si256 as xor;
use core::arch::x86_64::*;

type Vector = __m256i;
type RoundKeys = byte_sliced::RoundKeys<RELATIONS>;

/// Round keys, in the layout of the code that they were made for.
#[allow(clippy::large_enum_variant, reason = "a box would cost an allocation")]
pub(crate) enum GfniOrAvx2 {
    Avx2(<Avx2 as Kuznyechik>::RoundKeys),
    Gfni(Vaes256Gfni, RoundKeys),
}

impl Kuznyechik for Vaes256 {
    type RoundKeys = GfniOrAvx2;

    #[inline(always)]
    fn expand(self, key: &[u8; 32]) -> GfniOrAvx2 {
        match self.with_gfni() {
            Some(gfni) => GfniOrAvx2::Gfni(gfni, gfni.expand(key)),
            None => GfniOrAvx2::Avx2(self.avx2().expand(key)),
        }
    }

    #[inline(always)]
    fn encrypt_blocks(self, keys: &GfniOrAvx2, blocks: &mut [Block]) {
        match keys {
            GfniOrAvx2::Gfni(gfni, keys) => gfni.encrypt_blocks(keys, blocks),
            GfniOrAvx2::Avx2(keys) => self.avx2().encrypt_blocks(keys, blocks),
        }
    }

    #[inline(always)]
    fn decrypt_blocks(self, keys: &GfniOrAvx2, blocks: &mut [Block]) {
        match keys {
            GfniOrAvx2::Gfni(gfni, keys) => gfni.decrypt_blocks(keys, blocks),
            GfniOrAvx2::Avx2(keys) => self.avx2().decrypt_blocks(keys, blocks),
        }
    }
}

/// The matrices of a linear map to each half of a byte, the upper one first.
const fn matrices(map: [u8; 256]) -> [i64; 2] {
    let [upper, lower] = halves(map);
    [matrix_of(upper), matrix_of(lower)]
}

static PI: Tables<i64> = tables(matrices(tabulate(ALPHA)), tabulate(OMEGA));
static PI_INVERSE: InverseTables<i64> =
    inverse_tables(matrices(invert(tabulate(OMEGA))), invert(tabulate(ALPHA)));

look_ups!("avx2,gfni", i64);

crate::tier::helpers! {
    "avx2,gfni";
    /// A linear map of bytes.
    fn apply(matrix: &i64, x: Vector) -> Vector {
        _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(*matrix))
    }

    fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
        xor(a, xor(b, c))
    }
}

macro_rules! multiply {
    ($factor:expr, $x:expr) => {
        apply(const { &matrix($factor) }, $x)
    };
}

byte_slices!(Vaes256Gfni, "avx2,gfni", lanes::expand, linear, FEW: 20, lanes);
