//! The round keys of byte slices by vector instructions, two keys at a time: a key that seals
//! one short message costs as much to make as to use.

use super::super::avx2::few_blocks::{in_both_lanes, load_pair};
use super::super::round_keys;
use super::{Block, FAR, NEAR, RoundKeys, matrix};
use crate::tier::bytes::{load256, store256};
use core::arch::x86_64::*;

/// The bytes of a lane from the last to the first.
static REVERSED: Block = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// Entry `i` takes bytes `4·i`, …, `4·i + 3`, each eight times, from lanes that are equal.
static EIGHT_TIMES: [[u8; 32]; 4] = {
    let mut places = [[0; 32]; 4];
    let mut i = 0;
    while i < 128 {
        places[i / 32][i % 32] = i as u8 / 8;
        i += 1;
    }
    places
};

/// `$relation[d] * (v shifted by d bytes)`, summed over `$d` and added to `v`.
macro_rules! sum_of_shifted {
    ($relation:ident, $v:ident, $($d:literal)*) => {{
        let mut sums = [$v, _mm256_setzero_si256()];
        $(
            let shifted = _mm256_bslli_epi128::<$d>($v);
            let times = _mm256_set1_epi64x(const { matrix($relation[$d]) });
            let product = _mm256_gf2p8affine_epi64_epi8::<0>(shifted, times);
            sums[$d % 2] = _mm256_xor_si256(sums[$d % 2], product);
        )*
        _mm256_xor_si256(sums[0], sums[1])
    }};
}

crate::tier::helpers! {
    "avx2,gfni";
    /// [`super::linear_corrections`] of two keys.
    fn linear_corrections(keys: __m256i) -> __m256i {
        const { assert!(FAR[1] == 0 && FAR[2] == 0 && super::EARLY_STEPS == 4) };
        let early = sum_of_shifted!(NEAR, keys, 1 2 3);
        let late = sum_of_shifted!(FAR, keys, 3 4 5 6 7 8 9 10 11 12 13 14 15);
        _mm256_blend_epi32::<0b0001_0001>(late, early)
    }

    /// Each byte of a lane's block eight times; both lanes are equal.
    fn replicate(block: __m256i, out: &mut [super::Byte; 16]) {
        let vectors = out.as_flattened_mut().as_chunks_mut().0;
        for (bytes, places) in vectors.iter_mut().zip(&EIGHT_TIMES) {
            store256(bytes, _mm256_shuffle_epi8(block, load256(places)));
        }
    }

    /// [`super::sliced`] with [`super::linear_corrections`].
    pub(in super::super) fn sliced(keys: &round_keys::RoundKeys) -> RoundKeys {
        let mut out =
            RoundKeys { plain: **keys, first: Default::default(), encryption: Default::default() };
        replicate(in_both_lanes(&keys[0]), &mut out.first);
        for (pair, bytes) in keys[1..].chunks(2).zip(out.encryption.chunks_mut(2)) {
            let pair = _mm256_shuffle_epi8(load_pair(pair), in_both_lanes(&REVERSED));
            let pair = linear_corrections(pair);
            replicate(_mm256_permute2x128_si256::<0x00>(pair, pair), &mut bytes[0]);
            if let Some(second) = bytes.get_mut(1) {
                replicate(_mm256_permute2x128_si256::<0x11>(pair, pair), second);
            }
        }
        out
    }
}
