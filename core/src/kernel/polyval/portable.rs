//! POLYVAL with ordinary multiplications: constant-time wherever `u64 * u64` is.
//!
//! A carry-less product is made from integer products by leaving holes: each
//! operand is cut into four, every fourth bit kept, so that carries fall into
//! bits that are masked away. A widening multiplication must not depend on its
//! operands' values either, which holds on every 64-bit CPU in use; SECURITY.md
//! names the exceptions.

use crate::kernel::Block;
use crate::tier::secret;

/// The key and the running sum, two 64-bit halves each.
struct Sum {
    h: [u64; 2],
    value: [u64; 2],
}

impl Drop for Sum {
    fn drop(&mut self) {
        (self.h, self.value) = ([0; 2], [0; 2]);
        secret::keep_stores(self);
    }
}

pub(in crate::kernel) fn polyval(
    h: &Block,
    aad: &[u8],
    text: &[u8],
    length_block: &Block,
) -> Block {
    let mut sum = Sum { h: halves(h), value: [0; 2] };
    sum.absorb(aad);
    sum.absorb(text);
    sum.absorb(length_block);
    let [low, high] = sum.value;
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}

impl Sum {
    /// Absorbs `text`, padded with zeros to whole blocks.
    fn absorb(&mut self, text: &[u8]) {
        for piece in text.chunks(16) {
            let mut block = [0; 16];
            block[..piece.len()].copy_from_slice(piece);
            let [low, high] = halves(&block);
            self.value = dot([self.value[0] ^ low, self.value[1] ^ high], self.h);
        }
    }
}

fn halves(block: &Block) -> [u64; 2] {
    let wide = u128::from_le_bytes(*block);
    [wide as u64, (wide >> 64) as u64]
}

/// Every fourth bit.
const HOLES: u64 = 0x1111_1111_1111_1111;
const WIDE_HOLES: u128 = (HOLES as u128) << 64 | HOLES as u128;

/// The 128-bit carry-less product.
///
/// Of each class of bits, every fourth one, a factor of 60 bits has fifteen: columns
/// of the integer product then add up to at most fifteen, which fits into the hole.
/// The four top bits are multiplied one by one.
#[inline(always)]
pub(in crate::kernel) fn multiply(x: u64, y: u64) -> [u64; 2] {
    let low_60 = x & (u64::MAX >> 4);
    let x_class = [0, 1, 2, 3].map(|i| low_60 & (HOLES << i));
    let y_class = [0, 1, 2, 3].map(|i| y & (HOLES << i));
    let wide = |i: usize, j: usize| u128::from(x_class[i]) * u128::from(y_class[j]);
    let mut product = 0;
    for i in 0..4 {
        let sum = wide(0, i) ^ wide(1, (3 + i) % 4) ^ wide(2, (2 + i) % 4) ^ wide(3, (1 + i) % 4);
        product |= sum & (WIDE_HOLES << i);
    }
    for bit in 60..64 {
        let mask = 0_u64.wrapping_sub(x >> bit & 1);
        product ^= u128::from(y & mask) << bit;
    }
    [product as u64, (product >> 64) as u64]
}

/// `a * b * x^-128` in the field of RFC 8452 section 3, by Karatsuba.
fn dot(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    let low = multiply(a[0], b[0]);
    let high = multiply(a[1], b[1]);
    let both = multiply(a[0] ^ a[1], b[0] ^ b[1]);
    let middle = [both[0] ^ low[0] ^ high[0], both[1] ^ low[1] ^ high[1]];
    let mut v = [low[0], low[1] ^ middle[0], high[0] ^ middle[1], high[1]];
    // Montgomery reduction by x^128 + x^127 + x^126 + x^121 + 1, 64 bits at a time.
    for i in 0..2 {
        let word = v[i];
        v[i + 1] ^= word << 63 ^ word << 62 ^ word << 57;
        v[i + 2] ^= word ^ word >> 1 ^ word >> 2 ^ word >> 7;
    }
    [v[2], v[3]]
}
