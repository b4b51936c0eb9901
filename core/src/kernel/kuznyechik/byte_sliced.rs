//! What the byte-sliced tiers share: their round keys and the steps of R.
//!
//! Vector `i` holds a_i of RFC 7801, which is byte `15 - i` of a block, of as many
//! blocks as the vector has bytes. R appends one byte to the sequence a_0, …, a_15;
//! sixteen steps append sixteen, and those are L. As the coefficients are a palindrome,
//! the same steps on vectors in the reverse order are the inverse of L: to decrypt,
//! vector `i` holds byte `i`.

#[cfg(target_arch = "x86_64")]
pub(super) mod gfni;
pub(super) mod nibbles;
pub(super) mod vectors;

use super::constants::{COEFFICIENTS, multiply};
use super::{Block, portable, round_keys};
use crate::tier::secret::keep_stores;

/// A byte, eight times, for a broadcasting load.
pub(super) type Byte = [u8; 8];

/// The round keys as each step of R wants them.
///
/// The last term of a step is a key byte. As a step reads the bytes that the steps before
/// it made, keys and all, its own byte takes back what theirs brought in.
#[repr(align(64))]
pub(crate) struct RoundKeys {
    /// K_1, …, K_10.
    pub(super) plain: [Block; 10],
    /// K_1, by byte of the block.
    pub(super) first: [Byte; 16],
    /// For the steps of round 1, …, 9.
    pub(super) encryption: [[Byte; 16]; 9],
}

/// The same for the inverse steps of round 9, …, 1.
#[repr(align(64))]
pub(crate) struct InverseKeys(pub(super) [[Byte; 16]; 9]);

impl Drop for RoundKeys {
    fn drop(&mut self) {
        self.plain = Default::default();
        self.first = Default::default();
        self.encryption = Default::default();
        keep_stores(self);
    }
}

impl Drop for InverseKeys {
    fn drop(&mut self) {
        self.0 = Default::default();
        keep_stores(self);
    }
}

/// These round keys, where `corrections` makes of one what the steps add for it.
#[inline(always)]
pub(super) fn sliced(
    keys: &round_keys::RoundKeys,
    corrections: impl Fn(u128) -> u128,
) -> RoundKeys {
    let mut out = RoundKeys {
        plain: **keys,
        first: replicate(u128::from_le_bytes(keys[0])),
        encryption: Default::default(),
    };
    for (bytes, key) in out.encryption.iter_mut().zip(&keys[1..]) {
        *bytes = replicate(corrections(u128::from_be_bytes(*key)));
    }
    out
}

/// What decryption needs beside `keys`, with the same `corrections`.
#[inline(always)]
pub(super) fn expand_inverse(keys: &RoundKeys, corrections: impl Fn(u128) -> u128) -> InverseKeys {
    let mut out = InverseKeys(Default::default());
    for (bytes, key) in out.0.iter_mut().zip(keys.plain[1..].iter().rev()) {
        let key = portable::linear_inverse(u128::from_le_bytes(*key));
        *bytes = replicate(corrections(key));
    }
    out
}

fn replicate(bytes: u128) -> [Byte; 16] {
    bytes.to_le_bytes().map(|byte| [byte; 8])
}

/// A linear relation between bytes of the sequence: entry `n` is the coefficient of the
/// byte `n` places before the newest, whose own is 1.
///
/// This is R itself.
const NEAR: [u8; 17] = {
    let mut relation = [1; 17];
    let mut n = 0;
    while n < 16 {
        relation[n + 1] = COEFFICIENTS[n];
        n += 1;
    }
    relation
};

/// A multiple of R, as polynomials, that the two bytes before the newest have no part in:
/// a step need not wait for the one before it, nor for the one before that. It is
/// another palindrome, two of its pairs have one coefficient, and so it costs no more.
const FAR: [u8; 21] = {
    let second = NEAR[1];
    let third = NEAR[2] ^ multiply(second, second);
    let factor = [1, second, third, second, 1];
    let mut relation = [0; 21];
    let mut n = 0;
    while n < 21 {
        let mut i = 0;
        while i < 5 {
            if n >= i && n - i < 17 {
                relation[n] ^= multiply(factor[i], NEAR[n - i]);
            }
            i += 1;
        }
        n += 1;
    }
    assert!(relation[1] == 0 && relation[2] == 0 && relation[3] == relation[5]);
    relation
};

/// The steps that come too early for [`FAR`], which reaches back twenty bytes.
const EARLY_STEPS: usize = 4;

/// Byte `i` of the result is byte `i` of `key` and, times their coefficients, the bytes
/// that the steps before step `i` added: as far back as `relation` is given.
#[inline(always)]
fn corrections(key: u128, relation: &[u8]) -> u128 {
    let mut sum = 0;
    for bit in (0..8).rev() {
        sum = double_bytes(sum);
        for (distance, coefficient) in relation.iter().enumerate().skip(1) {
            if coefficient >> bit & 1 == 1 {
                sum ^= key << (8 * distance);
            }
        }
    }
    sum ^ key
}

/// What steps add for `key` if all of them are [`NEAR`].
#[cfg(target_arch = "x86_64")]
pub(super) fn near_corrections(key: u128) -> u128 {
    corrections(key, &NEAR[..16])
}

/// What the steps of [`linear`] add for `key`.
pub(super) fn linear_corrections(key: u128) -> u128 {
    let early = (1 << (8 * EARLY_STEPS)) - 1;
    corrections(key, &NEAR[..EARLY_STEPS]) & early | corrections(key, &FAR[..16]) & !early
}

