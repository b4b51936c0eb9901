//! Kuznyechik (RFC 7801): what a tier must offer.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod aes_field;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
mod bitsliced;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod byte_sliced;
mod circuit;
mod constants;
pub(crate) mod counters;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod lanes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod pi;
mod portable;
mod round_keys;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod vaes256;

use super::Block;
use crate::tier::Token;
use counters::Counters;

/// Kuznyechik, many blocks at a time.
///
/// Round keys are the tier's own layout; nobody else looks inside. They wipe
/// themselves when dropped.
pub(crate) trait Kuznyechik: Token {
    type RoundKeys: Send + Sync;

    /// The key schedule of RFC 7801 section 4.3.
    fn expand(self, key: &[u8; 32]) -> Self::RoundKeys;

    /// Encrypts each block on its own.
    fn encrypt_blocks(self, keys: &Self::RoundKeys, blocks: &mut [Block]);

    /// Encrypts counters into `blocks`, whatever those held.
    #[inline(always)]
    fn encrypt_counters(self, keys: &Self::RoundKeys, counters: Counters, blocks: &mut [Block]) {
        counters.fill(blocks);
        self.encrypt_blocks(keys, blocks);
    }

    /// Decrypts each block on its own.
    fn decrypt_blocks(self, keys: &Self::RoundKeys, blocks: &mut [Block]);
}
