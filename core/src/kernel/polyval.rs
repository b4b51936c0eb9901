//! POLYVAL (RFC 8452 section 3): what a tier must offer.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(super) mod portable;
#[cfg(target_arch = "x86_64")]
mod vaes256;

use super::Block;
use crate::tier::Token;

/// POLYVAL over inputs that are each padded with zeros to whole blocks.
pub(crate) trait Polyval: Token {
    /// The accumulator together with the powers of H that the tier wants.
    type Hasher;

    /// Starts with the accumulator at zero. `hint_len` is about how many bytes will
    /// follow, so that short messages pay for few powers.
    fn hasher(self, h: &Block, hint_len: usize) -> Self::Hasher;

    /// Absorbs `data`, its last block padded with zeros.
    fn update_padded(self, hasher: &mut Self::Hasher, data: &[u8]);

    /// The value of the polynomial.
    fn finish(self, hasher: Self::Hasher) -> Block;
}
