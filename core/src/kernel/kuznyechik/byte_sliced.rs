//! What the byte-sliced tiers share: their round keys and one step of R.
//!
//! Vector `i` holds a_i of RFC 7801, which is byte `15 - i` of a block, of as many
//! blocks as the vector has bytes. One step of R replaces a_i by the new byte; where the
//! others stand does not change, so sixteen steps are L. As the coefficients are a
//! palindrome, the same steps in the reverse order are the inverse of L.

use super::constants::{COEFFICIENTS, L_INVERSE_COLUMNS, divide, multiply};
use super::{Block, portable, round_keys};
use zeroize::Zeroize;

/// A byte, eight times, for a broadcasting load.
pub(super) type Byte = u64;

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
    /// For the steps of round 1, …, 9, by vector.
    pub(super) encryption: [[Byte; 16]; 9],
    /// For the inverse steps of round 9, …, 1, by vector.
    pub(super) decryption: [[Byte; 16]; 9],
}

impl Drop for RoundKeys {
    fn drop(&mut self) {
        self.plain.as_flattened_mut().zeroize();
        self.first.zeroize();
        self.encryption.zeroize();
        self.decryption.zeroize();
    }
}

/// The round keys of `key`, where `ls` is L(S(block)) in constant time.
#[inline(always)]
pub(super) fn expand(key: &[u8; 32], ls: impl Fn(&mut Block)) -> RoundKeys {
    let keys = round_keys::expand(key, ls);
    let mut out = RoundKeys {
        plain: *keys,
        first: replicate(u128::from_le_bytes(keys[0])),
        encryption: [[0; 16]; 9],
        decryption: [[0; 16]; 9],
    };
    for (bytes, key) in out.encryption.iter_mut().zip(&keys[1..]) {
        *bytes = replicate(corrections(u128::from_be_bytes(*key), |key, n| key << n));
    }
    for (bytes, key) in out.decryption.iter_mut().zip(keys[1..].iter().rev()) {
        let key = portable::linear(&L_INVERSE_COLUMNS, u128::from_le_bytes(*key));
        *bytes = replicate(corrections(key.swap_bytes(), |key, n| key >> n));
    }
    out
}

fn replicate(bytes: u128) -> [Byte; 16] {
    bytes
        .to_le_bytes()
        .map(|byte| u64::from(byte) * (u64::MAX / 0xff))
}

/// Byte `i` of the result is byte `i` of `key` and, times their coefficients, the bytes
/// that the steps before step `i` added.
fn corrections(key: u128, shift: impl Fn(u128, usize) -> u128) -> u128 {
    let mut sum = 0;
    for bit in (0..8).rev() {
        sum = double_bytes(sum);
        for (distance, coefficient) in (1..).zip(&COEFFICIENTS[..15]) {
            if coefficient >> bit & 1 == 1 {
                sum ^= shift(key, 8 * distance);
            }
        }
    }
    sum ^ key
}

/// Each byte times x modulo x^8 + x^7 + x^6 + x + 1.
fn double_bytes(a: u128) -> u128 {
    const ONES: u128 = u128::MAX / 0xff;
    ((a & !(ONES << 7)) << 1) ^ ((a >> 7 & ONES) * 0xc3)
}

/// The 8 × 8 bit matrix with these columns, as GF2P8AFFINEQB wants it: byte `7 - i`
/// selects the input bits that output bit `i` is the sum of.
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

/// The matrix of multiplication by `c`.
pub(super) const fn matrix(c: u8) -> i64 {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = multiply(1 << i, c);
        i += 1;
    }
    matrix_of(columns)
}

/// The sum of a step by Horner's rule, from the centre of the sixteen bytes outwards, so
/// that the newest byte comes in last: factor `n` takes the sum from the coefficient of one
/// pair to that of the next. What the coefficient 1 applies to is added at the end.
pub(super) const FACTORS: [u8; 7] = [
    divide(251, 192),
    divide(192, 194),
    divide(194, 16),
    divide(16, 133),
    divide(133, 32),
    divide(32, 148),
    148,
];

/// One step of R on the vectors `$v`, at `$i`, with `$key` the key byte as a vector.
/// `$multiply!(factor number, vector)` is the constant multiplication by [`FACTORS`] and
/// `$xor3!(a, b, c)` the sum of three vectors.
macro_rules! step {
    ($v:ident, $i:literal, $key:expr, $multiply:ident, $xor3:ident) => {
        let end = $xor3!($v[$i], $v[($i + 7) % 16], $v[($i + 9) % 16]);
        let sum = $multiply!(0, $v[($i + 8) % 16]);
        let sum = $multiply!(1, $xor3!(sum, $v[($i + 6) % 16], $v[($i + 10) % 16]));
        let sum = $multiply!(2, $xor3!(sum, $v[($i + 5) % 16], $v[($i + 11) % 16]));
        let sum = $multiply!(3, $xor3!(sum, $v[($i + 4) % 16], $v[($i + 12) % 16]));
        let sum = $multiply!(4, $xor3!(sum, $v[($i + 3) % 16], $v[($i + 13) % 16]));
        let sum = $multiply!(5, $xor3!(sum, $v[($i + 2) % 16], $v[($i + 14) % 16]));
        let sum = $multiply!(6, $xor3!(sum, $v[($i + 1) % 16], $v[($i + 15) % 16]));
        $v[$i] = $xor3!(sum, end, $key);
    };
}
pub(super) use step;
