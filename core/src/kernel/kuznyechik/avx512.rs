//! Kuznyechik on AVX-512 with VBMI and GFNI, sixty-four blocks in sixteen vectors.

mod lanes;

use super::byte_sliced::{self, Byte, FAR_FACTORS, InverseKeys, NEAR_FACTORS, RoundKeys};
use super::byte_sliced::{ToDecrypt, linear, matrix};
use super::constants::{PI, PI_INVERSE};
use super::counters::Counters;
use super::{Block, Kuznyechik};
use crate::tier::bytes::{load128, load512, store512};
use crate::tier::secret::Scratch;
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

impl Kuznyechik for Avx512 {
    type RoundKeys = RoundKeys;
    type InverseKeys = InverseKeys;

    #[inline(always)]
    fn expand(self, key: &[u8; 32]) -> RoundKeys {
        lanes::expand(self, key)
    }

    #[inline(always)]
    fn expand_inverse(self, keys: &RoundKeys) -> InverseKeys {
        byte_sliced::expand_inverse(keys, byte_sliced::linear_corrections)
    }

    #[inline(always)]
    fn encrypt_blocks(self, keys: &RoundKeys, blocks: &mut [Block]) {
        encrypt_blocks(self, keys, blocks);
    }

    #[inline(always)]
    fn encrypt_counters(self, keys: &RoundKeys, counters: Counters, blocks: &mut [Block]) {
        encrypt_counters(self, keys, counters, blocks);
    }

    #[inline(always)]
    fn decrypt_blocks(self, keys: &RoundKeys, inverse: &InverseKeys, blocks: &mut [Block]) {
        decrypt_blocks(self, &ToDecrypt { keys, inverse }, blocks);
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
    ($factor:expr, $x:expr) => {
        _mm512_gf2p8affine_epi64_epi8::<0>($x, _mm512_set1_epi64(const { matrix($factor) }))
    };
}

macro_rules! xor3 {
    ($a:expr, $b:expr, $c:expr) => {
        _mm512_ternarylogic_epi64::<0x96>($a, $b, $c)
    };
}

#[inline]
#[target_feature(enable = "avx512f")]
fn broadcast(byte: Byte) -> __m512i {
    _mm512_set1_epi64(i64::from_ne_bytes(byte))
}

/// Vector `i` of the result holds byte `i` of the blocks, or the reverse. There are four
/// equal stages. Each moves the top bit of a vector's number to the bottom of the bytes', and
/// the top bit of the bytes' to the bottom of the vectors'.
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

/// Loads blocks as vectors of their bytes, the leftmost first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(blocks: &[Block; BLOCKS]) -> [__m512i; 16] {
    let mut v = [_mm512_setzero_si512(); 16];
    for (vector, bytes) in v.iter_mut().zip(blocks.as_flattened().as_chunks().0) {
        *vector = load512(bytes);
    }
    transpose(v)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(v: [__m512i; 16], blocks: &mut [Block; BLOCKS]) {
    let v = transpose(v);
    for (vector, bytes) in v.iter().zip(blocks.as_flattened_mut().as_chunks_mut().0) {
        store512(bytes, *vector);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add_first_key(v: &mut [__m512i; 16], keys: &RoundKeys) {
    for (vector, byte) in v.iter_mut().zip(&keys.first) {
        *vector = _mm512_xor_si512(*vector, broadcast(*byte));
    }
}

/// The number of the block whose byte is at each place of a vector.
static NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut i = 0;
    while i < 64 {
        numbers[i] = (i % 16 * 4 + i / 16) as u8;
        i += 1;
    }
    numbers
};

/// What [`load`] would make of the counters, without the detour over their blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn count(counters: Counters) -> [__m512i; 16] {
    let numbers = load512(&NUMBERS);
    let left_len = _mm512_set1_epi8(counters.left_len.min(BLOCKS) as i8);
    let is_left = _mm512_cmplt_epu8_mask(numbers, left_len);
    let (left, right) = (counters.left.to_be_bytes(), counters.right.to_be_bytes());
    let both = _mm256_set_m128i(load128(&right), load128(&left));
    let both = _mm512_castsi256_si512(both);
    let from = _mm512_maskz_set1_epi8(!is_left, 16);

    let mut v = [_mm512_setzero_si512(); 16];
    let left_added = _mm512_maskz_mov_epi8(is_left, numbers);
    let right_added = _mm512_maskz_sub_epi8(!is_left, numbers, left_len);
    for (mut added, half) in [(left_added, 0), (right_added, 8)] {
        for i in (half..half + 8).rev() {
            let from = _mm512_add_epi8(from, _mm512_set1_epi8(i as i8));
            let sum = _mm512_add_epi8(_mm512_permutexvar_epi8(from, both), added);
            let carry = _mm512_cmplt_epu8_mask(sum, added);
            added = _mm512_maskz_set1_epi8(carry, 1);
            v[i] = sum;
        }
    }
    v
}

/// Expands to the encryption of what [`load`] loaded. A function would take its vectors
/// through memory.
macro_rules! encrypt {
    ($keys:ident, $loaded:expr) => {{
        let table = load_table(&SUBSTITUTION);
        let mut v = $loaded;
        add_first_key(&mut v, $keys);
        v.reverse();
        for keys in &$keys.encryption {
            for vector in &mut v {
                *vector = substitute(&table, *vector);
            }
            v = linear!(v, keys, broadcast, multiply, xor3);
        }
        v.reverse();
        v
    }};
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn encrypt_group(keys: &RoundKeys, blocks: &mut [Block; BLOCKS]) {
    store(encrypt!(keys, load(blocks)), blocks);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn encrypt_counter_group(keys: &RoundKeys, counters: Counters, blocks: &mut [Block; BLOCKS]) {
    store(encrypt!(keys, count(counters)), blocks);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn decrypt_group(keys: &ToDecrypt, blocks: &mut [Block; BLOCKS]) {
    let table = load_table(&SUBSTITUTION_INVERSE);
    let mut v = load(blocks);
    for keys in &keys.inverse.0 {
        v = linear!(v, keys, broadcast, multiply, xor3);
        for vector in &mut v {
            *vector = substitute(&table, *vector);
        }
    }
    add_first_key(&mut v, keys);
    store(v, blocks);
}

/// A last group of at most this many blocks is done in lanes.
const FEW: usize = 34;

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
        in_groups!(tier, encrypt_group, lanes::encrypt_blocks, keys, blocks);
    }
}

kernel! {
    fn encrypt_counters(tier: Avx512, keys: &RoundKeys, counters: Counters, blocks: &mut [Block]) {
        if let Ok(group) = <&mut [Block; BLOCKS]>::try_from(&mut *blocks) {
            encrypt_counter_group(keys, counters, group);
        } else {
            counters.fill(blocks);
            encrypt_blocks(tier, keys, blocks);
        }
    }
}

kernel! {
    fn decrypt_blocks(tier: Avx512, keys: &ToDecrypt, blocks: &mut [Block]) {
        in_groups!(tier, decrypt_group, lanes::decrypt_blocks, keys, blocks);
    }
}
