//! RFC 8452, section 4: from S_s to the tag and the initial counter block, 128 bits wide on
//! every tier of x86-64.

use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::kernel::aes::avx2::encrypt_states;
use crate::tier::bytes::store128;
use core::arch::x86_64::*;

/// The tag is the encryption of S_s XOR nonce with the top bit cleared.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(super) fn tag<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    nonce: __m128i,
    s_s: __m128i,
) -> __m128i {
    let top_bit_clear = _mm_set_epi64x(i64::MAX, -1);
    let block = _mm_and_si128(_mm_xor_si128(s_s, nonce), top_bit_clear);
    let [tag] = encrypt_states(keys, [block]);
    tag
}

/// The initial counter block is the tag with the top bit set.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn initial_counter(tag: __m128i) -> __m128i {
    _mm_or_si128(tag, _mm_set_epi64x(i64::MIN, 0))
}

#[inline(always)]
pub(super) fn stored(block: __m128i) -> Block {
    let mut bytes = [0; 16];
    store128(&mut bytes, block);
    bytes
}
