//! Many messages under one key, in lanes.
//!
//! A chain is a message's CMAC; chains are one under the other in the lanes of the tier,
//! which work side by side:
//!
//! ```text
//! lane    0    1    2    …
//! row 0   A1   B1   D1
//! row 1   A2   B2   D2
//! row 2   A3   C1   D3
//! row 3        C2
//! ```
//!
//! The lanes fill the AES unit, so that nothing would be gained by encrypting beside them:
//! the keystreams of all messages are made in one go before or after.

mod chains;
mod keyed;
mod long;

use super::{Subkeys, dbl, head_len, initial_counter};
use crate::kernel::Block;
use crate::kernel::aes_siv::{AesSiv, MAX_LANES};
use crate::mode::batch::{self, Direction, Message, Status, TagPlace, through_table};
use crate::tier::erased::Scratch;
use crate::tier::secret::{self, BlockRoom};
use chains::Chains;
use keyed::{Keyed, OnTier};

type Batch<'a, 'b> = batch::Batch<'a, 'b, [u8; 0]>;

/// The most messages of a group.
const MESSAGES: usize = 64;

/// The most blocks of a group. Half of them may be chains, so that there are rows left for the
/// ends of the longest.
const ROOM: usize = 2048;

/// The blocks of a CMAC over so many bytes.
const fn chain_len(bytes: usize) -> usize {
    if bytes == 0 { 1 } else { bytes.div_ceil(16) }
}

/// Seals or opens every message; one that does not open is wiped. The lanes are new
/// ones, and belong to the caller: this call's part of the stack stays small, and is wiped.
#[inline(always)]
pub(crate) fn crypt_batch<T: AesSiv<HALF>, const HALF: usize>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    lanes: &mut Lanes,
    batch: &mut Batch<'_, '_>,
) {
    through_table!(let keys: &dyn Keyed = &OnTier { tier: t, keys });
    while batch.advance() {
        in_groups(keys, lanes, batch);
    }
}

/// One message on its own.
fn one(keys: &(impl Keyed + ?Sized), batch: &mut Batch<'_, '_>, i: usize) {
    let Message { aad, in_out, tag, .. } = batch.message_in_place(i);
    match tag {
        TagPlace::Made(tag) => {
            if let Ok(tag) = <&mut Block>::try_from(tag) {
                keys.seal(aad, in_out, tag);
            }
        }
        TagPlace::Given(tag) => {
            let authentic = match <&Block>::try_from(tag) {
                Ok(tag) => keys.open(aad, in_out, tag),
                Err(_) => false,
            };
            if !authentic {
                batch.set_status(i, Status::NotOpened);
            }
        }
    }
}

/// The tag given, whose length was checked.
#[inline(always)]
fn given(batch: &Batch<'_, '_>, i: usize) -> Block {
    batch.tag(i).first_chunk().copied().unwrap_or_default()
}

/// Writes the tag as made, or compares it with the one given and wipes the text if they differ.
#[inline(always)]
fn end(batch: &mut Batch<'_, '_>, i: usize, made: &Block, direction: Direction) {
    match direction {
        Direction::Seal => batch.put_tag(i, made),
        Direction::Open => {
            if !secret::equal(made, &given(batch, i)) {
                batch.refuse(i);
            }
        }
    }
}

/// D of the associated data that came last: many batches have one for all messages.
struct Last<'a> {
    aad: Option<&'a [u8]>,
    d: Scratch<1>,
}

/// Whether two strings are the same without a look at their bytes.
#[inline(always)]
fn same(before: Option<&[u8]>, aad: &[u8]) -> bool {
    before.is_some_and(|before| core::ptr::eq(before, aad) || before.is_empty() && aad.is_empty())
}

/// Collects messages, short and long ones apart, until a group of them is full.
#[inline(never)]
fn in_groups<K: Keyed + ?Sized>(keys: &K, lanes: &mut Lanes, batch: &mut Batch<'_, '_>) {
    let direction = batch.direction();
    let longest = ROOM / keys.lanes() / 2;
    let mut group = [0; MESSAGES];
    let mut long = [0; MAX_LANES];
    let mut last = Last { aad: None, d: Scratch::new() };
    let (mut held, mut blocks, mut long_held) = (0, [0, 0], 0);
    for i in 0..=batch.count() {
        let is_end = i == batch.count();
        if !is_end && !batch.is_there(i) {
            continue;
        }
        let chains = if is_end {
            [0, 0]
        } else {
            let (aad_len, text_len) = batch.lens(i);
            [aad_len, text_len].map(chain_len)
        };
        let is_long = chains[0].max(chains[1]) > longest;
        let sums = [blocks[0] + chains[0], blocks[1] + chains[1]];
        let is_full = held == MESSAGES || sums[0].max(sums[1]) > ROOM / 2;
        if is_end || !is_long && is_full {
            match &group[..held] {
                [] => {}
                [message] => one(keys, batch, *message),
                several => lanes.crypt(keys, &mut last, batch, several, direction),
            }
            (held, blocks) = (0, [0, 0]);
        }
        if is_end || long_held == keys.lanes() {
            match &long[..long_held] {
                [] => {}
                [message] => one(keys, batch, *message),
                several => lanes.crypt_long(keys, &mut last, batch, several, direction),
            }
            long_held = 0;
        }
        if is_end {
            return;
        }
        if is_long {
            long[long_held] = i;
            long_held += 1;
        } else {
            group[held] = i;
            held += 1;
            blocks = [blocks[0] + chains[0], blocks[1] + chains[1]];
        }
    }
}

