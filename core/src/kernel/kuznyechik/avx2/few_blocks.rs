//! A block in each lane of 128 bits, for what is too little to fill thirty-two.
//!
//! L is the sum of sixteen turned lanes, each byte times a coefficient of its own; the
//! products are made for all at once by Horner's rule over the powers of x.

use super::super::constants::table;
use super::super::lanes::{key_schedule, lanes, turned};
use super::*;
use crate::tier::bytes::{load256, store128, store256};
use core::convert::{identity as enter, identity as leave};
use in_both_lanes as in_lanes;
use load_pair as load;
use store_pair as store;

/// Entry `[bit][turn]`, byte `i`: all ones if what comes to byte `i` by turning is
/// multiplied by a coefficient with that bit; twice, for two lanes.
#[repr(align(32))]
struct Masks([[[u8; 32]; 16]; 8]);

const fn masks(inverse: bool) -> Masks {
    let turned = turned(inverse);
    Masks(table!([[[0; 32]; 16]; 8], |bit| {
        table!([[0; 32]; 16], |turn| {
            table!([0; 32], |byte| 0_u8.wrapping_sub(turned[turn][byte % 16] >> bit & 1))
        })
    }))
}

static L: Masks = masks(false);
static L_INVERSE: Masks = masks(true);

/// Blocks in a vector.
pub(in super::super) const LANES: usize = 2;

crate::tier::helpers! {
    "avx2";
    fn linear(masks: &Masks, v: Vector, key: Vector) -> Vector {
        macro_rules! turned {
            ($($by:literal)*) => { [$( _mm256_alignr_epi8::<$by>(v, v) ),*] };
        }
        let turned = turned!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        let mut sum = broadcast([0; 8]);
        for (bit, masks) in masks.0.iter().enumerate().rev() {
            let mut terms = [broadcast([0; 8]); 2];
            for (i, (v, mask)) in turned.iter().zip(masks).enumerate() {
                terms[i % 2] = xor(terms[i % 2], _mm256_and_si256(*v, load256(mask)));
            }
            sum = xor(sum, xor(terms[0], terms[1]));
            if bit > 0 {
                sum = double(sum);
            }
        }
        xor(sum, xor(broadcast([DOUBLING_SHIFT; 8]), key))
    }

    pub(in super::super) fn in_both_lanes(block: &Block) -> __m256i {
        _mm256_broadcastsi128_si256(load128(block))
    }

    /// One block, in both lanes, or two.
    pub(in super::super) fn load_pair(pair: &[Block]) -> __m256i {
        match (pair.as_flattened().try_into(), pair) {
            (Ok(pair), _) => load256(pair),
            (_, [block, ..]) => in_both_lanes(block),
            _ => _mm256_setzero_si256(),
        }
    }

    pub(in super::super) fn store_pair(pair: &mut [Block], v: __m256i) {
        if let Ok(pair) = pair.as_flattened_mut().try_into() {
            store256(pair, v);
        } else if let [block, ..] = pair {
            store128(block, _mm256_castsi256_si128(v));
        }
    }
}

lanes!(Avx2, "avx2", VECTORS: 1);
key_schedule!(Avx2, |keys| RoundKeys::sliced(keys, relations));
