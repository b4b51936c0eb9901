//! Kuznyechik on AVX-512 with VBMI and GFNI, sixty-four blocks in sixteen vectors.

mod lanes;

use super::byte_sliced::vectors::byte_slices;
use super::byte_sliced::{self, Byte, RELATIONS, linear, matrix};
use super::constants::table;
use super::counters::Counters;
use super::pi::{self, invert};
use super::{Block, Kuznyechik};
use crate::tier::bytes::{load128, load512 as load, store512 as store};
use crate::tier::{Avx512, kernel};
use _mm512_unpackhi_epi8 as unpack_high;
use _mm512_unpacklo_epi8 as unpack_low;
use _mm512_xor_si512 as xor;
use core::arch::x86_64::*;
use substitute as substitute_inverse;

type Vector = __m512i;
type RoundKeys = byte_sliced::RoundKeys<RELATIONS>;

/// A table of bytes in four vectors.
#[repr(align(64))]
struct Table([u8; 256]);

static PI: Table = Table(pi::PI);
static PI_INVERSE: Table = Table(invert(pi::PI));

macro_rules! multiply {
    ($factor:expr, $x:expr) => {
        _mm512_gf2p8affine_epi64_epi8::<0>($x, _mm512_set1_epi64(const { matrix($factor) }))
    };
}

crate::tier::helpers! {
    "avx512f,avx512bw,avx512vbmi,gfni";
    /// The lower and the upper half of the table both answer; the top bit chooses.
    fn substitute(table: &Table, x: Vector) -> Vector {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| load(&table.0.as_chunks().0[i]));
        let lower = _mm512_permutex2var_epi8(a, x, b);
        let upper = _mm512_permutex2var_epi8(c, x, d);
        _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), lower, upper)
    }

    fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
        _mm512_ternarylogic_epi64::<0x96>(a, b, c)
    }

    fn broadcast(byte: Byte) -> Vector {
        _mm512_set1_epi64(i64::from_ne_bytes(byte))
    }

    /// What [`load_bytes`] would make of the counters, without the detour over their blocks.
    fn count(counters: Counters) -> [__m512i; 16] {
        let numbers = load(&NUMBERS);
        let left_len = _mm512_set1_epi8(counters.left_len.min(BLOCKS) as i8);
        let is_left = _mm512_cmplt_epu8_mask(numbers, left_len);
        let (left, right) = (counters.left.to_be_bytes(), counters.right.to_be_bytes());
        let both = _mm256_set_m128i(load128(&right), load128(&left));
        let both = _mm512_castsi256_si512(both);
        let from = _mm512_maskz_set1_epi8(!is_left, 16);

        let mut v = [_mm512_setzero_si512(); 16];
        let left_added = _mm512_maskz_mov_epi8(is_left, numbers);
        let right_added = _mm512_maskz_sub_epi8(!is_left, numbers, left_len);
        for (mut added, half) in [(left_added, 0), (right_added, 8)] {
            for i in (half..half + 8).rev() {
                let from = _mm512_add_epi8(from, _mm512_set1_epi8(i as i8));
                let sum = _mm512_add_epi8(_mm512_permutexvar_epi8(from, both), added);
                let carry = _mm512_cmplt_epu8_mask(sum, added);
                added = _mm512_maskz_set1_epi8(carry, 1);
                v[i] = sum;
            }
        }
        v
    }
}

/// The number of the block whose byte is at each place of a vector.
static NUMBERS: [u8; 64] = table!([0; 64], |i| (i % 16 * 4 + i / 16) as u8);

kernel! {
    fn encrypt_counters(tier: Avx512, keys: &RoundKeys, counters: Counters, blocks: &mut [Block]) {
        if let Ok(group) = (&mut *blocks).try_into() {
            encrypt_bytes(keys, group, |_| count(counters));
        } else {
            counters.fill(blocks);
            encrypt_blocks(tier, keys, blocks);
        }
    }
}

byte_slices!(Avx512, "avx512f,avx512bw,avx512vbmi,gfni", lanes::expand, linear, FEW: 34, lanes, {
    #[inline(always)]
    fn encrypt_counters(self, keys: &RoundKeys, counters: Counters, blocks: &mut [Block]) {
        encrypt_counters(self, keys, counters, blocks);
    }
});
