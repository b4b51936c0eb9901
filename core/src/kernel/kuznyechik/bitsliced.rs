//! Sixty-four blocks at once, one bit of each in a word.

use super::Block;
use super::circuit;
use zeroize::Zeroize;

/// The blocks of one group.
pub(super) const BLOCKS: usize = 64;

/// Plane `b` holds bit `b` of one byte of every block.
type Planes = [u64; 8];

/// Entry `i` holds a_i of RFC 7801, which is byte `15 - i` of a block.
type State = [Planes; 16];

/// Transposes a 64 × 64 bit matrix. An involution.
fn transpose(rows: &mut [u64; 64]) {
    let mut shift = 32;
    let mut mask = u64::MAX >> 32;
    while shift > 0 {
        for i in 0..64 {
            if i & shift == 0 {
                let t = (rows[i] >> shift ^ rows[i + shift]) & mask;
                rows[i + shift] ^= t;
                rows[i] ^= t << shift;
            }
        }
        shift /= 2;
        mask ^= mask << shift;
    }
}

fn load(blocks: &[Block]) -> State {
    let mut state = [[0; 8]; 16];
    for half in 0..2 {
        let mut rows = [0; 64];
        for (row, block) in rows.iter_mut().zip(blocks) {
            *row = u64::from_le_bytes(block.as_chunks().0[half]);
        }
        transpose(&mut rows);
        for (byte, planes) in rows.as_chunks().0.iter().enumerate() {
            state[15 - 8 * half - byte] = *planes;
        }
        rows.zeroize();
    }
    state
}

fn store(state: &mut State, blocks: &mut [Block]) {
    for half in 0..2 {
        let mut rows = [0; 64];
        for (byte, planes) in rows.as_chunks_mut().0.iter_mut().enumerate() {
            *planes = state[15 - 8 * half - byte];
        }
        transpose(&mut rows);
        for (row, block) in rows.iter().zip(blocks.iter_mut()) {
            block.as_chunks_mut().0[half] = row.to_le_bytes();
        }
        rows.zeroize();
    }
    state.as_flattened_mut().zeroize();
}

#[inline(always)]
fn xor(a: Planes, b: Planes) -> Planes {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Multiplication by x modulo x^8 + x^7 + x^6 + x + 1.
#[inline(always)]
fn double(a: Planes) -> Planes {
    [a[7], a[0] ^ a[7], a[1], a[2], a[3], a[4], a[5] ^ a[7], a[6] ^ a[7]]
}

/// One step of R in place: entry `i` gives up a_i and takes the new byte. As the
/// coefficients are a palindrome, the same step taken with `i` from 15 down to 0 is R's inverse.
#[inline(always)]
fn step(a: &mut State, i: usize) {
    let pair = |k: usize| xor(a[(i + k) % 16], a[(i + 16 - k) % 16]);
    let [p148, p32, p133, p16, p194, p192, p1] = [1, 2, 3, 4, 5, 6, 7].map(pair);
    let p251 = a[(i + 8) % 16];
    // Horner over the powers of x that the coefficients are sums of: 148 = x^7 + x^4 + x^2,
    // 32 = x^5, 133 = x^7 + x^2 + 1, 16 = x^4, 194 = x^7 + x^6 + x, 192 = x^7 + x^6,
    // 251 = x^7 + x^6 + x^5 + x^4 + x^3 + x + 1.
    let p148_133 = xor(p148, p133);
    let x6 = xor(xor(p194, p192), p251);
    let sum = xor(x6, p148_133);
    let sum = xor(double(sum), x6);
    let sum = xor(double(sum), xor(p32, p251));
    let sum = xor(double(sum), xor(xor(p148, p16), p251));
    let sum = xor(double(sum), p251);
    let sum = xor(double(sum), p148_133);
    let sum = xor(double(sum), xor(p194, p251));
    let sum = xor(double(sum), xor(xor(p133, p1), p251));
    a[i] = xor(a[i], sum);
}

fn add_key(state: &mut State, key: &Block) {
    for (planes, byte) in state.iter_mut().rev().zip(key) {
        for (b, plane) in planes.iter_mut().enumerate() {
            *plane ^= 0_u64.wrapping_sub(u64::from(byte >> b & 1));
        }
    }
}

pub(super) fn encrypt(keys: &[Block; 10], blocks: &mut [Block]) {
    let mut state = load(blocks);
    for key in &keys[..9] {
        add_key(&mut state, key);
        state.iter_mut().for_each(|planes| *planes = circuit::pi(*planes));
        (0..16).for_each(|i| step(&mut state, i));
    }
    add_key(&mut state, &keys[9]);
    store(&mut state, blocks);
}

pub(super) fn decrypt(keys: &[Block; 10], blocks: &mut [Block]) {
    let mut state = load(blocks);
    for key in keys[1..].iter().rev() {
        add_key(&mut state, key);
        (0..16).rev().for_each(|i| step(&mut state, i));
        state.iter_mut().for_each(|planes| *planes = circuit::pi_inverse(*planes));
    }
    add_key(&mut state, &keys[0]);
    store(&mut state, blocks);
}