/// The working memory of groups; each takes the part that it needs.
pub(crate) struct Lanes {
    rows: BlockRoom<ROOM>,
    chains: Chains,
    /// For each message, the index of the last block of its chain.
    ends: [usize; MESSAGES],
    /// The sums of the associated data of each message.
    sums: Scratch<MESSAGES>,
}

impl Lanes {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            rows: BlockRoom::new(),
            chains: Chains::new(),
            ends: [0; MESSAGES],
            sums: Scratch::new(),
        }
    }

    /// The whole way of a group.
    fn crypt<'a>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        last: &mut Last<'a>,
        batch: &mut Batch<'a, '_>,
        group: &[usize],
        direction: Direction,
    ) {
        let mut tags = Scratch::<MESSAGES>::new();
        for (tag, i) in tags.iter_mut().zip(group) {
            batch.bring_in_place(*i);
            if direction == Direction::Open {
                *tag = given(batch, *i);
            }
        }
        if direction == Direction::Open {
            self.xor_keystreams(keys, &*tags, batch, group);
        }
        self.sum(keys, last, batch, group);
        self.hash(keys, batch, group, &mut tags);
        if direction == Direction::Seal {
            self.xor_keystreams(keys, &*tags, batch, group);
        }
        for (i, tag) in group.iter().zip(&*tags) {
            end(batch, *i, tag, direction);
        }
    }

    /// CTR for every message, from the counter that its tag gives.
    fn xor_keystreams(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        tags: &[Block],
        batch: &mut Batch<'_, '_>,
        group: &[usize],
    ) {
        let keystreams = group.iter().map(|i| batch.blocks(*i).1).sum();
        let keystreams = self.rows.take(keystreams);
        let mut places = &mut *keystreams;
        for (tag, i) in tags.iter().zip(group) {
            let places = places.split_off_mut(..batch.blocks(*i).1).unwrap_or_default();
            let counters = (0..).map(|i| initial_counter(tag).wrapping_add(i));
            for (block, counter) in places.iter_mut().zip(counters) {
                *block = counter.to_be_bytes();
            }
        }
        keys.encrypt_all(keystreams);
        let mut keystream = &*keystreams;
        for i in group {
            let (blocks, end) = batch.text(*i).as_chunks_mut::<16>();
            let (whole, rest) = keystream.split_at(blocks.len());
            for (block, key) in blocks.iter_mut().zip(whole) {
                *block = core::array::from_fn(|i| block[i] ^ key[i]);
            }
            keystream = rest;
            if !end.is_empty() {
                for (byte, key) in end.iter_mut().zip(rest.as_flattened()) {
                    *byte ^= key;
                }
                keystream = &rest[1..];
            }
        }
    }

    /// [`Subkeys::sum`] for every message, but once where one is that of the message before.
    fn sum<'a>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        last: &mut Last<'a>,
        batch: &Batch<'a, '_>,
        group: &[usize],
    ) {
        const AS_BEFORE: usize = usize::MAX;
        let aads = group.iter().map(|i| batch.aad(*i));
        let lens = aads.clone().map(|aad| chain_len(aad.len()));
        let room = self.chains.start(keys.lanes(), lens);
        let mut rows: &mut [Block] = &mut [];
        let mut before = last.aad;
        for (end, aad) in self.ends.iter_mut().zip(aads.clone()) {
            if same(before, aad) {
                *end = AS_BEFORE;
                continue;
            }
            before = Some(aad);
            if rows.is_empty() {
                rows = self.rows.take(room);
            }
            let mut places = self.chains.place(chain_len(aad.len()));
            let last_starts = aad.len().saturating_sub(1) / 16 * 16;
            let (whole, rest) = aad.split_at(last_starts);
            for (block, place) in whole.as_chunks().0.iter().zip(&mut places) {
                rows[place] = *block;
            }
            if let Some(place) = places.next() {
                rows[place] = keys.last_blocks().of_string(rest);
                *end = place;
            }
        }
        if !rows.is_empty() {
            self.chains.run(keys, rows);
        }
        for ((sum, end), aad) in self.sums.iter_mut().zip(&self.ends).zip(aads) {
            if *end != AS_BEFORE {
                let mac = u128::from_be_bytes(rows[*end]);
                last.d[0] = (dbl(keys.zero()) ^ mac).to_be_bytes();
                last.aad = Some(aad);
            }
            *sum = last.d[0];
        }
    }

    /// The CMACs that are the tags.
    fn hash(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        batch: &Batch<'_, '_>,
        group: &[usize],
        tags: &mut [Block; MESSAGES],
    ) {
        let texts = group.iter().map(|i| batch.made(*i));
        let lens = texts.clone().map(|text| chain_len(text.len()));
        let room = self.chains.start(keys.lanes(), lens);
        let rows = self.rows.take(room);
        let mut end_blocks = Scratch::<2>::new();
        for ((end_place, sum), text) in self.ends.iter_mut().zip(&*self.sums).zip(texts) {
            let mut places = self.chains.place(chain_len(text.len()));
            let (head, end) = text.split_at(head_len(text.len()));
            for (block, place) in head.as_chunks().0.iter().zip(&mut places) {
                rows[place] = *block;
            }
            let d = u128::from_be_bytes(*sum);
            let count = keys.last_blocks().of_text(d, end, &mut end_blocks);
            for (block, place) in end_blocks[..count].iter().zip(&mut places) {
                rows[place] = *block;
                *end_place = place;
            }
        }
        self.chains.run(keys, rows);
        for (tag, end) in tags.iter_mut().zip(&self.ends[..group.len()]) {
            *tag = rows[*end];
        }
    }
}
