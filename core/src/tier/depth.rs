//! How deep calls go into the stack, where that is known.

use super::registers::wipe_scratch;
use super::stack::{OF_CALLS, WipeExtent, making};
use super::token::{Kind, Tier, on_tier};

/// How deep calls go that overwrite nothing, with room for frames between these calls and
/// whoever overwrites.
#[derive(Clone, Copy)]
pub(crate) enum Depth {
    /// Few vectors.
    Shallow,
    /// The working state of a hash or a cipher.
    Middle,
    /// Any call.
    Deep,
}

impl Depth {
    fn extent(self, tier: Tier) -> WipeExtent {
        let is_portable = tier == Tier(Kind::Portable(Tier::portable()));
        let below = match self {
            // Its round keys are bits in words of their own.
            Self::Shallow if is_portable => 4 << 10,
            Self::Shallow => 3 << 10,
            Self::Middle => 7 << 10,
            Self::Deep => OF_CALLS,
        };
        WipeExtent::new(below, 256)
    }

    /// Overwrites what such calls have left below the caller, with the vectors of `tier`.
    #[inline(always)]
    pub(crate) fn overwrite(self, tier: Tier) {
        on_tier!(tier, self.extent(tier), |_t| ());
        wipe_scratch();
    }
}

/// [`making_key`](super::stack::making_key), where less is left.
#[inline(always)]
pub(crate) fn making_key_within<R>(depth: Depth, tier: Tier, make: impl FnOnce() -> R) -> R {
    making(|| depth.overwrite(tier), make)
}
