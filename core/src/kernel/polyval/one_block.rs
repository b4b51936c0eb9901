//! POLYVAL of what the shortest messages come to: one block, or none, and no AAD.

use super::avx2::{self, Product, reduce, square};
use super::{Step, Steps};
use core::arch::x86_64::*;

pub(in crate::kernel) use avx2::Text;

/// Two powers stay in registers.
pub(in crate::kernel) type ShortRoom = Steps<0>;

/// H and H^2, for `N` vectors of text, which are one block.
pub(in crate::kernel) struct TwoPowers<const N: usize>([__m128i; 2]);

impl<const N: usize> TwoPowers<N> {
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn for_message(
        h: __m128i,
        _aad_len: usize,
        _text_len: usize,
        _room: &mut ShortRoom,
        beside: &mut impl Step,
    ) -> Self {
        Self([h, square(h, beside)])
    }

    /// `block·H^2 + length_block·H`.
    #[inline]
    #[target_feature(enable = "aes,pclmulqdq,avx2,bmi2")]
    pub(in crate::kernel) fn hash(
        &self,
        _aad: &[u8],
        (_, last): Text<'_>,
        length_block: __m128i,
        beside: &mut impl Step,
    ) -> __m128i {
        let Self([h, h2]) = *self;
        let mut product = Product::zero();
        product.add(length_block, h, avx2::halves(h));
        if let Some((_, block)) = last {
            product.add(block, h2, avx2::halves(h2));
        }
        reduce(product.parts(), beside)
    }
}
