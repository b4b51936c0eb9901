//! Vectors of one block.

use crate::kernel::Block;
use crate::tier::bytes::{load96, load128, store128};
pub(in crate::kernel) use crate::tier::bytes::{
    load128 as load_bytes, load128 as splat, load128_padded as load_padded,
    side_by_side128 as side_by_side, side_by_side128 as six_side_by_side, store128 as store_bytes,
    store128_partial as store_partial,
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

super::ends::ends!("neon,aes");

crate::tier::helpers! {
    "neon,aes";

    pub(in crate::kernel) fn load([block]: &[Block; LANES]) -> Vector {
        load128(block)
    }
    pub(in crate::kernel) fn store([block]: &mut [Block; LANES], v: Vector) {
        store128(block, v);
    }
    pub(in crate::kernel) fn broadcast(block: Vector) -> Vector {
        block
    }

    /// Each nonce after four bytes of zeros.
    pub(in crate::kernel) fn nonces(&[nonce]: &[&[u8; 12]; LANES]) -> Vector {
        shift_up::<4>(load96(nonce))
    }

    /// The same of nonces one after the other.
    pub(in crate::kernel) fn adjacent_nonces(all: &[[u8; 12]; LANES]) -> Vector {
        nonces(&all.each_ref())
    }

    /// A block to every lane.
    pub(in crate::kernel) fn join([block]: [Vector; LANES]) -> Vector {
        block
    }

    /// The block of every lane.
    pub(in crate::kernel) fn split(v: Vector) -> [Vector; LANES] {
        [v]
    }
    pub(in crate::kernel) fn xor(a: Vector, b: Vector) -> Vector {
        veorq_u8(a, b)
    }
    pub(in crate::kernel) fn and(a: Vector, b: Vector) -> Vector {
        vandq_u8(a, b)
    }

    /// Sums of 32-bit words.
    pub(in crate::kernel) fn add32(a: Vector, b: Vector) -> Vector {
        let sum = vaddq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
        vreinterpretq_u8_u32(sum)
    }
    pub(in crate::kernel) fn add64(a: Vector, b: Vector) -> Vector {
        let sum = vaddq_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b));
        vreinterpretq_u8_u64(sum)
    }

    /// The same number in every word.
    pub(in crate::kernel) fn every_word(word: u32) -> Vector {
        vreinterpretq_u8_u32(vdupq_n_u32(word))
    }

    /// In each word, its sign in all bits.
    pub(in crate::kernel) fn signs(a: Vector) -> Vector {
        vreinterpretq_u8_s32(vshrq_n_s32::<31>(vreinterpretq_s32_u8(a)))
    }

    /// `[w0, w1, w2, w3]` to `[0, w0, 0, w2]`.
    pub(in crate::kernel) fn odd_words_from_even(a: Vector) -> Vector {
        vreinterpretq_u8_u64(vshlq_n_u64::<32>(vreinterpretq_u64_u8(a)))
    }

    /// Byte shuffle; indices with the top bit give zero.
    pub(in crate::kernel) fn shuffle(a: Vector, indices: &Block) -> Vector {
        vqtbl1q_u8(a, load128(indices))
    }

    /// The last word of the block in all its words.
    pub(in crate::kernel) fn last_word(a: Vector) -> Vector {
        vreinterpretq_u8_u32(vdupq_laneq_u32::<3>(vreinterpretq_u32_u8(a)))
    }

    /// The low halves of `a` and of `b`.
    pub(in crate::kernel) fn low_halves(a: Vector, b: Vector) -> Vector {
        let (a, b) = (vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b));
        vreinterpretq_u8_u64(vzip1q_u64(a, b))
    }

    /// The block so many bytes up, zeros below: 4 or 8.
    pub(in crate::kernel) fn shift_up[const BYTES: i32](a: Vector) -> Vector {
        let zero = vdupq_n_u8(0);
        if BYTES == 4 { vextq_u8::<12>(zero, a) } else { vextq_u8::<8>(zero, a) }
    }

    /// The block four bytes down, zeros above.
    pub(in crate::kernel) fn without_first_word(a: Vector) -> Vector {
        vextq_u8::<4>(a, vdupq_n_u8(0))
    }

    /// A round of AES that adds its key last, as AES-NI has it. The compiler draws that sum
    /// into the next round, which adds its key first and would add zero.
    pub(in crate::kernel) fn aes_round(state: Vector, key: Vector) -> Vector {
        veorq_u8(vaesmcq_u8(vaeseq_u8(state, vdupq_n_u8(0))), key)
    }

    /// The last round, the same way.
    pub(in crate::kernel) fn aes_last_round(state: Vector, key: Vector) -> Vector {
        veorq_u8(vaeseq_u8(state, vdupq_n_u8(0)), key)
    }
}
