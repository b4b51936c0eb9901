//! OMAC of GOST R 34.13-2015 section 5.6 (CMAC) over Kuznyechik.

use crate::kernel::Block;
use crate::kernel::kuznyechik::Kuznyechik;
use zeroize::Zeroizing;

/// Multiplication by x modulo x^128 + x^7 + x^2 + x + 1, in constant time.
fn double(block: u128) -> u128 {
    let carry = 0_u128.wrapping_sub(block >> 127);
    block << 1 ^ carry & 0x87
}

/// A message that comes in parts.
pub(crate) struct Running {
    /// C of all encrypted blocks, without the last one.
    chained: Zeroizing<[Block; 1]>,
    /// The bytes after them, a whole block at most; zeros after them.
    last: Zeroizing<Block>,
    last_len: usize,
}

impl Running {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { chained: Zeroizing::new([[0; 16]]), last: Zeroizing::new([0; 16]), last_len: 0 }
    }

    /// Goes on with the bytes of `piece`.
    #[inline(always)]
    pub(crate) fn absorb<T: Kuznyechik>(&mut self, t: T, keys: &T::RoundKeys, piece: &[u8]) {
        let (first, rest) = piece.split_at(piece.len().min(16 - self.last_len));
        self.last[self.last_len..][..first.len()].copy_from_slice(first);
        self.last_len += first.len();
        if rest.is_empty() {
            return;
        }
        self.chain(t, keys, u128::from_be_bytes(*self.last));
        let (whole, last) = rest.split_at((rest.len() - 1) / 16 * 16);
        for block in whole.as_chunks().0 {
            self.chain(t, keys, u128::from_be_bytes(*block));
        }
        *self.last = [0; 16];
        self.last[..last.len()].copy_from_slice(last);
        self.last_len = last.len();
    }

    /// The tag of the message so far, with s = n; a shorter tag is a prefix of this one.
    #[inline(always)]
    pub(crate) fn tag<T: Kuznyechik>(mut self, t: T, keys: &T::RoundKeys) -> Block {
        let mut zero = Zeroizing::new([[0; 16]]);
        t.encrypt_blocks(keys, &mut *zero);
        let mut mask = double(u128::from_be_bytes(zero[0]));
        if self.last_len < 16 {
            self.last[self.last_len] = 0x80;
            mask = double(mask);
        }
        self.chain(t, keys, u128::from_be_bytes(*self.last) ^ mask);
        self.chained[0]
    }

    #[inline(always)]
    fn chain<T: Kuznyechik>(&mut self, t: T, keys: &T::RoundKeys, block: u128) {
        let sum = u128::from_be_bytes(self.chained[0]) ^ block;
        self.chained[0] = sum.to_be_bytes();
        t.encrypt_blocks(keys, &mut *self.chained);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The polynomial shares bits with the other summand.
    #[test]
    fn doubling_reduces() {
        assert_eq!(double(1), 2);
        assert_eq!(double(1 << 127), 0x87);
        assert_eq!(double(1 << 127 | 0x43), 0x86 ^ 0x87);
    }
}
