//! Passphrases, what they are stretched to, and what that costs.

use crate::derive::{Secret, overwriting};
use crate::error::Error;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::fmt;
use unicode_normalization::UnicodeNormalization;
use zeroize::{Zeroize, Zeroizing};

/// What one try of a passphrase costs: the parameters of Argon2id (RFC 9106).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argon2Cost {
    /// Memory in KiB: at least eight for each lane.
    pub memory_kib: u32,
    /// Passes over the memory: at least one.
    pub passes: u32,
    /// Lanes, which could be computed at the same time: 1 to 255.
    pub lanes: u32,
}

impl Argon2Cost {
    /// What sealing uses unless told otherwise, between the two recommendations of RFC 9106
    /// section 4: 256 MiB, 3 passes, 4 lanes.
    pub const DEFAULT: Self = Self { memory_kib: 256 << 10, passes: 3, lanes: 4 };

    /// What opening allows unless told otherwise: 1 GiB, 16 passes, 255 lanes.
    pub const DEFAULT_LIMIT: Self =
        Self { memory_kib: 1 << 20, passes: 16, lanes: Self::MAX_LANES };

    /// The most lanes that the format allows.
    pub const MAX_LANES: u32 = 255;

    /// Whether the format allows this cost (specification section 5.3).
    #[must_use]
    pub fn is_valid(self) -> bool {
        self.passes >= 1
            && (1..=Self::MAX_LANES).contains(&self.lanes)
            && self.memory_kib >= 8 * self.lanes
    }

    /// KiB written over all passes, which is what the time is proportional to.
    fn work(self) -> u64 {
        u64::from(self.memory_kib) * u64::from(self.passes)
    }

    fn is_within(self, limit: Self) -> bool {
        self.memory_kib <= limit.memory_kib
            && self.passes <= limit.passes
            && self.lanes <= limit.lanes
    }
}

impl Default for Argon2Cost {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Argon2Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (memory, unit) = match self.memory_kib {
            kib if kib % (1 << 10) != 0 || kib == 0 => (kib, "KiB"),
            kib if kib % (1 << 20) != 0 => (kib >> 10, "MiB"),
            kib => (kib >> 20, "GiB"),
        };
        let (passes, lanes) = (self.passes, self.lanes);
        let passes_word = if passes == 1 { "pass" } else { "passes" };
        let lanes_word = if lanes == 1 { "lane" } else { "lanes" };
        write!(f, "{memory} {unit}, {passes} {passes_word}, {lanes} {lanes_word}")
    }
}

/// A passphrase, wiped when dropped.
///
/// A slot is made with its normalisation form C (Unicode Standard Annex 15) in UTF-8, and opened
/// with that or with the text as it was given (specification section 5.3). Nothing is trimmed: a
/// caller that reads one from a terminal or a file removes the line end.
pub struct Passphrase {
    /// What is tried on a slot, one after the other: normalised, and as it was given.
    forms: Vec<Zeroizing<String>>,
}

impl Passphrase {
    /// Takes a passphrase over.
    #[must_use]
    pub fn new(passphrase: String) -> Self {
        let given = Zeroizing::new(passphrase);
        let mut forms = vec![normalised(&given)];
        if forms[0] != given {
            forms.push(given);
        }
        Self { forms }
    }

    /// How many texts are tried.
    pub(crate) fn form_count(&self) -> usize {
        self.forms.len()
    }

    /// Whether there is nothing in it. An empty passphrase seals nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forms[0].is_empty()
    }

    /// What a new slot is made with.
    pub(crate) fn stretch(&self, salt: &[u8; 32], cost: Argon2Cost) -> Result<Secret, Error> {
        match (self.is_empty(), cost.is_valid()) {
            (true, _) => Err(Error::EmptyPassphrase),
            (false, false) => Err(Error::BadCost(cost)),
            (false, true) => argon2id(self.forms[0].as_bytes(), salt, cost),
        }
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(..)")
    }
}

/// What passphrases may still cost, over both copies of a header.
pub(crate) struct Work {
    limit: Argon2Cost,
    left: u64,
}

impl Work {
    pub(crate) fn new(limit: Argon2Cost) -> Self {
        let left = limit.work();
        Self { limit, left }
    }

    /// Stretches a form of a passphrase for the slot of this index, if that is allowed.
    pub(crate) fn stretch(
        &mut self,
        index: usize,
        (passphrase, form): (&Passphrase, usize),
        salt: &[u8; 32],
        asked: Argon2Cost,
    ) -> Result<Secret, Error> {
        let limit = self.limit;
        if !asked.is_within(limit) || asked.work() > self.left {
            return Err(Error::CostTooHigh { index, asked, limit });
        }
        self.left -= asked.work();
        argon2id(passphrase.forms[form].as_bytes(), salt, asked)
    }
}

/// Normalisation form C of a text.
fn normalised(text: &Zeroizing<String>) -> Zeroizing<String> {
    if text.is_ascii() {
        return text.clone();
    }
    // All of it at once: a buffer that grows leaves copies of a secret behind. Three times
    // the length is the most that form C needs.
    let mut normalised = Zeroizing::new(String::with_capacity(3 * text.len()));
    // The letter that it is at stays on the stack.
    overwriting::<{ 4 << 10 }, _>(|| normalised.extend(text.nfc()));
    normalised
}

/// Argon2id (RFC 9106) version 0x13, 32 bytes.
fn argon2id(passphrase: &[u8], salt: &[u8; 32], cost: Argon2Cost) -> Result<Secret, Error> {
    let bad_cost = |_| Error::BadCost(cost);
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32));
    let params = params.map_err(bad_cost)?;
    // Reserved by hand: a plain `vec!` would end the process when memory is short.
    let mut blocks: Vec<Block> = Vec::new();
    let reserved = blocks.try_reserve_exact(params.block_count());
    reserved.map_err(|_| Error::NoMemory(cost.memory_kib))?;
    blocks.resize(params.block_count(), Block::default());
    let mut secret = Secret::default();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    // Its first hash leaves words of the passphrase on the stack, and the others what they make.
    let stretched = overwriting::<{ 16 << 10 }, _>(|| {
        argon2.hash_password_into_with_memory(passphrase, salt, &mut **secret, &mut blocks)
    });
    blocks.iter_mut().for_each(Zeroize::zeroize);
    stretched.map_err(bad_cost)?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors have the forms of a letter; here a passphrase grows as much as one can.
    #[test]
    fn normalising_leaves_no_copy_in_a_buffer_that_grew() {
        let long = "\u{1d160}".repeat(1000);
        let text = &Passphrase::new(long.clone()).forms[0];
        assert_eq!(text.len(), 3 * long.len());
        assert!(text.capacity() < 4 * long.len());
    }
}
