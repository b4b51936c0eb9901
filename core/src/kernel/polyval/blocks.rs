//! POLYVAL over vectors of one block, eight of them with one reduction.
//!
//! `A := A·H^8 + X1·H^7 + … + X7·H + X8`: Karatsuba products, three
//! multiplications each, summed before they are reduced. The newest block is added
//! and not multiplied, so that the end of the message costs one reduction:
//! `S = A·H^2 + L·H` with the length block L. Fewer blocks use the lowest powers
//! only, and only those that the message needs are made.

#[cfg(target_arch = "aarch64")]
use super::neon::{exchange, multiply};
use super::products::{POLYNOMIAL, SWAP, groups, products};
use crate::kernel::vector::{m128, narrowest};
use crate::tier::bytes::apart128;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_mm_clmulepi64_si128 as multiply, _mm_shuffle_epi32 as exchange};

/// The lower halves are multiplied for the middle term.
const HALVES: i32 = 0x00;

macro_rules! blocks {
    ($_tier:ident, $features:literal, $kernel:literal) => {
        products!(m128, $features, $kernel, GROUP: 8);
        groups!($kernel);

        #[inline]
        #[target_feature(enable = $features)]
        fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
            m128::xor(a, m128::xor(b, c))
        }

        /// `low + above·x^64` without the lowest word of `low`, for which a multiple of the
        /// field's polynomial is added: its lowest word is 1, and [`POLYNOMIAL`] the one after.
        /// The word that follows, and is the lowest now, comes first.
        #[inline]
        #[target_feature(enable = $features)]
        fn without_lowest(low: Vector, above: Vector) -> Vector {
            const WORD: u128 = POLYNOMIAL.cast_unsigned() as u128;
            let t = multiply::<0x00>(low, m128::splat(&(WORD << 64 | WORD).to_le_bytes()));
            m128::xor(apart128(m128::xor(exchange::<SWAP>(low), above)), t)
        }

        /// `a · a · x^-128`: the middle terms are equal and cancel.
        #[inline]
        #[target_feature(enable = $kernel)]
        pub(super) fn square(a: Vector, beside: &mut impl Step) -> Vector {
            let low = multiply::<0x00>(a, a);
            let high = multiply::<0x11>(a, a);
            reduce([low, m128::splat(&[0; 16]), high], beside)
        }

        /// Powers of the authentication key: H^(k+1) at k.
        pub(in crate::kernel) struct Powers<'a> {
            steps: &'a Steps<GROUP>,
        }

        impl<'a> Powers<'a> {
            /// Prepares groups of up to `vectors` blocks, at most [`GROUP`] of them.
            #[inline]
            #[target_feature(enable = $kernel)]
            pub(in crate::kernel) fn new(
                h: Vector,
                vectors: usize,
                room: &'a mut Steps<GROUP>,
                beside: &mut impl Step,
            ) -> Self {
                set_steps(room, 0, h);
                let h2 = square(h, beside);
                set_steps(room, 1, h2);
                if vectors > 2 {
                    let h4 = square(h2, beside);
                    let h3 = dot(h2, h, beside);
                    set_steps(room, 2, h3);
                    set_steps(room, 3, h4);
                    if vectors > 4 {
                        for (k, power) in [h, h2, h3, h4].into_iter().enumerate() {
                            set_steps(room, 4 + k, dot(h4, power, beside));
                        }
                    }
                }
                Self { steps: room }
            }
        }

        /// What is left of a text after its blocks: nothing, where the wider tiers have some.
        pub(in crate::kernel) struct Tail;

        impl Horner {
            /// Absorbs the AAD.
            #[inline]
            #[target_feature(enable = $kernel)]
            pub(in crate::kernel) fn start(
                powers: &Powers<'_>,
                aad: &[u8],
                beside: &mut impl Step,
            ) -> Self {
                let mut sum = Self(m128::splat(&[0; 16]));
                sum.absorb(powers, in_vectors(aad), beside);
                sum
            }

            /// Absorbs a text, whose last block is padded with zeros.
            #[inline]
            #[target_feature(enable = $kernel)]
            pub(in crate::kernel) fn absorb(
                &mut self,
                powers: &Powers<'_>,
                (vectors, last): Text<'_>,
                beside: &mut impl Step,
            ) -> Tail {
                if let Some((_, last)) = last {
                    self.absorb_vectors(powers, vectors, last, beside);
                }
                Tail
            }

            /// Absorbs the length block and returns the value of the polynomial.
            #[inline]
            #[target_feature(enable = $kernel)]
            pub(in crate::kernel) fn finish(
                self,
                powers: &Powers<'_>,
                Tail: Tail,
                length_block: Vector,
                beside: &mut impl Step,
            ) -> Vector {
                let mut product = Product::zero();
                let (power, power_halves) = powers.step(1);
                product.add(length_block, power, power_halves);
                let (power, power_halves) = powers.step(2);
                product.add(self.0, power, power_halves);
                reduce(product.parts(), beside)
            }
        }
    };
}
narrowest!(blocks);
