//! Pi as a circuit of nibbles.
//!
//! Biryukov, Perrin and Udovenko found how Pi was made ("Reverse-Engineering the
//! S-Box of Streebog, Kuznyechik and STRIBOBr1", Eurocrypt 2016, section 3): between
//! two linear maps are two multiplications in GF(2^4) and five functions of four
//! bits. Their names are kept.
//!
//! ```text
//! (l, r) = alpha(x)
//! l = if r == 0 { nu0(l) } else { nu1(l * inverse(r)) }
//! r = sigma(r * phi(l))
//! Pi(x) = omega(l, r)
//! ```

use super::constants::{multiply_modulo, table};

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

/// `1 / x` in GF(2^4), and 0 for 0: x^14.
pub(super) const RECIPROCAL: Nibbles = table!([0; 16], |x| {
    let x2 = multiply(x as u8, x as u8);
    let x4 = multiply(x2, x2);
    multiply(x2, multiply(x4, multiply(x4, x4)))
});

/// Multiplication modulo x^4 + x^3 + 1. For constants only.
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    multiply_modulo(0b1_1001, a, b)
}

/// `outer(inner(x))`.
pub(super) const fn compose<const N: usize>(outer: [u8; N], inner: [u8; N]) -> [u8; N] {
    table!([0; N], |x| outer[inner[x] as usize])
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

/// A linear map at every point.
pub(super) const fn tabulate(map: Linear) -> [u8; 256] {
    table!([0; 256], |x| {
        let mut y = 0;
        let mut bit = 0;
        while bit < 8 {
            let selected = map.to_le_bytes()[bit] & x as u8;
            y |= ((selected.count_ones() & 1) as u8) << bit;
            bit += 1;
        }
        y
    })
}

/// The linear map that has this table.
pub(super) const fn linear_of(table: [u8; 256]) -> Linear {
    let mut map = 0;
    let mut i = 0;
    while i < 64 {
        let (output_bit, input_bit) = (i / 8, i % 8);
        map |= ((table[1 << input_bit] >> output_bit & 1) as u64) << i;
        i += 1;
    }
    map
}

/// Pi, of which RFC 7801 section 4.1.1 has the table.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const PI: [u8; 256] = {
    let (alpha, omega) = (tabulate(ALPHA), tabulate(OMEGA));
    table!([0; 256], |x| {
        let (l, r) = (alpha[x] >> 4, alpha[x] & 0xf);
        let l = if r == 0 {
            NU0[l as usize]
        } else {
            NU1[multiply(l, RECIPROCAL[r as usize]) as usize]
        };
        let r = SIGMA[multiply(r, PHI[l as usize]) as usize];
        omega[(l << 4 | r) as usize]
    })
};
