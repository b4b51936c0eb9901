//! The round keys of one tier, behind all Kuznyechik types.

use super::mgm;
use crate::aead::known_answer;
use crate::error::Error;
use crate::kernel::kuznyechik::Kuznyechik as Kernel;
use crate::self_check::KnownAnswers;
use crate::tier::secret::Erased;
use crate::tier::{Tier, on_tier, per_tier};

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

type RoundKeys<T> = <T as Kernel>::RoundKeys;
per_tier! {
    /// Round keys in the layout of their tier.
    pub(crate) enum Keys(RoundKeys)
}

impl Keys {
    pub(super) fn new(key: &[u8; 32], tier: Tier) -> Self {
        let hold =
            || mgm::known_answer_holds(tier) && on_tier!(tier, |t| decryption_is_the_inverse(t));
        if KNOWN_ANSWERS.hold(tier, hold) {
            Self::expand(key, tier)
        } else {
            Self::Refused
        }
    }

    pub(super) fn expand(key: &[u8; 32], tier: Tier) -> Self {
        on_tier!(tier, |t| Self::from((t, t.expand(key))))
    }
}

/// Decryption, which is no part of MGM: as many blocks as reach every path, there and back.
fn decryption_is_the_inverse<T: Kernel>(t: T) -> bool {
    let keys = t.expand(&known_answer::key());
    let blocks: [[u8; 16]; 132] = core::array::from_fn(|i| [i as u8; 16]);
    [1, 2, 6, 8, 15, 17, 64, 132].into_iter().all(|count| {
        let mut copy = blocks;
        t.decrypt_blocks(&keys, &mut copy[..count]);
        let changed = copy[..count].iter().zip(&blocks).all(|(a, b)| a != b);
        t.encrypt_blocks(&keys, &mut copy[..count]);
        changed && copy == blocks
    })
}

/// Round keys where they are wiped, and their tier.
pub(super) struct TierKey {
    pub(super) keys: Erased<Keys>,
    pub(super) tier: Tier,
}

impl TierKey {
    pub(super) fn new(key: &[u8; 32], tier: Tier) -> Self {
        Self {
            keys: Erased::new(Keys::new(key, tier)),
            tier,
        }
    }

    /// What a call returns on a tier that was refused.
    pub(super) fn refused(&self) -> Error {
        Error::SelfCheck {
            tier: self.tier.name(),
        }
    }
}

/// One `match`, one `run`: `$body` sees the token and the round keys of the key's tier, and
/// works on `$len` bytes.
macro_rules! on_key {
    ($key:expr, $len:expr, |$t:ident, $keys:ident| $body:expr) => {{
        let reach = $crate::tier::stack::Reach::of_message($len);
        $crate::tier::on_kept!(
            &*$key.keys,
            $crate::kuznyechik::key::Keys,
            reach,
            |$t, $keys| { $body }
        )
        .ok_or_else(|| $key.refused())
    }};
}
pub(super) use on_key;
