//! AES-GCM-SIV on VAES and VPCLMULQDQ, 512 bits wide.

use super::chains::{chains, scheduling, single_messages};
use super::ctr32::first_rounds::WORTHWHILE_LEN;
use super::fused::{fused, fused_very_long};
use super::lanes::lanes;
use super::{GcmSiv, Sealed, UnderWay, Unsealed};
use crate::kernel::Block;
use crate::kernel::aes::RoundKeys;
use crate::kernel::aes::vectors::avx512::encrypt_vectors;
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

single_messages!(Avx512, seal: [64 => 1, 128 => 2, 256 => 4], open: [64 => 1, 128 => 2, 256 => 4, very_long => open_very_long]);

/// The halves of the keys of a message: for authentication, and for encryption (AES-128 has only
/// the first). `nonce` comes after a counter of zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq")]
fn derive_halves<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    nonce: __m128i,
) -> [__m128i; 3] {
    let nonce = _mm512_broadcast_i32x4(nonce);
    // Each pair of counters in the same lane of both.
    let even =
        _mm512_or_si512(nonce, _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 0));
    let odd =
        _mm512_or_si512(nonce, _mm512_set_epi32(0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 1));
    let [even, odd] = encrypt_vectors(keys, [even, odd]);
    let halves = _mm512_unpacklo_epi64(even, odd);
    [
        _mm512_castsi512_si128(halves),
        _mm512_extracti32x4_epi32::<1>(halves),
        _mm512_extracti32x4_epi32::<2>(halves),
    ]
}

scheduling!(Avx512);

/// Messages without AAD and of at most one block.
mod one_block {
    // On Intel, 512-bit instructions close a port to the narrow ones after them.
    use crate::kernel::gcm_siv::tag_block::derive_halves;

    super::chains!(
        Avx512,
        "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni",
        one_block::TwoPowers<N>,
        m128
    );
}

/// Messages of a few vectors, and of at most 64 bytes of AAD.
mod short {
    super::chains!(
        Avx512,
        "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni",
        avx512::LowPowers<N>,
        m512
    );
}

fused!(Avx512, "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni", avx512, avx512, m512);

fused_very_long!(Avx512, avx512, avx512);

lanes!(
    Avx512,
    "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq",
    avx512,
    crate::kernel::vector::m512,
    8,
    SEALED_LEN: 496,
    OPENED_LEN: 512,
    MIXED_LEN: 512,
    KEY_ROWS: 15,
    AS_GIVEN_LEN: 64,
    FEW: 12,
);
