//! The sums of products that POLYVAL is made of, written once for every width; what is done while
//! it waits, and where the powers of a long message are.

use crate::kernel::Block;
use crate::tier::secret;

/// Defines `Product`, and what takes a text in groups of `$group` vectors. `$features` are those
/// of the vectors, `$kernel` all of the tier. The file has `multiply`, `xor3`, `HALVES`
/// and `without_lowest`.
macro_rules! products {
    ($vector:ident, $features:literal, $kernel:literal, GROUP: $group:literal) => {
        use crate::kernel::polyval::{Step, Steps};
        use crate::kernel::vector::$vector::{self as vector, LANES, Vector};

        /// A text in vectors: the last one, which may be cut short, in a register and after its
        /// length, and those before it.
        pub(in crate::kernel) type Text<'a> = (&'a [[u8; 16 * LANES]], Option<(usize, Vector)>);

        /// Vectors between two reductions.
        pub(in crate::kernel) const GROUP: usize = $group;

        /// What is left of a text after its whole vectors: blocks, and a vector of them.
        pub(in crate::kernel) type Tail = Option<(usize, Vector)>;

        /// A product that is not yet reduced: low, middle and high 128 bits, Karatsuba's
        /// middle term still with the other two in it.
        #[derive(Clone, Copy)]
        pub(crate) struct Product {
            low: Vector,
            middle: Vector,
            high: Vector,
        }

        impl Product {
            $crate::tier::helpers! {
                $features;
                pub(in crate::kernel) fn zero() -> Self {
                    let zero = vector::splat(&[0; 16]);
                    Self { low: zero, middle: zero, high: zero }
                }

                /// Adds `x · power`; `power_halves` is [`halves`] of the power.
                pub(in crate::kernel) fn add(
                    &mut self, x: Vector, power: Vector, power_halves: Vector,
                ) {
                    self.add_with_halves(x, halves(x), power, power_halves);
                }

                /// The same with `low + high` of `x` in the half of each block of `x_halves` that
                /// `HALVES` names.
                fn add_with_halves(
                    &mut self, x: Vector, x_halves: Vector, power: Vector, power_halves: Vector,
                ) {
                    self.low = vector::xor(self.low, multiply::<0x00>(x, power));
                    self.high = vector::xor(self.high, multiply::<0x11>(x, power));
                    let middle = multiply::<HALVES>(x_halves, power_halves);
                    self.middle = vector::xor(self.middle, middle);
                }

                /// Low, middle and high, the middle one without the other two.
                pub(in crate::kernel) fn parts(self) -> [Vector; 3] {
                    [self.low, xor3(self.middle, self.low, self.high), self.high]
                }

                /// Times x^-128 modulo the field's polynomial (RFC 8452 section 3), lane by lane.
                pub(in crate::kernel) fn reduce(self) -> Vector {
                    let [low, middle, high] = self.parts();
                    without_lowest(without_lowest(low, middle), high)
                }
            }
        }

        $crate::tier::helpers! {
            $kernel;
            /// [`Product::reduce`] of its parts, step by step.
            pub(super) fn reduce(
                [low, middle, high]: [Vector; 3], beside: &mut impl Step,
            ) -> Vector {
                let low = without_lowest(low, middle);
                beside.step();
                let sum = without_lowest(low, high);
                beside.step();
                sum
            }

            /// `a · a · x^-128`, lane by lane: the middle terms are equal and cancel.
            pub(super) fn square(a: Vector, beside: &mut impl Step) -> Vector {
                let low = multiply::<0x00>(a, a);
                let high = multiply::<0x11>(a, a);
                reduce([low, vector::splat(&[0; 16]), high], beside)
            }
        }

        $crate::tier::helpers! {
            $features;
            pub(in crate::kernel) fn in_vectors(text: &[u8]) -> Text<'_> {
                let whole = text.len().saturating_sub(1) / (16 * LANES) * (16 * LANES);
                let (vectors, last) = text.split_at(whole);
                let last = (!last.is_empty()).then(|| (last.len(), vector::load_padded(last)));
                (vectors.as_chunks().0, last)
            }

            /// Low half plus high half of each lane, in both halves.
            pub(in crate::kernel) fn halves(x: Vector) -> Vector {
                vector::xor(x, exchange::<SWAP>(x))
            }

            /// Powers from the place `from` on, one in each lane.
            fn set_steps(steps: &mut Steps<GROUP>, from: usize, lanes: Vector) {
                if let Some(powers) = steps.powers[from..].first_chunk_mut() {
                    vector::store(powers, lanes);
                }
                if let Some(powers) = steps.halves[from..].first_chunk_mut() {
                    vector::store(powers, halves(lanes));
                }
            }
        }

        impl Powers<'_> {
            /// H^(`vectors` times the lanes) in every lane, and its halves.
            #[inline]
            #[target_feature(enable = $features)]
            pub(in crate::kernel) fn step(&self, vectors: usize) -> (Vector, Vector) {
                let i = (vectors - 1) % GROUP;
                let Steps { powers, halves } = &*self.steps;
                (vector::splat(&powers[i]), vector::splat(&halves[i]))
            }
        }

        /// The running sums, the newest vector added but not multiplied.
        #[derive(Clone, Copy)]
        pub(in crate::kernel) struct Horner(pub(in crate::kernel) Vector);

        impl Horner {
            $crate::tier::helpers! {
                $kernel;
                /// Absorbs the AAD, padded to whole vectors in front.
                pub(in crate::kernel) fn start(
                    powers: &Powers<'_>, aad: &[u8], beside: &mut impl Step,
                ) -> Self {
                    let in_front = aad.len().div_ceil(16).rem_euclid(LANES);
                    let (first, rest) = aad.split_at(aad.len().min(16 * in_front));
                    let mut sum = Self::pad_in_front(first);
                    if !rest.is_empty() {
                        sum.absorb(powers, in_vectors(rest), beside);
                    }
                    sum
                }

                /// Absorbs the vectors of a text, counting the last as whole if it has all its
                /// blocks, and returns what is left.
                pub(in crate::kernel) fn absorb(
                    &mut self, powers: &Powers<'_>, (vectors, last): Text<'_>,
                    beside: &mut impl Step,
                ) -> Tail {
                    let (last_len, last) = last?;
                    if last_len > 16 * (LANES - 1) {
                        self.absorb_vectors(powers, vectors, last, beside);
                        return None;
                    }
                    if let Some((whole, others)) = vectors.split_last() {
                        self.absorb_vectors(powers, others, vector::load_bytes(whole), beside);
                    }
                    Some((last_len.div_ceil(16), last))
                }

                /// A group of g vectors, at most [`GROUP`], with one reduction: each of them and
                /// the sum times its power, and `last`.
                pub(in crate::kernel) fn absorb_group(
                    &mut self, powers: &Powers<'_>, vectors: &[[u8; 16 * LANES]], last: Vector,
                    beside: &mut impl Step,
                ) {
                    let mut product = Product::zero();
                    // From the lowest power up: in a short message the highest are still made.
                    for (i, vector) in vectors.iter().rev().enumerate() {
                        let (power, power_halves) = powers.step(i + 1);
                        product.add(vector::load_bytes(vector), power, power_halves);
                    }
                    let (power, power_halves) = powers.step(vectors.len() + 1);
                    product.add(self.0, power, power_halves);
                    self.0 = vector::xor(reduce(product.parts(), beside), last);
                }
            }
        }
    };
}

