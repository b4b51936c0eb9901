//! Vectors of one block.

use super::operations::{MOVED, operations, unused};
use crate::kernel::Block;
use crate::tier::bytes::{load96, load128, load128_padded, store128, store128_partial};
pub(in crate::kernel) use crate::tier::bytes::{
    load128 as load_bytes, side_by_side128 as side_by_side, side_by_side128 as six_side_by_side,
    store128 as store_bytes,
};
use core::arch::aarch64::*;

/// Hands a text in a macro the narrowest tier with vectors, and its features.
macro_rules! narrowest {
    ($text:ident) => {
        $text!(Neon, "neon,aes", "neon,aes");
    };
}
pub(in crate::kernel) use narrowest;

pub(in crate::kernel) type Vector = uint8x16_t;
/// Blocks, and so messages, in a vector.
pub(in crate::kernel) const LANES: usize = 1;

/// Indices that move the bytes of a block as many places towards the first, less 16.
#[inline]
#[target_feature(enable = "neon")]
fn moved(places: usize) -> Vector {
    load128(MOVED[places.min(32)..].first_chunk().unwrap_or(&[0; 16]))
}

operations! {
    "neon,aes";

    fn load([block]: &[Block; LANES]) -> Vector {
        load128(block)
    }
    fn store([block]: &mut [Block; LANES], v: Vector) {
        store128(block, v);
    }

    /// At most a vector of bytes, zeros after them.
    fn load_padded(bytes: &[u8]) -> Vector {
        load128_padded(bytes)
    }

    /// Stores as many bytes.
    fn store_partial(bytes: &mut [u8], v: Vector) {
        store128_partial(bytes, v);
    }
    fn broadcast(block: Vector) -> Vector {
        block
    }
    fn splat(block: &Block) -> Vector {
        load128(block)
    }

    /// Each nonce after four bytes of zeros.
    fn nonces(&[nonce]: &[&[u8; 12]; LANES]) -> Vector {
        shift_up::<4>(load96(nonce))
    }

    /// The same of nonces one after the other.
    fn adjacent_nonces(all: &[[u8; 12]; LANES]) -> Vector {
        nonces(&all.each_ref())
    }

    /// A block to every lane.
    fn join([block]: [Vector; LANES]) -> Vector {
        block
    }

    /// The block of every lane.
    fn split(v: Vector) -> [Vector; LANES] {
        [v]
    }

    /// The last block of a text, which may be cut short: then zeros after it. All lengths but those
    /// below a block take the same way: CPUs cannot guess the ways of texts of different lengths.
    fn load_end(text: &[u8]) -> Vector {
        match text.last_chunk() {
            Some(bytes) => vqtbl1q_u8(load128(bytes), moved(16 + unused(text))),
            None => load128_padded(text),
        }
    }

    /// Stores it; `previous` is the block before it, if the text has one.
    fn store_end(text: &mut [u8], previous: Vector, end: Vector) {
        let unused = unused(text);
        match text.last_chunk_mut() {
            Some(bytes) => {
                let previous = vqtbl1q_u8(previous, moved(32 - unused));
                store128(bytes, vorrq_u8(previous, vqtbl1q_u8(end, moved(16 - unused))));
            }
            None => store128_partial(text, end),
        }
    }
    fn xor(a: Vector, b: Vector) -> Vector {
        veorq_u8(a, b)
    }
    fn and(a: Vector, b: Vector) -> Vector {
        vandq_u8(a, b)
    }

    /// Sums of 32-bit words.
    fn add32(a: Vector, b: Vector) -> Vector {
        let sum = vaddq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
        vreinterpretq_u8_u32(sum)
    }
    fn add64(a: Vector, b: Vector) -> Vector {
        let sum = vaddq_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b));
        vreinterpretq_u8_u64(sum)
    }

    /// The same number in every word.
    fn every_word(word: u32) -> Vector {
        vreinterpretq_u8_u32(vdupq_n_u32(word))
    }

    /// In each word, its sign in all bits.
    fn signs(a: Vector) -> Vector {
        vreinterpretq_u8_s32(vshrq_n_s32::<31>(vreinterpretq_s32_u8(a)))
    }

    /// `[w0, w1, w2, w3]` to `[0, w0, 0, w2]`.
    fn odd_words_from_even(a: Vector) -> Vector {
        vreinterpretq_u8_u64(vshlq_n_u64::<32>(vreinterpretq_u64_u8(a)))
    }

    /// Byte shuffle; indices with the top bit give zero.
    fn shuffle(a: Vector, indices: &Block) -> Vector {
        vqtbl1q_u8(a, load128(indices))
    }

    /// The last word of the block in all its words.
    fn last_word(a: Vector) -> Vector {
        vreinterpretq_u8_u32(vdupq_laneq_u32::<3>(vreinterpretq_u32_u8(a)))
    }

    /// The low halves of `a` and of `b`.
    fn low_halves(a: Vector, b: Vector) -> Vector {
        let (a, b) = (vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b));
        vreinterpretq_u8_u64(vzip1q_u64(a, b))
    }

    /// The block so many bytes up, zeros below: 4 or 8.
    fn shift_up[const BYTES: i32](a: Vector) -> Vector {
        let zero = vdupq_n_u8(0);
        if BYTES == 4 { vextq_u8::<12>(zero, a) } else { vextq_u8::<8>(zero, a) }
    }

    /// The block four bytes down, zeros above.
    fn without_first_word(a: Vector) -> Vector {
        vextq_u8::<4>(a, vdupq_n_u8(0))
    }

    /// A round of AES that adds its key last, as AES-NI has it. The compiler draws that sum
    /// into the next round, which adds its key first and would add zero.
    fn aes_round(state: Vector, key: Vector) -> Vector {
        veorq_u8(vaesmcq_u8(vaeseq_u8(state, vdupq_n_u8(0))), key)
    }

    /// The last round, the same way.
    fn aes_last_round(state: Vector, key: Vector) -> Vector {
        veorq_u8(vaeseq_u8(state, vdupq_n_u8(0)), key)
    }
}
