//! The sums of products that POLYVAL is made of, written once for CPUs with and without
//! EOR3.
//!
//! `A := A·H^8 + X1·H^7 + … + X7·H + X8`: products that are summed before they are
//! reduced. The newest block is added and not multiplied, so that the end of the message
//! costs one reduction: `S = A·H^2 + L·H` with the length block L. Fewer blocks use the
//! lowest powers only, and only those that the message needs are made.
//!
//! Schoolbook products are four multiplications, and those by Karatsuba's rule three. The
//! rule saves the multiplication by a turn and a sum of every block; where a sum of three
//! vectors is one instruction, which the compiler makes of two sums, the fourth
//! multiplication is cheaper.

/// Defines `Product`, `Powers` and `Horner` for code with these features, with schoolbook
/// products or without.
macro_rules! products {
    ($features:literal, $schoolbook:literal) => {
        use core::arch::aarch64::*;
        use $crate::kernel::Block;
        use $crate::tier::bytes::{load128, load128_padded, store128, whole};

        /// Blocks between two reductions.
        pub(in $crate::kernel) const GROUP: usize = 8;

        /// The product of the lower halves.
        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_low(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            let half = |v| vgetq_lane_p64::<0>(vreinterpretq_p64_u8(v));
            vreinterpretq_u8_p128(vmull_p64(half(a), half(b)))
        }

        /// The product of the upper halves.
        #[inline]
        #[target_feature(enable = $features)]
        fn multiply_high(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            let halves = |v| vreinterpretq_p64_u8(v);
            vreinterpretq_u8_p128(vmull_high_p64(halves(a), halves(b)))
        }

        /// The halves exchanged.
        #[inline]
        #[target_feature(enable = $features)]
        fn turned(x: uint8x16_t) -> uint8x16_t {
            vextq_u8::<8>(x, x)
        }

        /// Low half plus high half, in both halves.
        #[inline]
        #[target_feature(enable = $features)]
        pub(in $crate::kernel) fn halves(x: uint8x16_t) -> uint8x16_t {
            veorq_u8(x, turned(x))
        }

        /// A product that is not yet reduced: low, middle and high 128 bits, Karatsuba's
        /// middle term still with the other two in it.
        pub(crate) struct Product {
            low: uint8x16_t,
            middle: uint8x16_t,
            high: uint8x16_t,
        }

        impl Product {
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn zero() -> Self {
                let zero = vdupq_n_u8(0);
                Self { low: zero, middle: zero, high: zero }
            }

            /// What [`Product::add`] wants to know of a power for the middle term.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn across(power: uint8x16_t) -> uint8x16_t {
                if $schoolbook { turned(power) } else { halves(power) }
            }

            /// Adds `x · power`; `across` is [`Product::across`] of the power.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn add(
                &mut self,
                x: uint8x16_t,
                power: uint8x16_t,
                across: uint8x16_t,
            ) {
                let [x, power, across] = [x, power, across].map(|v| whole(v));
                self.low = veorq_u8(self.low, multiply_low(x, power));
                self.high = veorq_u8(self.high, multiply_high(x, power));
                if $schoolbook {
                    self.middle = veorq_u8(self.middle, multiply_low(x, across));
                    self.middle = veorq_u8(self.middle, multiply_high(x, across));
                } else {
                    self.middle = veorq_u8(self.middle, multiply_low(halves(x), across));
                }
            }

            /// Low, middle and high, the middle one without the other two.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn parts(self) -> [uint8x16_t; 3] {
                let middle = if $schoolbook {
                    self.middle
                } else {
                    veorq_u8(veorq_u8(self.middle, self.low), self.high)
                };
                [self.low, middle, self.high]
            }

            /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3). The middle term
            /// joins where the lowest 64 bits are gone and it is at the bottom.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn reduce(self) -> uint8x16_t {
                /// x^127 + x^126 + x^121 + 1 over x^64: the upper half of the field's polynomial.
                const POLYNOMIAL: u64 = 0xc200_0000_0000_0000;
                let polynomial = vreinterpretq_u8_u64(vdupq_n_u64(POLYNOMIAL));
                let [low, middle, high] = self.parts();
                let t = multiply_low(low, polynomial);
                let sum = veorq_u8(veorq_u8(turned(low), middle), t);
                let t = multiply_low(sum, polynomial);
                veorq_u8(veorq_u8(turned(sum), high), t)
            }
        }

        /// Powers of the authentication key: `steps[k]` is H^(k+1).
        pub(in $crate::kernel) struct Powers {
            steps: [uint8x16_t; GROUP],
            across: [uint8x16_t; GROUP],
        }

        impl Powers {
            /// Prepares groups of up to `blocks` blocks, at most [`GROUP`] of them.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn new(h: &Block, blocks: usize) -> Self {
                let h = load128(h);
                let mut powers = Self { steps: [h; GROUP], across: [Product::across(h); GROUP] };
                powers.double::<1>();
                if blocks > 2 {
                    powers.double::<2>();
                }
                if blocks > 4 {
                    powers.double::<4>();
                }
                powers
            }

            /// From the powers up to H^`N` to those up to H^(2`N`).
            #[inline]
            #[target_feature(enable = $features)]
            fn double<const N: usize>(&mut self) {
                let (highest, _) = self.step(N);
                for k in 1..=N {
                    let (power, across) = self.step(k);
                    let mut product = Product::zero();
                    product.add(highest, power, across);
                    let power = product.reduce();
                    self.steps[N + k - 1] = power;
                    self.across[N + k - 1] = Product::across(power);
                }
            }

            /// H^`blocks` and what is across.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn step(&self, blocks: usize) -> (uint8x16_t, uint8x16_t) {
                let i = (blocks - 1) % GROUP;
                (self.steps[i], self.across[i])
            }
        }

        /// The running sum, the newest block added but not multiplied.
        pub(in $crate::kernel) struct Horner(pub(in $crate::kernel) uint8x16_t);

        impl Horner {
            /// Absorbs the AAD.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn start(powers: &Powers, aad: &[u8]) -> Self {
                let mut sum = Self(vdupq_n_u8(0));
                sum.absorb(powers, aad);
                sum
            }

            /// Absorbs `text`, its last block padded with zeros.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn absorb(&mut self, powers: &Powers, text: &[u8]) {
                let (blocks, rest) = text.as_chunks::<16>();
                if !rest.is_empty() {
                    self.absorb_blocks(powers, blocks, load128_padded(rest));
                } else if let Some((last, others)) = blocks.split_last() {
                    self.absorb_blocks(powers, others, load128(last));
                }
            }

            /// Absorbs `blocks` and then `last`: groups first, then what does not fill one.
            #[inline]
            #[target_feature(enable = $features)]
            fn absorb_blocks(&mut self, powers: &Powers, blocks: &[Block], last: uint8x16_t) {
                let (groups, odd) = blocks.as_chunks::<GROUP>();
                for group in groups {
                    self.absorb_group(powers, &group[..GROUP - 1], load128(&group[GROUP - 1]));
                }
                self.absorb_group(powers, odd, last);
            }

            /// `A := A·H^g + … + blocks·H + last`, one reduction; g ≤ [`GROUP`].
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn absorb_group(
                &mut self,
                powers: &Powers,
                blocks: &[Block],
                last: uint8x16_t,
            ) {
                let mut product = Product::zero();
                for (i, block) in blocks.iter().rev().enumerate() {
                    let (power, across) = powers.step(i + 1);
                    product.add(load128(block), power, across);
                }
                let (power, across) = powers.step(blocks.len() + 1);
                product.add(self.0, power, across);
                self.0 = veorq_u8(product.reduce(), last);
            }

            /// Absorbs the length block and returns the value of the polynomial.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in $crate::kernel) fn finish(self, powers: &Powers, length_block: &Block) -> Block {
                let mut product = Product::zero();
                let (power, across) = powers.step(2);
                product.add(self.0, power, across);
                let (power, across) = powers.step(1);
                product.add(load128(length_block), power, across);
                let mut out = [0; 16];
                store128(&mut out, product.reduce());
                out
            }
        }
    };
}
pub(super) use products;
