//! Four blocks in a vector, or two where there are no more.

use super::super::Block;
use super::super::aes_field::{
    L, L_INVERSE, Multipliers, RENAME, RENAME_BACK, RENAMED_PI, RENAMED_PI_INVERSE,
};
use super::super::lanes::{lanes, linear};
use super::{RoundKeys, Table, Vector, substitute, xor, xor3};
use crate::tier::bytes::{load128, load512, load512_padded, store512, store512_partial};
use crate::tier::kernel;
use _mm512_alignr_epi8 as align;
use _mm512_gf2p8mul_epi8 as multiply;
use _mm512_shuffle_epi32 as turn_words;
use core::arch::x86_64::*;
use substitute as substitute_inverse;
pub(super) use two::expand;

static PI: Table = Table(RENAMED_PI);
static PI_INVERSE: Table = Table(RENAMED_PI_INVERSE);
const LANES: usize = 4;

crate::tier::helpers! {
    "avx512f,avx512bw,avx512vbmi,gfni";
    fn enter(v: Vector) -> Vector {
        _mm512_gf2p8affine_epi64_epi8::<0>(v, _mm512_set1_epi64(RENAME))
    }

    fn leave(v: Vector) -> Vector {
        _mm512_gf2p8affine_epi64_epi8::<0>(v, _mm512_set1_epi64(RENAME_BACK))
    }

    fn in_lanes(block: &Block) -> Vector {
        _mm512_broadcast_i32x4(load128(block))
    }

    /// At most four blocks, zeros after them.
    fn load(blocks: &[Block]) -> Vector {
        let bytes = blocks.as_flattened();
        match bytes.try_into() {
            Ok(whole) => load512(whole),
            Err(_) => load512_padded(bytes),
        }
    }

    fn store(blocks: &mut [Block], v: Vector) {
        let bytes = blocks.as_flattened_mut();
        match bytes.first_chunk_mut() {
            Some(whole) => store512(whole, v),
            None => store512_partial(bytes, v),
        }
    }
}

linear!("avx512f,avx512bw,avx512vbmi,gfni");

mod four {
    use super::*;

    lanes!(
        Avx512,
        "avx512f,avx512bw,avx512vbmi,gfni",
        VECTORS: 4 or 1 or 2 or 3
    );
}

/// One block or two, whose products are half as many.
mod two {
    use super::super::super::avx2::few_blocks::{LANES, load_pair, store_pair};
    use super::super::super::byte_sliced::gfni;
    use super::super::super::lanes::key_schedule;
    use super::*;

    crate::tier::helpers! {
        "avx512f,avx512vl,avx512bw,avx512vbmi,gfni";
        fn load(blocks: &[Block]) -> Vector {
            _mm512_castsi256_si512(load_pair(blocks))
        }

        fn store(blocks: &mut [Block], v: Vector) {
            store_pair(blocks, _mm512_castsi512_si256(v));
        }

        fn linear(multipliers: &Multipliers, v: Vector, key: Vector) -> Vector {
            let [v, key] = [v, key].map(|v| _mm512_castsi512_si256(v));
            _mm512_castsi256_si512(super::super::super::vaes256::lanes::linear(multipliers, v, key))
        }
    }

    lanes!(Avx512, "avx512f,avx512vl,avx512bw,avx512vbmi,gfni", VECTORS: 1);
    key_schedule!(Avx512, gfni::sliced);
}

/// Calls `$crypt` of `two` or of `four` for at most sixteen blocks at a time.
macro_rules! in_sixteens {
    ($crypt:ident) => {
        kernel! {
            pub(super) fn $crypt(tier: Avx512, keys: &RoundKeys, blocks: &mut [Block]) {
                for blocks in blocks.chunks_mut(16) {
                    if blocks.len() <= 2 {
                        two::$crypt(tier, keys, blocks);
                    } else {
                        four::$crypt(tier, keys, blocks);
                    }
                }
            }
        }
    };
}
in_sixteens!(encrypt_blocks);
in_sixteens!(decrypt_blocks);
