//! The known answer that an AEAD has to give on a tier before its first use there.
//!
//! The calls of every key give it, so that the checked code is the code that runs.

use super::arrays::{Bytes, MAX_NONCE_LEN};
use super::engine::Cipher;
use super::key::Key;
use super::{Aead, NonceRule};
use crate::batch::{BatchAad, BatchText};
use crate::mode::batch::Status;
use crate::mode::batch::through_table;

/// The longest messages of a chain, in bytes.
const LONGEST: usize = 2200;
/// The longest tag.
const MAX_TAG_LEN: usize = 64;

/// Where a tier has one, the path for messages so long that a table of the first rounds pays.
const VERY_LONG: usize = (16 << 10) + 80;

/// The answer of an algorithm under [`key`].
pub(crate) struct KnownAnswer {
    /// Lengths that between them reach every path of every tier's kernels.
    pub(crate) lens: &'static [usize],
    /// The tag at the end of the chain of such messages; a test has the oracle compute it.
    pub(crate) tag: &'static [u8],
    /// The second tag of a very long message that is sealed twice, where such go another way.
    pub(crate) very_long: Option<&'static [u8]>,
}

/// A key that counts up from zero.
pub(crate) const fn key<const KEY_LEN: usize>() -> [u8; KEY_LEN] {
    let mut key = [0; KEY_LEN];
    let mut i = 0;
    while i < KEY_LEN {
        key[i] = i as u8;
        i += 1;
    }
    key
}

fn painted<const LEN: usize>() -> [u8; LEN] {
    core::array::from_fn(|i| (i % 251) as u8)
}

/// Properties of the keys that give it.
#[derive(Clone, Copy)]
struct Asked {
    tag_len: usize,
    nonce_len: usize,
    nonce_rule: NonceRule,
}

impl Asked {
    /// The bytes of `last` as a nonce, without bits that it may not have.
    fn as_nonce(self, last: &[u8; MAX_TAG_LEN]) -> [u8; MAX_NONCE_LEN] {
        let mut nonce: [u8; MAX_NONCE_LEN] = last.first_chunk().copied().unwrap_or_default();
        if let NonceRule::Random { first_byte_mask, .. } = self.nonce_rule {
            nonce[0] &= first_byte_mask;
        }
        nonce
    }
}

impl KnownAnswer {
    /// Whether a key made of [`key`] gives it, one message at a time and in batches.
    ///
    /// None of its parts is inlined: the stack may be small, and must not hold all their
    /// buffers at once.
    pub(crate) fn holds<C: Cipher>(&self, made: &Key<C>) -> bool
    where
        Key<C>: Aead,
    {
        let asked =
            Asked { tag_len: self.tag.len(), nonce_len: C::Nonce::LEN, nonce_rule: C::NONCE };
        through_table!(let key: &dyn Aead = made);
        chain(key, asked, self.lens, self.tag)
            && self.very_long.is_none_or(|tag| very_long(key, asked, tag))
            && batch_agrees(key, asked, of_many_lengths)
            && batch_agrees(key, asked, of_one_length)
            && batch_agrees(key, asked, of_few_long)
    }
}

/// Seals one message of each length, each with the tag before it as AAD and as the source
/// of its nonce, over the ciphertext before it; opens each and seals it again, in place and
/// apart, and tries a forgery. The last tag depends on every byte on the way.
#[inline(never)]
fn chain<K: Aead + ?Sized>(key: &K, asked: Asked, lens: &[usize], answer: &[u8]) -> bool {
    let tag_len = asked.tag_len;
    let mut message = painted::<LONGEST>();
    let mut last = [0; MAX_TAG_LEN];
    for len in lens {
        let (nonce, aad) = (asked.as_nonce(&last), &last[..tag_len]);
        let nonce = &nonce[..asked.nonce_len];
        let sealed = &mut message[..*len];
        let mut tag = [0; MAX_TAG_LEN];
        let tag = &mut tag[..tag_len];
        if key.seal_in_place(nonce, aad, sealed, tag).is_err() {
            return false;
        }
        let sealed = &*sealed;
        let open_into = |opened: &mut [u8], tag: &[u8]| {
            let verdict = key.open_into(nonce, sealed, aad, tag, opened);
            verdict.is_ok()
        };
        let (mut opened, mut again) = ([7; LONGEST], [0; LONGEST]);
        let (opened, again) = (&mut opened[..*len], &mut again[..*len]);
        tag[len % tag_len] ^= 1;
        let refused = !open_into(opened, tag) && opened.iter().all(|byte| *byte == 0);
        tag[len % tag_len] ^= 1;
        let apart = open_into(opened, tag);
        let mut tag_again = [0; MAX_TAG_LEN];
        let tag_again = &mut tag_again[..tag_len];
        let resealed = key.seal_into(nonce, opened, aad, again, tag_again);
        let alike = resealed.is_ok() && again == sealed && tag_again == tag;
        let in_place = key.open_in_place(nonce, aad, again, tag).is_ok();
        if !(refused && apart && alike && in_place && again == opened) {
            return false;
        }
        last[..tag_len].copy_from_slice(tag);
    }
    last[..tag_len] == *answer
}

