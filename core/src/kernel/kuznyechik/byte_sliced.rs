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

use super::constants::{COEFFICIENTS, multiply, table};
#[cfg(target_arch = "x86_64")]
use super::pi::linear_of;
use super::round_keys;
use crate::tier::erased::Wiped;

/// A byte, eight times, for a broadcasting load.
pub(super) type Byte = [u8; 8];

/// The round keys as each step of R wants them.
///
/// The last term of a step is a key byte. As a step reads the bytes that the steps before
/// it made, keys and all, its own byte takes back what theirs brought in. A step is a
/// relation between consecutive bytes; decryption solves the same relations, the last one first,
/// for the bytes at their other end. So both directions add the same.
#[repr(align(64))]
pub(crate) struct RoundKeys<const RELATIONS: usize> {
    /// K_1, …, K_10.
    pub(super) plain: round_keys::RoundKeys,
    /// K_1, by byte of the block.
    pub(super) first: Wiped<[Byte; 16]>,
    /// For the relations of round 1, …, 9.
    pub(super) relations: Wiped<[[Byte; RELATIONS]; 9]>,
}

impl<const RELATIONS: usize> RoundKeys<RELATIONS> {
    /// These keys, with nothing for the relations yet.
    #[inline(always)]
    fn new(plain: round_keys::RoundKeys) -> Self {
        let first = Wiped::new(plain[0].map(|byte| [byte; 8]));
        Self { plain, first, relations: Wiped::new([[[0; 8]; RELATIONS]; 9]) }
    }

    /// These keys, where `relations` makes of a round's what its relations add.
    #[inline(always)]
    pub(super) fn sliced(
        plain: round_keys::RoundKeys,
        relations: impl Fn(u128) -> [u8; RELATIONS],
    ) -> Self {
        let mut keys = Self::new(plain);
        for (bytes, key) in keys.relations.iter_mut().zip(&keys.plain[1..]) {
            *bytes = relations(u128::from_be_bytes(*key)).map(|byte| [byte; 8]);
        }
        keys
    }
}

/// A linear relation between bytes of the sequence: entry `n` is the coefficient of the
/// byte `n` places before the newest, whose own is 1.
///
/// This is R itself.
const NEAR: [u8; 17] = table!([1; 17], |n| if n == 0 { 1 } else { COEFFICIENTS[n - 1] });

/// A multiple of R, as polynomials, that the two bytes before the newest have no part in:
/// a step need not wait for the one before it, nor for the one before that. It is
/// another palindrome, two of its pairs have one coefficient, and so it costs no more.
const FAR: [u8; 21] = {
    let mut relation = [0; 21];
    let mut n = 0;
    while n < 17 * FACTOR.len() {
        let (i, j) = (n / FACTOR.len(), n % FACTOR.len());
        relation[i + j] ^= multiply(NEAR[i], FACTOR[j]);
        n += 1;
    }
    assert!(relation[1] == 0 && relation[2] == 0 && relation[3] == relation[5]);
    relation
};

/// What [`NEAR`] is multiplied by.
const FACTOR: [u8; 5] = {
    let second = NEAR[1];
    let third = NEAR[2] ^ multiply(second, second);
    [1, second, third, second, 1]
};

/// How many relations [`linear`] takes for a round: [`FAR`] twelve times, for all that thirty-two
/// bytes have room for; before them [`NEAR`] four times, for the first steps of encryption, and
/// after them again, for the first steps of decryption.
pub(super) const RELATIONS: usize = 4 + 12 + 4;

/// Byte `i` of the result is byte `i` of `bytes` and, times its coefficient in the relation, each
/// before it.
#[inline(always)]
fn sums(bytes: u128, relation: &[u8]) -> u128 {
    let mut sum = 0;
    for bit in (0..8).rev() {
        sum = double_bytes(sum);
        for (distance, coefficient) in relation.iter().enumerate().skip(1) {
            if coefficient >> bit & 1 == 1 {
                sum ^= bytes << (8 * distance);
            }
        }
    }
    sum ^ bytes
}

/// What steps add for `key` if all of them are [`NEAR`].
#[inline(always)]
pub(super) fn near_relations(key: u128) -> u128 {
    sums(key, &NEAR[..16])
}

/// What the steps of [`linear`] add for `key`.
#[cfg(target_arch = "aarch64")]
pub(super) fn linear_relations(key: u128) -> [u8; RELATIONS] {
    let near = near_relations(key);
    let far = sums(near, &FACTOR).to_le_bytes();
    let near = near.to_le_bytes();
    core::array::from_fn(|i| match i {
        0..4 => near[i],
        4..16 => far[i],
        _ => near[i - 4],
    })
}

/// Each byte times x modulo x^8 + x^7 + x^6 + x + 1.
fn double_bytes(a: u128) -> u128 {
    const ONES: u128 = u128::MAX / 0xff;
    ((a & !(ONES << 7)) << 1) ^ ((a >> 7 & ONES) * 0xc3)
}

/// A linear map as GF2P8AFFINEQB wants it: byte `7 - i` selects the input bits that output bit `i`
/// is the sum of.
#[cfg(target_arch = "x86_64")]
pub(super) const fn matrix_of(map: [u8; 256]) -> i64 {
    linear_of(map).swap_bytes().cast_signed()
}

/// The matrix of multiplication by `c`.
#[cfg(target_arch = "x86_64")]
pub(super) const fn matrix(c: u8) -> i64 {
    matrix_of(table!([0; 256], |x| multiply(x as u8, c)))
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
    table!([coefficients[6]; 7], |n| if n < 6 {
        divide(coefficients[n], coefficients[n + 1])
    } else {
        coefficients[n]
    })
}

/// L, and the addition of a key, on the vectors `$v`; its inverse on reversed ones.
/// `$key(step)` is a vector of the step's key byte, `multiply!(factor, vector)` is
/// multiplication by a constant and `xor3(a, b, c)` the sum of three vectors.
macro_rules! linear {
    ($v:expr, $key:expr) => {
        linear!($v, $key, near: 0 1 2 3, far: 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($v:expr, $key:expr, near: $($near:literal)*, far: $($far:literal)*) => {{
        use $crate::kernel::kuznyechik::byte_sliced::{FAR_FACTORS, NEAR_FACTORS};
        let key = $key;
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
            w[$near + 16] = xor3(sum, end, key($near));
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
            w[$far + 16] = xor3(sum, w[$far - 4], key($far));
        )*
        let mut appended = $v;
        appended.copy_from_slice(&w[16..]);
        appended
    }};
}
pub(super) use linear;
