//! Pi as a circuit of nibbles.
//!
//! Biryukov, Perrin and Udovenko found how Pi was made ("Reverse-Engineering the
//! S-Box of Streebog, Kuznyechik and STRIBOBr1", Eurocrypt 2016, section 3): between
//! two linear maps are two multiplications in GF(2^4) and five functions of four
//! bits. Their names are kept. The compiler checks all 256 values below.
//!
//! ```text
//! (l, r) = alpha(x)
//! l = if r == 0 { nu0(l) } else { nu1(l * inverse(r)) }
//! r = sigma(r * phi(l))
//! Pi(x) = omega(l, r)
//! ```

use super::constants::{PI, multiply_modulo};

/// A linear map of eight bits: byte `b` selects the input bits that bit `b` is the sum of.
pub(super) type Linear = u64;

/// A function of four bits.
pub(super) type Nibbles = [u8; 16];

pub(super) const ALPHA: Linear = 0x08_41_43_ef_8a_44_1a_20;
pub(super) const OMEGA: Linear = 0x0a_04_20_9a_08_44_82_01;

pub(super) const NU0: Nibbles = [2, 5, 3, 11, 6, 9, 14, 10, 0, 4, 15, 1, 8, 13, 12, 7];
pub(super) const NU1: Nibbles = [7, 6, 12, 9, 0, 15, 8, 1, 4, 5, 11, 14, 13, 2, 3, 10];
pub(super) const PHI: Nibbles = [11, 2, 11, 8, 12, 4, 1, 12, 6, 3, 5, 8, 14, 3, 6, 11];
pub(super) const SIGMA: Nibbles = [12, 13, 0, 4, 8, 11, 10, 14, 3, 9, 5, 2, 15, 1, 6, 7];

/// `1 / x` in GF(2^4), and 0 for 0.
pub(super) const RECIPROCAL: Nibbles = {
    let mut table = [0; 16];
    let mut a = 1;
    while a < 16 {
        let mut b = 1;
        while multiply(a, b) != 1 {
            b += 1;
        }
        table[a as usize] = b;
        a += 1;
    }
    table
};

/// Multiplication modulo x^4 + x^3 + 1. For constants only.
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    multiply_modulo(0b1_1001, a, b)
}

/// `outer(inner(x))`.
pub(super) const fn compose<const N: usize>(outer: [u8; N], inner: [u8; N]) -> [u8; N] {
    let mut table = [0; N];
    let mut x = 0;
    while x < N {
        table[x] = outer[inner[x] as usize];
        x += 1;
    }
    table
}

/// The inverse of a permutation.
pub(super) const fn invert<const N: usize>(permutation: [u8; N]) -> [u8; N] {
    let mut table = [0; N];
    let mut x = 0;
    while x < N {
        table[permutation[x] as usize] = x as u8;
        x += 1;
    }
    table
}

/// The linear map at one point. For constants only.
pub(super) const fn apply(map: Linear, x: u8) -> u8 {
    let mut y = 0;
    let mut bit = 0;
    while bit < 8 {
        let selected = map.to_le_bytes()[bit] & x;
        y |= ((selected.count_ones() & 1) as u8) << bit;
        bit += 1;
    }
    y
}

/// The inverse of a linear map.
pub(super) const fn invert_linear(map: Linear) -> Linear {
    let mut rows = [0; 8];
    let mut x = 1_usize;
    while x < 256 {
        let y = apply(map, x as u8);
        // Where y is a unit vector, x is a column of the inverse.
        if y.is_power_of_two() {
            let mut bit = 0;
            while bit < 8 {
                rows[bit] |= (x as u8 >> bit & 1) << y.trailing_zeros();
                bit += 1;
            }
        }
        x += 1;
    }
    u64::from_le_bytes(rows)
}

const _: () = {
    let mut x = 0;
    while x < 256 {
        let lr = apply(ALPHA, x as u8);
        let (l, r) = (lr >> 4, lr & 0xf);
        let l = if r == 0 {
            NU0[l as usize]
        } else {
            NU1[multiply(l, RECIPROCAL[r as usize]) as usize]
        };
        let r = SIGMA[multiply(r, PHI[l as usize]) as usize];
        assert!(apply(OMEGA, l << 4 | r) == PI[x]);
        x += 1;
    }
};
