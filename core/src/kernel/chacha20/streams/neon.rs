//! The keystreams of four nonces, one in each lane of a vector.

use super::Streams;
use super::vectors::xor_streams;
use crate::kernel::chacha20::neon::{LEFT_8, transpose};
use crate::tier::bytes::{load128, load128_padded, store128, store128_partial};
use crate::tier::{Neon, kernel, secret};
use core::arch::aarch64::*;
use vaddq_u32 as add;
use vdupq_n_u32 as splat;
use veorq_u32 as xor;

type Vector = uint32x4_t;
const LANES: usize = 4;

xor_streams!(Neon, "neon", FEWEST: 2, LONGEST: 128);

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> Vector {
    vreinterpretq_u32_u8(load128(bytes))
}

#[inline]
#[target_feature(enable = "neon")]
fn store(bytes: &mut [u8; 16], v: Vector) {
    store128(bytes, vreinterpretq_u8_u32(v));
}

#[inline]
#[target_feature(enable = "neon")]
fn left_16(v: Vector) -> Vector {
    vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(v)))
}

#[inline]
#[target_feature(enable = "neon")]
fn left_12(v: Vector) -> Vector {
    vsriq_n_u32::<20>(vshlq_n_u32::<12>(v), v)
}

#[inline]
#[target_feature(enable = "neon")]
fn left_8(v: Vector) -> Vector {
    vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(v), load128(&LEFT_8)))
}

#[inline]
#[target_feature(enable = "neon")]
fn left_7(v: Vector) -> Vector {
    vsriq_n_u32::<25>(vshlq_n_u32::<7>(v), v)
}

/// Lane `i` is lane `lanes[i]` of `from`.
#[inline]
#[target_feature(enable = "neon")]
fn select(from: Vector, lanes: Vector) -> Vector {
    let first = vmulq_n_u32(lanes, 0x0404_0404);
    let bytes = vaddq_u32(first, vdupq_n_u32(0x0302_0100));
    vreinterpretq_u32_u8(vqtbl1q_u8(
        vreinterpretq_u8_u32(from),
        vreinterpretq_u8_u32(bytes),
    ))
}

/// XORs into each place, of at most a block, the keystream in its lane.
#[inline]
#[target_feature(enable = "neon")]
fn xor_blocks(words: [Vector; 16], places: &mut [&mut [u8]; LANES]) {
    for (quarter, words) in words.as_chunks::<4>().0.iter().enumerate() {
        for (place, keystream) in places.iter_mut().zip(transpose(*words)) {
            let place = place.get_mut(16 * quarter..).unwrap_or_default();
            if let Some(place) = place.first_chunk_mut() {
                store128(place, veorq_u8(load128(place), keystream));
            } else if !place.is_empty() {
                let text = load128_padded(place);
                store128_partial(place, veorq_u8(text, keystream));
            }
        }
    }
}
