//! AES-GCM-SIV, RFC 8452.

pub(crate) mod batch;
mod known_answer;

pub(crate) use known_answer::known_answers_hold;

use crate::kernel::Block;
use crate::kernel::gcm_siv::GcmSiv;
use crate::tier::secret;

/// RFC 8452 section 6: the plaintext and the AAD are at most this many bytes each.
pub(crate) const MAX_LEN: u64 = 1 << 36;

/// A nonce: 96 bits (section 4).
pub(crate) const NONCE_LEN: usize = 12;

/// Section 4: the block of the two lengths in bits.
#[inline(always)]
fn length_block(aad_len: usize, plaintext_len: usize) -> Block {
    let bits = |len: usize| u128::from(len as u64 * 8);
    (bits(aad_len) | bits(plaintext_len) << 64).to_le_bytes()
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

/// Section 4: the initial counter block is the tag with the top bit set. It is as public
/// as the tag is, and a kernel may index by it.
#[inline(always)]
fn initial_counter(tag: &Block) -> Block {
    const TOP_BIT: Block = (1_u128 << 127).to_le_bytes();
    secret::public(core::array::from_fn(|i| tag[i] | TOP_BIT[i]))
}

/// Encrypts `from` to `in_out`, or `in_out` in place if there is no `from`, and writes the
/// tag. The caller has checked the lengths; `from` is as long as `in_out`.
#[inline(always)]
pub(crate) fn seal<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    key_generating_key: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    aad: &[u8],
    from: Option<&[u8]>,
    in_out: &mut [u8],
    tag_out: &mut Block,
) {
    let keys = t.derive(key_generating_key, nonce);
    let plaintext = from.unwrap_or(in_out);
    let s_s = t.polyval(
        &keys.authentication,
        aad,
        plaintext,
        &length_block(aad.len(), plaintext.len()),
    );
    let tag = tag(t, &keys.encryption, nonce, s_s);
    let counter = initial_counter(&tag);
    t.ctr32_xor(&keys.encryption, &counter, from, in_out);
    *tag_out = tag;
}

/// Decrypts `from` to `in_out`, or `in_out` in place if there is no `from`, and says
/// whether its tag is right; if not, `in_out` is zeros. The caller has checked the
/// lengths; `from` is as long as `in_out`.
#[inline(always)]
#[must_use]
pub(crate) fn open<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    key_generating_key: &T::RoundKeys,
    nonce: &[u8; NONCE_LEN],
    aad: &[u8],
    from: Option<&[u8]>,
    in_out: &mut [u8],
    expected: &Block,
) -> bool {
    let keys = t.derive(key_generating_key, nonce);
    let length_block = length_block(aad.len(), in_out.len());
    let counter = initial_counter(expected);
    let s_s = t.decrypt_and_hash(&keys, &counter, aad, from, in_out, &length_block);
    let actual = tag(t, &keys.encryption, nonce, s_s);
    let authentic = secret::equal(&actual, expected);
    if !authentic {
        secret::wipe(in_out);
    }
    authentic
}
