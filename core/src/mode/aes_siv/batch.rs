//! Many messages under one key, in lanes.
//!
//! The messages of a window are sorted by the blocks of their CMACs. Those of as many as there are
//! lanes are made side by side. A row has the next block of each lane:
//!
//! ```text
//! lane    0    1    2    …
//! row 0   A1   B1   C1
//! row 1   A2   B2   C2
//! row 2             C3
//! ```
//!
//! The lanes fill the AES unit, so that nothing would be gained by encrypting beside them: the
//! keystreams are made before or after.

mod keyed;

use super::{Subkeys, dbl, head_len, initial_counter};
use crate::kernel::Block;
use crate::kernel::aes_siv::{AesSiv, MAX_LANES};
use crate::mode::batch::by_size::BySize;
use crate::mode::batch::{self, Direction, Message, Status, TagPlace, through_table};
use crate::tier::secret::{self, BlockRoom, Scratch};
use keyed::{Keyed, OnTier};

type Batch<'a, 'b> = batch::Batch<'a, 'b, [u8; 0]>;

/// The most messages of a group.
const MESSAGES: usize = 64;

/// The most blocks that are worked on at once: of keystreams, or of rows of a CMAC.
const ROOM: usize = 2048;

/// Texts of so many blocks stay in the cache beside their rows.
const IN_CACHE: usize = ROOM / 2;

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
        crypt_window(keys, lanes, batch);
    }
    // The kernels' parts lie deeper than the wipe at the end of the tier's context reaches.
    secret::wipe_calls::<{ 4 << 10 }>();
}

