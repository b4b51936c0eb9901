//! The round keys of one tier, behind all Kuznyechik types.

use crate::kernel::kuznyechik::Kuznyechik as Kernel;
use crate::mode::mgm;
use crate::self_check::KnownAnswers;
use crate::tier::secret::Erased;
#[cfg(target_arch = "x86_64")]
use crate::tier::{Avx2, Avx512, Vaes256, Vaes256Gfni};
use crate::tier::{Kind, Portable, Tier};

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

type RoundKeys<T> = <T as Kernel>::RoundKeys;

/// Round keys in the layout of their tier.
// A box would cost every tier an allocation, and `core` may have no allocator.
#[allow(clippy::large_enum_variant)]
pub(super) enum Key {
    /// The tier's kernels gave a wrong known answer.
    Refused,
    Portable(Portable, RoundKeys<Portable>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2, RoundKeys<Avx2>),
    #[cfg(target_arch = "x86_64")]
    Vaes256(Vaes256, RoundKeys<Vaes256>),
    #[cfg(target_arch = "x86_64")]
    Vaes256Gfni(Vaes256Gfni, RoundKeys<Vaes256Gfni>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512, RoundKeys<Avx512>),
}

pub(super) struct TierKey {
    pub(super) key: Erased<Key>,
    pub(super) tier: Tier,
}

impl TierKey {
    pub(super) fn new(key: &[u8; 32], tier: Tier) -> Self {
        Self {
            key: Erased::new(Key::new(key, tier)),
            tier,
        }
    }
}

/// One `match`, one `run`: `$body` sees the token and the round keys of the key's tier.
macro_rules! on_tier {
    ($key:expr, |$t:ident, $keys:ident| $body:expr) => {
        match &*$key.key {
            $crate::kuznyechik::key::Key::Refused => Err($crate::error::Error::SelfCheck {
                tier: $key.tier.name(),
            }),
            &$crate::kuznyechik::key::Key::Portable($t, ref $keys) => Ok($t.run(|| $body)),
            #[cfg(target_arch = "x86_64")]
            &$crate::kuznyechik::key::Key::Avx2($t, ref $keys) => Ok($t.run(|| $body)),
            #[cfg(target_arch = "x86_64")]
            &$crate::kuznyechik::key::Key::Vaes256($t, ref $keys) => Ok($t.run(|| $body)),
            #[cfg(target_arch = "x86_64")]
            &$crate::kuznyechik::key::Key::Vaes256Gfni($t, ref $keys) => Ok($t.run(|| $body)),
            #[cfg(target_arch = "x86_64")]
            &$crate::kuznyechik::key::Key::Avx512($t, ref $keys) => Ok($t.run(|| $body)),
        }
    };
}
pub(super) use on_tier;

impl Key {
    fn new(key: &[u8; 32], tier: Tier) -> Self {
        /// Checks the tier, once per process, and expands the key.
        fn expand<T: mgm::Kernels>(
            t: T,
            tier: Tier,
            key: &[u8; 32],
            make: fn(T, RoundKeys<T>) -> Key,
        ) -> Key {
            if KNOWN_ANSWERS.hold(tier, || t.run(|| mgm::known_answers_hold(t))) {
                make(t, t.run(|| t.expand(key)))
            } else {
                Key::Refused
            }
        }
        match tier.0 {
            Kind::Portable(t) => expand(t, tier, key, Self::Portable),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(t) => expand(t, tier, key, Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            Kind::Vaes256(t) => match t.with_gfni() {
                Some(t) => expand(t, tier, key, Self::Vaes256Gfni),
                None => expand(t, tier, key, Self::Vaes256),
            },
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(t) => expand(t, tier, key, Self::Avx512),
        }
    }
}
