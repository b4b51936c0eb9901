//! AES-GCM-SIV, RFC 8452.

pub(crate) mod batch;

use crate::kernel::Block;
use crate::kernel::gcm_siv::{GcmSiv, Sealed, Unsealed};
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
    let lengths = length_block(aad.len(), in_out.len());
    let message = Unsealed { nonce, aad, from, in_out, length_block: &lengths };
    *tag_out = t.derive_and_seal(key_generating_key, message);
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
        counter: &Sealed::initial_counter(expected),
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
