//! CTR of AES-GCM-SIV (RFC 8452 section 4): the trait of a tier.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod avx512;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(super) mod first_rounds;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(super) mod neon;
mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod vaes256;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vectors;

use crate::kernel::Block;
use crate::kernel::aes::Aes;

/// Counter mode with 32 bits that count.
pub(crate) trait Ctr32<const KEY_LEN: usize>: Aes<KEY_LEN> {
    /// XORs the keystream into `in_out`, or, if there is a `from`,
    /// which is as long, writes it XORed with that. The counter is the first four bytes of
    /// the block, little-endian, and wraps modulo 2^32. The counter is public.
    fn ctr32_xor(
        self,
        keys: &Self::RoundKeys,
        counter: &Block,
        from: Option<&[u8]>,
        in_out: &mut [u8],
    );
}
