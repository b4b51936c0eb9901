//! The multiplication of MGM (RFC 9058 section 3): the trait of a tier.
//!
//! GF(2^128) modulo x^128 + x^7 + x^2 + x + 1. The first bit of a block is the coefficient of
//! x^127: a block is a big-endian number, and nothing is reflected. Every block has its own
//! multiplier. So the products are added unreduced, and one reduction ends the message.

mod portable;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod vectors;

use super::Block;
use crate::tier::Token;

/// Sums of products of secret multipliers and public blocks.
pub(crate) trait MgmMultiply: Token {
    /// A sum that is not yet reduced. Wipes itself when dropped.
    type Sum;

    /// The empty sum.
    fn zero(self) -> Self::Sum;

    /// Adds the product of every block of `data`, the last padded with zeros, and its
    /// multiplier in `h`. There are as many multipliers as blocks.
    fn multiply_add(self, sum: &mut Self::Sum, h: &[Block], data: &[u8]);

    /// The sum as a field element.
    fn reduce(self, sum: Self::Sum) -> Block;
}

// For the 256-bit VAES tier 128 bits are enough: the cipher beside it leaves ample room.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2 {
    super::vectors::mgm_multiply!(
        Avx2, m128, blocks, "aes,pclmulqdq,avx2", Avx2: core::convert::identity,
        Vaes256: crate::tier::Vaes256::avx2
    );
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512 {
    super::vectors::mgm_multiply!(
        Avx512, m512, avx512, "avx512f,avx512bw,avx512vl,vaes,vpclmulqdq",
        Avx512: core::convert::identity
    );
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon {
    super::vectors::mgm_multiply!(
        Neon, m128, blocks, "neon,aes", Neon: core::convert::identity
    );
}
