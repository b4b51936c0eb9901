//! AES on VAES, two blocks in a 256-bit vector, eight vectors in flight.
//!
//! Sixteen registers hold the states and one round key at a time, which a
//! broadcasting load spreads over the lanes once for all eight.

use super::Aes;
use super::round_keys::RoundKeys;
use crate::kernel::Block;
use crate::tier::bytes::{
    load128, load256, load256_padded, side_by_side256, store256, store256_partial,
};
use crate::tier::{Vaes256, kernel};
use core::arch::x86_64::*;

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal) => {
        impl Aes<$key_len> for Vaes256 {
            type RoundKeys = RoundKeys<$round_keys>;

            #[inline(always)]
            fn expand(self, key: &[u8; $key_len]) -> Self::RoundKeys {
                self.avx2().expand(key)
            }

            #[inline(always)]
            fn encrypt_blocks<const N: usize>(
                self,
                keys: &Self::RoundKeys,
                blocks: &mut [Block; N],
            ) {
                Aes::<$key_len>::encrypt_blocks(self.avx2(), keys, blocks);
            }

            #[inline(always)]
            fn ctr32_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                if in_out.len() <= 64 {
                    Aes::<$key_len>::ctr32_xor(self.avx2(), keys, counter, from, in_out);
                } else {
                    ctr32_xor(self, keys, counter, from, in_out);
                }
            }
        }
    };
}
impl_aes!(16, 11);
impl_aes!(32, 15);

/// Vectors of two blocks in flight.
pub(in crate::kernel) const STRIDE: usize = 8;

/// A keystream: the round keys and two counters.
pub(in crate::kernel) struct Keystream<'a, const ROUND_KEYS: usize> {
    keys: &'a RoundKeys<ROUND_KEYS>,
    counter: __m256i,
}

impl<'a, const ROUND_KEYS: usize> Keystream<'a, ROUND_KEYS> {
    /// Starts at `counter`, whose first four bytes count, little-endian, modulo 2^32.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::kernel) fn new(keys: &'a RoundKeys<ROUND_KEYS>, counter: &Block) -> Self {
        let counter = _mm256_add_epi32(
            _mm256_broadcastsi128_si256(load128(counter)),
            _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0),
        );
        Self { keys, counter }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn round_key(&self, i: usize) -> __m256i {
        _mm256_broadcastsi128_si256(load128(&self.keys.0[i]))
    }

    /// The next `N` vectors of counters after every round but the last; `beside` is
    /// called once a round with what may run at the same time.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn next<const N: usize>(
        &mut self,
        mut beside: impl FnMut(usize),
    ) -> [__m256i; N] {
        let two = _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2);
        let first = self.round_key(0);
        let mut states = [first; N];
        for state in &mut states {
            *state = _mm256_xor_si256(self.counter, first);
            self.counter = _mm256_add_epi32(self.counter, two);
        }
        for i in 1..ROUND_KEYS - 1 {
            let key = self.round_key(i);
            for state in &mut states {
                *state = _mm256_aesenc_epi128(*state, key);
            }
            side_by_side256(&mut states);
            beside(i - 1);
        }
        states
    }

    /// The last round with the text in it.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn last_round(&self, state: __m256i, text: __m256i) -> __m256i {
        _mm256_aesenclast_epi128(
            state,
            _mm256_xor_si256(text, self.round_key(ROUND_KEYS - 1)),
        )
    }

    /// XORs `N` vectors of keystream into `in_out`, or into `from` on the way there.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn xor_vectors<const N: usize>(
        &mut self,
        from: Option<&[[u8; 32]; N]>,
        in_out: &mut [[u8; 32]; N],
    ) {
        let states = self.next::<N>(|_| ());
        for (i, (vector, state)) in in_out.iter_mut().zip(states).enumerate() {
            let text = load256(from.map_or(&*vector, |from| &from[i]));
            store256(vector, self.last_round(state, text));
        }
    }

    /// Up to `N` vectors, the last of them perhaps cut short.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    fn xor_rest<const N: usize>(&mut self, in_out: &mut [u8]) {
        let states = self.next::<N>(|_| ());
        for (piece, state) in in_out.chunks_mut(32).zip(states) {
            match <&mut [u8; 32]>::try_from(&mut *piece) {
                Ok(vector) => store256(vector, self.last_round(state, load256(vector))),
                Err(_) => store256_partial(piece, self.last_round(state, load256_padded(piece))),
            }
        }
    }

    /// XORs what the keystream has next into `in_out`, or into `from` on the way there,
    /// and ends.
    #[inline]
    #[target_feature(enable = "avx2,vaes")]
    pub(in crate::kernel) fn xor(mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
        let whole = in_out.len() - in_out.len() % (STRIDE * 32);
        let (strides, rest) = in_out.split_at_mut(whole);
        let mut sources = from.map(|from| {
            let (strides, rest_from) = from.split_at(whole);
            rest.copy_from_slice(rest_from);
            strides.as_chunks::<32>().0.as_chunks::<STRIDE>().0.iter()
        });
        for stride in strides.as_chunks_mut::<32>().0.as_chunks_mut::<STRIDE>().0 {
            self.xor_vectors(sources.as_mut().and_then(Iterator::next), stride);
        }
        match rest.len().div_ceil(32) {
            0 => {}
            1 => self.xor_rest::<1>(rest),
            2 => self.xor_rest::<2>(rest),
            3 | 4 => self.xor_rest::<4>(rest),
            _ => self.xor_rest::<8>(rest),
        }
    }
}

kernel! {
    fn ctr32_xor[const ROUND_KEYS: usize](
        tier: Vaes256, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        Keystream::new(keys, counter).xor(from, in_out);
    }
}
