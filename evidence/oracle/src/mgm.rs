//! Kuznyechik-MGM, RFC 9058 with n = 128 and S = 128.

use crate::kuznyechik::{Block, encrypt_with, round_keys};

/// Multiplication modulo x^128 + x^7 + x^2 + x + 1; the first bit of a block is the
/// coefficient of x^127 (section 3).
#[must_use]
pub fn multiply(a: u128, b: u128) -> u128 {
    let mut product = 0;
    for bit in (0..128).rev() {
        let overflow = product >> 127;
        product <<= 1;
        if overflow == 1 {
            product ^= 0x87;
        }
        if b >> bit & 1 == 1 {
            product ^= a;
        }
    }
    product
}

fn incr_l(a: u128) -> u128 {
    a.wrapping_add(1 << 64)
}

fn incr_r(a: u128) -> u128 {
    let right = (a as u64).wrapping_add(1);
    (a >> 64) << 64 | u128::from(right)
}

fn blocks(data: &[u8]) -> impl Iterator<Item = u128> {
    data.chunks(16).map(|piece| {
        let mut block = [0; 16];
        block[..piece.len()].copy_from_slice(piece);
        u128::from_be_bytes(block)
    })
}

/// Whether section 4 takes these inputs at all.
#[must_use]
pub fn valid(nonce: &Block, aad: &[u8], text: &[u8]) -> bool {
    nonce[0] < 0x80 && !(aad.is_empty() && text.is_empty())
}

fn keystream(keys: &[Block; 10], nonce: &Block, text: &[u8]) -> Vec<u8> {
    let e = |block: u128| u128::from_be_bytes(encrypt_with(keys, &block.to_be_bytes()));
    let mut y = e(u128::from_be_bytes(*nonce));
    let mut out = Vec::new();
    for piece in text.chunks(16) {
        out.extend(piece.iter().zip(e(y).to_be_bytes()).map(|(p, k)| p ^ k));
        y = incr_r(y);
    }
    out
}

fn tag(keys: &[Block; 10], nonce: &Block, aad: &[u8], ciphertext: &[u8]) -> Block {
    let e = |block: u128| u128::from_be_bytes(encrypt_with(keys, &block.to_be_bytes()));
    let mut z = e(1 << 127 | u128::from_be_bytes(*nonce));
    let lengths = (aad.len() as u128 * 8) << 64 | (ciphertext.len() as u128 * 8);
    let mut sum = 0;
    for block in blocks(aad).chain(blocks(ciphertext)).chain([lengths]) {
        sum ^= multiply(e(z), block);
        z = incr_l(z);
    }
    e(sum).to_be_bytes()
}

/// Section 4.1: ciphertext ‖ tag, or nothing where the standard refuses.
#[must_use]
pub fn seal(key: &[u8; 32], nonce: &Block, aad: &[u8], plaintext: &[u8]) -> Option<Vec<u8>> {
    if !valid(nonce, aad, plaintext) {
        return None;
    }
    let keys = round_keys(key);
    let mut sealed = keystream(&keys, nonce, plaintext);
    let tag = tag(&keys, nonce, aad, &sealed);
    sealed.extend_from_slice(&tag);
    Some(sealed)
}
