//! Sixty-four blocks at once, one bit of each in a word.

use super::Block;
use super::circuit;
use super::constants::table;
use zeroize::Zeroize;

/// The blocks of one group.
pub(super) const BLOCKS: usize = 64;

/// Plane `b` holds bit `b` of one byte of every block.
type Planes = [u64; 8];

/// Entry `i` holds byte `i` of a block, which is a_(15 - i) of RFC 7801.
type State = [Planes; 16];

/// Transposes a 64 × 64 bit matrix, or every 8 × 8 one made of the same byte of eight rows. An
/// involution.
#[inline(always)]
pub(super) fn transpose<const ROWS: usize>(rows: &mut [u64; ROWS]) {
    const MASKS: [u64; 6] = table!([0; 6], |level| u64::MAX / ((1 << (1 << level)) + 1));
    for (level, mask) in MASKS[..ROWS.ilog2() as usize].iter().enumerate() {
        let shift = 1 << level;
        for i in 0..ROWS {
            if i & shift == 0 {
                let t = (rows[i] >> shift ^ rows[i + shift]) & mask;
                rows[i + shift] ^= t;
                rows[i] ^= t << shift;
            }
        }
    }
}

/// The rows of the left and of the right half of the blocks, which [`transpose`] makes planes.
fn halves(state: &mut State) -> &mut [[u64; 64]] {
    state.as_flattened_mut().as_chunks_mut().0
}

fn load(blocks: &[Block]) -> State {
    let mut state = [[0; 8]; 16];
    for (half, rows) in halves(&mut state).iter_mut().enumerate() {
        for (row, block) in rows.iter_mut().zip(blocks) {
            *row = u64::from_le_bytes(block.as_chunks().0[half]);
        }
        transpose(rows);
    }
    state
}

fn store(state: &mut State, blocks: &mut [Block]) {
    for (half, rows) in halves(state).iter_mut().enumerate() {
        transpose(rows);
        for (row, block) in rows.iter().zip(blocks.iter_mut()) {
            block.as_chunks_mut().0[half] = row.to_le_bytes();
        }
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

/// One step of R in place, for `i` from 15 down to 0: entry `i` gives up its byte and takes the new
/// one. As the coefficients are a palindrome, the same step taken upwards is R's inverse.
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
    for (planes, byte) in state.iter_mut().zip(key) {
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
        (0..16).rev().for_each(|i| step(&mut state, i));
    }
    add_key(&mut state, &keys[9]);
    store(&mut state, blocks);
}

pub(super) fn decrypt(keys: &[Block; 10], blocks: &mut [Block]) {
    let mut state = load(blocks);
    for key in keys[1..].iter().rev() {
        add_key(&mut state, key);
        (0..16).for_each(|i| step(&mut state, i));
        state.iter_mut().for_each(|planes| *planes = circuit::pi_inverse(*planes));
    }
    add_key(&mut state, &keys[0]);
    store(&mut state, blocks);
}
