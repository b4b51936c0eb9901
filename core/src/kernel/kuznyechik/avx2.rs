//! Kuznyechik on AVX2, thirty-two blocks in sixteen vectors, Pi by look-ups of nibbles.

pub(super) mod few_blocks;
pub(super) mod lookup;

use super::byte_sliced::{self, Byte, InverseKeys, RoundKeys, ToDecrypt};
use super::constants::multiply;
use super::nibbles::{InverseTables, Split, Tables, inverse_tables, tables};
use super::pi::{ALPHA, OMEGA, invert_linear, tabulate};
use super::{Block, Kuznyechik};
use crate::tier::bytes::{load256, store256};
use crate::tier::secret::Scratch;
use crate::tier::{Avx2, kernel};
use core::arch::x86_64::*;
use lookup::{apply, substitute, substitute_inverse};

impl Kuznyechik for Avx2 {
    type RoundKeys = RoundKeys;
    type InverseKeys = InverseKeys;

    #[inline(always)]
    fn expand(self, key: &[u8; 32]) -> RoundKeys {
        let keys = few_blocks::expand(self, key);
        let mut keys = byte_sliced::sliced(&keys, byte_sliced::near_corrections);
        shift(&mut keys.encryption);
        keys
    }

    #[inline(always)]
    fn expand_inverse(self, keys: &RoundKeys) -> InverseKeys {
        let mut inverse = byte_sliced::expand_inverse(keys, byte_sliced::near_corrections);
        shift(&mut inverse.0);
        inverse
    }

    #[inline(always)]
    fn encrypt_blocks(self, keys: &RoundKeys, blocks: &mut [Block]) {
        encrypt_blocks(self, keys, blocks);
    }

    #[inline(always)]
    fn decrypt_blocks(self, keys: &RoundKeys, inverse: &InverseKeys, blocks: &mut [Block]) {
        decrypt_blocks(self, &ToDecrypt { keys, inverse }, blocks);
    }
}

/// Adds to the bytes of all steps what the doublings shift.
fn shift(steps: &mut [[Byte; 16]; 9]) {
    let bytes = steps.as_flattened_mut().as_flattened_mut();
    bytes.iter_mut().for_each(|byte| *byte ^= DOUBLING_SHIFT);
}

/// The blocks of one group.
pub(super) const BLOCKS: usize = 32;

static TABLES: Tables = tables(&tabulate(ALPHA), &tabulate(OMEGA));
static INVERSE_TABLES: InverseTables = inverse_tables(
    &tabulate(invert_linear(OMEGA)),
    &tabulate(invert_linear(ALPHA)),
);

/// What seven doublings shift a sum by: see [`double`].
const DOUBLING_SHIFT: u8 = {
    let mut sum = 0;
    let mut i = 0;
    while i < 7 {
        sum = multiply(sum, 2) ^ 0xc3;
        i += 1;
    }
    sum
};

/// Each byte times x modulo x^8 + x^7 + x^6 + x + 1, plus 0xc3: a look-up gives zero for
/// bytes with the top bit set, and 0xc3 for the others.
#[inline]
#[target_feature(enable = "avx2")]
fn double(a: __m256i) -> __m256i {
    let shift = _mm256_shuffle_epi8(_mm256_set1_epi8(0xc3_u8.cast_signed()), a);
    _mm256_xor_si256(_mm256_add_epi8(a, a), shift)
}

macro_rules! xor {
    ($a:expr, $b:expr) => { _mm256_xor_si256($a, $b) };
    ($a:expr, $b:expr, $($more:expr),+) => { _mm256_xor_si256($a, xor!($b, $($more),+)) };
}

/// What 148 makes of the low and of the high nibble of a byte.
static TIMES_148: Split = {
    let mut split = Split {
        low: [0; 16],
        high: [0; 16],
    };
    let mut n = 0;
    while n < 16 {
        split.low[n] = multiply(n as u8, 148);
        split.high[n] = multiply((n << 4) as u8, 148);
        n += 1;
    }
    split
};

