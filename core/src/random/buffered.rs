//! Nonces that are made before they are asked for.

use super::from_system;
use super::page::Page;
use crate::error::Error;
use crate::kernel::chacha20::{ChaCha20, KEY_LEN, Matrix};
use crate::self_check::KnownAnswers;
use crate::tier::stack::Depth;
use crate::tier::{Tier, on_tier, secret};
use std::cell::Cell;

/// More bytes than this are made for the call alone.
const MOST_BUFFERED: usize = 256;

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

crate::__per_thread! {
    /// Taken out while nonces are taken from it: a signal's handler finds none then, and
    /// makes one of its own.
    static PAGE: Cell<Option<Page>> = Cell::new(None)
}

/// Fills `bytes`, which nobody else is given, in this process or in a child of it. The exception
/// is a signal's handler that forks in the middle of a call: parent and child go on with them.
#[inline]
pub(crate) fn fill(tier: Tier, bytes: &mut [u8]) -> Result<(), Error> {
    if bytes.len() <= MOST_BUFFERED {
        let given = PAGE.try_with(|place| {
            let Some(mut page) = place.take() else {
                return false;
            };
            let given = page.give(bytes);
            place.set(Some(page));
            given
        });
        // A thread that is ending has none, nor has one that the system refuses memory.
        if given == Ok(true) {
            return Ok(());
        }
        return fill_anew(tier, bytes);
    }
    expand(tier, bytes)
}

/// Gives from a page that is filled now.
#[cold]
#[inline(never)]
fn fill_anew(tier: Tier, bytes: &mut [u8]) -> Result<(), Error> {
    let page = PAGE.try_with(Cell::take).ok().flatten();
    let Some(mut page) = page.or_else(Page::new) else {
        // The system has no memory that a child does not inherit.
        return from_system(bytes);
    };
    let filled = page.fill(|room| expand(tier, room));
    // A child that was forked just now has lost the new bytes.
    let given = filled.is_ok() && page.give(bytes);
    let _ = PAGE.try_with(|place| place.set(Some(page)));
    filled?;
    if given { Ok(()) } else { from_system(bytes) }
}

/// Fills `bytes` with the keystream of a seed that the system gives.
fn expand(tier: Tier, bytes: &mut [u8]) -> Result<(), Error> {
    if !KNOWN_ANSWERS.hold(tier, || known_answer_holds(tier)) {
        return Err(Error::SelfCheck { tier: tier.name() });
    }
    let mut seed = [0; KEY_LEN];
    let drawn = from_system(&mut seed);
    if drawn.is_ok() {
        keystream(tier, &seed, bytes);
    }
    secret::wipe(&mut seed);
    drawn
}

fn keystream(tier: Tier, seed: &[u8; KEY_LEN], bytes: &mut [u8]) {
    bytes.fill(0);
    on_tier!(tier, Depth::Deep, |t| {
        t.chacha20_xor(&Matrix::new(seed, &[0; 8]), 0, bytes);
    });
}

/// Blocks of every width that a tier takes at once, and some bytes.
const KNOWN_LEN: usize = 2100;

/// Whether the blocks of a keystream of every width add up to the known sum.
fn known_answer_holds(tier: Tier) -> bool {
    let mut bytes = [0; KNOWN_LEN];
    keystream(tier, &core::array::from_fn(|i| i as u8), &mut bytes);
    let words = bytes.chunks(16).map(|chunk| {
        let mut word = [0; 16];
        word[..chunk.len()].copy_from_slice(chunk);
        u128::from_le_bytes(word)
    });
    let sum = words.fold(0_u128, |sum, word| sum.rotate_left(7) ^ word);
    sum == KNOWN_SUM
}

/// Of the keystream under the key 00 01 02 … 1f with a nonce of zeros, computed by a program of
/// a few lines from RFC 8439.
const KNOWN_SUM: u128 = 0xc2a4_5d83_58b0_9f55_b5b0_a5dc_439a_2c05;

#[cfg(test)]
mod tests;
