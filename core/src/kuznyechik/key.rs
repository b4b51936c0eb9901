//! The round keys of one tier, which all Kuznyechik types use.

use super::Kuznyechik;
use super::known_answer::known_answers_hold;
use crate::error::Error;
use crate::kernel::kuznyechik::Kuznyechik as Kernel;
use crate::tier::erased::Erased;
use crate::tier::stack::WipeExtent;
use crate::tier::{Tier, on_tier, per_tier};

type RoundKeys<T> = <T as Kernel>::RoundKeys;
per_tier! {
    /// Round keys in the layout of their tier.
    pub enum TierKeys(RoundKeys)
}

impl TierKeys {
    pub(super) fn expand(key: &[u8; 32], tier: Tier) -> Self {
        on_tier!(tier, WipeExtent::NOTHING, |t| Self::from((t, t.expand(key))))
    }

    /// The same, unless the tier gives wrong answers.
    pub(super) fn checked(key: &[u8; 32], tier: Tier) -> Self {
        if known_answers_hold(tier) { Self::expand(key, tier) } else { Self::Refused }
    }
}

impl Kuznyechik {
    /// A key whose maker overwrites the stack.
    pub(super) fn checked(key: &[u8; 32], tier: Tier) -> Self {
        Self { keys: Erased::new(TierKeys::checked(key, tier)), tier }
    }

    /// The result of a call on a tier that was refused.
    pub(super) fn refused(&self) -> Error {
        Error::SelfCheck { tier: self.tier.name() }
    }
}

/// One `match`, one `run`: `$body` sees the token and the round keys of the key's tier, and works
/// on `$len` bytes.
macro_rules! on_key {
    ($key:expr, $len:expr, |$t:ident, $keys:ident| $body:expr) => {{
        let extent = $crate::tier::stack::WipeExtent::of_message($len);
        $crate::tier::on_kept!(
            &*$key.keys,
            $crate::kuznyechik::key::TierKeys,
            extent,
            |$t, $keys| { $body }
        )
        .ok_or_else(|| $key.refused())
    }};
}
pub(super) use on_key;
