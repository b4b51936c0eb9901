//! A block in each lane of 128 bits, for what is too little to fill sixty-four.
//!
//! The state is in the names of `aes_field`, where a lane's bytes can each be multiplied
//! by their own coefficient: L is sixteen such products of turned lanes.

use super::super::Block;
use super::super::aes_field::{
    L, L_INVERSE, Multipliers, RENAME, RENAME_BACK, RENAMED_PI, RENAMED_PI_INVERSE,
};
use super::super::avx2::few_blocks::{first_lane, in_both_lanes, load_pair, store_pair};
use super::super::byte_sliced::{RoundKeys, gfni};
use super::super::round_keys::feistel;
use super::{Substitution, Table, load_table, substitute};
use crate::tier::bytes::{load128, load512, load512_padded, store512, store512_partial};
use crate::tier::kernel;
use core::arch::x86_64::*;

static SUBSTITUTION: Substitution = Substitution(RENAMED_PI);
static SUBSTITUTION_INVERSE: Substitution = Substitution(RENAMED_PI_INVERSE);

macro_rules! xor3 {
    ($a:expr, $b:expr, $c:expr) => {
        _mm512_ternarylogic_epi64::<0x96>($a, $b, $c)
    };
}

#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn rename(v: __m512i) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(v, _mm512_set1_epi64(RENAME))
}

#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn rename_back(v: __m512i) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(v, _mm512_set1_epi64(RENAME_BACK))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn in_every_lane(block: &Block) -> __m512i {
    _mm512_broadcast_i32x4(load128(block))
}

#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn load_key(key: &Block) -> __m512i {
    rename(in_every_lane(key))
}

/// L of the blocks in four lanes, and the addition of `key`: with the products that are there
/// first, as a sum of its own would be one more that the next round waits for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn linear(multipliers: &Multipliers, v: __m512i, key: __m512i) -> __m512i {
    let turned = [
        v,
        _mm512_alignr_epi8::<1>(v, v),
        _mm512_alignr_epi8::<2>(v, v),
        _mm512_alignr_epi8::<3>(v, v),
    ];
    let product = |near: usize, far: usize| {
        _mm512_gf2p8mul_epi8(turned[near], in_every_lane(&multipliers.0[near][far]))
    };
    let sum = |far: usize| xor3!(product(0, far), product(1, far), product(2, far));
    let [a, b, c, d] = [sum(0), sum(1), sum(2), sum(3)];
    let a = xor3!(a, product(3, 0), key);
    let [b, c, d] = [
        _mm512_xor_si512(b, product(3, 1)),
        _mm512_xor_si512(c, product(3, 2)),
        _mm512_xor_si512(d, product(3, 3)),
    ];
    let b = _mm512_alignr_epi8::<4>(b, b);
    let c = _mm512_shuffle_epi32::<0b01_00_11_10>(c);
    let d = _mm512_alignr_epi8::<12>(d, d);
    _mm512_xor_si512(xor3!(b, c, d), a)
}

/// [`linear`] of the blocks in the two lower lanes, whose products are half as many.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,gfni")]
fn linear_two(multipliers: &Multipliers, v: __m512i, key: __m512i) -> __m512i {
    let [v, key] = [v, key].map(|x| _mm512_castsi512_si256(x));
    let turned = [
        v,
        _mm256_alignr_epi8::<1>(v, v),
        _mm256_alignr_epi8::<2>(v, v),
        _mm256_alignr_epi8::<3>(v, v),
    ];
    let product = |near: usize, far: usize| {
        _mm256_gf2p8mul_epi8(turned[near], in_both_lanes(&multipliers.0[near][far]))
    };
    let sum = |far: usize| {
        _mm256_ternarylogic_epi64::<0x96>(product(0, far), product(1, far), product(2, far))
    };
    let [a, b, c, d] = [sum(0), sum(1), sum(2), sum(3)];
    let a = _mm256_ternarylogic_epi64::<0x96>(a, product(3, 0), key);
    let [b, c, d] = [
        _mm256_xor_si256(b, product(3, 1)),
        _mm256_xor_si256(c, product(3, 2)),
        _mm256_xor_si256(d, product(3, 3)),
    ];
    let b = _mm256_alignr_epi8::<4>(b, b);
    let c = _mm256_shuffle_epi32::<0b01_00_11_10>(c);
    let d = _mm256_alignr_epi8::<12>(d, d);
    let sum = _mm256_ternarylogic_epi64::<0x96>(b, c, d);
    _mm512_castsi256_si512(_mm256_xor_si256(sum, a))
}

