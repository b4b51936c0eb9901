//! One key on every tier of this CPU.

use crate::OneKey;
use crate::conformance::{self, Many};
use crate::shapes::{Messages, Source};
use sivka::{Algorithm, Kuznyechik, Tier};
use sivka_oracle::kuznyechik;

/// One key on every tier.
pub struct EveryTier {
    reference: &'static conformance::Algorithm,
    bytes: Vec<u8>,
    keys: Vec<OneKey>,
}

impl EveryTier {
    /// A key of as many bytes as the algorithm has.
    ///
    /// # Panics
    ///
    /// If `key` has another length.
    #[must_use]
    pub fn new(algorithm: &Algorithm, key: &[u8]) -> Self {
        let keys = Tier::available().map(|tier| OneKey::new(algorithm, key, tier));
        Self {
            reference: conformance::algorithm(algorithm.name()),
            bytes: key.to_vec(),
            keys: keys.collect(),
        }
    }

    /// The oracle's row of the algorithm.
    #[must_use]
    pub fn reference(&self) -> &'static conformance::Algorithm {
        self.reference
    }

    /// Seals and opens `messages` in every way of calling on each tier but the first `left_out`,
    /// in the order of [`Tier::available`]. The oracle takes so many of them, drawn from
    /// `source`, as well. How many messages each tier has sealed or opened.
    ///
    /// # Panics
    ///
    /// Where two disagree.
    pub fn check(
        &self,
        messages: &Messages,
        left_out: usize,
        beside_the_oracle: usize,
        source: &mut dyn Source,
    ) -> Vec<u64> {
        let mut many = Many::new(self.reference, &self.bytes, messages);
        let tiers = self.keys[left_out..].iter();
        let executions = tiers.map(|key| many.check(key)).collect();
        for _ in 0..beside_the_oracle.min(messages.len()) {
            many.check_reference(source.below(messages.len()));
        }
        executions
    }
}

/// Encrypts and decrypts blocks of Kuznyechik by every tier, beside the oracle.
///
/// # Panics
///
/// Where two disagree.
pub fn kuznyechik_blocks(key: &[u8; 32], blocks: &[[u8; 16]]) {
    let round_keys = kuznyechik::round_keys(key);
    let encrypt = |block| kuznyechik::encrypt_with(&round_keys, block);
    let expected: Vec<_> = blocks.iter().map(encrypt).collect();
    for ours in Tier::available().map(|tier| Kuznyechik::with_tier(key, tier)) {
        let mut in_out = blocks.to_vec();
        assert_eq!(ours.encrypt_blocks(&mut in_out), Ok(()));
        assert_eq!(in_out, expected, "encryption on {}", ours.tier_name());
        assert_eq!(ours.decrypt_blocks(&mut in_out), Ok(()));
        assert_eq!(in_out, blocks, "decryption on {}", ours.tier_name());
    }
}
