//! Tiers for a program that asks the CPU once and keeps the answer itself.
//!
//! Machine code that is linked into a program of another language may have no memory of its own. It
//! reports the CPU's features once, and later gets this report as an argument.

use super::{Kind, Tier, Token, tiers};

/// The bit of an answer that is about the feature beside a tier.
const BESIDE: u8 = 1 << 7;

macro_rules! trusted_kind {
    ([$(($token:ident $name:literal))*] $number:expr, $beside:expr) => {{
        let tokens = [$(Kind::$token(super::$token::trusted($beside)),)*];
        tokens.get($number).copied()
    }};
}

impl Tier {
    /// The CPU's tiers: bit `i` for tier number `i`, the narrowest first, and bit 7 for the feature
    /// beside a tier: GFNI, or the instructions for SHA-3.
    #[doc(hidden)]
    #[must_use]
    pub fn __features() -> u8 {
        let tiers = Self::available().fold(0, |bits, tier| bits | 1 << tier.index());
        tiers | if has_beside() { BESIDE } else { 0 }
    }

    /// Tier number `number` of a CPU with these `features`, as [`__features`](Self::__features) or
    /// the operating system reports them.
    ///
    /// # Safety
    ///
    /// `features` are true of this CPU.
    #[doc(hidden)]
    #[must_use]
    pub unsafe fn __of_features(features: u8, number: u8) -> Option<Self> {
        let has = usize::from(number) < Self::COUNT && features >> number & 1 == 1;
        let kind = tiers! { [trusted_kind] usize::from(number), features & BESIDE != 0 };
        kind.filter(|_| has).map(Self)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn has_beside() -> bool {
    super::x86_64::Vaes256Gfni::detect().is_some()
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
fn has_beside() -> bool {
    super::aarch64::NeonSha3::detect().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_is_made_of_what_the_cpu_said() {
        let features = Tier::__features();
        for tier in Tier::available() {
            // SAFETY: the CPU said so above.
            let made = unsafe { Tier::__of_features(features, tier.index() as u8) };
            assert_eq!(made, Some(tier));
            // SAFETY: the CPU may have more features than these.
            let made = unsafe { Tier::__of_features(0, tier.index() as u8) };
            assert_eq!(made, None);
        }
        for number in Tier::COUNT as u8..=255 {
            // SAFETY: of the tiers that exist, none has such a number.
            assert_eq!(unsafe { Tier::__of_features(0xff, number) }, None);
        }
    }
}
