//! Kuznyechik in the field of AES.
//!
//! GF2P8MULB multiplies each byte by one of its own, but modulo AES's polynomial. All
//! fields of 256 elements are the same but for the names of the elements, so that a
//! renamed Kuznyechik can use it: blocks and keys are renamed on the way in, its Pi and
//! its coefficients are renamed here.

use super::byte_sliced::matrix_of;
use super::constants::{multiply_modulo, table};
use super::lanes::turned;
use super::pi::{PI, compose, invert};

/// Multiplication modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197 section 4.2). For constants only.
const fn multiply(a: u8, b: u8) -> u8 {
    multiply_modulo(0b1_0001_1011, a, b)
}

/// The new names of x^0, …, x^7: the powers of a root of Kuznyechik's polynomial,
/// x^8 + x^7 + x^6 + x + 1, in the field of AES.
const POWERS: [u8; 8] = {
    let mut root = 1;
    loop {
        root += 1;
        let mut powers = [1; 8];
        let mut i = 1;
        while i < 8 {
            powers[i] = multiply(powers[i - 1], root);
            i += 1;
        }
        if multiply(powers[7], root) == powers[7] ^ powers[6] ^ powers[1] ^ 1 {
            break powers;
        }
    }
};

/// The new name of each element.
pub(super) const RENAMED: [u8; 256] = {
    let mut names = [0; 256];
    let mut x = 1_usize;
    while x < 256 {
        names[x] = names[x & (x - 1)] ^ POWERS[x.trailing_zeros() as usize];
        x += 1;
    }
    names
};

/// Renames, as a matrix for GF2P8AFFINEQB.
pub(super) const RENAME: i64 = matrix_of(RENAMED);

/// The old name of each new one.
pub(super) const RENAMED_BACK: [u8; 256] = invert(RENAMED);

/// Gives the old names back, as a matrix for GF2P8AFFINEQB.
pub(super) const RENAME_BACK: i64 = matrix_of(RENAMED_BACK);

/// Pi and its inverse between new names.
pub(super) const RENAMED_PI: [u8; 256] = compose(RENAMED, compose(PI, RENAMED_BACK));
pub(super) const RENAMED_PI_INVERSE: [u8; 256] = invert(RENAMED_PI);

/// L as multiplications and turns: entry `[near][far]`, where the block is turned by
/// `near` bytes, multiplied, and turned by `4·far` bytes more, and the sixteen results add
/// up to L.
#[repr(align(64))]
pub(super) struct Multipliers(pub(super) [[[u8; 16]; 4]; 4]);

pub(super) static L: Multipliers = multipliers(false);
pub(super) static L_INVERSE: Multipliers = multipliers(true);

const fn multipliers(inverse: bool) -> Multipliers {
    let turned = turned(inverse);
    Multipliers(table!([[[0; 16]; 4]; 4], |near| {
        table!([[0; 16]; 4], |far| {
            let coefficients = turned[4 * far + near];
            table!([0; 16], |i| RENAMED[coefficients[(i + 16 - 4 * far) % 16] as usize])
        })
    }))
}
