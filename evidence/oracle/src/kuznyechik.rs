//! Kuznyechik, GOST R 34.12-2015 (RFC 7801), one step of the standard a function.
//!
//! Byte 0 of a block is a_15, the standard's leftmost byte.

/// RFC 7801 section 4.1.1: the substitution Pi.
pub const PI: [u8; 256] = [
    252, 238, 221, 17, 207, 110, 49, 22, 251, 196, 250, 218, 35, 197, 4, 77, 233, 119, 240, 219,
    147, 46, 153, 186, 23, 54, 241, 187, 20, 205, 95, 193, 249, 24, 101, 90, 226, 92, 239, 33, 129,
    28, 60, 66, 139, 1, 142, 79, 5, 132, 2, 174, 227, 106, 143, 160, 6, 11, 237, 152, 127, 212,
    211, 31, 235, 52, 44, 81, 234, 200, 72, 171, 242, 42, 104, 162, 253, 58, 206, 204, 181, 112,
    14, 86, 8, 12, 118, 18, 191, 114, 19, 71, 156, 183, 93, 135, 21, 161, 150, 41, 16, 123, 154,
    199, 243, 145, 120, 111, 157, 158, 178, 177, 50, 117, 25, 61, 255, 53, 138, 126, 109, 84, 198,
    128, 195, 189, 13, 87, 223, 245, 36, 169, 62, 168, 67, 201, 215, 121, 214, 246, 124, 34, 185,
    3, 224, 15, 236, 222, 122, 148, 176, 188, 220, 232, 40, 80, 78, 51, 10, 74, 167, 151, 96, 115,
    30, 0, 98, 68, 26, 184, 56, 130, 100, 159, 38, 65, 173, 69, 70, 146, 39, 94, 85, 47, 140, 163,
    165, 125, 105, 213, 149, 59, 7, 88, 179, 64, 134, 172, 29, 247, 48, 55, 107, 228, 136, 217,
    231, 137, 225, 27, 131, 73, 76, 63, 248, 254, 141, 83, 170, 144, 202, 216, 133, 97, 32, 113,
    103, 164, 45, 43, 9, 91, 203, 155, 37, 208, 190, 229, 108, 82, 89, 166, 116, 210, 230, 244,
    180, 192, 209, 102, 175, 194, 57, 75, 99, 182,
];

/// RFC 7801 section 4.1.2: the coefficients of l for a_15, a_14, …, a_0.
pub const COEFFICIENTS: [u8; 16] =
    [148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1];

/// A block, a_15 first.
pub type Block = [u8; 16];

/// Multiplication modulo x^8 + x^7 + x^6 + x + 1 (section 4.1.2).
const fn multiply(mut a: u8, b: u8) -> u8 {
    let (mut product, mut bit) = (0, 0);
    while bit < 8 {
        if b >> bit & 1 == 1 {
            product ^= a;
        }
        a = (a << 1) ^ (if a >> 7 == 1 { 0xc3 } else { 0 });
        bit += 1;
    }
    product
}

/// Every byte times each coefficient: the conformance tests spent most of their time multiplying.
static PRODUCTS: [[u8; 256]; 16] = {
    let mut products = [[0; 256]; 16];
    let mut i = 0;
    while i < 16 * 256 {
        products[i / 256][i % 256] = multiply(COEFFICIENTS[i / 256], (i % 256) as u8);
        i += 1;
    }
    products
};

/// l of a_15, …, a_0.
fn linear(a: &Block) -> u8 {
    (0..16).fold(0, |sum, i| sum ^ PRODUCTS[i][usize::from(a[i])])
}

/// X\[k\].
#[must_use]
pub fn x(k: &Block, a: &Block) -> Block {
    core::array::from_fn(|i| k[i] ^ a[i])
}

/// S.
#[must_use]
pub fn s(a: &Block) -> Block {
    a.map(|byte| PI[usize::from(byte)])
}

/// The inverse of S.
#[must_use]
pub fn s_inverse(a: &Block) -> Block {
    a.map(|byte| PI.iter().position(|&image| image == byte).unwrap_or(0) as u8)
}

/// R.
#[must_use]
pub fn r(a: &Block) -> Block {
    core::array::from_fn(|i| if i == 0 { linear(a) } else { a[i - 1] })
}

/// The inverse of R.
#[must_use]
pub fn r_inverse(a: &Block) -> Block {
    // The bytes a_14, …, a_0, a_15 are those that l was computed from, but for the last.
    let mut turned = *a;
    turned.rotate_left(1);
    turned[15] = linear(&turned);
    turned
}

/// L = R^16.
#[must_use]
pub fn l(a: &Block) -> Block {
    (0..16).fold(*a, |a, _| r(&a))
}

/// The inverse of L.
#[must_use]
pub fn l_inverse(a: &Block) -> Block {
    (0..16).fold(*a, |a, _| r_inverse(&a))
}

/// Section 4.3: the iteration constant C_i = L(Vec_128(i)).
#[must_use]
pub fn c(i: u8) -> Block {
    let mut vec = [0; 16];
    vec[15] = i;
    l(&vec)
}

/// Section 4.3: F\[k\](a1, a0).
#[must_use]
pub fn f(k: &Block, a1: &Block, a0: &Block) -> (Block, Block) {
    (x(&l(&s(&x(k, a1))), a0), *a1)
}

/// Section 4.3: K_1, …, K_10.
#[must_use]
pub fn round_keys(key: &[u8; 32]) -> [Block; 10] {
    let mut keys = [[0; 16]; 10];
    let mut a1: Block = core::array::from_fn(|i| key[i]);
    let mut a0: Block = core::array::from_fn(|i| key[16 + i]);
    (keys[0], keys[1]) = (a1, a0);
    for pair in 1..5 {
        for i in 1..=8 {
            (a1, a0) = f(&c(8 * (pair as u8 - 1) + i), &a1, &a0);
        }
        (keys[2 * pair], keys[2 * pair + 1]) = (a1, a0);
    }
    keys
}

/// Section 4.4.1: encryption of one block.
#[must_use]
pub fn encrypt(key: &[u8; 32], block: &Block) -> Block {
    encrypt_with(&round_keys(key), block)
}

/// Encryption with the round keys at hand.
#[must_use]
pub fn encrypt_with(keys: &[Block; 10], block: &Block) -> Block {
    let state = keys[..9].iter().fold(*block, |state, k| l(&s(&x(k, &state))));
    x(&keys[9], &state)
}

/// Section 4.4.2: decryption of one block.
#[must_use]
pub fn decrypt_with(keys: &[Block; 10], block: &Block) -> Block {
    let state =
        keys[1..].iter().rev().fold(*block, |state, k| s_inverse(&l_inverse(&x(k, &state))));
    x(&keys[0], &state)
}
