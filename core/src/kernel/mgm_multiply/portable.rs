//! MGM's multiplication with ordinary multiplications, the same that POLYVAL uses.

use super::MgmMultiply;
use crate::kernel::Block;
use crate::kernel::polyval::portable::multiply;
use crate::tier::Portable;
use zeroize::Zeroizing;

impl MgmMultiply for Portable {
    /// 256 bits, the least significant word first.
    type Sum = Zeroizing<[u64; 4]>;

    fn zero(self) -> Self::Sum {
        Zeroizing::new([0; 4])
    }

    fn multiply_add(self, sum: &mut Self::Sum, h: &[Block], data: &[u8]) {
        for (h, piece) in h.iter().zip(data.chunks(16)) {
            let mut block = [0; 16];
            block[..piece.len()].copy_from_slice(piece);
            let [h0, h1] = halves(h);
            let [x0, x1] = halves(&block);
            let low = multiply(h0, x0);
            let high = multiply(h1, x1);
            let both = multiply(h0 ^ h1, x0 ^ x1);
            sum[0] ^= low[0];
            sum[1] ^= low[1] ^ both[0] ^ low[0] ^ high[0];
            sum[2] ^= high[0] ^ both[1] ^ low[1] ^ high[1];
            sum[3] ^= high[1];
        }
    }

    fn reduce(self, sum: Self::Sum) -> Block {
        let [s0, s1, s2, s3] = sum.map(u128::from);
        reduce(s1 << 64 | s0, s3 << 64 | s2)
    }
}

fn halves(block: &Block) -> [u64; 2] {
    let number = u128::from_be_bytes(*block);
    [number as u64, (number >> 64) as u64]
}

/// `high·x^128 + low` modulo x^128 + x^7 + x^2 + x + 1.
pub(super) fn reduce(low: u128, high: u128) -> Block {
    let [s0, s1] = [low as u64, (low >> 64) as u64];
    let [s2, s3] = [high as u64, (high >> 64) as u64];
    // 2^192 and 2^128 times (x^7 + x^2 + x + 1): the upper part of s3's lands on s2.
    let s2 = s2 ^ s3 >> 63 ^ s3 >> 62 ^ s3 >> 57;
    let high = s1 ^ s3 ^ s3 << 1 ^ s3 << 2 ^ s3 << 7 ^ s2 >> 63 ^ s2 >> 62 ^ s2 >> 57;
    let low = s0 ^ s2 ^ s2 << 1 ^ s2 << 2 ^ s2 << 7;
    (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
}
