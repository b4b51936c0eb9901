//! The Kuznyechik block cipher (GOST R 34.12-2015, RFC 7801).

#[cfg(sivka_stateless)]
mod blocks;
#[cfg(feature = "cipher")]
mod cipher_traits;
mod key;
mod known_answer;
mod mgm;
mod modes;
mod omac;
#[cfg(test)]
mod tests;

#[cfg(sivka_stateless)]
pub use blocks::KuznyechikBlocks;
pub(crate) use mgm::KUZNYECHIK_MGM;
pub use mgm::KuznyechikMgm;
pub use modes::{KuznyechikCtr, KuznyechikCtrAcpkm};
pub use omac::KuznyechikOmac;

use crate::error::Error;
use crate::kernel::Block;
use crate::kernel::kuznyechik::{Kuznyechik as Kernel, compact, tables};
use crate::tier::erased::Erased;
use crate::tier::stack::{WipeExtent, making_key};
use crate::tier::{Portable, Tier, Token};
use core::fmt;
use key::{TierBothKeys, TierKey, on_key};

/// An implementation of Kuznyechik that [`Kuznyechik::with_implementation`] takes by name.
///
/// The names are those of the C library libgost15, for programs that compare with it.
/// None of them is ever chosen by [`Kuznyechik::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Implementation {
    /// A few hundred bytes of constants, any CPU, one block at a time. Constant-time,
    /// and slow.
    Compact,
    /// Tables of 128 KiB. **Not constant-time**: which cache lines an encryption touches
    /// depends on the key and the data, and whoever shares the cache can find the key.
    Optimised,
    /// The same tables of 128 KiB, read into 128-bit vectors. **Not constant-time**, as
    /// [`Implementation::Optimised`]. Without SSE2 it is the same as that one.
    Simd,
}

impl Implementation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Compact, Self::Optimised, Self::Simd];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Optimised => "optimised",
            Self::Simd => "simd",
        }
    }
}

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
    schedule: Erased<Schedule>,
}

// A box would cost every tier an allocation, and `core` may have no allocator.
#[allow(clippy::large_enum_variant)]
enum Schedule {
    Tier(TierKey<TierBothKeys>),
    Compact(Portable, compact::RoundKeys),
    Optimised(Portable, tables::RoundKeys),
    Simd(Portable, tables::RoundKeys),
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
        making_key(|| Self {
            schedule: Erased::new(Schedule::Tier(TierKey::with_inverse(key, tier))),
        })
    }

    /// Makes a key for one of the implementations that the field compares with. Two of
    /// the three are **not constant-time**: read [`Implementation`] first.
    #[must_use]
    pub fn with_implementation(key: &[u8; 32], implementation: Implementation) -> Self {
        let t = Tier::portable();
        let schedule = match implementation {
            Implementation::Compact => Schedule::Compact(t, t.run(|| t.expand(key))),
            Implementation::Optimised => Schedule::Optimised(t, t.run(|| tables::expand(t, key))),
            Implementation::Simd => Schedule::Simd(t, t.run(|| tables::expand(t, key))),
        };
        Self {
            schedule: Erased::new(schedule),
        }
    }

    /// The name of the tier, or of the implementation, that this key runs on.
    #[must_use]
    pub fn tier_name(&self) -> &'static str {
        match &*self.schedule {
            Schedule::Tier(key) => key.tier.name(),
            Schedule::Compact(..) => Implementation::Compact.name(),
            Schedule::Optimised(..) => Implementation::Optimised.name(),
            Schedule::Simd(..) => Implementation::Simd.name(),
        }
    }

    /// Encrypts each block on its own, in place.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`]; `blocks` are then as they were.
    pub fn encrypt_blocks(&self, blocks: &mut [Block]) -> Result<(), Error> {
        let extent = WipeExtent::of_message(16 * blocks.len());
        match &*self.schedule {
            Schedule::Tier(key) => {
                return on_key!(TierBothKeys, key, 16 * blocks.len(), |t, keys| t
                    .encrypt_blocks(&keys.forward, blocks));
            }
            Schedule::Compact(t, keys) => {
                t.run_within(extent, || compact::encrypt_blocks(keys, blocks));
            }
            Schedule::Optimised(t, keys) => {
                t.run_within(extent, || tables::encrypt_blocks(keys, blocks));
            }
            Schedule::Simd(t, keys) => {
                t.run_within(extent, || tables::simd::encrypt_blocks(keys, blocks));
            }
        }
        Ok(())
    }

    /// Decrypts each block on its own, in place.
    ///
    /// # Errors
    ///
    /// [`Error::SelfCheck`]; `blocks` are then as they were.
    pub fn decrypt_blocks(&self, blocks: &mut [Block]) -> Result<(), Error> {
        let extent = WipeExtent::of_message(16 * blocks.len());
        match &*self.schedule {
            Schedule::Tier(key) => {
                return on_key!(TierBothKeys, key, 16 * blocks.len(), |t, keys| t
                    .decrypt_blocks(&keys.forward, &keys.inverse, blocks));
            }
            Schedule::Compact(t, keys) => {
                t.run_within(extent, || compact::decrypt_blocks(keys, blocks));
            }
            Schedule::Optimised(t, keys) => {
                t.run_within(extent, || tables::decrypt_blocks(keys, blocks));
            }
            Schedule::Simd(t, keys) => {
                t.run_within(extent, || tables::simd::decrypt_blocks(keys, blocks));
            }
        }
        Ok(())
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
        f.debug_struct("Kuznyechik")
            .field("tier", &self.tier_name())
            .finish_non_exhaustive()
    }
}