/// Expands to the rounds of encryption of the vectors `$state`.
macro_rules! encrypt {
    ($keys:ident, $state:ident, $linear:ident) => {
        let table = load_table(&SUBSTITUTION);
        let key = load_key(&$keys.plain[0]);
        for v in $state.iter_mut() {
            *v = _mm512_xor_si512(rename(*v), key);
        }
        for key in &$keys.plain[1..] {
            let key = load_key(key);
            for v in $state.iter_mut() {
                *v = $linear(&L, substitute(&table, *v), key);
            }
        }
        for v in $state.iter_mut() {
            *v = rename_back(*v);
        }
    };
}

/// Expands to the rounds of decryption of the vectors `$state`.
macro_rules! decrypt {
    ($keys:ident, $state:ident, $linear:ident) => {
        let table = load_table(&SUBSTITUTION_INVERSE);
        for v in $state.iter_mut() {
            *v = rename(*v);
        }
        let none = _mm512_setzero_si512();
        for key in $keys.plain[1..].iter().rev() {
            let key = load_key(key);
            for v in $state.iter_mut() {
                let sum = _mm512_xor_si512(*v, key);
                *v = substitute(&table, $linear(&L_INVERSE, sum, none));
            }
        }
        let key = load_key(&$keys.plain[0]);
        for v in $state.iter_mut() {
            *v = rename_back(_mm512_xor_si512(*v, key));
        }
    };
}

/// At most four blocks, zeros after them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load_four(blocks: &[Block]) -> __m512i {
    let bytes = blocks.as_flattened();
    if let Ok(whole) = bytes.try_into() {
        load512(whole)
    } else {
        load512_padded(bytes)
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn store_four(blocks: &mut [Block], v: __m512i) {
    let bytes = blocks.as_flattened_mut();
    if let Ok(whole) = (&mut *bytes).try_into() {
        store512(whole, v);
    } else {
        store512_partial(bytes, v);
    }
}

/// At most `4·N` blocks: `N` vectors side by side, as one alone would wait for its own
/// results.
macro_rules! in_lanes {
    ($name:ident, $rounds:ident) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni,bmi2")]
        fn $name<const N: usize>(keys: &RoundKeys, blocks: &mut [Block]) {
            let mut state = [_mm512_setzero_si512(); N];
            for (v, four) in state.iter_mut().zip(blocks.chunks(4)) {
                *v = load_four(four);
            }
            $rounds!(keys, state, linear);
            for (v, four) in state.iter().zip(blocks.chunks_mut(4)) {
                store_four(four, *v);
            }
        }
    };
}
in_lanes!(encrypt_lanes, encrypt);
in_lanes!(decrypt_lanes, decrypt);

/// One block or two.
macro_rules! in_two_lanes {
    ($name:ident, $rounds:ident) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,gfni")]
        fn $name(keys: &RoundKeys, blocks: &mut [Block]) {
            let mut state = [_mm512_castsi256_si512(load_pair(blocks))];
            $rounds!(keys, state, linear_two);
            store_pair(blocks, _mm512_castsi512_si256(state[0]));
        }
    };
}
in_two_lanes!(encrypt_two, encrypt);
in_two_lanes!(decrypt_two, decrypt);

/// Calls `$two` for two blocks or one and `$lanes` for at most sixteen at a time, with as
/// many vectors as they need.
macro_rules! in_sixteens {
    ($lanes:ident, $two:ident, $keys:ident, $blocks:ident) => {
        for blocks in $blocks.chunks_mut(16) {
            match blocks.len() {
                1..=2 => $two($keys, blocks),
                3..=4 => $lanes::<1>($keys, blocks),
                5..=8 => $lanes::<2>($keys, blocks),
                9..=12 => $lanes::<3>($keys, blocks),
                _ => $lanes::<4>($keys, blocks),
            }
        }
    };
}

kernel! {
    pub(super) fn encrypt_blocks(tier: Avx512, keys: &RoundKeys, blocks: &mut [Block]) {
        in_sixteens!(encrypt_lanes, encrypt_two, keys, blocks);
    }
}

kernel! {
    pub(super) fn decrypt_blocks(tier: Avx512, keys: &RoundKeys, blocks: &mut [Block]) {
        in_sixteens!(decrypt_lanes, decrypt_two, keys, blocks);
    }
}

kernel! {
    /// The key schedule.
    pub(super) fn expand(tier: Avx512, key: &[u8; 32]) -> RoundKeys {
        let table: Table = load_table(&SUBSTITUTION);
        let keys = feistel!(
            key,
            load_key,
            |v| first_lane(_mm512_castsi512_si256(rename_back(v))),
            |v, sum| linear_two(&L, substitute(&table, v), sum),
            |a, b| _mm512_xor_si512(a, b)
        );
        gfni::sliced(&keys)
    }
}
