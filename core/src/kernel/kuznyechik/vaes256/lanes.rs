//! A block in each lane of 128 bits, for what is too little to fill thirty-two: as on
//! AVX-512, in the names of `aes_field`.

use super::super::Block;
use super::super::aes_field::{
    L, L_INVERSE, Multipliers, RENAME, RENAME_BACK, RENAMED, RENAMED_BACK,
};
use super::super::avx2::few_blocks::{first_lane, in_both_lanes, load_pair, store_pair};
use super::super::byte_sliced::{RoundKeys, gfni};
use super::super::nibbles::{InverseTables, Tables};
use super::super::pi::{ALPHA, OMEGA, invert_linear, tabulate};
use super::super::round_keys::feistel;
use super::{Substitution, affine, inverse, substitute, substitute_inverse, substitution};
use crate::tier::kernel;
use core::arch::x86_64::*;

/// `outer(inner(x))`.
const fn after(outer: [u8; 256], inner: [u8; 256]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        table[x] = outer[inner[x] as usize];
        x += 1;
    }
    table
}

static PI: Substitution<Tables> = substitution(
    &after(tabulate(ALPHA), RENAMED_BACK),
    &after(RENAMED, tabulate(OMEGA)),
);
static PI_INVERSE: Substitution<InverseTables> = inverse(
    &after(tabulate(invert_linear(OMEGA)), RENAMED_BACK),
    &after(RENAMED, tabulate(invert_linear(ALPHA))),
);

/// L of the blocks in two lanes, and the addition of `key`: with the products that are there
/// first.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn linear(multipliers: &Multipliers, v: __m256i, key: __m256i) -> __m256i {
    let turned = [
        v,
        _mm256_alignr_epi8::<1>(v, v),
        _mm256_alignr_epi8::<2>(v, v),
        _mm256_alignr_epi8::<3>(v, v),
    ];
    let sum = |far: usize| {
        let product = |near: usize| {
            _mm256_gf2p8mul_epi8(turned[near], in_both_lanes(&multipliers.0[near][far]))
        };
        _mm256_xor_si256(
            _mm256_xor_si256(product(0), product(1)),
            _mm256_xor_si256(product(2), product(3)),
        )
    };
    let [a, b, c, d] = [sum(0), sum(1), sum(2), sum(3)];
    let a = _mm256_xor_si256(a, key);
    let b = _mm256_alignr_epi8::<4>(b, b);
    let c = _mm256_shuffle_epi32::<0b01_00_11_10>(c);
    let d = _mm256_alignr_epi8::<12>(d, d);
    _mm256_xor_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d))
}

/// At most `2·N` blocks, two in a vector, side by side.
macro_rules! in_lanes {
    ($name:ident, |$keys:ident, $state:ident| $rounds:expr) => {
        #[inline]
        #[target_feature(enable = "avx2,gfni")]
        fn $name<const N: usize>(keys: &RoundKeys, blocks: &mut [Block]) {
            let $keys = |i: usize| affine(in_both_lanes(&keys.plain[i]), RENAME);
            let mut $state = [_mm256_setzero_si256(); N];
            for (v, pair) in $state.iter_mut().zip(blocks.chunks(2)) {
                *v = affine(load_pair(pair), RENAME);
            }
            $rounds
            for (v, pair) in $state.iter().zip(blocks.chunks_mut(2)) {
                store_pair(pair, affine(*v, RENAME_BACK));
            }
        }
    };
}
in_lanes!(encrypt, |key, state| {
    add(&mut state, key(0));
    for i in 1..10 {
        let key = key(i);
        for v in &mut state {
            *v = linear(&L, substitute(&PI, *v), key);
        }
    }
});
in_lanes!(decrypt, |key, state| {
    add(&mut state, key(9));
    for i in (0..9).rev() {
        let key = key(i);
        for v in &mut state {
            let sum = linear(&L_INVERSE, *v, _mm256_setzero_si256());
            *v = _mm256_xor_si256(substitute_inverse(&PI_INVERSE, sum), key);
        }
    }
});

#[inline]
#[target_feature(enable = "avx2")]
fn add(state: &mut [__m256i], key: __m256i) {
    for v in state {
        *v = _mm256_xor_si256(*v, key);
    }
}

/// Calls `$crypt` for eight blocks at a time, and for what is left with one or four vectors.
macro_rules! in_eights {
    ($crypt:ident, $keys:ident, $blocks:ident) => {
        for piece in $blocks.chunks_mut(8) {
            if piece.len() <= 2 {
                $crypt::<1>($keys, piece);
            } else {
                $crypt::<4>($keys, piece);
            }
        }
    };
}

kernel! {
    pub(super) fn encrypt_blocks(tier: Vaes256Gfni, keys: &RoundKeys, blocks: &mut [Block]) {
        in_eights!(encrypt, keys, blocks);
    }
}

kernel! {
    pub(super) fn decrypt_blocks(tier: Vaes256Gfni, keys: &RoundKeys, blocks: &mut [Block]) {
        in_eights!(decrypt, keys, blocks);
    }
}

kernel! {
    /// The key schedule.
    pub(super) fn expand(tier: Vaes256Gfni, key: &[u8; 32]) -> RoundKeys {
        let keys = feistel!(
            key,
            |block: &Block| affine(in_both_lanes(block), RENAME),
            |v| first_lane(affine(v, RENAME_BACK)),
            |v, sum| linear(&L, substitute(&PI, v), sum),
            |a, b| _mm256_xor_si256(a, b)
        );
        gfni::sliced(&keys)
    }
}