#[inline(never)]
fn crypt_window(keys: &(impl Keyed + ?Sized), lanes: &mut Lanes, batch: &mut Batch<'_, '_>) {
    let Lanes { order, rows } = lanes;
    order.take(batch, 4, |(_, text_len)| chain_len(text_len));
    let mut last = Last { aad: None, d: Scratch::new() };
    let mut numbers = order.numbers();
    while !numbers.is_empty() {
        let (mut group, mut count, mut blocks, mut limit) = ([0; MESSAGES], 0, 0, usize::MAX);
        for (place, number) in group.iter_mut().zip(numbers) {
            let len = batch.lens(usize::from(*number)).1;
            blocks += len.div_ceil(16);
            // There may be more messages than lanes if all stay in the cache.
            if len > limit || count >= keys.lanes() && blocks > IN_CACHE {
                break;
            }
            // None is much longer than the first.
            limit = limit.min(len.saturating_mul(2).saturating_add(1024));
            *place = usize::from(*number);
            count += 1;
        }
        numbers = &numbers[count..];
        match &group[..count] {
            [message] => one(keys, batch, *message),
            several => crypt(keys, rows, &mut last, batch, several),
        }
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
fn end(batch: &mut Batch<'_, '_>, i: usize, made: &Block) {
    match batch.direction() {
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

/// The working memory of a batch.
pub(crate) struct Lanes {
    order: BySize,
    rows: BlockRoom<ROOM>,
}

impl Lanes {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { order: BySize::new(), rows: BlockRoom::new() }
    }
}

/// Seals or opens a group of messages, the shortest first.
fn crypt<'a>(
    keys: &(impl Keyed + ?Sized),
    rows: &mut BlockRoom<ROOM>,
    last: &mut Last<'a>,
    batch: &mut Batch<'a, '_>,
    group: &[usize],
) {
    group.iter().for_each(|i| batch.bring_in_place(*i));
    let mut blocks = BlockRoom::<{ 2 * MESSAGES }>::new();
    let (tags, sums) = blocks.take(2 * group.len()).split_at_mut(group.len());
    if batch.direction() == Direction::Open {
        for (tag, i) in tags.iter_mut().zip(group) {
            *tag = given(batch, *i);
        }
        xor_keystreams(keys, rows, batch, group, tags);
    }
    sum(keys, rows, last, batch, group, sums);
    let text = |i: usize| batch.made(group[i]);
    cbc_mac(keys, rows, tags, text, |i, text, ends| {
        let (head, end) = text.split_at(head_len(text.len()));
        let d = u128::from_be_bytes(sums[i]);
        (head, keys.last_blocks().of_text(d, end, ends))
    });
    if batch.direction() == Direction::Seal {
        xor_keystreams(keys, rows, batch, group, tags);
    }
    for (tag, i) in tags.iter().zip(group) {
        end(batch, *i, tag);
    }
}

/// CTR for every message, from the counter that its tag gives.
fn xor_keystreams(
    keys: &(impl Keyed + ?Sized),
    rows: &mut BlockRoom<ROOM>,
    batch: &mut Batch<'_, '_>,
    group: &[usize],
    tags: &[Block],
) {
    let blocks = group.iter().map(|i| batch.blocks(*i).1).sum();
    if blocks > IN_CACHE {
        for (tag, i) in tags.iter().zip(group) {
            keys.ctr_xor(&initial_counter(tag).to_be_bytes(), batch.text(*i));
        }
        return;
    }
    let room = rows.take(blocks);
    let mut places = &mut *room;
    for (tag, i) in tags.iter().zip(group) {
        let places = places.split_off_mut(..batch.blocks(*i).1).unwrap_or_default();
        let counters = (0..).map(|i| initial_counter(tag).wrapping_add(i));
        for (block, counter) in places.iter_mut().zip(counters) {
            *block = counter.to_be_bytes();
        }
    }
    keys.encrypt_all(room);
    let mut keystream = &*room;
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

/// [`Subkeys::sum`] for every message, but once where all have the same associated data.
fn sum<'a>(
    keys: &(impl Keyed + ?Sized),
    rows: &mut BlockRoom<ROOM>,
    last: &mut Last<'a>,
    batch: &Batch<'a, '_>,
    group: &[usize],
    sums: &mut [Block],
) {
    let aad = batch.aad(group[0]);
    if group.iter().all(|i| same(Some(aad), batch.aad(*i))) {
        if !same(last.aad, aad) {
            last.d[0] = keys.sum(aad).to_be_bytes();
            last.aad = Some(aad);
        }
        sums.fill(last.d[0]);
        return;
    }
    cbc_mac(
        keys,
        rows,
        sums,
        |i| batch.aad(group[i]),
        |_, aad, ends| {
            let (head, rest) = aad.split_at(aad.len().saturating_sub(1) / 16 * 16);
            ends[0] = keys.last_blocks().of_string(rest);
            (head, 1)
        },
    );
    for sum in sums {
        *sum = (dbl(keys.zero()) ^ u128::from_be_bytes(*sum)).to_be_bytes();
    }
}

/// The CBC-MAC of each string, in as many lanes as there are: of the bytes at its beginning that
/// `split` returns, and then of as many blocks as it says of those that it wrote.
fn cbc_mac<'m>(
    keys: &(impl Keyed + ?Sized),
    rows: &mut BlockRoom<ROOM>,
    macs: &mut [Block],
    string: impl Fn(usize) -> &'m [u8],
    split: impl Fn(usize, &'m [u8], &mut [Block; 2]) -> (&'m [u8], usize),
) {
    let (lanes, most) = (keys.lanes(), ROOM / keys.lanes());
    for (set, states) in macs.chunks_mut(lanes).enumerate() {
        let first = set * lanes;
        let mut lens = [0; MAX_LANES];
        for (lane, len) in lens[..states.len()].iter_mut().enumerate() {
            *len = chain_len(string(first + lane).len());
        }
        let longest = lens.iter().copied().max().unwrap_or(0);
        for start in (0..longest).step_by(most) {
            let rows = rows.take(most.min(longest - start) * lanes);
            // A lane whose chain has ended goes on with whatever is in its rows.
            for (lane, state) in states.iter().enumerate() {
                let mut places = rows[lane..].iter_mut().step_by(lanes);
                let mut ends = Scratch::<2>::new();
                let (head, count) = split(first + lane, string(first + lane), &mut ends);
                let head = head.as_chunks().0;
                for (block, place) in head.iter().skip(start).zip(&mut places) {
                    *place = *block;
                }
                // Some of them may have been in the rows before these.
                let before = start.saturating_sub(head.len());
                for (block, place) in ends[..count].iter().skip(before).zip(places) {
                    *place = *block;
                }
                if start > 0 {
                    let first = &mut rows[lane];
                    *first = core::array::from_fn(|i| first[i] ^ state[i]);
                }
            }
            keys.cbc_mac_lanes(rows);
            for ((lane, state), len) in states.iter_mut().enumerate().zip(lens) {
                if len > start {
                    *state = rows[(most.min(len - start) - 1) * lanes + lane];
                }
            }
        }
    }
}
