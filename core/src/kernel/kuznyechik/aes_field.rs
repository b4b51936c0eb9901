//! Kuznyechik in the field of AES.
//!
//! GF2P8MULB multiplies each byte by one of its own, but modulo AES's polynomial. All
//! fields of 256 elements are the same but for the names of the elements, so that a
//! renamed Kuznyechik can use it: blocks and keys are renamed on the way in, its Pi and
//! its coefficients are renamed here.

use super::byte_sliced::matrix_of;
use super::constants::{PI, PI_INVERSE, l, l_inverse};

/// Multiplication modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197 section 4.2). For constants only.
const fn multiply(a: u8, b: u8) -> u8 {
    let mut a = a;
    let mut product = 0;
    let mut bit = 0;
    while bit < 8 {
        if b >> bit & 1 == 1 {
            product ^= a;
        }
        a = (a << 1) ^ ((a >> 7) * 0x1b);
        bit += 1;
    }
    product
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
pub(super) const RENAME: i64 = matrix_of(POWERS);

/// The old name of each new one.
pub(super) const RENAMED_BACK: [u8; 256] = {
    let mut names = [0; 256];
    let mut x = 0;
    while x < 256 {
        names[RENAMED[x] as usize] = x as u8;
        x += 1;
    }
    names
};

/// Gives the old names back, as a matrix for GF2P8AFFINEQB.
pub(super) const RENAME_BACK: i64 = {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = RENAMED_BACK[1 << i];
        i += 1;
    }
    matrix_of(columns)
};

/// Pi and its inverse between new names.
pub(super) const RENAMED_PI: [u8; 256] = rename(PI);
pub(super) const RENAMED_PI_INVERSE: [u8; 256] = rename(PI_INVERSE);

const fn rename(table: [u8; 256]) -> [u8; 256] {
    let mut renamed = [0; 256];
    let mut x = 0;
    while x < 256 {
        renamed[RENAMED[x] as usize] = RENAMED[table[x] as usize];
        x += 1;
    }
    renamed
}

/// L as multiplications and turns: entry `[near][far]`, where the block is turned by
/// `near` bytes, multiplied, and turned by `4·far` bytes more, and the sixteen results add
/// up to L.
#[repr(align(64))]
pub(super) struct Multipliers(pub(super) [[[u8; 16]; 4]; 4]);

pub(super) static L: Multipliers = multipliers(false);
pub(super) static L_INVERSE: Multipliers = multipliers(true);

const fn multipliers(inverse: bool) -> Multipliers {
    let mut multipliers = Multipliers([[[0; 16]; 4]; 4]);
    let mut from = 0;
    while from < 16 {
        let mut unit = [0; 16];
        unit[from] = 1;
        let column = if inverse { l_inverse(unit) } else { l(unit) };
        let mut to = 0;
        while to < 16 {
            // Turning by n brings byte i + n to place i.
            let turn = (from + 16 - to) % 16;
            let (near, far) = (turn % 4, turn / 4);
            let on_the_way = (to + 4 * far) % 16;
            multipliers.0[near][far][on_the_way] = RENAMED[column[to] as usize];
            to += 1;
        }
        from += 1;
    }
    multipliers
}
