//! The round keys of byte slices by vector instructions, two keys at a time: a key that seals
//! one short message costs as much to make as to use.

use super::super::constants::table;
use super::super::round_keys;
use super::{FACTOR, NEAR, RELATIONS, RoundKeys, matrix};
use crate::tier::bytes::{load128, load256, store256};
use core::arch::x86_64::*;

/// The bytes of a lane from the last to the first.
static REVERSED: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// Entry `i` takes bytes `4·i`, …, `4·i + 3`, each eight times, from lanes that are equal.
static EIGHT_TIMES: [[u8; 32]; 4] =
    table!([[0; 32]; 4], |i| table!([0; 32], |to| (4 * i + to / 8) as u8));

/// [`super::sums`] of two blocks: `$relation[d] * (v shifted by d bytes)`, summed over `$d` and added
/// to `v`.
macro_rules! sums {
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
    /// Writes what the steps of [`super::linear`] add for a key. Both lanes are equal.
    fn store_relations(near: __m256i, far: __m256i, out: &mut [super::Byte; RELATIONS]) {
        let of_encryption = _mm256_blend_epi32::<0b0001_0001>(far, near);
        let (vectors, _) = out.as_flattened_mut().as_chunks_mut();
        for (i, bytes) in vectors.iter_mut().enumerate() {
            let (v, places) = match EIGHT_TIMES.get(i) {
                Some(places) => (of_encryption, places),
                None => (near, &EIGHT_TIMES[3]),
            };
            store256(bytes, _mm256_shuffle_epi8(v, load256(places)));
        }
    }

    /// [`RoundKeys::sliced`] for the steps of [`super::linear`].
    pub(in super::super) fn sliced(plain: round_keys::RoundKeys) -> RoundKeys<RELATIONS> {
        let mut keys = RoundKeys::new(plain);
        let reversed = _mm256_broadcastsi128_si256(load128(&REVERSED));
        for (i, pair) in keys.plain.as_flattened().as_chunks().0.iter().enumerate() {
            let pair = _mm256_shuffle_epi8(load256(pair), reversed);
            let near = sums!(NEAR, pair, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            let far = sums!(FACTOR, near, 1 2 3 4);
            // K_1 comes before all rounds.
            if i > 0 {
                let [near, far] = [near, far].map(|v| _mm256_permute2x128_si256::<0x00>(v, v));
                store_relations(near, far, &mut keys.relations[2 * i - 1]);
            }
            let [near, far] = [near, far].map(|v| _mm256_permute2x128_si256::<0x11>(v, v));
            store_relations(near, far, &mut keys.relations[2 * i]);
        }
        keys
    }
}
