//! AES on VAES, four blocks in a 512-bit vector.
//!
//! Counter mode keeps eight vectors in flight and the round keys in registers;
//! the text is folded into the last round key, so the last round yields the
//! result itself.

use super::Aes;
use super::round_keys::RoundKeys;
use crate::kernel::Block;
use crate::tier::bytes::{
    load128, load512, load512_padded, side_by_side512, store128, store512, store512_partial,
};
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

macro_rules! impl_aes {
    ($key_len:literal, $round_keys:literal) => {
        impl Aes<$key_len> for Avx512 {
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
                encrypt_blocks(self, keys, blocks);
            }

            #[inline(always)]
            fn ctr32_xor(
                self,
                keys: &Self::RoundKeys,
                counter: &Block,
                from: Option<&[u8]>,
                in_out: &mut [u8],
            ) {
                if in_out.len() <= SHORT_LEN {
                    if let Some(from) = from {
                        in_out.copy_from_slice(from);
                    }
                    ctr32_xor_short(self, keys, counter, in_out);
                } else {
                    ctr32_xor(self, keys, counter, from, in_out);
                }
            }
        }
    };
}
impl_aes!(16, 11);
impl_aes!(32, 15);

kernel! {
    fn encrypt_blocks[const N: usize, const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block; N],
    ) {
        let (vectors, rest) = blocks.as_flattened_mut().as_chunks_mut::<64>();
        for vector in vectors {
            store512(vector, encrypt_vector(keys, load512(vector)));
        }
        if let Ok(block) = <&mut Block>::try_from(&mut *rest) {
            let mut state = _mm_xor_si128(load128(block), load128(&keys.0[0]));
            for key in &keys.0[1..ROUND_KEYS - 1] {
                state = _mm_aesenc_si128(state, load128(key));
            }
            store128(block, _mm_aesenclast_si128(state, load128(&keys.0[ROUND_KEYS - 1])));
        } else if !rest.is_empty() {
            store512_partial(rest, encrypt_vector(keys, load512_padded(rest)));
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn wide_key<const ROUND_KEYS: usize>(keys: &RoundKeys<ROUND_KEYS>, i: usize) -> __m512i {
    _mm512_broadcast_i32x4(load128(&keys.0[i]))
}

/// Encrypts four blocks.
#[inline]
#[target_feature(enable = "avx512f,vaes")]
pub(in crate::kernel) fn encrypt_vector<const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    blocks: __m512i,
) -> __m512i {
    let mut state = _mm512_xor_si512(blocks, wide_key(keys, 0));
    for i in 1..ROUND_KEYS - 1 {
        state = _mm512_aesenc_epi128(state, wide_key(keys, i));
    }
    _mm512_aesenclast_epi128(state, wide_key(keys, ROUND_KEYS - 1))
}

/// Vectors of four blocks in flight.
pub(in crate::kernel) const STRIDE: usize = 8;

/// A keystream: the round keys spread over the lanes, and four counters.
pub(in crate::kernel) struct Keystream<const ROUND_KEYS: usize> {
    round_keys: [__m512i; ROUND_KEYS],
    counter: __m512i,
}

impl<const ROUND_KEYS: usize> Keystream<ROUND_KEYS> {
    /// Starts at `counter`, whose first four bytes count, little-endian, modulo 2^32.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in crate::kernel) fn new(keys: &RoundKeys<ROUND_KEYS>, counter: &Block) -> Self {
        let mut round_keys = [_mm512_setzero_si512(); ROUND_KEYS];
        for (wide, key) in round_keys.iter_mut().zip(&keys.0) {
            *wide = _mm512_broadcast_i32x4(load128(key));
        }
        let counter = _mm512_add_epi32(
            _mm512_broadcast_i32x4(load128(counter)),
            _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0),
        );
        Self {
            round_keys,
            counter,
        }
    }

    /// The next `N` vectors of counters after every round but the last; `beside` is
    /// called once a round with what may run at the same time.
    #[inline]
    #[target_feature(enable = "avx512f,vaes")]
    pub(in crate::kernel) fn next<const N: usize>(
        &mut self,
        mut beside: impl FnMut(usize),
    ) -> [__m512i; N] {
        let four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
        let mut states = [self.counter; N];
        for state in &mut states {
            *state = _mm512_xor_si512(self.counter, self.round_keys[0]);
            self.counter = _mm512_add_epi32(self.counter, four);
        }
        for (i, key) in self.round_keys[1..ROUND_KEYS - 1].iter().enumerate() {
            for state in &mut states {
                *state = _mm512_aesenc_epi128(*state, *key);
            }
            side_by_side512(&mut states);
            beside(i);
        }
        states
    }

    /// The last round with the text in it.
    #[inline]
    #[target_feature(enable = "avx512f,vaes")]
    pub(in crate::kernel) fn last_round(&self, state: __m512i, text: __m512i) -> __m512i {
        let key = _mm512_xor_si512(text, self.round_keys[ROUND_KEYS - 1]);
        _mm512_aesenclast_epi128(state, key)
    }

    /// XORs `N` vectors of keystream into `in_out`, or into `from` on the way there.
    #[inline]
    #[target_feature(enable = "avx512f,vaes")]
    pub(in crate::kernel) fn xor_vectors<const N: usize>(
        &mut self,
        from: Option<&[[u8; 64]; N]>,
        in_out: &mut [[u8; 64]; N],
    ) {
        let states = self.next::<N>(|_| ());
        for (i, (vector, state)) in in_out.iter_mut().zip(states).enumerate() {
            let text = load512(from.map_or(&*vector, |from| &from[i]));
            store512(vector, self.last_round(state, text));
        }
    }

    /// Up to `N` vectors, the last of them perhaps cut short.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vaes")]
    fn xor_rest<const N: usize>(&mut self, in_out: &mut [u8]) {
        let states = self.next::<N>(|_| ());
        for (piece, state) in in_out.chunks_mut(64).zip(states) {
            store512_partial(piece, self.last_round(state, load512_padded(piece)));
        }
    }

    /// XORs what the keystream has next into `in_out`, or into `from` on the way there,
    /// and ends.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vaes")]
    pub(in crate::kernel) fn xor(mut self, from: Option<&[u8]>, in_out: &mut [u8]) {
        let whole = in_out.len() - in_out.len() % (STRIDE * 64);
        let (strides, rest) = in_out.split_at_mut(whole);
        let mut sources = from.map(|from| {
            let (strides, rest_from) = from.split_at(whole);
            rest.copy_from_slice(rest_from);
            strides.as_chunks::<64>().0.as_chunks::<STRIDE>().0.iter()
        });
        for stride in strides.as_chunks_mut::<64>().0.as_chunks_mut::<STRIDE>().0 {
            self.xor_vectors(sources.as_mut().and_then(Iterator::next), stride);
        }
        match rest.len().div_ceil(64) {
            0 => {}
            1 => self.xor_rest::<1>(rest),
            2 => self.xor_rest::<2>(rest),
            3 => self.xor_rest::<3>(rest),
            4 => self.xor_rest::<4>(rest),
            5 | 6 => self.xor_rest::<6>(rest),
            _ => self.xor_rest::<8>(rest),
        }
    }
}

/// Up to here the keystream is made in the caller's own frame.
pub(in crate::kernel) const SHORT_LEN: usize = 128;

kernel! {
    pub(in crate::kernel) fn ctr32_xor_short[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, in_out: &mut [u8],
    ) {
        let mut keystream = Keystream::new(keys, counter);
        match in_out.len() {
            0 => {}
            1..=64 => keystream.xor_rest::<1>(in_out),
            _ => keystream.xor_rest::<2>(in_out),
        }
    }
}

kernel! {
    fn ctr32_xor[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        Keystream::new(keys, counter).xor(from, in_out);
    }
}