/// Each byte times x modulo x^8 + x^7 + x^6 + x + 1.
fn double_bytes(a: u128) -> u128 {
    const ONES: u128 = u128::MAX / 0xff;
    ((a & !(ONES << 7)) << 1) ^ ((a >> 7 & ONES) * 0xc3)
}

/// The 8 × 8 bit matrix with these columns, as GF2P8AFFINEQB wants it: byte `7 - i`
/// selects the input bits that output bit `i` is the sum of.
#[cfg(target_arch = "x86_64")]
pub(super) const fn matrix_of(columns: [u8; 8]) -> i64 {
    let mut matrix = 0;
    let mut row = 0;
    while row < 8 {
        let mut column = 0;
        while column < 8 {
            matrix |= ((columns[column] >> row & 1) as u64) << (8 * (7 - row) + column);
            column += 1;
        }
        row += 1;
    }
    matrix.cast_signed()
}

/// The columns of a linear map that is given as a table, shifted to the right.
#[cfg(target_arch = "x86_64")]
pub(super) const fn columns(map: &[u8; 256], shift: u32) -> [u8; 8] {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = map[1 << i] >> shift;
        i += 1;
    }
    columns
}

/// The matrix of multiplication by `c`.
#[cfg(target_arch = "x86_64")]
pub(super) const fn matrix(c: u8) -> i64 {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = multiply(1 << i, c);
        i += 1;
    }
    matrix_of(columns)
}

/// The sum of a step by Horner's rule, from the centre of a relation outwards, so that the
/// newest byte comes in last: factor `n` takes the sum from the coefficient of one pair
/// to that of the next. What the coefficient 1 applies to is added at the end.
pub(super) const NEAR_FACTORS: [u8; 7] =
    factors([NEAR[8], NEAR[6], NEAR[5], NEAR[4], NEAR[3], NEAR[2], NEAR[1]]);
pub(super) const FAR_FACTORS: [u8; 7] =
    factors([FAR[10], FAR[9], FAR[8], FAR[7], FAR[6], FAR[4], FAR[3]]);

/// `a / b` in the field of the blocks.
const fn divide(a: u8, b: u8) -> u8 {
    let mut quotient = 0;
    while multiply(quotient, b) != a {
        quotient += 1;
    }
    quotient
}

const fn factors(coefficients: [u8; 7]) -> [u8; 7] {
    let mut factors = coefficients;
    let mut n = 0;
    while n < 6 {
        factors[n] = divide(coefficients[n], coefficients[n + 1]);
        n += 1;
    }
    factors
}

/// L, and the addition of a key, on the vectors `$v`; its inverse on reversed ones.
/// `broadcast(byte)` makes a vector of a key byte, `multiply!(factor, vector)` is
/// multiplication by a constant and `xor3(a, b, c)` the sum of three vectors.
macro_rules! linear {
    ($v:expr, $keys:expr) => {
        linear!($v, $keys, near: 0 1 2 3, far: 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($v:expr, $keys:expr, near: $($near:literal)*, far: $($far:literal)*) => {{
        use $crate::kernel::kuznyechik::byte_sliced::{FAR_FACTORS, NEAR_FACTORS};
        let keys = $keys;
        // The sequence: what was there, and what the steps append.
        let mut w = [$v[0]; 32];
        w[..16].copy_from_slice(&$v);
        $(
            let end = xor3(w[$near], w[$near + 7], w[$near + 9]);
            let sum = multiply!(NEAR_FACTORS[0], w[$near + 8]);
            let sum = multiply!(NEAR_FACTORS[1], xor3(sum, w[$near + 6], w[$near + 10]));
            let sum = multiply!(NEAR_FACTORS[2], xor3(sum, w[$near + 5], w[$near + 11]));
            let sum = multiply!(NEAR_FACTORS[3], xor3(sum, w[$near + 4], w[$near + 12]));
            let sum = multiply!(NEAR_FACTORS[4], xor3(sum, w[$near + 3], w[$near + 13]));
            let sum = multiply!(NEAR_FACTORS[5], xor3(sum, w[$near + 2], w[$near + 14]));
            let sum = multiply!(NEAR_FACTORS[6], xor3(sum, w[$near + 1], w[$near + 15]));
            w[$near + 16] = xor3(sum, end, broadcast(keys[$near]));
        )*
        $(
            let sum = multiply!(FAR_FACTORS[0], w[$far + 6]);
            let sum = multiply!(FAR_FACTORS[1], xor3(sum, w[$far + 5], w[$far + 7]));
            let sum = multiply!(FAR_FACTORS[2], xor3(sum, w[$far + 4], w[$far + 8]));
            let sum = multiply!(FAR_FACTORS[3], xor3(sum, w[$far + 3], w[$far + 9]));
            let sum = multiply!(FAR_FACTORS[4], xor3(sum, w[$far + 2], w[$far + 10]));
            let sum = multiply!(FAR_FACTORS[5], xor3(sum, w[$far], w[$far + 12]));
            let sum = xor3(sum, w[$far + 1], w[$far + 11]);
            let sum = multiply!(FAR_FACTORS[6], xor3(sum, w[$far - 1], w[$far + 13]));
            w[$far + 16] = xor3(sum, w[$far - 4], broadcast(keys[$far]));
        )*
        let mut appended = $v;
        appended.copy_from_slice(&w[16..]);
        appended
    }};
}
pub(super) use linear;
