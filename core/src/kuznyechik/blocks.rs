//! The block cipher for machine code that keeps nothing.

use super::key::{TierBothKeys, TierKey, on_key};
use super::known_answer::gives_known_answers;
use crate::error::Error;
use crate::kernel::Block;
use crate::kernel::kuznyechik::Kuznyechik as Kernel;
use crate::tier::Tier;
use crate::tier::stack::making_key;

/// [`Kuznyechik`](super::Kuznyechik) on the kernels of a tier alone: nothing can ask for the
/// tables of its other implementations by name, and they are not linked.
pub struct KuznyechikBlocks(TierKey<TierBothKeys>);

impl KuznyechikBlocks {
    /// As [`Kuznyechik::with_tier`](super::Kuznyechik::with_tier).
    #[must_use]
    pub fn with_tier(key: &[u8; 32], tier: Tier) -> Self {
        making_key(|| Self(TierKey::with_inverse(key, tier)))
    }

    /// As [`Kuznyechik::encrypt_blocks`](super::Kuznyechik::encrypt_blocks).
    ///
    /// # Errors
    ///
    /// The same.
    pub fn encrypt_blocks(&self, blocks: &mut [Block]) -> Result<(), Error> {
        on_key!(TierBothKeys, self.0, 16 * blocks.len(), |t, keys| t
            .encrypt_blocks(&keys.forward, blocks))
    }

    /// As [`Kuznyechik::decrypt_blocks`](super::Kuznyechik::decrypt_blocks).
    ///
    /// # Errors
    ///
    /// The same.
    pub fn decrypt_blocks(&self, blocks: &mut [Block]) -> Result<(), Error> {
        on_key!(TierBothKeys, self.0, 16 * blocks.len(), |t, keys| t
            .decrypt_blocks(&keys.forward, &keys.inverse, blocks))
    }

    /// Whether the cipher and MGM give their known answers on `tier`.
    #[must_use]
    pub fn gives_known_answers(tier: Tier) -> bool {
        gives_known_answers(tier)
    }
}
