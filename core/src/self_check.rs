//! Known answers: every kernel proves itself once per process before it is used.
//!
//! A wrong answer means broken hardware, a miscompiled kernel or a CPU that claims features that it
//! lacks. Such a tier refuses to run; Sivka never replaces it by another.

use crate::tier::Tier;
use core::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const PASSED: u8 = 1;
const FAILED: u8 = 2;

/// How many results are kept: none where no static can remember them. A program that names a tier
/// asks for the known answers on it, by `__gives_known_answers` of a key, and keeps the result.
const KEPT: usize = if cfg!(sivka_stateless) { 0 } else { Tier::COUNT };

/// The result for one algorithm on each tier.
pub(crate) struct KnownAnswers([AtomicU8; KEPT]);

impl KnownAnswers {
    pub(crate) const fn new() -> Self {
        Self([const { AtomicU8::new(UNKNOWN) }; KEPT])
    }

    /// Whether the algorithm gives the known answer on `tier`; runs `check` only
    /// the first time. Threads that race run it more than once and agree.
    pub(crate) fn hold(&self, tier: Tier, check: impl FnOnce() -> bool) -> bool {
        let Some(slot) = self.0.get(tier.index()) else {
            return true;
        };
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
