//! AES (FIPS 197) encryption: the trait of a tier.

#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(in crate::kernel) mod blocks;
pub(in crate::kernel) mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod vectors;

#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(crate) use blocks::RoundKeys;

use crate::tier::Token;

/// AES with keys of `KEY_LEN` bytes: 16, 24 or 32.
///
/// Round keys are the tier's own layout; nobody else looks inside. They wipe
/// themselves when dropped.
pub(crate) trait Aes<const KEY_LEN: usize>: Token {
    /// Those by default are yet to be written.
    type RoundKeys: Send + Sync + Default;

    /// The key schedule of FIPS 197 section 5.2, for encryption only.
    fn expand(self, key: &[u8; KEY_LEN]) -> Self::RoundKeys;
}
