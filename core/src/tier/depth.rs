//! How deep calls go into the stack, where that is known.

use super::registers::wipe_scratch;
use super::stack::{OF_CALLS, WipeExtent, making};
use super::token::{Tier, on_tier};

/// How deep calls go that overwrite nothing, with a margin for the frames between these calls and
/// the one that overwrites.
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
        let below = match self {
            Self::Shallow if has_many_registers(tier) => 3 << 10,
            // Frames are larger where a crate is compiled in several units, as Cargo does it
            // unless told otherwise.
            Self::Shallow | Self::Middle => 8 << 10,
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

/// Whether a call keeps little on the stack.
fn has_many_registers(tier: Tier) -> bool {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if let Tier(super::token::Kind::Avx512(_)) = tier {
        return true;
    }
    let _ = tier;
    false
}

/// [`making_key`](super::stack::making_key), where less is left.
#[inline(always)]
pub(crate) fn making_key_within<R>(depth: Depth, tier: Tier, make: impl FnOnce() -> R) -> R {
    making(|| depth.overwrite(tier), make)
}
