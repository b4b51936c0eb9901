//! Kuznyechik by tables of 128 KiB. **Not constant-time**: which cache lines are read
//! depends on the key and the data.
//!
//! Entry `x` of table `i` is what L makes of a block whose byte `i` is Pi(x) and whose
//! other bytes are zero: S and L of a block are sixteen look-ups and their sum.

use super::constants::{L_COLUMNS, L_INVERSE_COLUMNS, PI, PI_INVERSE};
use super::{Block, Kuznyechik};
use crate::tier::Portable;
use zeroize::Zeroize;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[path = "tables/sse2.rs"]
pub(crate) mod simd;
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use self as simd;

/// A block as two little-endian words, so that a vector load finds it aligned.
#[repr(align(16))]
#[derive(Clone, Copy)]
struct Entry(u128);

#[repr(align(64))]
struct Tables([[Entry; 256]; 16]);

const fn tables(columns: &[u128; 128], substitution: &[u8; 256]) -> Tables {
    let mut tables = Tables([[Entry(0); 256]; 16]);
    let mut i = 0;
    while i < 16 {
        let mut images = [0; 256];
        let mut x = 1_usize;
        while x < 256 {
            images[x] = images[x & (x - 1)] ^ columns[8 * i + x.trailing_zeros() as usize];
            x += 1;
        }
        let mut x = 0;
        while x < 256 {
            tables.0[i][x] = Entry(images[substitution[x] as usize]);
            x += 1;
        }
        i += 1;
    }
    tables
}

/// L after S.
static ENCRYPTION: Tables = tables(&L_COLUMNS, &PI);
/// The inverse of L after the inverse of S.
static DECRYPTION: Tables = tables(&L_INVERSE_COLUMNS, &PI_INVERSE);

/// Round keys as little-endian numbers.
pub(crate) struct RoundKeys {
    encryption: [u128; 10],
    /// K_10, …, K_1, each but the last through the inverse of L, so that a round of
    /// decryption also ends with the addition of its key.
    decryption: [u128; 10],
}

impl Drop for RoundKeys {
    fn drop(&mut self) {
        self.encryption.zeroize();
        self.decryption.zeroize();
    }
}

/// The key schedule, constant-time even here.
pub(crate) fn expand(t: Portable, key: &[u8; 32]) -> RoundKeys {
    let keys = t.expand(key);
    let encryption = keys.map(u128::from_le_bytes);
    let mut decryption = encryption;
    decryption.reverse();
    for key in &mut decryption[..9] {
        *key = super::portable::linear(&L_INVERSE_COLUMNS, *key);
    }
    RoundKeys {
        encryption,
        decryption,
    }
}

/// Blocks that are encrypted side by side: while one waits for the cache, another goes on.
const SIDE_BY_SIDE: usize = 2;

#[inline(always)]
fn look_up(tables: &Tables, a: u128) -> u128 {
    let bytes = a.to_le_bytes();
    let mut sum = 0;
    for (table, byte) in tables.0.iter().zip(bytes) {
        sum ^= table[usize::from(byte)].0;
    }
    sum
}

/// Applies the substitution to each byte.
#[inline(always)]
fn substitute(table: &[u8; 256], a: u128) -> u128 {
    u128::from_le_bytes(a.to_le_bytes().map(|byte| table[usize::from(byte)]))
}

#[inline(always)]
fn encrypt<const N: usize>(keys: &RoundKeys, blocks: &mut [Block; N]) {
    let mut state = blocks.map(u128::from_le_bytes);
    state.iter_mut().for_each(|a| *a ^= keys.encryption[0]);
    for key in &keys.encryption[1..] {
        state
            .iter_mut()
            .for_each(|a| *a = look_up(&ENCRYPTION, *a) ^ key);
    }
    *blocks = state.map(u128::to_le_bytes);
}

/// The tables of decryption begin with the inverse of S, which belongs to the round
/// before; S undoes it where there is no round before.
#[inline(always)]
fn decrypt<const N: usize>(keys: &RoundKeys, blocks: &mut [Block; N]) {
    let mut state = blocks.map(|block| substitute(&PI, u128::from_le_bytes(block)));
    for key in &keys.decryption[..9] {
        state
            .iter_mut()
            .for_each(|a| *a = look_up(&DECRYPTION, *a) ^ key);
    }
    *blocks = state.map(|a| (substitute(&PI_INVERSE, a) ^ keys.decryption[9]).to_le_bytes());
}

pub(crate) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [Block]) {
    let (groups, rest) = blocks.as_chunks_mut::<SIDE_BY_SIDE>();
    groups.iter_mut().for_each(|group| encrypt(keys, group));
    rest.as_chunks_mut::<1>()
        .0
        .iter_mut()
        .for_each(|block| encrypt(keys, block));
}

pub(crate) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [Block]) {
    let (groups, rest) = blocks.as_chunks_mut::<SIDE_BY_SIDE>();
    groups.iter_mut().for_each(|group| decrypt(keys, group));
    rest.as_chunks_mut::<1>()
        .0
        .iter_mut()
        .for_each(|block| decrypt(keys, block));
}
