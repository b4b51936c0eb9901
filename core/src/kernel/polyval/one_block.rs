//! POLYVAL of what the shortest messages come to: one block, or none, and no AAD.

use super::blocks::{self, Product, reduce, square};
use super::{Step, Steps};
use crate::kernel::vector::m128::Vector;
use crate::kernel::vector::narrowest;

pub(in crate::kernel) use blocks::Text;

/// Two powers stay in registers.
pub(in crate::kernel) type ShortRoom = Steps<0>;

macro_rules! one_block {
    ($_tier:ident, $_features:literal, $kernel:literal) => {
        /// H and H^2, for `N` vectors of text, which are one block.
        pub(in crate::kernel) struct TwoPowers<const N: usize>([Vector; 2]);

        impl<const N: usize> TwoPowers<N> {
            $crate::tier::helpers! {
                $kernel;
                pub(in crate::kernel) fn for_message(
                    h: Vector, _aad_len: usize, _text_len: usize, _room: &mut ShortRoom,
                    beside: &mut impl Step,
                ) -> Self {
                    Self([h, square(h, beside)])
                }

                /// `block·H^2 + length_block·H`.
                pub(in crate::kernel) fn hash(
                    &self, _aad: &[u8], (_, last): Text<'_>, length_block: Vector,
                    beside: &mut impl Step,
                ) -> Vector {
                    let Self([h, h2]) = *self;
                    let mut product = Product::zero();
                    product.add(length_block, h, blocks::halves(h));
                    if let Some((_, block)) = last {
                        product.add(block, h2, blocks::halves(h2));
                    }
                    reduce(product.parts(), beside)
                }
            }
        }
    };
}
narrowest!(one_block);
