//! The steps of RFC 8452 section 4 one by one, on bitsliced AES.

use super::lanes::NoLanes;
use super::{GcmSiv, Sealed, UnderWay, Unsealed};
use crate::kernel::Block;
use crate::kernel::aes::Aes;
use crate::kernel::aes::portable::{RoundKeys, encrypt_up_to};
use crate::kernel::polyval::portable::polyval;
use crate::tier::{Portable, secret};

macro_rules! portable {
    ($key_len:literal, $round_keys:literal) => {
        impl GcmSiv<$key_len> for Portable {
            type Lanes = NoLanes<$round_keys>;

            fn derive_and_seal(self, keys: &Self::RoundKeys, message: Unsealed<'_>) -> Block {
                let Unsealed { nonce, aad, from, in_out, length_block } = message;
                let message = (nonce, aad, from.unwrap_or(in_out));
                let (tag, next) = authenticate::<$key_len, _>(self, keys, message, length_block);
                ctr32_xor(&next.keys, &next.counter, from, in_out);
                tag
            }

            fn derive_and_open(self, keys: &Self::RoundKeys, message: Sealed<'_>) -> Block {
                let Sealed { nonce, counter, aad, from, in_out, length_block } = message;
                let (authentication, keys) = derive::<$key_len, _>(self, keys, nonce);
                ctr32_xor(&keys, counter, from, in_out);
                tag(&keys, nonce, polyval(&authentication.0, aad, in_out, length_block))
            }

            fn seal_beside(
                self,
                keys: &Self::RoundKeys,
                under_way: &mut UnderWay<Self::RoundKeys>,
                (from, in_out): (Option<&[u8]>, &mut [u8]),
                message: (&[u8; 12], &[u8], &[u8]),
                length_block: &Block,
            ) -> Block {
                ctr32_xor(&under_way.keys, &under_way.counter, from, in_out);
                let (tag, next) = authenticate::<$key_len, _>(self, keys, message, length_block);
                *under_way = next;
                tag
            }

            fn ctr32_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                ctr32_xor(keys, counter, from, in_out);
            }

            fn lanes(self) -> Option<Self::Lanes> {
                None
            }
        }
    };
}
portable!(16, 11);
portable!(32, 15);

/// The message-authentication key.
struct AuthenticationKey(Block);

impl Drop for AuthenticationKey {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(&mut self.0);
    }
}

/// `derive_keys`: every block of little-endian counter and nonce gives the first half of its
/// encryption; the other half is thrown away. Six halves make the two keys of AES-256. AES-128
/// needs the first four; the rest means nothing.
fn derive<const KEY_LEN: usize, const ROUND_KEYS: usize>(
    tier: Portable,
    keys: &RoundKeys<ROUND_KEYS>,
    nonce: &[u8; 12],
) -> (AuthenticationKey, RoundKeys<ROUND_KEYS>)
where
    Portable: Aes<KEY_LEN, RoundKeys = RoundKeys<ROUND_KEYS>>,
{
    let mut blocks = [[0; 16]; 6];
    for (counter, block) in (0_u32..).zip(&mut blocks) {
        block[..4].copy_from_slice(&counter.to_le_bytes());
        block[4..].copy_from_slice(nonce);
    }
    encrypt_up_to::<2, _>(keys, &mut blocks);
    let mut derived = [[0; 16]; 3];
    for (half, block) in derived.as_flattened_mut().chunks_mut(8).zip(&blocks) {
        half.copy_from_slice(&block[..8]);
    }
    secret::wipe(blocks.as_flattened_mut());
    let authentication = AuthenticationKey(derived[0]);
    // Thirty-two bytes always hold a key of 16 or 32.
    let encryption = derived[1..].as_flattened().first_chunk().unwrap_or(&[0; KEY_LEN]);
    let encryption = tier.expand(encryption);
    secret::wipe(derived.as_flattened_mut());
    (authentication, encryption)
}

/// The tag is the encryption of S_s XOR nonce with the top bit cleared.
fn tag<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    nonce: &[u8; 12],
    s_s: Block,
) -> Block {
    const TOP_BIT_CLEAR: Block = (u128::MAX >> 1).to_le_bytes();
    let mut padded_nonce = [0; 16];
    padded_nonce[..12].copy_from_slice(nonce);
    let mut block = [core::array::from_fn(|i| (s_s[i] ^ padded_nonce[i]) & TOP_BIT_CLEAR[i])];
    encrypt_up_to::<1, _>(keys, &mut block);
    block[0]
}

/// The tag of a text, and what encrypts it.
fn authenticate<const KEY_LEN: usize, const ROUND_KEYS: usize>(
    tier: Portable,
    key_generating_key: &RoundKeys<ROUND_KEYS>,
    (nonce, aad, text): (&[u8; 12], &[u8], &[u8]),
    length_block: &Block,
) -> (Block, UnderWay<RoundKeys<ROUND_KEYS>>)
where
    Portable: Aes<KEY_LEN, RoundKeys = RoundKeys<ROUND_KEYS>>,
{
    let (authentication, keys) = derive::<KEY_LEN, _>(tier, key_generating_key, nonce);
    let tag = tag(&keys, nonce, polyval(&authentication.0, aad, text, length_block));
    let counter = Sealed::initial_counter(&tag);
    (tag, UnderWay { keys, counter })
}

/// Blocks in flight of the keystream.
const STRIDE: usize = 32;

fn ctr32_xor<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counter: &Block,
    from: Option<&[u8]>,
    in_out: &mut [u8],
) {
    if let Some(from) = from {
        in_out.copy_from_slice(from);
    }
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
