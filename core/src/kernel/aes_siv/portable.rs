//! AES-SIV on bitsliced AES.

use super::AesSiv;
use crate::kernel::Block;
use crate::kernel::aes::portable::{RoundKeys, encrypt_up_to};
use crate::tier::{Portable, secret};

macro_rules! impl_aes_siv {
    ($key_len:literal) => {
        impl AesSiv<$key_len> for Portable {
            const LANES: usize = LANES;

            fn cbc_mac(self, keys: &Self::RoundKeys, state: &mut Block, blocks: &[Block]) {
                let mut chain = [*state];
                for block in blocks {
                    xor(&mut chain[0], block);
                    encrypt_up_to::<1, _>(keys, &mut chain);
                }
                *state = chain[0];
                secret::wipe(&mut chain[0]);
            }

            fn ctr_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                if let Some(from) = from {
                    in_out.copy_from_slice(from);
                }
                ctr_xor(keys, counter, in_out);
            }

            fn encrypt_all(self, keys: &Self::RoundKeys, blocks: &mut [Block]) {
                blocks.chunks_mut(STRIDE).for_each(|stride| encrypt_stride(keys, stride));
            }

            fn cbc_mac_lanes(self, keys: &Self::RoundKeys, rows: &mut [Block]) {
                let mut states = [[0; 16]; LANES];
                for row in rows.as_chunks_mut::<LANES>().0 {
                    for (state, block) in states.iter_mut().zip(&*row) {
                        xor(state, block);
                    }
                    encrypt_stride(keys, &mut states);
                    *row = states;
                }
                secret::wipe(states.as_flattened_mut());
            }
        }
    };
}
impl_aes_siv!(16);
impl_aes_siv!(24);
impl_aes_siv!(32);

const LANES: usize = 8;

/// Blocks in flight of a keystream.
const STRIDE: usize = 32;

fn xor(block: &mut Block, other: &Block) {
    *block = core::array::from_fn(|i| block[i] ^ other[i]);
}

fn encrypt_stride<const ROUND_KEYS: usize>(keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block]) {
    match blocks.len() {
        0..=4 => encrypt_up_to::<1, ROUND_KEYS>(keys, blocks),
        5..=8 => encrypt_up_to::<2, ROUND_KEYS>(keys, blocks),
        9..=16 => encrypt_up_to::<4, ROUND_KEYS>(keys, blocks),
        _ => encrypt_up_to::<8, ROUND_KEYS>(keys, blocks),
    }
}

fn ctr_xor<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    in_out: &mut [u8],
) {
    let mut next = u128::from_be_bytes(*counter);
    let mut keystream = [[0; 16]; STRIDE];
    for piece in in_out.chunks_mut(STRIDE * 16) {
        let blocks = &mut keystream[..piece.len().div_ceil(16)];
        for block in blocks.iter_mut() {
            *block = next.to_be_bytes();
            next = next.wrapping_add(1);
        }
        encrypt_stride(keys, blocks);
        for (byte, key) in piece.iter_mut().zip(blocks.as_flattened()) {
            *byte ^= key;
        }
    }
    secret::wipe(keystream.as_flattened_mut());
}
