//! One round: messages of a drawn shape under one key, on every tier.

use crate::covered::{Covered, is_slow};
use sivka_judge::EveryTier;
use sivka_judge::shapes::{Messages, Source, SplitMix64};
use sivka_oracle::gcm_siv;

/// One key of an algorithm.
pub(crate) struct Key {
    /// Of the algorithm among all.
    number: usize,
    bytes: Vec<u8>,
    tiers: EveryTier,
}

/// The slow tier takes a hundred times as long as the others, and the oracle as long again.
const SLOW_TIER_ONCE_IN: usize = 128;
const ORACLE_ONCE_IN: usize = 1024;

/// Where the slow tier lacks pairs of styles.
const SLOW_TIER_BEFORE: usize = 8;

impl Key {
    pub(crate) fn draw(covered: &Covered, source: &mut SplitMix64) -> Self {
        // AES-GCM-SIV has the kernels of which there are most, and is the fastest.
        let number = match covered.incomplete() {
            Some(number) if source.once_in(2) => number,
            _ if source.once_in(16) => source.below(covered.0.len()),
            _ => source.below(2),
        };
        let algorithm = covered.0[number].algorithm;
        let mut bytes = vec![0; algorithm.key_len()];
        source.fill(&mut bytes);
        Self {
            number,
            tiers: EveryTier::new(algorithm, &bytes),
            bytes,
        }
    }

    /// Seals and opens messages on every tier. How many executions that is.
    pub(crate) fn round(&self, covered: &mut Covered, source: &mut SplitMix64) -> u64 {
        let of = &mut covered.0[self.number];
        // The slow tier is the first one; where it takes part, its pairs come first.
        let left_out = usize::from(
            is_slow(of.tiers[0].tier) && {
                let lacks_pairs = of.tiers[0].coverage.left() > 0;
                let once_in = if lacks_pairs {
                    SLOW_TIER_BEFORE
                } else {
                    SLOW_TIER_ONCE_IN
                };
                !source.once_in(once_in)
            },
        );
        let first = if left_out == 0 { 0 } else { of.tiers.len() - 1 };
        let shape = of.tiers[first].coverage.draw(source);
        let reference = self.tiers.reference();
        let mut messages = Messages::draw(shape, reference.parts(), source);
        if reference.name.ends_with("GCM-SIV") && source.once_in(ORACLE_ONCE_IN) {
            wrap_a_counter(&mut messages, &self.bytes, source);
        }
        let beside_the_oracle = usize::from(source.once_in(ORACLE_ONCE_IN)).min(messages.len());
        let executions = self
            .tiers
            .check(&messages, left_out, beside_the_oracle, source);
        of.beside_the_oracle += beside_the_oracle as u64;
        for (on, executions) in of.tiers[left_out..].iter_mut().zip(&executions) {
            on.coverage.add(&messages, *executions);
            on.executions += executions;
        }
        executions.iter().sum()
    }
}

/// Changes a text so that its tag, which is the initial counter, makes the counter wrap within
/// the message.
fn wrap_a_counter(messages: &mut Messages, key: &[u8], source: &mut SplitMix64) {
    let Some(i) = messages.jobs().position(|job| job.text.len() >= 16) else {
        return;
    };
    let job = messages.job(i);
    let blocks = job.text.len().div_ceil(16);
    // One tag in two cannot be had.
    let made = (0..64).find_map(|_| {
        let mut tag = [0; 16];
        source.fill(&mut tag);
        let start = u32::MAX - source.below(blocks) as u32;
        tag[..4].copy_from_slice(&start.to_le_bytes());
        gcm_siv::plaintext_with_tag(key, job.nonce, job.aad, job.text, tag)
    });
    let made = made.expect("a tag that can be had");
    messages.texts.get_mut(i).copy_from_slice(&made);
    // No seed alone makes them again.
    messages.seed = None;
}
