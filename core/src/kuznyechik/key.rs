//! The round keys of one tier, which all Kuznyechik types use.

use super::known_answer::known_answers_hold;
use crate::error::Error;
use crate::kernel::kuznyechik::Kuznyechik as Kernel;
use crate::tier::erased::Wiped;
use crate::tier::stack::Depth;
use crate::tier::{Tier, on_tier, per_tier};

type RoundKeys<T> = <T as Kernel>::RoundKeys;
per_tier! {
    /// Round keys in the layout of their tier.
    pub enum TierKeys(RoundKeys)
}

impl TierKeys {
    pub(super) fn expand(key: &[u8; 32], tier: Tier) -> Self {
        on_tier!(tier, Depth::Nothing, |t| Self::from((t, t.expand(key))))
    }

    /// The same, unless the tier gives wrong answers.
    pub(super) fn checked(key: &[u8; 32], tier: Tier) -> Self {
        if known_answers_hold(tier) { Self::expand(key, tier) } else { Self::Refused }
    }
}

/// Round keys for both directions.
pub(crate) struct BothKeys<T: Kernel> {
    pub(super) forward: T::RoundKeys,
    pub(super) inverse: T::InverseKeys,
}

per_tier! {
    /// The same, for who decrypts blocks too.
    pub(crate) enum TierBothKeys(BothKeys)
}

impl TierBothKeys {
    /// Round keys, unless the tier gives wrong answers.
    pub(super) fn checked(key: &[u8; 32], tier: Tier) -> Self {
        if !known_answers_hold(tier) {
            return Self::Refused;
        }
        on_tier!(tier, Depth::Deep, |t| {
            let forward = t.expand(key);
            // Made first, from the part that moves after it; on some tiers it is nothing.
            let keys = BothKeys { inverse: t.expand_inverse(&forward), forward };
            Self::from((t, keys))
        })
    }
}

/// Round keys where they are wiped, and their tier.
pub(super) struct TierKey<K = TierKeys> {
    pub(super) keys: Wiped<K>,
    pub(super) tier: Tier,
}

impl TierKey {
    pub(super) fn new(key: &[u8; 32], tier: Tier) -> Self {
        Self { keys: Wiped::of(TierKeys::checked(key, tier)), tier }
    }
}

impl<K> Drop for TierKey<K> {
    fn drop(&mut self) {
        Depth::Deep.overwrite(self.tier);
    }
}

impl<K> TierKey<K> {
    /// The result of a call on a tier that was refused.
    pub(super) fn refused(&self) -> Error {
        Error::SelfCheck { tier: self.tier.name() }
    }
}

/// One `match`, one `run`: `$body` sees the token and the round keys of the key's tier, which are
/// in a `$of`, and works on `$len` bytes.
macro_rules! on_key {
    ($of:path, $key:expr, $len:expr, |$t:ident, $keys:ident| $body:expr) => {{
        let depth = $crate::tier::stack::Depth::of_message($len);
        $crate::tier::on_kept!(&*$key.keys, $of, depth, |$t, $keys| { $body })
            .ok_or_else(|| $key.refused())
    }};
}
pub(super) use on_key;
