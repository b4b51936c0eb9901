//! The keystreams of sixteen nonces, one in each lane of 512-bit vectors.

use super::Streams;
use super::vectors::xor_streams;
use crate::kernel::chacha20::avx512::Keystream;
use crate::tier::bytes::{load512, load512_padded, store512, store512_partial};
use crate::tier::{Avx512, kernel, secret};
use _mm512_add_epi32 as add;
use _mm512_xor_si512 as xor;
use core::arch::x86_64::*;
use load512 as load;
use store512 as store;

type Vector = __m512i;
const LANES: usize = 16;

xor_streams!(Avx512, "avx512f,avx512bw", FEWEST: 3, LONGEST: 2048);

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(word: u32) -> Vector {
    _mm512_set1_epi32(word.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f")]
fn left_16(v: Vector) -> Vector {
    _mm512_rol_epi32::<16>(v)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn left_12(v: Vector) -> Vector {
    _mm512_rol_epi32::<12>(v)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn left_8(v: Vector) -> Vector {
    _mm512_rol_epi32::<8>(v)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn left_7(v: Vector) -> Vector {
    _mm512_rol_epi32::<7>(v)
}

/// Lane `i` is lane `lanes[i]` of `from`.
#[inline]
#[target_feature(enable = "avx512f")]
fn select(from: Vector, lanes: Vector) -> Vector {
    _mm512_permutexvar_epi32(lanes, from)
}

/// XORs into each place, of at most a block, the keystream in its lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn xor_blocks(words: [Vector; 16], places: &mut [&mut [u8]; LANES]) {
    let keystream = Keystream::of(words);
    for i in 0..4 {
        for (place, block) in places[i..].iter_mut().step_by(4).zip(keystream.blocks(i)) {
            if !place.is_empty() {
                let text = load512_padded(place);
                store512_partial(place, _mm512_xor_si512(text, block));
            }
        }
    }
}
