//! The four running sums.

use super::powers::{LowPowers, Powers};
use super::{GROUP, HALF_GROUP, Horner, Product, Tail, Text, multiply_add, reduce, sum_of_lanes};
use crate::kernel::polyval::Step;
use crate::tier::bytes::{load512, load512_narrow};
use core::arch::x86_64::*;

impl<const N: usize> LowPowers<N> {
    crate::tier::helpers! {
        "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni";
        /// POLYVAL of a short message.
        pub(in crate::kernel) fn hash(
            &self, aad: &[u8], text: Text<'_>, length_block: __m128i, beside: &mut impl Step,
        ) -> __m128i {
            let mut sum = Horner::pad_in_front(aad);
            let tail = sum.absorb_short(aad.is_empty(), self, text, beside);
            sum.fold(self, tail, length_block, beside)
        }
    }
}

impl Horner {
    crate::tier::helpers! {
        "bmi2,vaes,vpclmulqdq,avx512vl,avx512dq,avx512vbmi,gfni";
        /// The vector `i` of a group, not the first, with each low half over its high half: a load
        /// from eight bytes before it. The port that shuffles also multiplies, and is the busiest.
        fn load_shifted(group: &[[u8; 64]], i: usize) -> __m512i {
            match group.as_flattened()[64 * i - 8..].first_chunk() {
                Some(bytes) => load512(bytes),
                None => _mm512_setzero_si512(),
            }
        }

        /// Starts with at most one vector, padded in front.
        pub(in crate::kernel) fn pad_in_front(bytes: &[u8]) -> Self {
            // Lane masks in pairs of 64-bit words; `expand` moves the blocks to the last lanes.
            const LANES: [u8; 5] = [0, 0b1100_0000, 0b1111_0000, 0b1111_1100, 0b1111_1111];
            let lanes = LANES[bytes.len().div_ceil(16).min(4)];
            Self(_mm512_maskz_expand_epi64(lanes, load512_narrow(bytes)))
        }

        /// `A := A·power + factors + last`; `is_empty` says that A is zero.
        fn multiply_and_add(
            &mut self, is_empty: bool, factors: Option<(__m512i, __m512i)>, power: __m512i,
            last: __m512i, beside: &mut impl Step,
        ) {
            let mut product = [_mm512_setzero_si512(); 3];
            if let Some((x, x_power)) = factors {
                product = multiply_add(x, x_power, product);
            }
            if !is_empty {
                product = multiply_add(self.0, power, product);
            } else if factors.is_none() {
                self.0 = last;
                return;
            }
            self.0 = _mm512_xor_si512(reduce(product, beside), last);
        }

        /// Absorbs a text of at most `N` vectors as [`Horner::absorb`] does, and
        /// returns what is left.
        pub(in crate::kernel) fn absorb_short[const N: usize](
            &mut self, is_empty: bool, powers: &LowPowers<N>, (vectors, last): Text<'_>,
            beside: &mut impl Step,
        ) -> Tail {
            let (last_len, last) = last?;
            let whole = (vectors.len() + usize::from(last_len > 48)).min(N);
            let vector = |i: usize| vectors.get(i).map_or(last, |vector| load512(vector));
            let mut done = whole % 2;
            if done == 1 {
                self.multiply_and_add(is_empty, None, powers.h4, vector(0), beside);
            }
            while done < whole {
                let first = (vector(done), powers.h4);
                let is_empty = is_empty && done == 0;
                self.multiply_and_add(is_empty, Some(first), powers.h8, vector(done + 1), beside);
                done += 2;
            }
            if last_len > 48 { None } else { Some((last_len.div_ceil(16), last)) }
        }

        pub(super) fn absorb_vectors(
            &mut self, powers: &Powers<'_>, vectors: &[[u8; 64]], last: __m512i,
            beside: &mut impl Step,
        ) {
            if powers.few {
                self.absorb_groups::<HALF_GROUP>(powers, vectors, last, beside);
            } else {
                self.absorb_groups::<GROUP>(powers, vectors, last, beside);
            }
        }

        /// Absorbs `vectors` and then `last`: first what does not fill a group, then groups.
        fn absorb_groups[const G: usize](
            &mut self, powers: &Powers<'_>, vectors: &[[u8; 64]], last: __m512i,
            beside: &mut impl Step,
        ) {
            let (odd, groups) = vectors.split_at(vectors.len() % G);
            let Some((first, groups)) = groups.split_first_chunk::<G>() else {
                return self.absorb_group(powers, odd, last, beside);
            };
            self.absorb_group(powers, odd, load512(&first[0]), beside);
            let mut group = first;
            let (others, _) = groups.as_chunks::<G>();
            for next in others {
                self.absorb_whole_group(powers, group, load512(&next[0]));
                group = next;
            }
            self.absorb_whole_group(powers, group, last);
        }

        /// A group whose first vector is in the sum already.
        fn absorb_whole_group[const G: usize](
            &mut self, powers: &Powers<'_>, group: &[[u8; 64]; G], last: __m512i,
        ) {
            let mut product = Product::zero();
            for (i, vector) in group.iter().enumerate().skip(1) {
                let (power, power_halves) = powers.step(G - i);
                let x = load512(vector);
                let x_halves = _mm512_xor_si512(x, Self::load_shifted(group, i));
                product.add_with_halves(x, x_halves, power, power_halves);
            }
            let (power, power_halves) = powers.step(G);
            product.add(self.0, power, power_halves);
            self.0 = _mm512_xor_si512(product.reduce(), last);
        }

        /// Folds the lanes together with the tail and the length block.
        pub(in crate::kernel) fn finish(
            self, powers: &Powers<'_>, tail: Tail, length_block: __m128i, beside: &mut impl Step,
        ) -> __m128i {
            self.fold(&powers.low, tail, length_block, beside)
        }

        pub(in crate::kernel) fn fold[const N: usize](
            self, powers: &LowPowers<N>, tail: Tail, length_block: __m128i, beside: &mut impl Step,
        ) -> __m128i {
            let (blocks, lanes) = tail.unwrap_or((0, _mm512_setzero_si512()));
            let r = blocks % 4;
            let length_lane = 0b1111 << (4 * r);
            let tail = _mm512_mask_broadcast_i32x4(lanes, length_lane, length_block);
            // Word indices that bring H^(r+1) … H^1 and H^(r+5) … H^(r+2) to lanes 0 to 3.
            let word = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
            let shift = _mm512_set1_epi64(2 * (3 - r as i64));
            let indices = _mm512_add_epi64(word, shift);
            let used = 0xff >> (2 * (3 - r));
            let tail_powers = _mm512_maskz_permutexvar_epi64(used, indices, powers.to_4);
            // `to_8 ‖ to_4` counts down from H^8, so the same shift reaches into both.
            let sum_powers = _mm512_permutex2var_epi64(powers.to_8, indices, powers.to_4);
            let product = multiply_add(tail, tail_powers, [_mm512_setzero_si512(); 3]);
            let product = multiply_add(self.0, sum_powers, product);
            sum_of_lanes(reduce(product, beside))
        }
    }
}
