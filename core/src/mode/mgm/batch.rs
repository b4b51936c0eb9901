//! Many messages under one key. Short ones share the calls of the cipher, which is
//! several times as fast a block when it is given many; others go one by one.

use super::{Direction, Kernels, NONCE_LEN, crypt, length_block};
use crate::kernel::Block;
use crate::kernel::kuznyechik::counters::Counters;
use crate::mode::message::{Message, Status};
use crate::tier::secret::{self, BlockRoom, Scratch};
use zeroize::Zeroize;

/// Messages that share calls.
const MESSAGES: usize = 16;

/// The most blocks that a message takes to be short: multipliers and keystream.
const SHORT: usize = 16;

type Nonce = [u8; NONCE_LEN];
pub(crate) type ToSeal<'a> = crate::mode::message::ToSeal<'a, Nonce>;
pub(crate) type ToOpen<'a> = crate::mode::message::ToOpen<'a, Nonce>;

/// What differs between the two ways.
trait Ending: Default {
    const DIRECTION: Direction;

    /// Takes the tag of the ciphertext as made, or compares it with the one given and
    /// wipes the text if they differ.
    fn end(message: &mut Message<'_, Nonce, Self>, tag: &Block);
}

impl Ending for &mut [u8] {
    const DIRECTION: Direction = Direction::Seal;

    #[inline(always)]
    fn end(message: &mut Message<'_, Nonce, Self>, tag: &Block) {
        if let Ok(place) = <&mut Block>::try_from(&mut *message.tag) {
            *place = *tag;
        }
    }
}

impl Ending for &[u8] {
    const DIRECTION: Direction = Direction::Open;

    #[inline(always)]
    fn end(message: &mut Message<'_, Nonce, Self>, tag: &Block) {
        if !secret::equal_blocks(tag, message.tag) {
            message.in_out.zeroize();
            *message.status = Status::NotOpened;
        }
    }
}

fn is_short<Tag>(message: &Message<'_, Nonce, Tag>) -> bool {
    let (aad, text) = message.blocks();
    aad + 2 * text < SHORT
}

/// Encrypts every message and writes its tag.
#[inline(always)]
pub(crate) fn seal_batch<'a, T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = ToSeal<'a>>,
) {
    crypt_batch(t, keys, messages);
}

/// Decrypts every message, and wipes those whose tag is wrong.
#[inline(always)]
pub(crate) fn open_batch<'a, T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = ToOpen<'a>>,
) {
    crypt_batch(t, keys, messages);
}

#[inline(always)]
fn crypt_batch<'a, T: Kernels, Tag: Ending + 'a>(
    t: T,
    keys: &T::RoundKeys,
    messages: impl Iterator<Item = Message<'a, Nonce, Tag>>,
) {
    let mut statuses = [Status::Done; MESSAGES];
    let mut group = statuses
        .each_mut()
        .map(|status| Message::none(&[0; NONCE_LEN], status));
    let mut held = 0;
    for mut message in messages {
        if !is_short(&message) {
            let Message { nonce, aad, .. } = message;
            let tag = crypt(t, keys, nonce, aad, message.in_out, Tag::DIRECTION);
            Tag::end(&mut message, &tag);
            continue;
        }
        group[held] = message;
        held += 1;
        if held == MESSAGES {
            crypt_group(t, keys, &mut group);
            held = 0;
        }
    }
    crypt_group(t, keys, &mut group[..held]);
}

/// Section 4 for at most [`MESSAGES`] short messages, each step for all of them at once.
#[inline(always)]
fn crypt_group<T: Kernels, Tag: Ending>(
    t: T,
    keys: &T::RoundKeys,
    group: &mut [Message<'_, Nonce, Tag>],
) {
    let mut starts = Scratch::<{ 2 * MESSAGES }>::new();
    let starts = &mut starts[..2 * group.len()];
    for (start, message) in starts.chunks_mut(2).zip(group.iter()) {
        start.fill(*message.nonce);
        start[1][0] |= 0x80;
    }
    t.encrypt_blocks(keys, starts);

    let needed = |message: &Message<'_, Nonce, Tag>| {
        let (aad, text) = message.blocks();
        aad + 2 * text + 1
    };
    let mut room = BlockRoom::<{ SHORT * MESSAGES }>::new();
    let work = room.take(group.iter().map(needed).sum());
    let mut rest = &mut *work;
    for (start, message) in starts.chunks(2).zip(group.iter()) {
        let (aad, text) = message.blocks();
        let counters = Counters {
            left_len: aad + text + 1,
            left: u128::from_be_bytes(start[1]),
            right: u128::from_be_bytes(start[0]),
        };
        let (blocks, after) = rest.split_at_mut(needed(message));
        counters.fill(blocks);
        rest = after;
    }
    t.encrypt_blocks(keys, work);

    let mut tags = Scratch::<MESSAGES>::new();
    let mut rest = &*work;
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
        if Tag::DIRECTION == Direction::Open {
            t.multiply_add(&mut sum, h_text, message.in_out);
        }
        super::xor(message.in_out, keystream.as_flattened());
        if Tag::DIRECTION == Direction::Seal {
            t.multiply_add(&mut sum, h_text, message.in_out);
        }
        t.multiply_add(&mut sum, h_lengths, &lengths);
        *tag = t.reduce(sum);
    }
    t.encrypt_blocks(keys, &mut tags[..group.len()]);
    for (tag, message) in tags.iter().zip(group) {
        Tag::end(message, tag);
    }
}
