//! Everything that the standard fixes, and what follows from it, at compile time.
//!
//! Byte 0 of a block is a_15 of RFC 7801, its leftmost byte.

use super::Block;

/// The substitution Pi (RFC 7801 section 4.1.1).
#[rustfmt::skip]
pub(super) const PI: [u8; 256] = [
    252, 238, 221,  17, 207, 110,  49,  22, 251, 196, 250, 218,  35, 197,   4,  77,
    233, 119, 240, 219, 147,  46, 153, 186,  23,  54, 241, 187,  20, 205,  95, 193,
    249,  24, 101,  90, 226,  92, 239,  33, 129,  28,  60,  66, 139,   1, 142,  79,
      5, 132,   2, 174, 227, 106, 143, 160,   6,  11, 237, 152, 127, 212, 211,  31,
    235,  52,  44,  81, 234, 200,  72, 171, 242,  42, 104, 162, 253,  58, 206, 204,
    181, 112,  14,  86,   8,  12, 118,  18, 191, 114,  19,  71, 156, 183,  93, 135,
     21, 161, 150,  41,  16, 123, 154, 199, 243, 145, 120, 111, 157, 158, 178, 177,
     50, 117,  25,  61, 255,  53, 138, 126, 109,  84, 198, 128, 195, 189,  13,  87,
    223, 245,  36, 169,  62, 168,  67, 201, 215, 121, 214, 246, 124,  34, 185,   3,
    224,  15, 236, 222, 122, 148, 176, 188, 220, 232,  40,  80,  78,  51,  10,  74,
    167, 151,  96, 115,  30,   0,  98,  68,  26, 184,  56, 130, 100, 159,  38,  65,
    173,  69,  70, 146,  39,  94,  85,  47, 140, 163, 165, 125, 105, 213, 149,  59,
      7,  88, 179,  64, 134, 172,  29, 247,  48,  55, 107, 228, 136, 217, 231, 137,
    225,  27, 131,  73,  76,  63, 248, 254, 141,  83, 170, 144, 202, 216, 133,  97,
     32, 113, 103, 164,  45,  43,   9,  91, 203, 155,  37, 208, 190, 229, 108,  82,
     89, 166, 116, 210, 230, 244, 180, 192, 209, 102, 175, 194,  57,  75,  99, 182,
];

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

/// The linear transformation L. For constants only.
pub(super) const fn l(block: Block) -> Block {
    let mut a = block;
    let mut round = 0;
    while round < 16 {
        let mut sum = 0;
        let mut i = 16;
        while i > 0 {
            i -= 1;
            sum ^= multiply(COEFFICIENTS[i], a[i]);
            if i < 15 {
                a[i + 1] = a[i];
            }
        }
        a[0] = sum;
        round += 1;
    }
    a
}

/// Column `8·i + b` of L: what becomes of bit `b` of byte `i`, as a little-endian number.
pub(super) static L_COLUMNS: [u128; 128] = {
    let mut columns = [0; 128];
    let mut bit = 0;
    while bit < 128 {
        columns[bit] = u128::from_le_bytes(l((1_u128 << bit).to_le_bytes()));
        bit += 1;
    }
    columns
};

/// The iteration constants C_1, …, C_32 of the key schedule (section 4.3).
pub(super) const ITERATION_CONSTANTS: [Block; 32] = {
    let mut constants = [[0; 16]; 32];
    let mut i = 0;
    while i < 32 {
        constants[i][15] = i as u8 + 1;
        constants[i] = l(constants[i]);
        i += 1;
    }
    constants
};
