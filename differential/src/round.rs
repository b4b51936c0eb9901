//! One round: messages of a drawn shape under one key, on every tier.

use crate::covered::{Covered, is_slow};
use crate::subject::OneKey;
use sivka_oracle::gcm_siv;
use sivka_oracle::shapes::{Messages, Source, SplitMix64};
use sivka_oracle::suite::{self, Many};

/// One key on every tier, the widest first.
pub(crate) struct Keys {
    /// Of the algorithm among all.
    number: usize,
    reference: &'static suite::Algorithm,
    bytes: Vec<u8>,
    keys: Vec<OneKey>,
}

/// The slow tier takes a hundred times as long as the others, and the oracle as long again.
const SLOW_TIER_ONCE_IN: usize = 128;
const ORACLE_ONCE_IN: usize = 1024;

impl Keys {
    pub(crate) fn draw(covered: &Covered, source: &mut SplitMix64) -> Self {
        // AES-GCM-SIV has the kernels of which there are most, and is the fastest.
        let number = match covered.incomplete() {
            Some(number) if source.once_in(2) => number,
            _ if source.once_in(16) => source.below(covered.0.len()),
            _ => source.below(2),
        };
        let of = &covered.0[number];
        let mut bytes = vec![0; of.algorithm.key_len()];
        source.fill(&mut bytes);
        let tiers = of.tiers.iter();
        Self {
            number,
            reference: suite::algorithm(of.algorithm.name()),
            keys: tiers
                .map(|on| OneKey::new(of.algorithm, &bytes, on.tier))
                .collect(),
            bytes,
        }
    }

    /// Seals and opens messages on every tier. How many executions that is.
    pub(crate) fn round(&self, covered: &mut Covered, source: &mut SplitMix64) -> u64 {
        let of = &mut covered.0[self.number];
        // The slow tier is the last one; where it takes part, its pairs come first.
        let slow = of.tiers.last().filter(|on| is_slow(on.tier));
        let slow = slow.filter(|on| {
            let once_in = if on.coverage.left() > 0 {
                8
            } else {
                SLOW_TIER_ONCE_IN
            };
            source.once_in(once_in)
        });
        let tiers = if slow.is_some() || !is_slow(of.tiers[of.tiers.len() - 1].tier) {
            of.tiers.len()
        } else {
            of.tiers.len() - 1
        };
        let coverage = slow.map_or(&of.tiers[0].coverage, |on| &on.coverage);
        let shape = coverage.draw(source);
        let parts = self.reference.parts();
        let mut messages = Messages::draw(shape, parts, source);
        if self.reference.name.ends_with("GCM-SIV") && source.once_in(ORACLE_ONCE_IN) {
            wrap_a_counter(&mut messages, &self.bytes, source);
        }
        let mut many = Many::new(self.reference, &self.bytes, &messages);
        let mut executions = 0;
        for (key, on) in self.keys.iter().zip(&mut of.tiers[..tiers]) {
            let done = many.check(key);
            on.coverage.add(&messages, done);
            on.executions += done;
            executions += done;
        }
        if !messages.is_empty() && source.once_in(ORACLE_ONCE_IN) {
            many.check_reference(source.below(messages.len()));
            of.beside_the_oracle += 1;
        }
        executions
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