/// Seals a very long message and its ciphertext, and opens both; the second tag depends on
/// every byte of the first ciphertext. In place, because the stack may be small.
#[inline(never)]
fn very_long<K: Aead + ?Sized>(key: &K, asked: Asked, answer: &[u8]) -> bool {
    let tag_len = asked.tag_len;
    let nonce = asked.as_nonce(&[7; MAX_TAG_LEN]);
    let nonce = &nonce[..asked.nonce_len];
    let mut message = painted::<VERY_LONG>();
    let mut tags = [[0; MAX_TAG_LEN]; 2];
    let sealed = tags.iter_mut().all(|tag| {
        let tag = &mut tag[..tag_len];
        key.seal_in_place(nonce, b"", &mut message, tag).is_ok()
    });
    let opened = tags.iter().rev().all(|tag| {
        let tag = &tag[..tag_len];
        key.open_in_place(nonce, b"", &mut message, tag).is_ok()
    });
    let as_before = (0..).zip(&message).all(|(i, byte)| *byte == (i % 251) as u8);
    sealed && opened && as_before && tags[1][..tag_len] == *answer
}

/// Messages of the batches below, more than [`few`](super::engine::Cipher::few) on any tier,
/// and the bytes of all texts together, at most.
pub(crate) const BATCH: usize = 26;
const BATCH_LEN: usize = 12 * (BATCH - 1) * BATCH / 2;

/// The bytes of AAD and of text of message `i`.
type Lens = fn(i: usize) -> (usize, usize);

fn of_many_lengths(i: usize) -> (usize, usize) {
    // A message of MGM is not empty in every part.
    (i + 1, 12 * i)
}

/// Such batches go another way.
fn of_one_length(_i: usize) -> (usize, usize) {
    (5, 100)
}

/// Long ones too: some tiers work on two at once. One of three is forged.
fn of_few_long(i: usize) -> (usize, usize) {
    let is_long = i % 9 == BATCH / 2 % 9;
    (i + 1, if is_long { 1200 + 5 * i } else { 0 })
}

/// Whether a batch of messages gives the bytes of one at a time, and opens all but the
/// one that is forged.
#[inline(never)]
fn batch_agrees<K: Aead + ?Sized>(key: &K, asked: Asked, lens: Lens) -> bool {
    let (tag_len, nonce_len) = (asked.tag_len, asked.nonce_len);
    let aad = painted::<{ BATCH + 1 }>();
    let mut nonces = [0; BATCH * MAX_NONCE_LEN];
    for (i, byte) in nonces.iter_mut().enumerate() {
        *byte = i.checked_div(nonce_len).unwrap_or(0) as u8;
    }
    let nonces = &nonces[..BATCH * nonce_len];
    let mut offsets = [0; BATCH + 1];
    for i in 0..BATCH {
        offsets[i + 1] = offsets[i] + lens(i).1;
    }
    let (mut alone, mut together) = ([7; BATCH_LEN], [7; BATCH_LEN]);
    let mut tags = [0; 2 * BATCH * MAX_TAG_LEN];
    let (tags, tags_together) = tags[..2 * BATCH * tag_len].split_at_mut(BATCH * tag_len);
    for (i, tag) in tags.chunks_exact_mut(tag_len).enumerate() {
        let (nonce, aad) = (&nonces[i * nonce_len..][..nonce_len], &aad[..lens(i).0]);
        let in_out = &mut alone[offsets[i]..offsets[i + 1]];
        if key.seal_in_place(nonce, aad, in_out, tag).is_err() {
            return false;
        }
    }

    let aads: [&[u8]; BATCH] = core::array::from_fn(|i| &aad[..lens(i).0]);
    let aads = BatchAad::Slices(&aads);
    let mut statuses = [Status::Refused; BATCH];
    let offsets = &offsets;
    let bytes = &mut together[..];
    let in_out = BatchText::Contiguous { bytes, offsets };
    let sealed = key.seal_batch(nonces, aads, in_out, tags_together, &mut statuses);
    let sealed_alike = sealed.is_ok() && alone == together && tags == tags_together;

    let forged = BATCH / 2;
    tags[forged * tag_len] ^= 1;
    let bytes = &mut together[..];
    let in_out = BatchText::Contiguous { bytes, offsets };
    // Its verdict is that one did not open; the statuses say which.
    let verdict = key.open_batch(nonces, aads, in_out, tags, &mut statuses);
    let right = statuses.iter().enumerate().all(|(i, status)| {
        let opened = *status == Status::Done;
        let text = &together[offsets[i]..offsets[i + 1]];
        let expected = if opened { 7 } else { 0 };
        opened == (i != forged) && text.iter().all(|byte| *byte == expected)
    });
    sealed_alike && verdict.is_err() && right
}

#[cfg(all(test, feature = "aes-gcm-siv"))]
mod faulty;
#[cfg(test)]
mod tests;
