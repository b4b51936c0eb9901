//! Kuznyechik without tables: constant-time on any CPU.
//!
//! Many blocks are bitsliced: a word holds one bit of one byte of sixty-four blocks,
//! so that L is nothing but XORs. A few blocks would waste such words; for them the
//! bytes of four blocks share eight words in S, and L is a sum of masked columns.

use super::constants::L_COLUMNS;
use super::round_keys::{self, feistel};
use super::{Block, Kuznyechik, bitsliced, circuit};
use crate::tier::Portable;
use zeroize::Zeroize;

/// Up to this many blocks, four at a time are faster than sixty-four at once.
const FEW: usize = 12;

impl Kuznyechik for Portable {
    type RoundKeys = round_keys::RoundKeys;

    fn expand(self, key: &[u8; 32]) -> Self::RoundKeys {
        expand(key)
    }

    fn encrypt_blocks(self, keys: &Self::RoundKeys, blocks: &mut [Block]) {
        in_groups(blocks, |group| bitsliced::encrypt(keys, group), |few| encrypt_few(keys, few));
    }

    fn decrypt_blocks(self, keys: &Self::RoundKeys, blocks: &mut [Block]) {
        in_groups(blocks, |group| bitsliced::decrypt(keys, group), |few| decrypt_few(keys, few));
    }
}

fn in_groups(blocks: &mut [Block], crypt: impl Fn(&mut [Block]), crypt_few: impl Fn(&mut [Block])) {
    for group in blocks.chunks_mut(bitsliced::BLOCKS) {
        if group.len() > FEW {
            crypt(group);
        } else {
            group.chunks_mut(4).for_each(&crypt_few);
        }
    }
}

/// Four blocks as little-endian numbers.
type FourBlocks = [u128; 4];

/// The key schedule.
pub(super) fn expand(key: &[u8; 32]) -> round_keys::RoundKeys {
    let load = |block: &Block| u128::from_le_bytes(*block);
    let ls_xor = |block, sum| {
        let mut blocks = [block, 0, 0, 0];
        substitute(&mut blocks, circuit::pi);
        linear(blocks[0]) ^ sum
    };
    feistel!(key, load, u128::to_le_bytes, ls_xor, |a, b| a ^ b)
}

/// L: the sum of the columns that the bits of `block` select.
#[inline(always)]
fn linear(block: u128) -> u128 {
    let mut sums = [0; 2];
    for (half, columns) in L_COLUMNS.as_chunks::<64>().0.iter().enumerate() {
        let bits = (block >> (64 * half)) as u64;
        for (i, column) in columns.iter().enumerate() {
            let mask = 0_u64.wrapping_sub(bits >> i & 1);
            sums[0] ^= *column as u64 & mask;
            sums[1] ^= (*column >> 64) as u64 & mask;
        }
    }
    u128::from(sums[1]) << 64 | u128::from(sums[0])
}

/// The inverse of L. The coefficients are a palindrome: it is L of the bytes in reverse order.
#[inline(always)]
fn linear_inverse(block: u128) -> u128 {
    linear(block.swap_bytes()).swap_bytes()
}

/// Applies a circuit of eight bits to each byte.
#[inline(always)]
fn substitute(blocks: &mut FourBlocks, circuit: impl Fn([u64; 8]) -> [u64; 8]) {
    let mut planes = [0; 8];
    for (i, block) in blocks.iter().enumerate() {
        planes[2 * i] = *block as u64;
        planes[2 * i + 1] = (*block >> 64) as u64;
    }
    bitsliced::transpose(&mut planes);
    planes = circuit(planes);
    bitsliced::transpose(&mut planes);
    for (i, block) in blocks.iter_mut().enumerate() {
        *block = u128::from(planes[2 * i + 1]) << 64 | u128::from(planes[2 * i]);
    }
}

fn load(blocks: &[Block]) -> FourBlocks {
    let mut state = [0; 4];
    for (number, block) in state.iter_mut().zip(blocks) {
        *number = u128::from_le_bytes(*block);
    }
    state
}

fn store(state: &mut FourBlocks, blocks: &mut [Block]) {
    for (number, block) in state.iter().zip(blocks) {
        *block = number.to_le_bytes();
    }
    state.zeroize();
}

fn encrypt_few(keys: &[Block; 10], blocks: &mut [Block]) {
    let mut state = load(blocks);
    let live = blocks.len();
    for key in &keys[..9] {
        let key = u128::from_le_bytes(*key);
        state.iter_mut().for_each(|number| *number ^= key);
        substitute(&mut state, circuit::pi);
        for number in &mut state[..live] {
            *number = linear(*number);
        }
    }
    let last = u128::from_le_bytes(keys[9]);
    state.iter_mut().for_each(|number| *number ^= last);
    store(&mut state, blocks);
}

fn decrypt_few(keys: &[Block; 10], blocks: &mut [Block]) {
    let mut state = load(blocks);
    let live = blocks.len();
    for key in keys[1..].iter().rev() {
        let key = u128::from_le_bytes(*key);
        for number in &mut state[..live] {
            *number = linear_inverse(*number ^ key);
        }
        substitute(&mut state, circuit::pi_inverse);
    }
    let first = u128::from_le_bytes(keys[0]);
    state.iter_mut().for_each(|number| *number ^= first);
    store(&mut state, blocks);
}
