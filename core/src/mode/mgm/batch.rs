//! Many messages under one key. Short ones share the calls of the cipher, which is
//! several times as fast a block when it is given many; others go one by one.

use super::{Kernels, NONCE_LEN, crypt, length_block};
use crate::kernel::Block;
use crate::kernel::kuznyechik::counters::Counters;
use crate::mode::batch::{self, Direction, Message};
use crate::mode::ctr::xor;
use crate::tier::erased::Scratch;
use crate::tier::secret::{self, BlockRoom};

/// Messages that share calls.
const MESSAGES: usize = 16;

/// The most blocks that a message takes to be short: multipliers and keystream.
const SHORT: usize = 16;

type Batch<'a, 'b> = batch::Batch<'a, 'b, [u8; NONCE_LEN]>;

/// Seals or opens every message. One that does not open is wiped.
#[inline(always)]
pub(crate) fn crypt_batch<T: Kernels>(t: T, keys: &T::RoundKeys, batch: &mut Batch<'_, '_>) {
    while batch.advance() {
        crypt_window(t, keys, batch);
    }
}

#[inline(always)]
fn crypt_window<T: Kernels>(t: T, keys: &T::RoundKeys, batch: &mut Batch<'_, '_>) {
    let direction = batch.direction();
    let mut group = [0; MESSAGES];
    let mut held = 0;
    for i in 0..batch.count() {
        if !batch.is_there(i) {
            continue;
        }
        let (aad, text) = batch.blocks(i);
        if aad + 2 * text >= SHORT {
            let Message { nonce, aad, in_out, .. } = batch.message_in_place(i);
            let tag = crypt(t, keys, nonce, aad, in_out, direction);
            end(batch, i, &tag, direction);
            continue;
        }
        group[held] = i;
        held += 1;
        if held == MESSAGES {
            crypt_group(t, keys, batch, &group, direction);
            held = 0;
        }
    }
    crypt_group(t, keys, batch, &group[..held], direction);
}

/// Writes the tag of the ciphertext, or compares it with the one given and wipes the text if they
/// differ.
#[inline(always)]
fn end(batch: &mut Batch<'_, '_>, i: usize, tag: &Block, direction: Direction) {
    match direction {
        Direction::Seal => batch.put_tag(i, tag),
        Direction::Open => {
            if !secret::equal_blocks(tag, batch.tag(i)) {
                batch.refuse(i);
            }
        }
    }
}

/// Section 4 for at most [`MESSAGES`] short messages, each step for all of them at once.
#[inline(always)]
fn crypt_group<T: Kernels>(
    t: T,
    keys: &T::RoundKeys,
    batch: &mut Batch<'_, '_>,
    group: &[usize],
    direction: Direction,
) {
    let mut starts = Scratch::<{ 2 * MESSAGES }>::new();
    let starts = &mut starts[..2 * group.len()];
    for (start, i) in starts.chunks_mut(2).zip(group) {
        start.fill(*batch.nonce(*i));
        start[1][0] |= 0x80;
    }
    t.encrypt_blocks(keys, starts);

    let needed = |(aad, text)| aad + 2 * text + 1;
    let mut room = BlockRoom::<{ SHORT * MESSAGES }>::new();
    let work = room.take(group.iter().map(|i| needed(batch.blocks(*i))).sum());
    let mut rest = &mut *work;
    for (start, i) in starts.chunks(2).zip(group) {
        let (aad, text) = batch.blocks(*i);
        let counters = Counters {
            left_len: aad + text + 1,
            left: u128::from_be_bytes(start[1]),
            right: u128::from_be_bytes(start[0]),
        };
        let (blocks, after) = rest.split_at_mut(needed((aad, text)));
        counters.fill(blocks);
        rest = after;
    }
    t.encrypt_blocks(keys, work);

    let mut tags = Scratch::<MESSAGES>::new();
    let mut rest = &*work;
    for (tag, i) in tags.iter_mut().zip(group) {
        let (aad, text) = batch.blocks(*i);
        let Message { aad: aad_bytes, in_out, .. } = batch.message_in_place(*i);
        let (h_aad, after) = rest.split_at(aad);
        let (h_text, after) = after.split_at(text);
        let (h_lengths, after) = after.split_at(1);
        let (keystream, after) = after.split_at(text);
        rest = after;

        let lengths = length_block(aad_bytes.len(), in_out.len());
        let mut sum = t.zero();
        t.multiply_add(&mut sum, h_aad, aad_bytes);
        if direction == Direction::Open {
            t.multiply_add(&mut sum, h_text, in_out);
        }
        xor(in_out, keystream.as_flattened());
        if direction == Direction::Seal {
            t.multiply_add(&mut sum, h_text, in_out);
        }
        t.multiply_add(&mut sum, h_lengths, &lengths);
        *tag = t.reduce(sum);
    }
    t.encrypt_blocks(keys, &mut tags[..group.len()]);
    for (tag, i) in tags.iter().zip(group) {
        end(batch, *i, tag, direction);
    }
}
