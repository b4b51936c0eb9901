//! CTR of RFC 8452 on bitsliced AES.

use super::Ctr32;
use crate::kernel::Block;
use crate::kernel::aes::portable::{RoundKeys, encrypt_up_to};
use crate::tier::{Portable, secret};

macro_rules! impl_ctr32 {
    ($key_len:literal) => {
        impl Ctr32<$key_len> for Portable {
            fn ctr32_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                if let Some(from) = from {
                    in_out.copy_from_slice(from);
                }
                ctr32_xor(keys, counter, in_out);
            }
        }
    };
}
impl_ctr32!(16);
impl_ctr32!(32);

/// Blocks in flight of the keystream.
const STRIDE: usize = 32;

fn ctr32_xor<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    in_out: &mut [u8],
) {
    let mut next = u32::from_le_bytes([counter[0], counter[1], counter[2], counter[3]]);
    let mut keystream = [*counter; STRIDE];
    for piece in in_out.chunks_mut(STRIDE * 16) {
        let blocks = &mut keystream[..piece.len().div_ceil(16)];
        for block in blocks.iter_mut() {
            *block = *counter;
            block[..4].copy_from_slice(&next.to_le_bytes());
            next = next.wrapping_add(1);
        }
        match blocks.len() {
            0..=4 => encrypt_up_to::<1, ROUND_KEYS>(keys, blocks),
            5..=8 => encrypt_up_to::<2, ROUND_KEYS>(keys, blocks),
            9..=16 => encrypt_up_to::<4, ROUND_KEYS>(keys, blocks),
            _ => encrypt_up_to::<8, ROUND_KEYS>(keys, blocks),
        }
        for (byte, key) in piece.iter_mut().zip(blocks.as_flattened()) {
            *byte ^= key;
        }
    }
    secret::wipe(keystream.as_flattened_mut());
}
