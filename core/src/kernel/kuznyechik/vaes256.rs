//! Kuznyechik on the 256-bit VAES tier. Its AES instructions are of no use here; where the
//! CPU also has GFNI, that is.

mod lanes;

use super::avx2::lookup::{substitute_inverse_nibbles, substitute_nibbles};
use super::avx2::{BLOCKS, add_first_key, in_groups, load, store};
use super::byte_sliced::{
    self, Byte, FAR_FACTORS, InverseKeys, NEAR_FACTORS, RoundKeys, ToDecrypt,
};
use super::byte_sliced::{linear, matrix, matrix_of};
use super::nibbles::{InverseTables, Tables, inverse_tables, tables};
use super::pi::{ALPHA, OMEGA, invert_linear, tabulate};
use super::{Block, Kuznyechik};
use crate::tier::secret::Scratch;
use crate::tier::{Vaes256, Vaes256Gfni, kernel};
use core::arch::x86_64::*;

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
            GfniOrAvx2::Gfni(_, keys) => {
                byte_sliced::expand_inverse(keys, byte_sliced::linear_corrections)
            }
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
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = map[1 << i] >> shift & 0xf;
        i += 1;
    }
    matrix_of(columns)
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
static PI_INVERSE: Substitution<InverseTables> = inverse(
    &tabulate(invert_linear(OMEGA)),
    &tabulate(invert_linear(ALPHA)),
);

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn affine(x: __m256i, matrix: i64) -> __m256i {
    _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(matrix))
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn substitute(pi: &Substitution<Tables>, x: __m256i) -> __m256i {
    substitute_nibbles(&pi.tables, affine(x, pi.left), affine(x, pi.right))
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn substitute_inverse(pi: &Substitution<InverseTables>, x: __m256i) -> __m256i {
    substitute_inverse_nibbles(&pi.tables, affine(x, pi.left), affine(x, pi.right))
}

macro_rules! multiply {
    ($factor:expr, $x:expr) => {
        affine($x, const { matrix($factor) })
    };
}

macro_rules! xor3 {
    ($a:expr, $b:expr, $c:expr) => {
        _mm256_xor_si256($a, _mm256_xor_si256($b, $c))
    };
}

#[inline]
#[target_feature(enable = "avx2")]
fn broadcast(byte: Byte) -> __m256i {
    _mm256_set1_epi64x(i64::from_ne_bytes(byte))
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn encrypt(keys: &RoundKeys, blocks: &mut [Block; BLOCKS]) {
    let mut v = load(blocks);
    add_first_key(&mut v, keys);
    v.reverse();
    for keys in &keys.encryption {
        for vector in &mut v {
            *vector = substitute(&PI, *vector);
        }
        v = linear!(v, keys, broadcast, multiply, xor3);
    }
    v.reverse();
    store(v, blocks);
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn decrypt(keys: &ToDecrypt, blocks: &mut [Block; BLOCKS]) {
    let mut v = load(blocks);
    for keys in &keys.inverse.0 {
        v = linear!(v, keys, broadcast, multiply, xor3);
        for vector in &mut v {
            *vector = substitute_inverse(&PI_INVERSE, *vector);
        }
    }
    add_first_key(&mut v, keys);
    store(v, blocks);
}

/// A last group of at most this many blocks is done in lanes.
const FEW: usize = 20;

kernel! {
    fn encrypt_blocks(tier: Vaes256Gfni, keys: &RoundKeys, blocks: &mut [Block]) {
        in_groups!(tier, encrypt, lanes::encrypt_blocks, FEW, keys, blocks);
    }
}

kernel! {
    fn decrypt_blocks(tier: Vaes256Gfni, keys: &ToDecrypt, blocks: &mut [Block]) {
        in_groups!(tier, decrypt, lanes::decrypt_blocks, FEW, keys, blocks);
    }
}
