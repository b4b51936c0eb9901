//! Passphrases, and what they are stretched to.

use crate::cost::Argon2Cost;
use crate::derive::{Secret, overwriting};
use crate::error::Error;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use unicode_normalization::UnicodeNormalization;
use zeroize::{Zeroize, Zeroizing};

/// How many results a passphrase remembers.
const REMEMBERED: usize = 64;

/// A passphrase, wiped when dropped.
///
/// A slot is made with the UTF-8 encoding of its normalisation form C (Unicode Standard
/// Annex 15), because systems type one letter as different characters. A slot is opened with
/// that, and with the text as it was given if this differs (specification section 5.3).
/// Nothing is trimmed: a caller that reads one from a terminal or a file removes the line end.
///
/// It remembers what it was last stretched to, so that a file is opened once more without
/// another run of Argon2id. It is not `Clone` for that reason: share it, as threads may, and
/// each result is there once.
pub struct Passphrase {
    text: Zeroizing<String>,
    /// As it was given, if it was not normalised.
    given: Option<Box<Self>>,
    remembered: Mutex<Vec<Stretched>>,
}

/// What Argon2id made of a passphrase.
#[derive(Clone)]
struct Stretched {
    salt: [u8; 32],
    cost: Argon2Cost,
    secret: Secret,
}

impl Passphrase {
    /// Takes a passphrase over.
    #[must_use]
    pub fn new(passphrase: String) -> Self {
        let given = Zeroizing::new(passphrase);
        let normalised = normalised(&given);
        if normalised == given {
            return Self::of(given, None);
        }
        Self::of(normalised, Some(Box::new(Self::of(given, None))))
    }

    fn of(text: Zeroizing<String>, given: Option<Box<Self>>) -> Self {
        Self {
            text,
            given,
            // At once: a list that grows leaves copies of secrets behind.
            remembered: Mutex::new(Vec::with_capacity(REMEMBERED)),
        }
    }

    /// What is tried on a slot, one after the other: normalised, and as it was given.
    pub(crate) fn forms(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.given.as_deref())
    }

    /// Whether there is nothing in it. An empty passphrase seals nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Argon2id (RFC 9106) version 0x13 of this passphrase, 32 bytes.
    ///
    /// The caller has checked `cost` against its limit.
    pub(crate) fn stretch(&self, salt: &[u8; 32], cost: Argon2Cost) -> Result<Secret, Error> {
        let known = |stretched: &&Stretched| stretched.salt == *salt && stretched.cost == cost;
        if let Some(stretched) = self.remembered().iter().find(known) {
            return Ok(stretched.secret.clone());
        }
        let secret = argon2id(self.text.as_bytes(), salt, cost)?;
        let mut remembered = self.remembered();
        if remembered.len() == REMEMBERED {
            remembered.remove(0);
        }
        remembered.push(Stretched {
            salt: *salt,
            cost,
            secret: secret.clone(),
        });
        Ok(secret)
    }

    /// Whether a slot may be made with this passphrase at this cost.
    pub(crate) fn check(&self, cost: Argon2Cost) -> Result<(), Error> {
        if self.is_empty() {
            return Err(Error::EmptyPassphrase);
        }
        if !cost.is_valid() {
            return Err(Error::BadCost { asked: cost });
        }
        Ok(())
    }

    fn remembered(&self) -> MutexGuard<'_, Vec<Stretched>> {
        self.remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(..)")
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

fn argon2id(passphrase: &[u8], salt: &[u8; 32], cost: Argon2Cost) -> Result<Secret, Error> {
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32))
        .map_err(|_| Error::BadCost { asked: cost })?;
    let no_memory = Error::NoMemory {
        kib: cost.memory_kib,
    };
    // Reserved by hand: a plain `vec!` would end the process when memory is short.
    let mut blocks: Vec<Block> = Vec::new();
    let count = params.block_count();
    if blocks.try_reserve_exact(count).is_err() {
        return Err(no_memory);
    }
    blocks.resize(count, Block::default());
    let mut secret = Secret::default();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    // Its first hash leaves words of the passphrase on the stack, and the others what they make.
    let stretched = overwriting::<{ 16 << 10 }, _>(|| {
        argon2.hash_password_into_with_memory(passphrase, salt, &mut **secret, &mut blocks)
    });
    blocks.iter_mut().for_each(Zeroize::zeroize);
    stretched.map_err(|_| Error::BadCost { asked: cost })?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Argon2Cost = Argon2Cost {
        memory_kib: 8,
        passes: 1,
        lanes: 1,
    };

    /// Vectors have the forms of a letter; here a passphrase grows as much as one can.
    #[test]
    fn normalising_leaves_no_copy_in_a_buffer_that_grew() {
        let long = "\u{1d160}".repeat(1000);
        let passphrase = Passphrase::new(long.clone());
        assert_eq!(passphrase.text.len(), 3 * long.len());
        assert!(passphrase.text.capacity() < 4 * long.len());
    }

    #[test]
    fn what_is_remembered_is_right_and_bounded() {
        let passphrase = Passphrase::new("correct horse".to_owned());
        let stretch = |i: u8| passphrase.stretch(&[i; 32], CHEAP).unwrap();
        let all: Vec<_> = (0..=255).map(stretch).collect();
        assert!(all == (0..=255).map(stretch).collect::<Vec<_>>());
        assert_eq!(passphrase.remembered().len(), REMEMBERED);
        // What is remembered is not computed again, and is of one cost.
        passphrase.remembered()[REMEMBERED - 1].secret.fill(0);
        assert_eq!(stretch(255), Secret::default());
        let other = Argon2Cost { passes: 2, ..CHEAP };
        let other = passphrase.stretch(&[255; 32], other).unwrap();
        assert!(all[255] != other && other != Secret::default());
    }
}
