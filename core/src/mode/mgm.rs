//! Multilinear Galois Mode, RFC 9058, with n = 128 and S = 128.

pub(crate) mod batch;

use crate::kernel::Block;
use crate::kernel::kuznyechik::Kuznyechik;
use crate::kernel::kuznyechik::counters::Counters;
use crate::kernel::mgm_multiply::MgmMultiply;
use crate::mode::batch::Direction;
use crate::mode::ctr::xor;
use crate::tier::erased::Scratch;
use crate::tier::secret::{self, BlockRoom};
use zeroize::Zeroize;

/// Section 4.1: together, plaintext and AAD have fewer than 2^64 bits.
pub(crate) const MAX_LEN: u64 = (1 << 61) - 1;

/// A nonce: 127 bits (section 4), in 16 bytes with the first bit zero.
pub(crate) const NONCE_LEN: usize = 16;

/// Blocks that are encrypted in one call: a keystream block and a multiplier for each
/// block of the message, side by side.
const GROUP: usize = 64;

/// The tier's kernels that the mode uses.
pub(crate) trait Kernels: Kuznyechik + MgmMultiply {}
impl<T: Kuznyechik + MgmMultiply> Kernels for T {}

/// Section 4.1: the lengths of AAD and ciphertext in bits.
fn length_block(aad_len: usize, text_len: usize) -> Block {
    let lengths = u128::from(aad_len as u64 * 8) << 64 | u128::from(text_len as u64 * 8);
    lengths.to_be_bytes()
}

/// Encrypts or decrypts `in_out` and returns the tag of its ciphertext. Both passes of
/// section 4 are made together, group by group, so that the cipher always has many blocks.
#[inline(always)]
fn crypt<T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    nonce: &Block,
    aad: &[u8],
    in_out: &mut [u8],
    direction: Direction,
) -> Block {
    let length_block = length_block(aad.len(), in_out.len());
    let mut start = Scratch::<2>::new();
    *start = [*nonce; 2];
    start[1][0] |= 0x80;
    t.encrypt_blocks(keys, &mut *start);
    // Section 3: incr_r makes the counters of the keystream from Y_1, incr_l those of the
    // multipliers from Z_1.
    let [y, z] = start.map(u128::from_be_bytes);
    let mut counters = Counters { left_len: 0, left: z, right: y };

    let mut room = BlockRoom::<GROUP>::new();
    let mut sum = t.zero();
    let (mut aad, mut text) = (aad, in_out);
    loop {
        let aad_blocks = aad.len().div_ceil(16).min(GROUP);
        let text_blocks = text.len().div_ceil(16).min((GROUP - aad_blocks) / 2);
        let (this_aad, aad_rest) = aad.split_at(aad.len().min(16 * aad_blocks));
        let (this_text, text_rest) = text.split_at_mut(text.len().min(16 * text_blocks));
        let mut multipliers = aad_blocks + text_blocks;
        let last = aad_rest.is_empty() && text_rest.is_empty() && multipliers + text_blocks < GROUP;
        multipliers += usize::from(last);

        let group = room.take(multipliers + text_blocks);
        counters.left_len = multipliers;
        t.encrypt_counters(keys, counters, group);
        counters.advance(text_blocks);

        let (h, keystream) = group.split_at(multipliers);
        let (h_aad, h) = h.split_at(aad_blocks);
        let (h_text, h_lengths) = h.split_at(text_blocks);
        t.multiply_add(&mut sum, h_aad, this_aad);
        if direction == Direction::Open {
            t.multiply_add(&mut sum, h_text, this_text);
        }
        xor(this_text, keystream.as_flattened());
        if direction == Direction::Seal {
            t.multiply_add(&mut sum, h_text, this_text);
        }
        (aad, text) = (aad_rest, text_rest);
        if last {
            t.multiply_add(&mut sum, h_lengths, &length_block);
            break;
        }
    }
    let mut tag = [t.reduce(sum)];
    t.encrypt_blocks(keys, &mut tag);
    counters.zeroize();
    tag[0]
}

/// Section 4.1: encrypts `in_out` and returns its tag. The caller has checked the nonce
/// and the lengths.
#[inline(always)]
pub(crate) fn seal<T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    nonce: &Block,
    aad: &[u8],
    in_out: &mut [u8],
) -> Block {
    crypt(t, keys, nonce, aad, in_out, Direction::Seal)
}

/// Section 4.2: decrypts `in_out` and says whether its tag is right; if not, `in_out` is
/// zeros. The caller has checked the nonce and the lengths.
#[inline(always)]
#[must_use]
pub(crate) fn open<T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    nonce: &Block,
    aad: &[u8],
    in_out: &mut [u8],
    expected: &Block,
) -> bool {
    let actual = crypt(t, keys, nonce, aad, in_out, Direction::Open);
    let authentic = secret::equal(&actual, expected);
    if !authentic {
        in_out.zeroize();
    }
    authentic
}
