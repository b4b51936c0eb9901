//! AES-GCM-SIV on AES-NI and PCLMULQDQ.

use super::chains::{chains, scheduling, single_messages};
use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_very_long};
use super::lanes::lanes;
use super::{GcmSiv, Sealed, UnderWay, Unsealed, counter_after};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::kernel::aes::avx2::encrypt_states;
use crate::tier::bytes::{load128, store128};
use crate::tier::{Avx2, kernel};
use core::arch::x86_64::*;

single_messages!(Avx2, seal: [64 => 4], open: [64 => 4, 128 => 8, very_long => open_very_long]);

/// The halves of the keys of a message: for authentication, and for encryption (AES-128 has only
/// the first). `nonce` comes after a counter of zero.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(super) fn derive_halves<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    nonce: __m128i,
) -> [__m128i; 3] {
    let counted = |counter| _mm_or_si128(nonce, _mm_set_epi32(0, 0, 0, counter));
    if ROUND_KEYS == 11 {
        let [a, b, c, d] = encrypt_states(keys, [0, 1, 2, 3].map(counted));
        let low = _mm_unpacklo_epi64(c, d);
        [_mm_unpacklo_epi64(a, b), low, low]
    } else {
        let [a, b, c, d, e, f] = encrypt_states(keys, [0, 1, 2, 3, 4, 5].map(counted));
        [_mm_unpacklo_epi64(a, b), _mm_unpacklo_epi64(c, d), _mm_unpacklo_epi64(e, f)]
    }
}

scheduling!(Avx2);

/// Messages without AAD and of at most one block.
mod one_block {
    super::chains!(Avx2, "aes,pclmulqdq,avx2,bmi2", one_block::TwoPowers<N>, m128);
}

/// Messages of a few vectors, and of at most 64 bytes of AAD.
mod short {
    super::chains!(Avx2, "aes,pclmulqdq,avx2,bmi2", avx2::Powers, m128);
}

fused!(Avx2, "aes,pclmulqdq,avx2,bmi2", avx2, 16, load128, store128, _mm_xor_si128);

fused_very_long!(Avx2, avx2, 16);

lanes!(
    Avx2,
    "aes,pclmulqdq,avx2",
    avx2,
    crate::kernel::vector::m128,
    8,
    SEALED_LEN: 192,
    OPENED_LEN: 192,
    MIXED_LEN: 0,
    KEY_ROWS: 6,
    AS_GIVEN_LEN: 1,
    FEW: 24,
);
