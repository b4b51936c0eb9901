//! The Kuznyechik block cipher (GOST R 34.12-2015, RFC 7801).

#[cfg(feature = "cipher")]
mod cipher_traits;
mod key;
mod known_answer;
mod mgm;
mod modes;
mod omac;
#[cfg(test)]
mod tests;

pub(crate) use mgm::KUZNYECHIK_MGM;
pub use mgm::KuznyechikMgm;
pub use modes::{KuznyechikCtr, KuznyechikCtrAcpkm};
pub use omac::KuznyechikOmac;

use crate::error::Error;
use crate::kernel::Block;
use crate::kernel::kuznyechik::Kuznyechik as Kernel;
use crate::tier::Tier;
use crate::tier::erased::Wiped;
use crate::tier::stack::Depth;
use core::fmt;
use key::{TierBothKeys, TierKey, on_key};

/// The Kuznyechik block cipher (GOST R 34.12-2015, RFC 7801): 16-byte blocks, 32-byte keys.
///
/// A block cipher alone protects nothing: equal blocks encrypt equally, and a changed
/// block goes unseen. Use [`KuznyechikMgm`] to seal messages; this type is for building
/// other modes. [`encrypt_blocks`](Self::encrypt_blocks) is several times as fast a block
/// when it is given many.
///
/// Constant-time, the key schedule included, on every tier.
///
/// # Example
///
/// ```
/// use sivka::Kuznyechik;
///
/// let key = Kuznyechik::new(&[7; 32]);
/// let mut blocks = [[1; 16], [2; 16], [3; 16]];
/// key.encrypt_blocks(&mut blocks)?;
/// key.decrypt_blocks(&mut blocks)?;
/// assert_eq!(blocks, [[1; 16], [2; 16], [3; 16]]);
/// # Ok::<(), sivka::Error>(())
/// ```
pub struct Kuznyechik {
    key: TierKey<TierBothKeys>,
}

impl Kuznyechik {
    /// The length of a key in bytes.
    pub const KEY_LEN: usize = 32;
    /// The length of a block in bytes.
    pub const BLOCK_LEN: usize = 16;

    /// Makes a key for the widest tier of this CPU.
    ///
    /// If that tier's kernels fail their known-answer check, which no working machine
    /// does, every call of the key returns [`Error::SelfCheck`].
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self::with_tier(key, Tier::detect())
    }

    /// Makes a key for a given tier, for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tier(key: &[u8; 32], tier: Tier) -> Self {
        Depth::Middle.making_key(tier, || Self {
            key: TierKey { keys: Wiped::of(TierBothKeys::checked(key, tier)), tier },
        })
    }

    /// The name of the tier that this key runs on.
    #[must_use]
    pub fn tier_name(&self) -> &'static str {
        self.key.tier.name()
    }

    /// Encrypts each block on its own, in place.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`]; `blocks` are then as they were.
    pub fn encrypt_blocks(&self, blocks: &mut [Block]) -> Result<(), Error> {
        on_key!(TierBothKeys, self.key, 16 * blocks.len(), |t, keys| t
            .encrypt_blocks(&keys.forward, blocks))
    }

    /// Decrypts each block on its own, in place.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`]; `blocks` are then as they were.
    pub fn decrypt_blocks(&self, blocks: &mut [Block]) -> Result<(), Error> {
        on_key!(TierBothKeys, self.key, 16 * blocks.len(), |t, keys| t.decrypt_blocks(
            &keys.forward,
            &keys.inverse,
            blocks
        ))
    }

    /// Whether the cipher and MGM give their known answers on `tier`.
    #[cfg(sivka_stateless)]
    #[doc(hidden)]
    #[must_use]
    pub fn gives_known_answers(tier: Tier) -> bool {
        known_answer::gives_known_answers(tier)
    }

    /// Encrypts one block in place.
    ///
    /// # Errors
    ///
    /// As [`encrypt_blocks`](Self::encrypt_blocks).
    pub fn encrypt_block(&self, block: &mut Block) -> Result<(), Error> {
        self.encrypt_blocks(core::slice::from_mut(block))
    }

    /// Decrypts one block in place.
    ///
    /// # Errors
    ///
    /// As [`decrypt_blocks`](Self::decrypt_blocks).
    pub fn decrypt_block(&self, block: &mut Block) -> Result<(), Error> {
        self.decrypt_blocks(core::slice::from_mut(block))
    }
}

impl fmt::Debug for Kuznyechik {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kuznyechik").field("tier", &self.tier_name()).finish_non_exhaustive()
    }
}