/// One step of R on the vectors, by Horner's rule over the powers of x that the
/// coefficients are sums of: 148 = x^7 + x^4 + x^2, 32 = x^5, 133 = x^7 + x^2 + 1,
/// 16 = x^4, 194 = x^7 + x^6 + x, 192 = x^7 + x^6, 251 = x^7 + x^6 + x^5 + x^4 + x^3 + x + 1.
///
/// The byte that the step before made (`$newest`) is multiplied by itself: in the sum it
/// would hold up the next step for all seven doublings.
macro_rules! step {
    ($v:ident, $keys:ident, $i:literal) => {
        let p148 = $v[($i + 1) % 16];
        let p32 = xor!($v[($i + 2) % 16], $v[($i + 14) % 16]);
        let p133 = xor!($v[($i + 3) % 16], $v[($i + 13) % 16]);
        let p16 = xor!($v[($i + 4) % 16], $v[($i + 12) % 16]);
        let p194 = xor!($v[($i + 5) % 16], $v[($i + 11) % 16]);
        let p192 = xor!($v[($i + 6) % 16], $v[($i + 10) % 16]);
        let p251 = $v[($i + 8) % 16];
        let p148_133 = xor!(p148, p133);
        let x6 = xor!(p194, p192, p251);
        let sum = double(xor!(x6, p148_133));
        let sum = double(xor!(sum, x6));
        let sum = double(xor!(sum, p32, p251));
        let sum = double(xor!(sum, p148, p16, p251));
        let sum = double(xor!(sum, p251));
        let sum = double(xor!(sum, p148_133));
        let sum = double(xor!(sum, p194, p251));
        let key = _mm256_set1_epi64x(i64::from_ne_bytes($keys[$i]));
        let end = xor!(
            p133,
            $v[($i + 7) % 16],
            $v[($i + 9) % 16],
            p251,
            $v[$i],
            key
        );
        let newest = apply(&TIMES_148, $v[($i + 15) % 16]);
        $v[$i] = xor!(newest, xor!(sum, end));
    };
}

macro_rules! steps {
    ($v:ident, $keys:ident, $($i:literal)*) => { $( step!($v, $keys, $i); )* };
}

/// Vector `i` of the result holds byte `i` of the blocks, or the reverse. There are four
/// equal stages. Each moves the top bit of a vector's number to the bottom of the bytes', and
/// the top bit of the bytes' to the bottom of the vectors'.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose(mut v: [__m256i; 16]) -> [__m256i; 16] {
    macro_rules! stage {
        ($($i:literal)*) => {
            v = [$( _mm256_unpacklo_epi8(v[$i], v[$i + 8]), _mm256_unpackhi_epi8(v[$i], v[$i + 8]) ),*];
        };
    }
    stage!(0 1 2 3 4 5 6 7);
    stage!(0 1 2 3 4 5 6 7);
    stage!(0 1 2 3 4 5 6 7);
    stage!(0 1 2 3 4 5 6 7);
    v
}

/// Loads blocks as vectors of their bytes, the leftmost first.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(blocks: &[Block; BLOCKS]) -> [__m256i; 16] {
    let mut v = [_mm256_setzero_si256(); 16];
    for (vector, bytes) in v.iter_mut().zip(blocks.as_flattened().as_chunks().0) {
        *vector = load256(bytes);
    }
    transpose(v)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(v: [__m256i; 16], blocks: &mut [Block; BLOCKS]) {
    let v = transpose(v);
    for (vector, bytes) in v.iter().zip(blocks.as_flattened_mut().as_chunks_mut().0) {
        store256(bytes, *vector);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn add_first_key(v: &mut [__m256i; 16], keys: &RoundKeys) {
    for (vector, byte) in v.iter_mut().zip(&keys.first) {
        *vector = _mm256_xor_si256(*vector, _mm256_set1_epi64x(i64::from_ne_bytes(*byte)));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn encrypt(keys: &RoundKeys, blocks: &mut [Block; BLOCKS]) {
    let mut v = load(blocks);
    add_first_key(&mut v, keys);
    v.reverse();
    for keys in &keys.encryption {
        for vector in &mut v {
            *vector = substitute(&TABLES, *vector);
        }
        steps!(v, keys, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }
    v.reverse();
    store(v, blocks);
}

#[inline]
#[target_feature(enable = "avx2")]
fn decrypt(keys: &ToDecrypt, blocks: &mut [Block; BLOCKS]) {
    let mut v = load(blocks);
    for keys in &keys.inverse.0 {
        steps!(v, keys, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        for vector in &mut v {
            *vector = substitute_inverse(&INVERSE_TABLES, *vector);
        }
    }
    add_first_key(&mut v, keys);
    store(v, blocks);
}

/// A last group of at most this many blocks is done two by two.
const FEW: usize = 6;

/// Calls `$crypt` for whole groups, and for a last one that is not much less.
macro_rules! in_groups {
    ($tier:ident, $crypt:ident, $crypt_few:path, $few:expr, $keys:ident, $blocks:ident) => {
        let (groups, rest) = $blocks.as_chunks_mut();
        for group in groups {
            $crypt($keys, group);
        }
        if rest.len() > $few {
            let mut group = Scratch::<BLOCKS>::new();
            group[..rest.len()].copy_from_slice(rest);
            $crypt($keys, &mut group);
            rest.copy_from_slice(&group[..rest.len()]);
        } else if !rest.is_empty() {
            $crypt_few($tier, $keys, rest);
        }
    };
}
pub(super) use in_groups;

kernel! {
    fn encrypt_blocks(tier: Avx2, keys: &RoundKeys, blocks: &mut [Block]) {
        in_groups!(tier, encrypt, few_blocks::encrypt_blocks, FEW, keys, blocks);
    }
}

kernel! {
    fn decrypt_blocks(tier: Avx2, keys: &ToDecrypt, blocks: &mut [Block]) {
        in_groups!(tier, decrypt, few_blocks::decrypt_blocks, FEW, keys, blocks);
    }
}
