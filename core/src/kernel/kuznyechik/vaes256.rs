//! Kuznyechik on the 256-bit VAES tier. Its AES instructions are of no use here; where the
//! CPU also has GFNI, that is.

pub(super) mod lanes;

use super::avx2::{broadcast, substitute_inverse_nibbles, substitute_nibbles};
use super::byte_sliced::vectors::byte_slices;
use super::byte_sliced::{
    self, InverseKeys, RoundKeys, ToDecrypt, columns, linear, linear_corrections, matrix, matrix_of,
};
use super::nibbles::{InverseTables, Tables, inverse_tables, tables};
use super::pi::{ALPHA, OMEGA, invert_linear, tabulate};
use super::{Block, Kuznyechik};
use crate::tier::bytes::{load256 as load, store256 as store};
use crate::tier::{Vaes256, Vaes256Gfni, kernel};
use _mm256_unpackhi_epi8 as unpack_high;
use _mm256_unpacklo_epi8 as unpack_low;
use _mm256_xor_si256 as xor;
use core::arch::x86_64::*;

type Vector = __m256i;

/// Round keys, in the layout of the code that they were made for.
pub(crate) enum GfniOrAvx2 {
    Avx2(RoundKeys),
    Gfni(Vaes256Gfni, RoundKeys),
}

impl Kuznyechik for Vaes256 {
    type RoundKeys = GfniOrAvx2;
    type InverseKeys = InverseKeys;

    #[inline(always)]
    fn expand(self, key: &[u8; 32]) -> GfniOrAvx2 {
        match self.with_gfni() {
            Some(gfni) => GfniOrAvx2::Gfni(gfni, lanes::expand(gfni, key)),
            None => GfniOrAvx2::Avx2(self.avx2().expand(key)),
        }
    }

    #[inline(always)]
    fn expand_inverse(self, keys: &GfniOrAvx2) -> InverseKeys {
        match keys {
            GfniOrAvx2::Gfni(_, keys) => byte_sliced::expand_inverse(keys, linear_corrections),
            GfniOrAvx2::Avx2(keys) => self.avx2().expand_inverse(keys),
        }
    }

    #[inline(always)]
    fn encrypt_blocks(self, keys: &GfniOrAvx2, blocks: &mut [Block]) {
        match keys {
            GfniOrAvx2::Gfni(gfni, keys) => encrypt_blocks(*gfni, keys, blocks),
            GfniOrAvx2::Avx2(keys) => Kuznyechik::encrypt_blocks(self.avx2(), keys, blocks),
        }
    }

    #[inline(always)]
    fn decrypt_blocks(self, keys: &GfniOrAvx2, inverse: &InverseKeys, blocks: &mut [Block]) {
        match keys {
            GfniOrAvx2::Gfni(gfni, keys) => {
                decrypt_blocks(*gfni, &ToDecrypt { keys, inverse }, blocks);
            }
            GfniOrAvx2::Avx2(keys) => {
                Kuznyechik::decrypt_blocks(self.avx2(), keys, inverse, blocks);
            }
        }
    }
}

/// The look-ups of Pi together with the matrices that take a byte to l and to r.
struct Substitution<T> {
    left: i64,
    right: i64,
    tables: T,
}

/// The matrix of a linear map from a byte to a nibble of what `map` makes of it.
const fn nibble_matrix(map: &[u8; 256], shift: u32) -> i64 {
    let nibbles = u64::from_ne_bytes(columns(map, shift)) & u64::from_ne_bytes([0xf; 8]);
    matrix_of(nibbles.to_ne_bytes())
}

const fn substitution(input: &[u8; 256], output: &[u8; 256]) -> Substitution<Tables> {
    Substitution {
        left: nibble_matrix(input, 4),
        right: nibble_matrix(input, 0),
        tables: tables(input, output),
    }
}

const fn inverse(input: &[u8; 256], output: &[u8; 256]) -> Substitution<InverseTables> {
    Substitution {
        left: nibble_matrix(input, 4),
        right: nibble_matrix(input, 0),
        tables: inverse_tables(input, output),
    }
}

static PI: Substitution<Tables> = substitution(&tabulate(ALPHA), &tabulate(OMEGA));
static PI_INVERSE: Substitution<InverseTables> =
    inverse(&tabulate(invert_linear(OMEGA)), &tabulate(invert_linear(ALPHA)));

crate::tier::helpers! {
    "avx2,gfni";
    fn affine(x: Vector, matrix: i64) -> Vector {
        _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(matrix))
    }

    fn substitute(pi: &Substitution<Tables>, x: Vector) -> Vector {
        substitute_nibbles(&pi.tables, affine(x, pi.left), affine(x, pi.right))
    }

    fn substitute_inverse(pi: &Substitution<InverseTables>, x: Vector) -> Vector {
        substitute_inverse_nibbles(&pi.tables, affine(x, pi.left), affine(x, pi.right))
    }
}

macro_rules! multiply {
    ($factor:expr, $x:expr) => {
        affine($x, const { matrix($factor) })
    };
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
    xor(a, xor(b, c))
}

byte_slices!(Vaes256Gfni, "avx2,gfni", linear, FEW: 20, lanes);
