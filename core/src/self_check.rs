//! Known answers: every kernel proves itself once per process before it is used.
//!
//! A wrong answer means broken hardware, a miscompiled kernel or a CPU that claims features that it
//! lacks. Such a tier refuses to run; Sivka never replaces it by another.

use crate::tier::Tier;
#[cfg(not(sivka_stateless))]
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(not(sivka_stateless))]
const UNKNOWN: u8 = 0;
#[cfg(not(sivka_stateless))]
const PASSED: u8 = 1;
#[cfg(not(sivka_stateless))]
const FAILED: u8 = 2;

/// The result for one algorithm on each tier.
#[cfg(not(sivka_stateless))]
pub(crate) struct KnownAnswers([AtomicU8; Tier::COUNT]);

/// No result yet: a program that names a tier asks for the known answers on it, by
/// `__gives_known_answers` of a key, and keeps the result.
#[cfg(sivka_stateless)]
pub(crate) struct KnownAnswers;

#[cfg(sivka_stateless)]
impl KnownAnswers {
    pub(crate) const fn new() -> Self {
        Self
    }

    #[allow(clippy::unused_self, reason = "where nothing is kept")]
    pub(crate) fn hold(&self, _tier: Tier, _check: impl FnOnce() -> bool) -> bool {
        true
    }
}

#[cfg(not(sivka_stateless))]
impl KnownAnswers {
    pub(crate) const fn new() -> Self {
        Self([const { AtomicU8::new(UNKNOWN) }; Tier::COUNT])
    }

    /// Whether the algorithm gives the known answer on `tier`; runs `check` only
    /// the first time. Threads that race run it more than once and agree.
    pub(crate) fn hold(&self, tier: Tier, check: impl FnOnce() -> bool) -> bool {
        let slot = &self.0[tier.index()];
        match slot.load(Ordering::Relaxed) {
            UNKNOWN => {
                let passed = for_the_first_time(check);
                slot.store(if passed { PASSED } else { FAILED }, Ordering::Relaxed);
                passed
            }
            known => known == PASSED,
        }
    }
}

/// Kept out of `new`, so that the part of the stack that `new` overwrites stays small.
#[cfg(not(sivka_stateless))]
#[cold]
#[inline(never)]
fn for_the_first_time(check: impl FnOnce() -> bool) -> bool {
    check()
}

#[cfg(all(test, not(sivka_stateless)))]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_reached_once_and_kept() {
        let answers = KnownAnswers::new();
        let tier = Tier::detect();
        assert!(!answers.hold(tier, || false));
        assert!(!answers.hold(tier, || unreachable!("the verdict stands")));
        let answers = KnownAnswers::new();
        assert!(answers.hold(tier, || true));
        assert!(answers.hold(tier, || unreachable!("the verdict stands")));
    }
}
