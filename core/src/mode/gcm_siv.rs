//! AES-GCM-SIV, RFC 8452.

pub(crate) mod batch;

use crate::kernel::Block;
use crate::kernel::gcm_siv::GcmSiv;
use crate::tier::secret;

/// RFC 8452 section 6: the plaintext and the AAD are at most this many bytes each.
pub(crate) const MAX_LEN: u64 = 1 << 36;

/// A nonce: 96 bits (section 4).
pub(crate) const NONCE_LEN: usize = 12;

/// Section 4: the block of the two lengths in bits.
#[inline(always)]
fn length_block(aad: &[u8], plaintext: &[u8]) -> Block {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&(aad.len() as u64 * 8).to_le_bytes());
    block[8..].copy_from_slice(&(plaintext.len() as u64 * 8).to_le_bytes());
    block
}

/// Section 4: the tag is the encryption of S_s XOR nonce with the top bit cleared.
#[inline(always)]
fn tag<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    s_s: Block,
) -> Block {
    const TOP_BIT_CLEAR: Block = (u128::MAX >> 1).to_le_bytes();
    let mut padded_nonce = [0; 16];
    padded_nonce[..NONCE_LEN].copy_from_slice(nonce);
    // All sixteen bytes alike, so that the block stays in a vector register.
    let mut block = [core::array::from_fn(|i| {
        (s_s[i] ^ padded_nonce[i]) & TOP_BIT_CLEAR[i]
    })];
    t.encrypt_blocks(keys, &mut block);
    block[0]
}

/// Section 4: the initial counter block is the tag with the top bit set.
#[inline(always)]
fn initial_counter(tag: &Block) -> Block {
    const TOP_BIT: Block = (1_u128 << 127).to_le_bytes();
    core::array::from_fn(|i| tag[i] | TOP_BIT[i])
}

/// Encrypts `in_out` and returns its tag. The caller has checked the lengths.
#[inline(always)]
pub(crate) fn seal<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    key_generating_key: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    aad: &[u8],
    in_out: &mut [u8],
) -> Block {
    let keys = t.derive(key_generating_key, nonce);
    let s_s = t.polyval(
        &keys.authentication,
        aad,
        in_out,
        &length_block(aad, in_out),
    );
    let tag = tag(t, &keys.encryption, nonce, s_s);
    t.ctr32_xor(&keys.encryption, &initial_counter(&tag), in_out);
    tag
}

/// Decrypts `in_out` and says whether its tag is right; if not, `in_out` is zeros.
/// The caller has checked the lengths.
#[inline(always)]
#[must_use]
pub(crate) fn open<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    key_generating_key: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    aad: &[u8],
    in_out: &mut [u8],
    expected: &Block,
) -> bool {
    let keys = t.derive(key_generating_key, nonce);
    let length_block = length_block(aad, in_out);
    let counter = initial_counter(expected);
    let s_s = t.decrypt_and_hash(&keys, &counter, aad, in_out, &length_block);
    let actual = tag(t, &keys.encryption, nonce, s_s);
    let authentic = secret::equal(&actual, expected);
    if !authentic {
        secret::wipe(in_out);
    }
    authentic
}

/// Lengths that between them reach every path of every tier's kernels.
const CHECKED_LENGTHS: [usize; 10] = [0, 1, 16, 47, 96, 128, 255, 272, 1031, 2112];

/// The tag of the chain below with 16-byte and with 32-byte keys; a test has the
/// oracle compute them.
const KNOWN_ANSWER_128: Block = [
    0xbe, 0x8a, 0xf9, 0x75, 0x4e, 0xcf, 0x7c, 0x6c, 0xcd, 0x4b, 0xad, 0xf9, 0x8d, 0xda, 0x71, 0x02,
];
const KNOWN_ANSWER_256: Block = [
    0xb8, 0x43, 0x3e, 0x26, 0xf7, 0x16, 0x15, 0x57, 0xab, 0x02, 0xf0, 0xd8, 0x04, 0x1b, 0x21, 0x46,
];

/// Whether AES-GCM-SIV with both key sizes gives the known answer on this tier.
pub(crate) fn known_answers_hold<T: GcmSiv<16> + GcmSiv<32>>(t: T) -> bool {
    known_answer::<T, 16>(t) == Some(KNOWN_ANSWER_128)
        && known_answer::<T, 32>(t) == Some(KNOWN_ANSWER_256)
}

/// Seals one message of each length, each with the tag before it as AAD and as the
/// source of its nonce, over the ciphertext before it; opens each, and tries a
/// forgery of each. The last tag depends on every byte on the way.
fn known_answer<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(t: T) -> Option<Block> {
    let keys = t.expand(&core::array::from_fn(|i| i as u8));
    let mut message: [u8; 2112] = core::array::from_fn(|i| (i % 251) as u8);
    let mut last = [0; 16];
    for len in CHECKED_LENGTHS {
        let in_out = &mut message[..len];
        let nonce = core::array::from_fn(|i| last[i]);
        let tag = seal::<T, KEY_LEN>(t, &keys, &nonce, &last, in_out);
        let mut copy = [0; 2112];
        let copy = &mut copy[..len];
        copy.copy_from_slice(in_out);
        if !open::<T, KEY_LEN>(t, &keys, &nonce, &last, copy, &tag) {
            return None;
        }
        let resealed = seal::<T, KEY_LEN>(t, &keys, &nonce, &last, copy);
        let mut forged = tag;
        forged[len % 16] ^= 1;
        if resealed != tag
            || copy != in_out
            || open::<T, KEY_LEN>(t, &keys, &nonce, &last, copy, &forged)
        {
            return None;
        }
        last = tag;
    }
    Some(last)
}
