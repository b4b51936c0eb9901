//! Kuznyechik from a few hundred bytes of constants, one block at a time, constant-time.

use super::constants::COEFFICIENTS;
use super::portable::substitute_one;
pub(crate) use super::round_keys::RoundKeys;
use super::{Block, circuit};

/// Entry `b` selects the bytes whose coefficient has bit `b`.
const SELECTED: [u128; 8] = {
    let mut selected = [0; 8];
    let mut i = 0;
    while i < 128 {
        if COEFFICIENTS[i / 8] >> (i % 8) & 1 == 1 {
            selected[i % 8] |= 0xff << (i / 8 * 8);
        }
        i += 1;
    }
    selected
};

/// l of RFC 7801 section 4.1.2 in the lowest byte. `a` is little-endian: a_15 is lowest.
#[inline(always)]
fn l(a: u128) -> u128 {
    const ONES: u128 = u128::MAX / 0xff;
    let mut power = a;
    let mut sum = 0;
    for selected in SELECTED {
        sum ^= power & selected;
        let top = power >> 7 & ONES;
        power = ((power & !(ONES << 7)) << 1) ^ (top * 0xc3);
    }
    sum ^= sum >> 64;
    sum ^= sum >> 32;
    sum ^= sum >> 16;
    (sum ^ sum >> 8) & 0xff
}

fn linear(a: u128) -> u128 {
    (0..16).fold(a, |a, _| a << 8 | l(a))
}

fn linear_inverse(a: u128) -> u128 {
    (0..16).fold(a, |a, _| {
        let turned = a.rotate_right(8);
        turned << 8 >> 8 | l(turned) << 120
    })
}

pub(crate) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [Block]) {
    let keys = keys.map(u128::from_le_bytes);
    for block in blocks {
        let mut state = u128::from_le_bytes(*block);
        for key in &keys[..9] {
            state = linear(substitute_one(state ^ key, circuit::pi));
        }
        *block = (state ^ keys[9]).to_le_bytes();
    }
}

pub(crate) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [Block]) {
    let keys = keys.map(u128::from_le_bytes);
    for block in blocks {
        let mut state = u128::from_le_bytes(*block);
        for key in keys[1..].iter().rev() {
            state = substitute_one(linear_inverse(state ^ key), circuit::pi_inverse);
        }
        *block = (state ^ keys[0]).to_le_bytes();
    }
}