/// Defines the rest of what the two narrower kernels have in common: messages of any length in
/// groups of one size. The file has `apart`.
macro_rules! groups {
    ($features:literal, $kernel:literal) => {
        /// The lower halves are multiplied for the middle term.
        const HALVES: i32 = 0x00;

        $crate::tier::helpers! {
            $features;
            fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
                vector::xor(a, vector::xor(b, c))
            }

            /// `low + above·x^64` without the lowest word of `low`, for which a multiple of the
            /// field's polynomial is added: its lowest word is 1, and [`POLYNOMIAL`] the one after.
            /// The word that follows, and is the lowest now, comes first.
            fn without_lowest(low: Vector, above: Vector) -> Vector {
                const WORD: u128 = POLYNOMIAL.cast_unsigned() as u128;
                let t = multiply::<0x00>(low, vector::splat(&(WORD << 64 | WORD).to_le_bytes()));
                vector::xor(apart(vector::xor(exchange::<SWAP>(low), above)), t)
            }
        }

        /// Where the powers are, for messages of any length.
        pub(in crate::kernel) type ShortRoom = Steps<GROUP>;

        impl<'a> Powers<'a> {
            $crate::tier::helpers! {
                $kernel;
                /// The powers for a message of so many bytes.
                pub(in crate::kernel) fn for_message(
                    h: m128::Vector, aad_len: usize, text_len: usize, room: &'a mut Steps<GROUP>,
                    beside: &mut impl Step,
                ) -> Self {
                    let vectors = aad_len.max(text_len).div_ceil(16 * LANES);
                    Self::new(h, vectors, room, beside)
                }

                /// POLYVAL of that message.
                pub(in crate::kernel) fn hash(
                    &self, aad: &[u8], text: Text<'_>, length_block: m128::Vector,
                    beside: &mut impl Step,
                ) -> m128::Vector {
                    let mut sum = Horner::start(self, aad, beside);
                    let tail = sum.absorb(self, text, beside);
                    sum.finish(self, tail, length_block, beside)
                }
            }
        }

        /// `a · b · x^-128`, lane by lane.
        #[inline]
        #[target_feature(enable = $kernel)]
        fn dot(a: Vector, b: Vector, beside: &mut impl Step) -> Vector {
            let mut product = Product::zero();
            product.add(a, b, halves(b));
            reduce(product.parts(), beside)
        }

        impl Horner {
            $crate::tier::helpers! {
                $kernel;
                /// Absorbs `vectors` and then `last`: groups first, then what does not fill one.
                fn absorb_vectors(
                    &mut self, powers: &Powers<'_>, vectors: &[[u8; 16 * LANES]], last: Vector,
                    beside: &mut impl Step,
                ) {
                    let (groups, odd) = vectors.as_chunks::<GROUP>();
                    for group in groups {
                        let last = vector::load_bytes(&group[GROUP - 1]);
                        self.absorb_group(powers, &group[..GROUP - 1], last, beside);
                    }
                    self.absorb_group(powers, odd, last, beside);
                }
            }
        }
    };
}

