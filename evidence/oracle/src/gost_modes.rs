//! Kuznyechik in the modes of GOST R 34.13-2015 and RFC 8645.

use crate::kuznyechik::{Block, encrypt};

fn e(key: &[u8; 32], block: u128) -> u128 {
    u128::from_be_bytes(encrypt(key, &block.to_be_bytes()))
}

/// GOST R 34.13-2015 section 5.2, CTR with s = n: the 8-byte IV is in the left half
/// of the first counter.
#[must_use]
pub fn ctr(key: &[u8; 32], iv: &[u8; 8], text: &[u8]) -> Vec<u8> {
    let mut counter = u128::from(u64::from_be_bytes(*iv)) << 64;
    let mut out = Vec::new();
    for piece in text.chunks(16) {
        let gamma = e(key, counter).to_be_bytes();
        out.extend(piece.iter().zip(gamma).map(|(p, k)| p ^ k));
        counter = counter.wrapping_add(1);
    }
    out
}

/// GOST R 34.13-2015 section 5.6.1: the two masking keys K1 and K2.
#[must_use]
pub fn omac_keys(key: &[u8; 32]) -> [Block; 2] {
    let double = |a: u128| a << 1 ^ if a >> 127 == 1 { 0x87 } else { 0 };
    let k1 = double(e(key, 0));
    [k1.to_be_bytes(), double(k1).to_be_bytes()]
}

/// GOST R 34.13-2015 section 5.6.2 with s = n; a shorter tag is a prefix of this one.
#[must_use]
pub fn omac(key: &[u8; 32], message: &[u8]) -> Block {
    let [k1, k2] = omac_keys(key).map(u128::from_be_bytes);
    let mut state = 0;
    let last_start = message.len().saturating_sub(1) / 16 * 16;
    for piece in message[..last_start].chunks(16) {
        let block: Block = core::array::from_fn(|i| piece[i]);
        state = e(key, state ^ u128::from_be_bytes(block));
    }
    let last = &message[last_start..];
    let mut block = [0; 16];
    block[..last.len()].copy_from_slice(last);
    let mask = if last.len() == 16 {
        k1
    } else {
        block[last.len()] = 0x80;
        k2
    };
    e(key, state ^ u128::from_be_bytes(block) ^ mask).to_be_bytes()
}

/// RFC 8645 section 6.2.1: the next section's key.
#[must_use]
pub fn acpkm(key: &[u8; 32]) -> [u8; 32] {
    let d: [u8; 32] = core::array::from_fn(|i| 0x80 + i as u8);
    let halves = [0, 16].map(|at| encrypt(key, &core::array::from_fn(|i| d[at + i])));
    core::array::from_fn(|i| halves[i / 16][i % 16])
}

/// RFC 8645 section 6.2.2, CTR-ACPKM with a counter of c = 64 bits and sections of
/// `section_len` bytes.
#[must_use]
pub fn ctr_acpkm(key: &[u8; 32], iv: &[u8; 8], section_len: usize, text: &[u8]) -> Vec<u8> {
    let mut counter = u128::from(u64::from_be_bytes(*iv)) << 64;
    let mut key = *key;
    let mut out = Vec::new();
    for (i, piece) in text.chunks(16).enumerate() {
        if i > 0 && (i * 16).is_multiple_of(section_len) {
            key = acpkm(&key);
        }
        let gamma = e(&key, counter).to_be_bytes();
        out.extend(piece.iter().zip(gamma).map(|(p, k)| p ^ k));
        counter = counter.wrapping_add(1);
    }
    out
}
