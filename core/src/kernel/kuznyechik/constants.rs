//! Everything that the standard fixes, and what follows from it, at compile time.
//!
//! Byte 0 of a block is a_15 of RFC 7801, its leftmost byte.

use super::Block;

/// The coefficients of l for a_15, …, a_0 (section 4.1.2).
pub(super) const COEFFICIENTS: [u8; 16] =
    [148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1];

/// Multiplication of polynomials over bits modulo `modulus`, of which `a` is a remainder. For
/// constants only.
pub(super) const fn multiply_modulo(modulus: u32, a: u8, b: u8) -> u8 {
    let top = modulus.ilog2();
    let (mut product, mut bit) = (0, 8);
    while bit > 0 {
        bit -= 1;
        product = (product << 1) ^ ((b as u32 >> bit & 1) * a as u32);
        product ^= (product >> top) * modulus;
    }
    product as u8
}

/// Multiplication modulo x^8 + x^7 + x^6 + x + 1 (section 4.1.2).
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    multiply_modulo(0b1_1100_0011, a, b)
}

/// The linear transformation L: sixteen steps of R. For constants only.
pub(super) const fn l(block: Block) -> Block {
    let mut a = u128::from_be_bytes(block);
    let mut step = 0;
    while step < 16 {
        let mut sum = 0;
        let mut i = 0;
        while i < 16 {
            sum ^= multiply(COEFFICIENTS[i], a.to_be_bytes()[i]);
            i += 1;
        }
        a = (sum as u128) << 120 | a >> 8;
        step += 1;
    }
    a.to_be_bytes()
}

/// `core::array::from_fn` for constants: an array as long as `$zeros`, and what its entry `$i` is.
macro_rules! table {
    ($zeros:expr, |$i:ident| $entry:expr) => {{
        let mut table = $zeros;
        let mut $i = 0;
        while $i < table.len() {
            table[$i] = $entry;
            $i += 1;
        }
        table
    }};
}
pub(super) use table;

/// Column `8·i + b` of L: what becomes of bit `b` of byte `i`, as a little-endian number.
pub(super) static L_COLUMNS: [u128; 128] =
    table!([0; 128], |bit| u128::from_le_bytes(l((1_u128 << bit).to_le_bytes())));

/// The iteration constants C_1, …, C_32 of the key schedule (section 4.3).
pub(super) const ITERATION_CONSTANTS: [Block; 32] =
    table!([[0; 16]; 32], |i| l((i as u128 + 1).to_be_bytes()));
