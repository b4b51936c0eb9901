//! AES-GCM-SIV, RFC 8452.

use crate::kernel::Block;
use crate::kernel::aes::Aes;
use crate::kernel::polyval::Polyval;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// RFC 8452 section 6: the plaintext and the AAD are at most this many bytes each.
pub(crate) const MAX_LEN: u64 = 1 << 36;

/// A nonce: 96 bits (section 4).
pub(crate) const NONCE_LEN: usize = 12;

/// The two keys of one message.
struct MessageKeys<T: Aes<KEY_LEN>, const KEY_LEN: usize> {
    authentication: Zeroizing<Block>,
    encryption: T::RoundKeys,
}

/// Section 4, `derive_keys`: each block of little-endian counter and nonce gives
/// the first half of its encryption, and throws the other half away.
#[inline(always)]
fn derive_keys<T: Aes<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    key_generating_key: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
) -> MessageKeys<T, KEY_LEN> {
    let mut blocks = [[0; 16]; 6];
    for (counter, block) in (0_u32..).zip(&mut blocks) {
        block[..4].copy_from_slice(&counter.to_le_bytes());
        block[4..].copy_from_slice(nonce);
    }
    if KEY_LEN == 16 {
        if let Some(needed) = blocks.first_chunk_mut::<4>() {
            t.encrypt_blocks(key_generating_key, needed);
        }
    } else {
        t.encrypt_blocks(key_generating_key, &mut blocks);
    }
    let mut derived = Zeroizing::new([0; 48]);
    for (half, block) in derived.chunks_exact_mut(8).zip(&blocks) {
        half.copy_from_slice(&block[..8]);
    }
    blocks.as_flattened_mut().zeroize();
    let mut authentication = Zeroizing::new([0; 16]);
    authentication.copy_from_slice(&derived[..16]);
    let mut encryption_key = Zeroizing::new([0; KEY_LEN]);
    encryption_key.copy_from_slice(&derived[16..16 + KEY_LEN]);
    MessageKeys {
        authentication,
        encryption: t.expand(&encryption_key),
    }
}

/// Section 4: POLYVAL of the padded AAD, the padded plaintext and the length block.
#[inline(always)]
fn polyval<T: Polyval>(t: T, h: &Block, aad: &[u8], plaintext: &[u8]) -> Block {
    let mut length_block = [0; 16];
    length_block[..8].copy_from_slice(&(aad.len() as u64 * 8).to_le_bytes());
    length_block[8..].copy_from_slice(&(plaintext.len() as u64 * 8).to_le_bytes());
    let mut hasher = t.hasher(h, aad.len() + plaintext.len());
    t.update_padded(&mut hasher, aad);
    t.update_padded(&mut hasher, plaintext);
    t.update_padded(&mut hasher, &length_block);
    t.finish(hasher)
}

/// Section 4: the tag is the encryption of S_s XOR nonce with the top bit cleared.
#[inline(always)]
fn tag<T: Aes<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    s_s: Block,
) -> Block {
    let mut block = [s_s];
    for (byte, nonce) in block[0].iter_mut().zip(nonce) {
        *byte ^= nonce;
    }
    block[0][15] &= 0x7f;
    t.encrypt_blocks(keys, &mut block);
    block[0]
}

/// Section 4: the initial counter block is the tag with the top bit set.
#[inline(always)]
fn initial_counter(tag: &Block) -> Block {
    let mut block = *tag;
    block[15] |= 0x80;
    block
}

/// Encrypts `in_out` and returns its tag. The caller has checked the lengths.
#[inline(always)]
pub(crate) fn seal<T: Aes<KEY_LEN> + Polyval, const KEY_LEN: usize>(
    t: T,
    key_generating_key: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    aad: &[u8],
    in_out: &mut [u8],
) -> Block {
    let keys = derive_keys(t, key_generating_key, nonce);
    let s_s = polyval(t, &keys.authentication, aad, in_out);
    let tag = tag(t, &keys.encryption, nonce, s_s);
    t.ctr32_xor(&keys.encryption, &initial_counter(&tag), in_out);
    tag
}

/// Decrypts `in_out` and says whether its tag is right; if not, `in_out` is zeros.
/// The caller has checked the lengths.
#[inline(always)]
#[must_use]
pub(crate) fn open<T: Aes<KEY_LEN> + Polyval, const KEY_LEN: usize>(
    t: T,
    key_generating_key: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    aad: &[u8],
    in_out: &mut [u8],
    expected: &Block,
) -> bool {
    let keys = derive_keys(t, key_generating_key, nonce);
    t.ctr32_xor(&keys.encryption, &initial_counter(expected), in_out);
    let s_s = polyval(t, &keys.authentication, aad, in_out);
    let actual = tag(t, &keys.encryption, nonce, s_s);
    let authentic = bool::from(actual.ct_eq(expected));
    if !authentic {
        in_out.zeroize();
    }
    authentic
}
