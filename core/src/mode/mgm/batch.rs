//! Many messages under one key. Short ones share the calls of the cipher, which is
//! several times as fast a block when it is given many; others go one by one.

use super::{Direction, Kernels, NONCE_LEN, crypt, length_block};
use crate::kernel::Block;
use crate::kernel::kuznyechik::counters::Counters;
use crate::tier::secret::{self, Scratch};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// Messages that share calls.
const MESSAGES: usize = 16;

/// The most blocks that a message takes to be short: multipliers and keystream.
const SHORT: usize = 16;

/// One message, whose nonce and lengths were checked.
#[derive(Default)]
pub(crate) struct Message<'a> {
    /// Its place in the batch.
    pub(crate) index: usize,
    pub(crate) nonce: [u8; NONCE_LEN],
    pub(crate) aad: &'a [u8],
    pub(crate) in_out: &'a mut [u8],
    /// Sealing: the tag that was made. Opening: the tag that was given.
    pub(crate) tag: Block,
    /// Opening: whether the tag was right.
    pub(crate) authentic: bool,
}

impl Message<'_> {
    /// Blocks of AAD and of text.
    fn blocks(&self) -> (usize, usize) {
        (self.aad.len().div_ceil(16), self.in_out.len().div_ceil(16))
    }

    fn is_short(&self) -> bool {
        let (aad, text) = self.blocks();
        aad < SHORT && text < SHORT && aad + 2 * text < SHORT
    }

    /// Takes the tag of the ciphertext as made, or compares it with the one given and
    /// wipes the text if they differ.
    #[inline(always)]
    fn end(&mut self, tag: Block, direction: Direction) {
        match direction {
            Direction::Seal => self.tag = tag,
            Direction::Open => {
                self.authentic = secret::publish(tag.ct_eq(&self.tag));
                if !self.authentic {
                    self.in_out.zeroize();
                }
            }
        }
    }
}

/// Encrypts every message and reports each with its tag.
#[inline(always)]
pub(crate) fn seal_batch<'a, T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = Message<'a>>,
    report: impl FnMut(&Message<'a>),
) {
    crypt_batch(t, keys, messages, Direction::Seal, report);
}

/// Decrypts every message, wipes those whose tag is wrong, and reports each.
#[inline(always)]
pub(crate) fn open_batch<'a, T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = Message<'a>>,
    report: impl FnMut(&Message<'a>),
) {
    crypt_batch(t, keys, messages, Direction::Open, report);
}

#[inline(always)]
fn crypt_batch<'a, T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = Message<'a>>,
    direction: Direction,
    mut report: impl FnMut(&Message<'a>),
) {
    let mut group: [Message<'a>; MESSAGES] = Default::default();
    let mut held = 0;
    for mut message in messages {
        if !message.is_short() {
            let Message { nonce, aad, .. } = message;
            let tag = crypt(t, keys, &nonce, aad, message.in_out, direction);
            message.end(tag, direction);
            report(&message);
            continue;
        }
        group[held] = message;
        held += 1;
        if held == MESSAGES {
            crypt_group(t, keys, &mut group, direction);
            group.iter().for_each(&mut report);
            held = 0;
        }
    }
    crypt_group(t, keys, &mut group[..held], direction);
    group[..held].iter().for_each(report);
}

/// Section 4 for at most [`MESSAGES`] short messages, each step for all of them at once.
#[inline(always)]
fn crypt_group<T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    group: &mut [Message<'_>],
    direction: Direction,
) {
    let mut starts = Scratch::<{ 2 * MESSAGES }>::new();
    let starts = &mut starts[..2 * group.len()];
    for (start, message) in starts.chunks_mut(2).zip(group.iter()) {
        start.fill(message.nonce);
        start[1][0] |= 0x80;
    }
    t.encrypt_blocks(keys, starts);

    let mut work = Scratch::<{ SHORT * MESSAGES }>::new();
    let mut used = 0;
    for (start, message) in starts.chunks(2).zip(group.iter()) {
        let (aad, text) = message.blocks();
        let counters = Counters {
            left_len: aad + text + 1,
            left: u128::from_be_bytes(start[1]),
            right: u128::from_be_bytes(start[0]),
        };
        let blocks = &mut work[used..][..aad + 2 * text + 1];
        counters.fill(blocks);
        used += blocks.len();
    }
    t.encrypt_blocks(keys, &mut work[..used]);

    let mut tags = Scratch::<MESSAGES>::new();
    let mut rest = &work[..];
    for (tag, message) in tags.iter_mut().zip(group.iter_mut()) {
        let (aad, text) = message.blocks();
        let (h_aad, after) = rest.split_at(aad);
        let (h_text, after) = after.split_at(text);
        let (h_lengths, after) = after.split_at(1);
        let (keystream, after) = after.split_at(text);
        rest = after;

        let lengths = length_block(message.aad.len(), message.in_out.len());
        let mut sum = t.zero();
        t.multiply_add(&mut sum, h_aad, message.aad);
        if direction == Direction::Open {
            t.multiply_add(&mut sum, h_text, message.in_out);
        }
        super::xor(message.in_out, keystream.as_flattened());
        if direction == Direction::Seal {
            t.multiply_add(&mut sum, h_text, message.in_out);
        }
        t.multiply_add(&mut sum, h_lengths, &lengths);
        *tag = t.reduce(sum);
    }
    t.encrypt_blocks(keys, &mut tags[..group.len()]);
    for (tag, message) in tags.iter().zip(group) {
        message.end(*tag, direction);
    }
}
