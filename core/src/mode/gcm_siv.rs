//! AES-GCM-SIV, RFC 8452.

pub(crate) mod batch;
mod known_answer;

pub(crate) use known_answer::known_answers_hold;

use crate::kernel::Block;
use crate::kernel::gcm_siv::{GcmSiv, Sealed};
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
    let mut keys = T::RoundKeys::default();
    let length_block = length_block(aad.len(), in_out.len());
    let plaintext = from.unwrap_or(in_out);
    let tag = t.derive_and_tag(
        key_generating_key,
        nonce,
        aad,
        plaintext,
        &length_block,
        &mut keys,
    );
    t.ctr32_xor(&keys, &initial_counter(&tag), from, in_out);
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
    let lengths = length_block(aad.len(), in_out.len());
    let message = Sealed {
        nonce,
        counter: &initial_counter(expected),
        aad,
        from,
        in_out: &mut *in_out,
        length_block: &lengths,
    };
    let actual = t.derive_and_open(key_generating_key, message);
    let authentic = secret::equal(&actual, expected);
    if !authentic {
        secret::wipe(in_out);
    }
    authentic
}
