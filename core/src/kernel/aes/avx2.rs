//! AES on AES-NI, eight blocks in flight.

use super::round_keys::{expand128, expand192, expand256};
use super::{Aes, RoundKeys};
use crate::tier::bytes::{load128, side_by_side128};
use crate::tier::{Avx2, Avx512, Vaes256};
use core::arch::x86_64::*;

/// One key schedule serves every tier: `$avx2` makes the token of the narrowest.
macro_rules! impl_aes {
    ($tier:ident, $avx2:expr) => {
        impl_aes!($tier, $avx2, 16, 11, expand128);
        impl_aes!($tier, $avx2, 24, 13, expand192);
        impl_aes!($tier, $avx2, 32, 15, expand256);
    };
    ($tier:ident, $avx2:expr, $key_len:literal, $round_keys:literal, $expand:ident) => {
        impl Aes<$key_len> for $tier {
            type RoundKeys = RoundKeys<$round_keys>;

            #[inline(always)]
            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                $expand($avx2(self), key)
            }
        }
    };
}
impl_aes!(Avx2, core::convert::identity);
impl_aes!(Vaes256, Vaes256::avx2);
impl_aes!(Avx512, Avx512::avx2);

/// The rounds of `N` independent blocks from `FIRST` to the last but one. `beside` is called once a
/// round; its work runs at the same time.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(in crate::kernel) fn rounds<const N: usize, const ROUND_KEYS: usize, const FIRST: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    mut states: [__m128i; N],
    mut beside: impl FnMut(usize),
) -> [__m128i; N] {
    for (i, key) in keys.0[FIRST..ROUND_KEYS - 1].iter().enumerate() {
        let key = load128(key);
        for state in &mut states {
            *state = _mm_aesenc_si128(*state, key);
        }
        side_by_side128(&mut states);
        beside(i);
    }
    states
}

/// Encrypts `N` independent blocks.
#[inline]
#[target_feature(enable = "aes,avx2")]
pub(in crate::kernel) fn encrypt_states<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    mut states: [__m128i; N],
) -> [__m128i; N] {
    let (first, last) = (load128(&keys.0[0]), load128(&keys.0[ROUND_KEYS - 1]));
    for state in &mut states {
        *state = _mm_xor_si128(*state, first);
    }
    let mut states = rounds::<N, ROUND_KEYS, 1>(keys, states, |_| ());
    for state in &mut states {
        *state = _mm_aesenclast_si128(*state, last);
    }
    states
}
