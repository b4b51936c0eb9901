//! The round-key layout that the x86-64 tiers share, and the key schedule on AES-NI.
//!
//! FIPS 197 section 5.2, four words at a time. SubWord is an AESENCLAST on the one
//! word that matters, repeated in every column: ShiftRows then moves nothing, and
//! the instruction's round key adds Rcon for free. That is a third of the latency
//! of AESKEYGENASSIST.

use crate::kernel::Block;
use crate::tier::bytes::{load128, store128};
use crate::tier::{kernel, secret};
use core::arch::x86_64::*;

/// Round keys in the order of use: 11 of them for AES-128, 15 for AES-256.
#[repr(align(64))]
pub(crate) struct RoundKeys<const ROUND_KEYS: usize>(pub(in crate::kernel) [Block; ROUND_KEYS]);

impl<const ROUND_KEYS: usize> Drop for RoundKeys<ROUND_KEYS> {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.0.as_flattened_mut());
    }
}

/// The last word of `k`, rotated by RotWord, in every column.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn rotated_word(k: __m128i) -> __m128i {
    _mm_shuffle_epi8(k, _mm_set1_epi32(0x0c0f_0e0d))
}

/// The last word of `k` in every column.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn last_word(k: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0xff>(k)
}

/// `w[i] = w[i-Nk] ^ w[i-1]` for four words at once: each word of `previous` takes in
/// the words before it, and all of them take in SubWord of `word` and `rcon`.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn next(previous: __m128i, word: __m128i, rcon: i32) -> __m128i {
    let prefix = _mm_xor_si128(previous, _mm_slli_si128::<4>(previous));
    let prefix = _mm_xor_si128(prefix, _mm_slli_si128::<8>(prefix));
    _mm_xor_si128(prefix, _mm_aesenclast_si128(word, _mm_set1_epi32(rcon)))
}

/// Rcon[1] … Rcon[10].
const RCON: [i32; 10] = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];

kernel! {
    pub(super) fn expand128(tier: Avx2, key: &[u8; 16]) -> RoundKeys<11> {
        let mut keys = RoundKeys([[0; 16]; 11]);
        let mut k = load128(key);
        store128(&mut keys.0[0], k);
        for (i, rcon) in RCON.into_iter().enumerate() {
            k = next(k, rotated_word(k), rcon);
            store128(&mut keys.0[i + 1], k);
        }
        keys
    }
}

kernel! {
    pub(super) fn expand256(tier: Avx2, key: &[u8; 32]) -> RoundKeys<15> {
        let mut keys = RoundKeys([[0; 16]; 15]);
        let ([low, high], _) = key.as_chunks::<16>() else { return keys };
        let (mut even, mut odd) = (load128(low), load128(high));
        store128(&mut keys.0[0], even);
        store128(&mut keys.0[1], odd);
        for (i, rcon) in RCON[..6].iter().enumerate() {
            even = next(even, rotated_word(odd), *rcon);
            odd = next(odd, last_word(even), 0);
            store128(&mut keys.0[2 * i + 2], even);
            store128(&mut keys.0[2 * i + 3], odd);
        }
        store128(&mut keys.0[14], next(even, rotated_word(odd), RCON[6]));
        keys
    }
}
