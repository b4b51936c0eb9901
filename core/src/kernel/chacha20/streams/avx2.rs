//! The keystreams of eight nonces, one in each lane of 256-bit vectors. The 256-bit VAES tier
//! has no more for it.

use super::Streams;
use super::vectors::xor_streams;
use crate::kernel::chacha20::avx2::{rol, rol8, rol16, transpose};
use crate::tier::bytes::{load256, load256_padded, store256, store256_partial};
use crate::tier::{Avx2, Vaes256, kernel, secret};
use _mm256_add_epi32 as add;
use _mm256_xor_si256 as xor;
use core::arch::x86_64::*;
use load256 as load;
use rol8 as left_8;
use rol16 as left_16;
use store256 as store;

type Vector = __m256i;
const LANES: usize = 8;

xor_streams!(Avx2, "avx2", FEWEST: 3, LONGEST: 2048);
xor_streams!(@ Vaes256, Vaes256::avx2, 3, 2048);

#[inline]
#[target_feature(enable = "avx2")]
fn splat(word: u32) -> Vector {
    _mm256_set1_epi32(word.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn left_12(v: Vector) -> Vector {
    rol::<12, 20>(v)
}

#[inline]
#[target_feature(enable = "avx2")]
fn left_7(v: Vector) -> Vector {
    rol::<7, 25>(v)
}

/// Lane `i` is lane `lanes[i]` of `from`.
#[inline]
#[target_feature(enable = "avx2")]
fn select(from: Vector, lanes: Vector) -> Vector {
    _mm256_permutevar8x32_epi32(from, lanes)
}

/// XORs into each place, of at most a block, the keystream in its lane.
#[inline]
#[target_feature(enable = "avx2")]
fn xor_blocks(words: [Vector; 16], places: &mut [&mut [u8]; LANES]) {
    for (half, words) in words.as_chunks::<8>().0.iter().enumerate() {
        for (place, keystream) in places.iter_mut().zip(transpose(*words)) {
            let place = place.get_mut(32 * half..).unwrap_or_default();
            if let Some(place) = place.first_chunk_mut() {
                store256(place, _mm256_xor_si256(load256(place), keystream));
            } else if !place.is_empty() {
                let text = load256_padded(place);
                store256_partial(place, _mm256_xor_si256(text, keystream));
            }
        }
    }
}
