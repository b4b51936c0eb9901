//! Passphrases, and what they are stretched to.

use crate::cost::Argon2Cost;
use crate::derive::{Secret, overwriting};
use crate::error::Error;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::fmt;
use std::iter;
use unicode_normalization::UnicodeNormalization;
use zeroize::{Zeroize, Zeroizing};

/// A passphrase, wiped when dropped.
///
/// A slot is made with the UTF-8 encoding of its normalisation form C (Unicode Standard
/// Annex 15), because systems type one letter as different characters. A slot is opened with
/// that, and with the text as it was given if this differs (specification section 5.3).
/// Nothing is trimmed: a caller that reads one from a terminal or a file removes the line end.
pub struct Passphrase {
    text: Zeroizing<String>,
    /// As it was given, if it was not normalised.
    given: Option<Box<Self>>,
}

impl Passphrase {
    /// Takes a passphrase over.
    #[must_use]
    pub fn new(passphrase: String) -> Self {
        let given = Zeroizing::new(passphrase);
        let text = normalised(&given);
        let given = (text != given).then(|| Self {
            text: given,
            given: None,
        });
        Self {
            text,
            given: given.map(Box::new),
        }
    }

    /// What is tried on a slot, one after the other: normalised, and as it was given.
    pub(crate) fn forms(&self) -> impl Iterator<Item = &Self> {
        iter::once(self).chain(self.given.as_deref())
    }

    /// Whether there is nothing in it. An empty passphrase seals nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What a new slot is made with.
    pub(crate) fn stretch(&self, salt: &[u8; 32], cost: Argon2Cost) -> Result<Secret, Error> {
        match (self.is_empty(), cost.is_valid()) {
            (true, _) => Err(Error::EmptyPassphrase),
            (false, false) => Err(Error::BadCost { asked: cost }),
            (false, true) => argon2id(self.text.as_bytes(), salt, cost),
        }
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(..)")
    }
}

/// What passphrases may still cost, over both copies of a header, and what came of them.
pub(crate) struct Work {
    limit: Argon2Cost,
    left: u64,
    done: Vec<Stretched>,
}

struct Stretched {
    passphrase: *const Passphrase,
    salt: [u8; 32],
    cost: Argon2Cost,
    secret: Secret,
}

impl Work {
    pub(crate) fn new(limit: Argon2Cost) -> Self {
        Self {
            limit,
            left: limit.work(),
            done: Vec::new(),
        }
    }

    /// Stretches a passphrase for the slot of this index, if that is allowed.
    pub(crate) fn stretch(
        &mut self,
        index: usize,
        passphrase: &Passphrase,
        salt: [u8; 32],
        cost: Argon2Cost,
    ) -> Result<&Secret, Error> {
        let is_this = |done: &Stretched| {
            std::ptr::eq(done.passphrase, passphrase) && (done.salt, done.cost) == (salt, cost)
        };
        let known = self.done.iter().position(is_this);
        let at = match known {
            Some(at) => at,
            None => {
                if !cost.is_within(self.limit) || cost.work() > self.left {
                    return Err(Error::CostTooHigh {
                        index,
                        asked: cost,
                        limit: self.limit,
                    });
                }
                self.left -= cost.work();
                self.done.push(Stretched {
                    passphrase,
                    salt,
                    cost,
                    secret: argon2id(passphrase.text.as_bytes(), &salt, cost)?,
                });
                self.done.len() - 1
            }
        };
        Ok(&self.done[at].secret)
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
    let bad_cost = |_| Error::BadCost { asked: cost };
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32));
    let params = params.map_err(bad_cost)?;
    // Reserved by hand: a plain `vec!` would end the process when memory is short.
    let mut blocks: Vec<Block> = Vec::new();
    let reserved = blocks.try_reserve_exact(params.block_count());
    reserved.map_err(|_| Error::NoMemory {
        kib: cost.memory_kib,
    })?;
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
        let passphrase = Passphrase::new(long.clone());
        assert_eq!(passphrase.text.len(), 3 * long.len());
        assert!(passphrase.text.capacity() < 4 * long.len());
    }
}
