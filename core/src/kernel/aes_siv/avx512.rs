//! AES-SIV on VAES at 512 bits: thirty-two blocks in flight, thirty-two chains side by side.
//! One chain is no work for wide vectors.

use super::avx2::{cbc_mac, ctr_xor_and_cbc_mac};
use super::{AesSiv, impl_aes_siv};
use crate::kernel::Block;
use crate::kernel::aes::avx512::encrypt_vectors;
use crate::kernel::aes::round_keys::RoundKeys;
use crate::tier::bytes::{load128, load512, load512_narrow, store512, store512_narrow};
use crate::tier::{Avx512, kernel};
use core::arch::x86_64::*;

impl_aes_siv!(Avx512, chain: Avx512::avx2, ctr: |tier| tier);

const VECTORS: usize = 8;
const LANES: usize = 4 * VECTORS;

/// The bytes of each block in the opposite order, where a vector counts.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn reversed(blocks: __m512i) -> __m512i {
    let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(order))
}

/// Counters, four blocks a vector.
struct Counters(__m512i);

impl Counters {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(first: &Block) -> Self {
        let four = reversed(_mm512_broadcast_i32x4(load128(first)));
        Self(_mm512_add_epi64(
            four,
            _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0),
        ))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn next(&mut self) -> __m512i {
        let counters = reversed(self.0);
        self.0 = _mm512_add_epi64(self.0, _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4));
        counters
    }
}

/// Up to `N` vectors, the last of them perhaps cut short.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,vaes")]
fn xor_up_to<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    counters: &mut Counters,
    from: Option<&[u8]>,
    in_out: &mut [u8],
) {
    let mut states = [_mm512_setzero_si512(); N];
    for state in &mut states {
        *state = counters.next();
    }
    let mut sources = from.map(|from| from.chunks(64));
    for (piece, keystream) in in_out.chunks_mut(64).zip(encrypt_vectors(keys, states)) {
        let text = sources.as_mut().and_then(Iterator::next).unwrap_or(piece);
        let text = load512_narrow(text);
        store512_narrow(piece, _mm512_xor_si512(text, keystream));
    }
}

kernel! {
    fn ctr_xor[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, counter: &Block, from: Option<&[u8]>,
        in_out: &mut [u8],
    ) {
        let mut counters = Counters::new(counter);
        let mut sources = from.map(|from| from.chunks(LANES * 16));
        for piece in in_out.chunks_mut(LANES * 16) {
            let from = sources.as_mut().and_then(Iterator::next);
            match piece.len().div_ceil(64) {
                0 | 1 => xor_up_to::<1, _>(keys, &mut counters, from, piece),
                2 => xor_up_to::<2, _>(keys, &mut counters, from, piece),
                3 | 4 => xor_up_to::<4, _>(keys, &mut counters, from, piece),
                _ => xor_up_to::<VECTORS, _>(keys, &mut counters, from, piece),
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,vaes")]
fn encrypt_row<const N: usize, const ROUND_KEYS: usize>(
    keys: &RoundKeys<ROUND_KEYS>,
    row: &mut [[u8; 64]; N],
) {
    let mut states = [_mm512_setzero_si512(); N];
    for (state, blocks) in states.iter_mut().zip(&*row) {
        *state = load512(blocks);
    }
    for (blocks, state) in row.iter_mut().zip(encrypt_vectors(keys, states)) {
        store512(blocks, state);
    }
}

kernel! {
    fn encrypt_all[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, blocks: &mut [Block],
    ) {
        let (vectors, rest) = blocks.as_flattened_mut().as_chunks_mut::<64>();
        let (strides, vectors) = vectors.as_chunks_mut::<VECTORS>();
        for stride in strides {
            encrypt_row(keys, stride);
        }
        for vector in vectors {
            encrypt_row::<1, _>(keys, core::array::from_mut(vector));
        }
        if !rest.is_empty() {
            let [last] = encrypt_vectors(keys, [load512_narrow(rest)]);
            store512_narrow(rest, last);
        }
    }
}

kernel! {
    fn cbc_mac_lanes[const ROUND_KEYS: usize](
        tier: Avx512, keys: &RoundKeys<ROUND_KEYS>, going_on: &[u32], rows: &mut [Block],
    ) {
        let rows = rows.as_flattened_mut().as_chunks_mut().0.as_chunks_mut::<VECTORS>().0;
        let mut states = [_mm512_setzero_si512(); VECTORS];
        for (row, lanes) in rows.iter_mut().zip(going_on) {
            // Two words of 64 bits a lane.
            let words = _pdep_u64(u64::from(*lanes), 0x5555_5555_5555_5555) * 3;
            for ((state, blocks), goes_on) in states.iter_mut().zip(&*row).zip(words.to_le_bytes()) {
                let kept = _mm512_maskz_mov_epi64(goes_on, *state);
                *state = _mm512_xor_si512(kept, load512(blocks));
            }
            states = encrypt_vectors(keys, states);
            for (blocks, state) in row.iter_mut().zip(states) {
                store512(blocks, state);
            }
        }
    }
}
