//! AES on the AES instructions of AArch64, eight blocks in flight.
//!
//! AESE adds the round key first, AES-NI adds it last. So round `i` is AESE with round key `i` and
//! AESMC. The last round key is added to the result of the last AESE.

use super::{Aes, RoundKeys};
use crate::kernel::Block;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Neon, kernel};
use core::arch::aarch64::*;

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal, $expand:ident) => {
        impl Aes<$key_len> for Neon {
            type RoundKeys = RoundKeys<$round_keys>;

            #[inline(always)]
            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                $expand(self, key)
            }
        }
    };
}
impl_aes!(16, 11, expand128);
impl_aes!(24, 13, expand192);
impl_aes!(32, 15, expand256);

/// SubWord of a word that is in every column: ShiftRows then moves nothing.
#[inline]
#[target_feature(enable = "neon,aes")]
fn sub_word(word: uint8x16_t) -> uint8x16_t {
    vaeseq_u8(word, vdupq_n_u8(0))
}

/// The last word of `k`, rotated by RotWord, in every column.
#[inline]
#[target_feature(enable = "neon,aes")]
fn rotated_word(k: uint8x16_t) -> uint8x16_t {
    const INDICES: Block = [13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12];
    vqtbl1q_u8(k, load128(&INDICES))
}

/// The last word of `k` in every column.
#[inline]
#[target_feature(enable = "neon,aes")]
fn last_word(k: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_u32(vdupq_laneq_u32::<3>(vreinterpretq_u32_u8(k)))
}

/// FIPS 197 section 5.2, `w[i] = w[i-Nk] ^ w[i-1]` for four words at once: each word of
/// `previous` takes in the words before it, and all of them take in SubWord of `word` and
/// `rcon`.
#[inline]
#[target_feature(enable = "neon,aes")]
fn next(previous: uint8x16_t, word: uint8x16_t, rcon: u32) -> uint8x16_t {
    let zero = vdupq_n_u8(0);
    let prefix = veorq_u8(previous, vextq_u8::<12>(zero, previous));
    let prefix = veorq_u8(prefix, vextq_u8::<8>(zero, prefix));
    let rcon = vreinterpretq_u8_u32(vdupq_n_u32(rcon));
    veorq_u8(veorq_u8(prefix, rcon), sub_word(word))
}

/// Rcon[1] … Rcon[10].
const RCON: [u32; 10] = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];

kernel! {
    fn expand128(tier: Neon, key: &[u8; 16]) -> RoundKeys<11> {
        let mut keys = RoundKeys([[0; 16]; 11]);
        let mut k = load128(key);
        store128(&mut keys.0[0], k);
        for (i, rcon) in RCON.into_iter().enumerate() {
            k = next(k, rotated_word(k), rcon);
            store128(&mut keys.0[i + 1], k);
        }
        keys
    }
}

kernel! {
    /// Word by word: its steps of six words do not go well with vectors of four, and no key of
    /// a message is of this length.
    fn expand192(tier: Neon, key: &[u8; 24]) -> RoundKeys<13> {
        let mut keys = RoundKeys([[0; 16]; 13]);
        let words = keys.0.as_flattened_mut().as_chunks_mut::<4>().0;
        words[..6].copy_from_slice(key.as_chunks().0);
        for i in 6..words.len() {
            let mut word = u32::from_le_bytes(words[i - 1]);
            if i % 6 == 0 {
                let rotated = vreinterpretq_u8_u32(vdupq_n_u32(word.rotate_right(8)));
                let substituted = vreinterpretq_u32_u8(sub_word(rotated));
                word = vgetq_lane_u32::<0>(substituted) ^ RCON[i / 6 - 1];
            }
            words[i] = (word ^ u32::from_le_bytes(words[i - 6])).to_le_bytes();
        }
        keys
    }
}

kernel! {
    fn expand256(tier: Neon, key: &[u8; 32]) -> RoundKeys<15> {
        let mut keys = RoundKeys([[0; 16]; 15]);
        let ([low, high], _) = key.as_chunks::<16>() else { return keys };
        let (mut even, mut odd) = (load128(low), load128(high));
        store128(&mut keys.0[0], even);
        store128(&mut keys.0[1], odd);
        for (i, rcon) in RCON[..6].iter().enumerate() {
            even = next(even, rotated_word(odd), *rcon);
            odd = next(odd, last_word(even), 0);
            store128(&mut keys.0[2 * i + 2], even);
            store128(&mut keys.0[2 * i + 3], odd);
        }
        store128(&mut keys.0[14], next(even, rotated_word(odd), RCON[6]));
        keys
    }
}

/// The rounds of `N` independent blocks after round key `FIRST`, which is `first`, to the last but
/// one; the last key is still to be added. `beside` is called once a round; its work runs at the
/// same time.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(in crate::kernel) fn rounds<const N: usize, const ROUND_KEYS: usize, const FIRST: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    first: uint8x16_t,
    mut states: [uint8x16_t; N],
    mut beside: impl FnMut(usize),
) -> [uint8x16_t; N] {
    // Not a loop: the loop would go into `beside` too, which would look up its place in a table.
    macro_rules! rounds {
        ($($i:literal)*) => { $(
            if $i >= FIRST && $i < ROUND_KEYS - 1 {
                let key = if $i == FIRST { first } else { load128(&keys.0[$i]) };
                for state in &mut states {
                    *state = vaeseq_u8(*state, key);
                    if $i < ROUND_KEYS - 2 {
                        *state = vaesmcq_u8(*state);
                    }
                }
                beside($i - FIRST);
            }
        )* };
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13);
    states
}

/// Encrypts `N` independent blocks.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(in crate::kernel) fn encrypt_states<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    states: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    let (first, last) = (load128(&keys.0[0]), load128(&keys.0[ROUND_KEYS - 1]));
    let mut states = rounds::<N, ROUND_KEYS, 0>(keys, first, states, |_| ());
    for state in &mut states {
        *state = veorq_u8(*state, last);
    }
    states
}

kernel! {
    pub(in crate::kernel) fn encrypt_blocks[const N: usize, const ROUND_KEYS: usize](
        tier: Neon, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block; N],
    ) {
        let mut states = [vdupq_n_u8(0); N];
        for (state, block) in states.iter_mut().zip(blocks.iter()) {
            *state = load128(block);
        }
        for (state, block) in encrypt_states(keys, states).iter().zip(blocks.iter_mut()) {
            store128(block, *state);
        }
    }
}
