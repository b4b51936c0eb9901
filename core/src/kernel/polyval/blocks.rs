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
use crate::tier::bytes::apart128 as apart;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_mm_clmulepi64_si128 as multiply, _mm_shuffle_epi32 as exchange};

macro_rules! blocks {
    ($_tier:ident, $features:literal, $kernel:literal) => {
        products!(m128, $features, $kernel, GROUP: 8);
        groups!($features, $kernel);

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

        impl Horner {
            /// Blocks are not padded in front.
            #[inline]
            #[target_feature(enable = $features)]
            fn pad_in_front(_bytes: &[u8]) -> Self {
                Self(m128::splat(&[0; 16]))
            }

            /// Absorbs the length block and returns the value of the polynomial.
            #[inline]
            #[target_feature(enable = $kernel)]
            pub(in crate::kernel) fn finish(
                self,
                powers: &Powers<'_>,
                _tail: Tail,
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
