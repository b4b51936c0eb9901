//! The same tables, read into 128-bit vectors. **Not constant-time.**

use super::{Block, DECRYPTION, ENCRYPTION, PI, PI_INVERSE, RoundKeys, Tables, substitute};
use crate::tier::bytes::{apart128, load128, store128};
use core::arch::x86_64::*;

#[inline(always)]
fn number(v: __m128i) -> u128 {
    let mut bytes = [0; 16];
    store128(&mut bytes, v);
    u128::from_le_bytes(bytes)
}

#[inline(always)]
fn vector(number: u128) -> __m128i {
    load128(&number.to_le_bytes())
}

/// The entries for the bytes of `a`, and the key, added up.
#[inline]
#[target_feature(enable = "sse2")]
fn look_up(tables: &Tables, a: __m128i, key: __m128i) -> __m128i {
    let low = _mm_cvtsi128_si64(a).cast_unsigned();
    let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(a, a)).cast_unsigned();
    let entry = |i: usize| {
        let word = if i < 8 { low } else { high };
        vector(tables.0[i][usize::from((word >> (8 * (i % 8))) as u8)].0)
    };
    // Four sums, so that none waits long for its last entry.
    let sum = |first: usize, start: __m128i| {
        apart128((first..first + 4).fold(start, |sum, i| _mm_xor_si128(sum, entry(i))))
    };
    let zero = _mm_setzero_si128();
    let low = _mm_xor_si128(sum(0, key), sum(4, zero));
    _mm_xor_si128(low, _mm_xor_si128(sum(8, zero), sum(12, zero)))
}

#[inline]
#[target_feature(enable = "sse2")]
fn rounds<const N: usize>(tables: &Tables, keys: &[u128], state: &mut [__m128i; N]) {
    for key in keys {
        let key = vector(*key);
        for a in state.iter_mut() {
            *a = look_up(tables, *a, key);
        }
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn encrypt<const N: usize>(keys: &RoundKeys, blocks: &mut [Block; N]) {
    let first = vector(keys.encryption[0]);
    let mut state = [first; N];
    for (a, block) in state.iter_mut().zip(blocks.iter()) {
        *a = _mm_xor_si128(first, load128(block));
    }
    rounds(&ENCRYPTION, &keys.encryption[1..], &mut state);
    for (a, block) in state.iter().zip(blocks) {
        store128(block, *a);
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn decrypt<const N: usize>(keys: &RoundKeys, blocks: &mut [Block; N]) {
    let mut state = blocks.map(|block| vector(substitute(&PI, u128::from_le_bytes(block))));
    rounds(&DECRYPTION, &keys.decryption[..9], &mut state);
    for (a, block) in state.iter().zip(blocks) {
        *block = (substitute(&PI_INVERSE, number(*a)) ^ keys.decryption[9]).to_le_bytes();
    }
}

/// Calls `$crypt` for four blocks side by side: while one waits for the cache, the others
/// go on.
macro_rules! in_fours {
    ($crypt:ident, $keys:ident, $blocks:ident) => {
        let (fours, rest) = $blocks.as_chunks_mut::<4>();
        let (twos, ones) = rest.as_chunks_mut::<2>();
        // SAFETY: SSE2 is part of the x86-64 baseline.
        unsafe {
            fours.iter_mut().for_each(|four| $crypt($keys, four));
            twos.iter_mut().for_each(|two| $crypt($keys, two));
            ones.iter_mut()
                .for_each(|one| $crypt($keys, core::array::from_mut(one)));
        }
    };
}

#[allow(unsafe_code)]
pub(crate) fn encrypt_blocks(keys: &RoundKeys, blocks: &mut [Block]) {
    in_fours!(encrypt, keys, blocks);
}

#[allow(unsafe_code)]
pub(crate) fn decrypt_blocks(keys: &RoundKeys, blocks: &mut [Block]) {
    in_fours!(decrypt, keys, blocks);
}
