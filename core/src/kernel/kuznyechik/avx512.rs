//! Kuznyechik on AVX-512 with VBMI and GFNI, sixty-four blocks in sixteen vectors.

mod lanes;

use super::byte_sliced::{self, FACTORS, RoundKeys, matrix, step};
use super::constants::{PI, PI_INVERSE};
use super::{Block, Kuznyechik};
use crate::tier::bytes::{load512, store512};
use crate::tier::secret::Scratch;
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

impl Kuznyechik for Avx512 {
    type RoundKeys = RoundKeys;

    #[inline(always)]
    fn expand(self, key: &[u8; 32]) -> RoundKeys {
        byte_sliced::expand(key, |block| lanes::ls_one(self, block))
    }

    #[inline(always)]
    fn encrypt_blocks(self, keys: &RoundKeys, blocks: &mut [Block]) {
        encrypt_blocks(self, keys, blocks);
    }

    #[inline(always)]
    fn decrypt_blocks(self, keys: &RoundKeys, blocks: &mut [Block]) {
        decrypt_blocks(self, keys, blocks);
    }
}

/// The blocks of one group.
const BLOCKS: usize = 64;

#[repr(align(64))]
struct Substitution([u8; 256]);

static SUBSTITUTION: Substitution = Substitution(PI);
static SUBSTITUTION_INVERSE: Substitution = Substitution(PI_INVERSE);

/// A table of 256 bytes in four vectors.
type Table = [__m512i; 4];

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load_table(table: &Substitution) -> Table {
    let mut vectors = [_mm512_setzero_si512(); 4];
    for (vector, bytes) in vectors.iter_mut().zip(table.0.as_chunks().0) {
        *vector = load512(bytes);
    }
    vectors
}

/// The lower and the upper half of the table both answer; the top bit chooses.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn substitute(table: &Table, x: __m512i) -> __m512i {
    let lower = _mm512_permutex2var_epi8(table[0], x, table[1]);
    let upper = _mm512_permutex2var_epi8(table[2], x, table[3]);
    _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), lower, upper)
}

macro_rules! multiply {
    ($factor:literal, $x:expr) => {
        _mm512_gf2p8affine_epi64_epi8::<0>(
            $x,
            _mm512_set1_epi64(const { matrix(FACTORS[$factor]) }),
        )
    };
}

macro_rules! xor3 {
    ($a:expr, $b:expr, $c:expr) => {
        _mm512_ternarylogic_epi64::<0x96>($a, $b, $c)
    };
}

macro_rules! steps {
    ($v:ident, $keys:ident, $($i:literal)*) => {
        $( step!($v, $i, _mm512_set1_epi64($keys[$i].cast_signed()), multiply, xor3); )*
    };
}

/// Vector `i` of the result holds byte `i` of the blocks, or the reverse: four equal
/// stages, each of which moves the top bit of a vector's number to the bottom of the
/// bytes' and the top bit of the bytes' to the bottom of the vectors'.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose(mut v: [__m512i; 16]) -> [__m512i; 16] {
    macro_rules! stage {
        ($($i:literal)*) => {
            v = [$( _mm512_unpacklo_epi8(v[$i], v[$i + 8]), _mm512_unpackhi_epi8(v[$i], v[$i + 8]) ),*];
        };
    }
    stage!(0 1 2 3 4 5 6 7);
    stage!(0 1 2 3 4 5 6 7);
    stage!(0 1 2 3 4 5 6 7);
    stage!(0 1 2 3 4 5 6 7);
    v
}

/// Loads blocks as vectors `i` of a_i, plus the key.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(blocks: &[Block; BLOCKS]) -> [__m512i; 16] {
    let mut v = [_mm512_setzero_si512(); 16];
    for (vector, bytes) in v.iter_mut().zip(blocks.as_flattened().as_chunks().0) {
        *vector = load512(bytes);
    }
    let mut v = transpose(v);
    v.reverse();
    v
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(mut v: [__m512i; 16], blocks: &mut [Block; BLOCKS]) {
    v.reverse();
    let v = transpose(v);
    for (vector, bytes) in v.iter().zip(blocks.as_flattened_mut().as_chunks_mut().0) {
        store512(bytes, *vector);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn encrypt(keys: &RoundKeys, blocks: &mut [Block; BLOCKS]) {
    let table = load_table(&SUBSTITUTION);
    let mut v = load(blocks);
    for (vector, byte) in v.iter_mut().rev().zip(&keys.first) {
        *vector = _mm512_xor_si512(*vector, _mm512_set1_epi64(byte.cast_signed()));
    }
    for keys in &keys.encryption {
        for vector in &mut v {
            *vector = substitute(&table, *vector);
        }
        steps!(v, keys, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }
    store(v, blocks);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn decrypt(keys: &RoundKeys, blocks: &mut [Block; BLOCKS]) {
    let table = load_table(&SUBSTITUTION_INVERSE);
    let mut v = load(blocks);
    for keys in &keys.decryption {
        steps!(v, keys, 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
        for vector in &mut v {
            *vector = substitute(&table, *vector);
        }
    }
    for (vector, byte) in v.iter_mut().rev().zip(&keys.first) {
        *vector = _mm512_xor_si512(*vector, _mm512_set1_epi64(byte.cast_signed()));
    }
    store(v, blocks);
}

/// A last group of at most this many blocks is done in lanes.
const FEW: usize = 40;

/// Calls `$crypt` for whole groups, and for a last one that is not much less.
macro_rules! in_groups {
    ($tier:ident, $crypt:ident, $crypt_few:path, $keys:ident, $blocks:ident) => {
        let (groups, rest) = $blocks.as_chunks_mut();
        for group in groups {
            $crypt($keys, group);
        }
        if rest.len() > FEW {
            let mut group = Scratch::<BLOCKS>::new();
            group[..rest.len()].copy_from_slice(rest);
            $crypt($keys, &mut group);
            rest.copy_from_slice(&group[..rest.len()]);
        } else if !rest.is_empty() {
            $crypt_few($tier, $keys, rest);
        }
    };
}

kernel! {
    fn encrypt_blocks(tier: Avx512, keys: &RoundKeys, blocks: &mut [Block]) {
        in_groups!(tier, encrypt, lanes::encrypt_blocks, keys, blocks);
    }
}

kernel! {
    fn decrypt_blocks(tier: Avx512, keys: &RoundKeys, blocks: &mut [Block]) {
        in_groups!(tier, decrypt, lanes::decrypt_blocks, keys, blocks);
    }
}
