//! Calls that leave nothing on the stack.

use super::stack::{Depth, apart};
use super::token::{Tier, Token, on_tier};

impl Depth {
    /// Overwrites what such calls have left below the caller, with the vectors of `tier`.
    #[inline(always)]
    pub(crate) fn overwrite(self, tier: Tier) {
        on_tier!(tier, self, |_t| ());
    }

    /// Makes a key in its final memory, and overwrites the stack that this used.
    #[inline(always)]
    pub(crate) fn making_key<R>(self, tier: Tier, make: impl FnOnce() -> R) -> R {
        on_tier!(tier, self, |_t| apart(make))
    }
}

/// Overwrites what any message of a key leaves below the caller, and all registers.
#[inline(always)]
pub(crate) fn overwrite_calls() {
    Tier::portable().run_within(Depth::Deep, || ());
}

/// [`Depth::making_key`] for any key, where no tier is known.
#[inline(always)]
pub fn making_key<R>(make: impl FnOnce() -> R) -> R {
    Tier::portable().run_within(Depth::Middle, || apart(make))
}

/// Makes a call with a stack that holds nothing of calls before it: values that are made and
/// moved to where they stay take along what stood in their unused bytes.
#[inline(always)]
pub fn on_clean_stack<R>(call: impl FnOnce() -> R) -> R {
    overwrite_calls();
    apart(call)
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod tests;