pub(in crate::kernel::polyval) use {groups, products};

/// x^127 + x^126 + x^121 + 1 over x^64: the upper half of the field's polynomial.
pub(in crate::kernel) const POLYNOMIAL: i64 = 0xc200_0000_0000_0000_u64.cast_signed();

/// Exchanges the 64-bit halves, as four 32-bit indices.
pub(in crate::kernel) const SWAP: i32 = 0x4e;

/// Work for the time in which POLYVAL waits for a product.
pub(in crate::kernel) trait Step {
    /// Does a part of it, if any is left.
    fn step(&mut self);
}

/// Does nothing.
impl Step for () {
    #[inline(always)]
    fn step(&mut self) {}
}

/// Does nothing. One type per kernel, so each function that takes it has one caller and is
/// inlined.
pub(in crate::kernel) struct Nothing<const KERNEL: usize>;

impl<const KERNEL: usize> Step for Nothing<KERNEL> {
    #[inline(always)]
    fn step(&mut self) {}
}

/// The powers that the vectors of a group are multiplied by, and their halves; wiped when
/// dropped. They are in one place from the beginning: a move would leave a copy behind,
/// and read in one width what was written in another.
#[repr(align(64))]
pub(in crate::kernel) struct Steps<const GROUP: usize> {
    pub(super) powers: [Block; GROUP],
    pub(super) halves: [Block; GROUP],
}

impl<const GROUP: usize> Steps<GROUP> {
    #[inline(always)]
    pub(in crate::kernel) fn new() -> Self {
        Self { powers: [[0; 16]; GROUP], halves: [[0; 16]; GROUP] }
    }
}

impl<const GROUP: usize> Drop for Steps<GROUP> {
    #[inline(always)]
    fn drop(&mut self) {
        secret::wipe(self.powers.as_flattened_mut());
        secret::wipe(self.halves.as_flattened_mut());
    }
}
