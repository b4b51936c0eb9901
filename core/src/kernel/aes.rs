//! AES (FIPS 197) encryption: the trait of a tier.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(in crate::kernel) mod neon;
pub(in crate::kernel) mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod round_keys;

#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
pub(crate) use hardware::RoundKeys;

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

/// Round keys for AES instructions.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod hardware {
    use crate::kernel::Block;
    use crate::tier::secret;

    /// In the order of use: 11 of them for AES-128, 13 for AES-192, 15 for AES-256.
    #[repr(align(64))]
    pub(crate) struct RoundKeys<const N: usize>(pub(in crate::kernel) [Block; N]);

    impl<const N: usize> Default for RoundKeys<N> {
        #[inline(always)]
        fn default() -> Self {
            Self([[0; 16]; N])
        }
    }

    impl<const N: usize> Drop for RoundKeys<N> {
        #[inline(always)]
        fn drop(&mut self) {
            secret::wipe(self.0.as_flattened_mut());
        }
    }
}
