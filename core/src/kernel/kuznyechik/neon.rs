//! Kuznyechik on NEON, sixteen blocks in sixteen vectors, all of it by look-ups of nibbles
//! in registers (TBL).

use super::byte_sliced::{self, Byte, FAR_FACTORS, NEAR_FACTORS, RoundKeys, linear};
use super::byte_sliced::{InverseKeys, ToDecrypt};
use super::constants::multiply;
use super::nibbles::{InverseTables, Row, Split, Tables, inverse_tables, tables};
use super::pi::{ALPHA, OMEGA, invert_linear, tabulate};
use super::{Block, Kuznyechik, portable};
use crate::tier::bytes::{load128, store128};
use crate::tier::secret::Scratch;
use crate::tier::{Neon, kernel};
use core::arch::aarch64::*;

impl Kuznyechik for Neon {
    type RoundKeys = RoundKeys;
    type InverseKeys = InverseKeys;

    #[inline(always)]
    fn expand(self, key: &[u8; 32]) -> RoundKeys {
        byte_sliced::sliced(&portable::expand(key), byte_sliced::linear_corrections)
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
    fn decrypt_blocks(self, keys: &RoundKeys, inverse: &InverseKeys, blocks: &mut [Block]) {
        decrypt_blocks(self, &ToDecrypt { keys, inverse }, blocks);
    }
}

/// The blocks of one group.
const BLOCKS: usize = 16;

static TABLES: Tables = tables(&tabulate(ALPHA), &tabulate(OMEGA));
static INVERSE_TABLES: InverseTables = inverse_tables(
    &tabulate(invert_linear(OMEGA)),
    &tabulate(invert_linear(ALPHA)),
);

/// What multiplication by `factor` makes of the low and of the high nibble of a byte.
const fn times(factor: u8) -> Split {
    let mut split = Split {
        low: [0; 16],
        high: [0; 16],
    };
    let mut n = 0;
    while n < 16 {
        split.low[n] = multiply(n as u8, factor);
        split.high[n] = multiply((n << 4) as u8, factor);
        n += 1;
    }
    split
}

/// Indices from sixteen on give zero.
#[inline]
#[target_feature(enable = "neon")]
fn look_up(row: &Row, x: uint8x16_t) -> uint8x16_t {
    vqtbl1q_u8(load128(row), x)
}

/// The sum of two logarithms modulo 15, or a number from sixteen on if one is that of
/// zero: 15 less is a large number where there were no 15.
#[inline]
#[target_feature(enable = "neon")]
fn add_logs(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let sum = vaddq_u8(a, b);
    vminq_u8(sum, vsubq_u8(sum, vdupq_n_u8(15)))
}

/// A linear map of bytes that are in halves.
#[inline]
#[target_feature(enable = "neon")]
fn nibble(split: &Split, low: uint8x16_t, high: uint8x16_t) -> uint8x16_t {
    veorq_u8(look_up(&split.low, low), look_up(&split.high, high))
}

#[inline]
#[target_feature(enable = "neon")]
fn halves(x: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    (vandq_u8(x, vdupq_n_u8(0xf)), vshrq_n_u8::<4>(x))
}

/// A linear map of bytes.
#[inline]
#[target_feature(enable = "neon")]
fn apply(split: &Split, x: uint8x16_t) -> uint8x16_t {
    let (low, high) = halves(x);
    nibble(split, low, high)
}

/// `if_zero` where a logarithm is that of zero, which alone has the top bit, else `other`.
#[inline]
#[target_feature(enable = "neon")]
fn choose(logs: uint8x16_t, if_zero: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
    vbslq_u8(vcltzq_s8(vreinterpretq_s8_u8(logs)), if_zero, other)
}

/// Pi: the steps of `nibbles`.
#[inline]
#[target_feature(enable = "neon")]
fn substitute(tables: &Tables, x: uint8x16_t) -> uint8x16_t {
    let (low, high) = halves(x);
    let l = nibble(&tables.left, low, high);
    let r = nibble(&tables.right, low, high);
    let quotient = add_logs(
        look_up(&tables.left_log, l),
        look_up(&tables.reciprocal_log, r),
    );
    let right_log = look_up(&tables.right_log, r);
    let l = choose(
        right_log,
        look_up(&tables.nu0, l),
        look_up(&tables.nu1, quotient),
    );
    let product = add_logs(look_up(&tables.phi_log, l), right_log);
    veorq_u8(
        look_up(&tables.from_left, l),
        look_up(&tables.from_right, product),
    )
}

/// The inverse of Pi.
#[inline]
#[target_feature(enable = "neon")]
fn substitute_inverse(tables: &InverseTables, y: uint8x16_t) -> uint8x16_t {
    let (low, high) = halves(y);
    let l = nibble(&tables.left, low, high);
    let r = nibble(&tables.right, low, high);
    let right_log = add_logs(look_up(&tables.sigma_log, r), look_up(&tables.phi_log, l));
    let product = look_up(
        &tables.power,
        add_logs(look_up(&tables.nu1_log, l), right_log),
    );
    let l = choose(right_log, look_up(&tables.nu0, l), product);
    let r = look_up(&tables.power, right_log);
    veorq_u8(
        look_up(&tables.from_left, l),
        look_up(&tables.from_right, r),
    )
}

macro_rules! multiply {
    ($factor:expr, $x:expr) => {{
        const TIMES: Split = times($factor);
        apply(&TIMES, $x)
    }};
}

macro_rules! xor3 {
    ($a:expr, $b:expr, $c:expr) => {
        veorq_u8($a, veorq_u8($b, $c))
    };
}

#[inline]
#[target_feature(enable = "neon")]
fn broadcast(byte: Byte) -> uint8x16_t {
    vreinterpretq_u8_u64(vdupq_n_u64(u64::from_ne_bytes(byte)))
}

/// Vector `i` of the result holds byte `i` of the blocks, or the reverse. There are four
/// equal stages. Each moves the top bit of a vector's number to the bottom of the bytes', and
/// the top bit of the bytes' to the bottom of the vectors'.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(mut v: [uint8x16_t; 16]) -> [uint8x16_t; 16] {
    macro_rules! stage {
        ($($i:literal)*) => {
            v = [$( vzip1q_u8(v[$i], v[$i + 8]), vzip2q_u8(v[$i], v[$i + 8]) ),*];
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
#[target_feature(enable = "neon")]
fn load_bytes(blocks: &[Block; BLOCKS]) -> [uint8x16_t; 16] {
    let mut v = [vdupq_n_u8(0); 16];
    for (vector, block) in v.iter_mut().zip(blocks) {
        *vector = load128(block);
    }
    transpose(v)
}

#[inline]
#[target_feature(enable = "neon")]
fn store_bytes(v: [uint8x16_t; 16], blocks: &mut [Block; BLOCKS]) {
    for (vector, block) in transpose(v).into_iter().zip(blocks) {
        store128(block, vector);
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn add_first_key(v: &mut [uint8x16_t; 16], keys: &RoundKeys) {
    for (vector, byte) in v.iter_mut().zip(&keys.first) {
        *vector = veorq_u8(*vector, broadcast(*byte));
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn encrypt(keys: &RoundKeys, blocks: &mut [Block; BLOCKS]) {
    let mut v = load_bytes(blocks);
    add_first_key(&mut v, keys);
    v.reverse();
    for keys in &keys.encryption {
        for vector in &mut v {
            *vector = substitute(&TABLES, *vector);
        }
        v = linear!(v, keys, broadcast, multiply, xor3);
    }
    v.reverse();
    store_bytes(v, blocks);
}

#[inline]
#[target_feature(enable = "neon")]
fn decrypt(keys: &ToDecrypt, blocks: &mut [Block; BLOCKS]) {
    let mut v = load_bytes(blocks);
    for keys in &keys.inverse.0 {
        v = linear!(v, keys, broadcast, multiply, xor3);
        for vector in &mut v {
            *vector = substitute_inverse(&INVERSE_TABLES, *vector);
        }
    }
    add_first_key(&mut v, keys);
    store_bytes(v, blocks);
}

/// Calls `$crypt` for whole groups, and for a last one that may be less.
macro_rules! in_groups {
    ($crypt:ident, $keys:ident, $blocks:ident) => {
        let (groups, rest) = $blocks.as_chunks_mut();
        for group in groups {
            $crypt($keys, group);
        }
        if !rest.is_empty() {
            let mut group = Scratch::<BLOCKS>::new();
            group[..rest.len()].copy_from_slice(rest);
            $crypt($keys, &mut group);
            rest.copy_from_slice(&group[..rest.len()]);
        }
    };
}

kernel! {
    fn encrypt_blocks(tier: Neon, keys: &RoundKeys, blocks: &mut [Block]) {
        in_groups!(encrypt, keys, blocks);
    }
}

kernel! {
    fn decrypt_blocks(tier: Neon, keys: &ToDecrypt, blocks: &mut [Block]) {
        in_groups!(decrypt, keys, blocks);
    }
}
