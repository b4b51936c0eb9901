//! OMAC of GOST R 34.13-2015 section 5.6 (CMAC) over Kuznyechik.

use crate::kernel::Block;
use crate::kernel::kuznyechik::Kuznyechik;
use zeroize::Zeroizing;

/// Multiplication by x modulo x^128 + x^7 + x^2 + x + 1, in constant time.
fn double(block: u128) -> u128 {
    let carry = 0_u128.wrapping_sub(block >> 127);
    block << 1 ^ carry & 0x87
}

/// The tag of `message` with s = n; a shorter tag is a prefix of this one.
#[inline(always)]
pub(crate) fn tag<T: Kuznyechik>(t: T, keys: &T::RoundKeys, message: &[u8]) -> Block {
    let mut state = Zeroizing::new([[0; 16]]);
    t.encrypt_blocks(keys, &mut *state);
    let mut mask = double(u128::from_be_bytes(state[0]));
    let last_start = message.len().saturating_sub(1) / 16 * 16;
    let (whole, last) = message.split_at(last_start);
    let mut block = Zeroizing::new([0; 16]);
    block[..last.len()].copy_from_slice(last);
    if last.len() < 16 {
        block[last.len()] = 0x80;
        mask = double(mask);
    }
    state[0] = [0; 16];
    for piece in whole.as_chunks().0 {
        add(&mut state[0], u128::from_be_bytes(*piece));
        t.encrypt_blocks(keys, &mut *state);
    }
    add(&mut state[0], u128::from_be_bytes(*block) ^ mask);
    t.encrypt_blocks(keys, &mut *state);
    state[0]
}

fn add(block: &mut Block, number: u128) {
    *block = (u128::from_be_bytes(*block) ^ number).to_be_bytes();
}
