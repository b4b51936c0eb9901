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
use crate::mode::batch::through_table;
use crate::mode::message::{Message, Status};
use crate::tier::secret::{self, BlockRoom, Scratch};
use chains::Chains;
use keyed::{Keyed, OnTier};

type Nonce = [u8; 0];
pub(crate) type ToSeal<'a> = crate::mode::message::ToSeal<'a, Nonce>;
pub(crate) type ToOpen<'a> = crate::mode::message::ToOpen<'a, Nonce>;

/// The most messages of a group.
const MESSAGES: usize = 64;

/// The most blocks of a group. Half of them may be chains, so that there are rows left for the
/// ends of the longest.
const ROOM: usize = 2048;

/// The blocks of a CMAC over so many bytes.
const fn chain_len(bytes: usize) -> usize {
    if bytes == 0 { 1 } else { bytes.div_ceil(16) }
}

/// Encrypts every message and writes its tag. `next` puts one more message where it is told,
/// or none. The lanes are new ones, and belong to the caller: this call's part of the
/// stack stays small, and is wiped.
#[inline(always)]
pub(crate) fn seal_batch<'a, T: AesSiv<HALF>, const HALF: usize>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    lanes: &mut Lanes,
    next: &mut (impl FnMut(&mut Option<ToSeal<'a>>) + ?Sized),
) {
    through_table!(let keys: &dyn Keyed = &OnTier { tier: t, keys });
    in_groups(keys, lanes, next);
}

/// Decrypts every message likewise, and wipes those whose tag is wrong.
#[inline(always)]
pub(crate) fn open_batch<'a, T: AesSiv<HALF>, const HALF: usize>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    lanes: &mut Lanes,
    next: &mut (impl FnMut(&mut Option<ToOpen<'a>>) + ?Sized),
) {
    through_table!(let keys: &dyn Keyed = &OnTier { tier: t, keys });
    in_groups(keys, lanes, next);
}

/// What differs between the two ways.
trait Direction: Default {
    /// One message on its own.
    fn one<K: Keyed + ?Sized>(keys: &K, message: &mut Message<'_, Nonce, Self>);

    /// Whether there is a tag before the text is read.
    const OPENS: bool;

    /// Takes the tag as made, or compares it with the one given and wipes the text if they
    /// differ.
    fn end(message: &mut Message<'_, Nonce, Self>, made: &Block);

    /// The tag given, if there is one.
    fn given(&self) -> Block;
}

impl Direction for &mut [u8] {
    const OPENS: bool = false;

    #[inline(always)]
    fn one<K: Keyed + ?Sized>(keys: &K, message: &mut Message<'_, Nonce, Self>) {
        if let Ok(tag) = <&mut Block>::try_from(&mut *message.tag) {
            keys.seal(message.aad, message.in_out, tag);
        }
    }

    #[inline(always)]
    fn end(message: &mut Message<'_, Nonce, Self>, made: &Block) {
        if let Ok(place) = <&mut Block>::try_from(&mut *message.tag) {
            *place = *made;
        }
    }

    #[inline(always)]
    fn given(&self) -> Block {
        [0; 16]
    }
}

impl Direction for &[u8] {
    const OPENS: bool = true;

    #[inline(always)]
    fn one<K: Keyed + ?Sized>(keys: &K, message: &mut Message<'_, Nonce, Self>) {
        let authentic = match <&Block>::try_from(message.tag) {
            Ok(tag) => keys.open(message.aad, message.in_out, tag),
            Err(_) => false,
        };
        if !authentic {
            *message.status = Status::NotOpened;
        }
    }

    #[inline(always)]
    fn end(message: &mut Message<'_, Nonce, Self>, made: &Block) {
        if !secret::equal(made, &message.tag.given()) {
            secret::wipe(message.in_out);
            *message.status = Status::NotOpened;
        }
    }

    #[inline(always)]
    fn given(&self) -> Block {
        // The length was checked.
        self.first_chunk().copied().unwrap_or_default()
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

/// Where a message waits: a group is some of these, with a message in each.
type Place<'a, Tag> = Option<Message<'a, Nonce, Tag>>;

/// Collects messages, short and long ones apart, until a group of them is full.
#[inline(never)]
fn in_groups<'a, K: Keyed + ?Sized, Tag: Direction + 'a>(
    keys: &K,
    lanes: &mut Lanes,
    next: &mut (impl FnMut(&mut Place<'a, Tag>) + ?Sized),
) {
    let longest = ROOM / keys.lanes() / 2;
    // The last place is for a message that begins another group.
    let mut group: [Place<'a, Tag>; MESSAGES + 1] = [const { None }; MESSAGES + 1];
    let mut long: [Place<'a, Tag>; MAX_LANES] = [const { None }; MAX_LANES];
    let mut last = Last {
        aad: None,
        d: Scratch::new(),
    };
    let (mut held, mut blocks, mut long_held) = (0, [0, 0], 0);
    loop {
        next(&mut group[held]);
        let is_end = group[held].is_none();
        let chains = group[held].as_ref().map_or([0, 0], |message| {
            [message.aad.len(), message.in_out.len()].map(chain_len)
        });
        let is_long = chains[0].max(chains[1]) > longest;
        let sums = [blocks[0] + chains[0], blocks[1] + chains[1]];
        let is_full = held == MESSAGES || sums[0].max(sums[1]) > ROOM / 2;
        if is_end || !is_long && is_full {
            match &mut group[..held] {
                [] => {}
                [Some(message)] => Tag::one(keys, message),
                several => lanes.crypt(keys, &mut last, several),
            }
            group.swap(0, held);
            (held, blocks) = (0, [0, 0]);
        }
        if is_end || long_held == keys.lanes() {
            match &mut long[..long_held] {
                [] => {}
                [Some(message)] => Tag::one(keys, message),
                several => lanes.crypt_long(keys, &mut last, several),
            }
            long_held = 0;
        }
        if is_end {
            // The kernels' parts lie deeper than the wipe at the end of the tier's context reaches.
            secret::wipe_calls::<{ 4 << 10 }>();
            return;
        }
        if is_long {
            core::mem::swap(&mut long[long_held], &mut group[held]);
            long_held += 1;
        } else {
            held += 1;
            blocks = [blocks[0] + chains[0], blocks[1] + chains[1]];
        }
    }
}

/// The working memory of groups, of which each takes what it needs.
pub(crate) struct Lanes {
    rows: BlockRoom<ROOM>,
    chains: Chains,
    /// For each message, the place of the last block of its chain.
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
    fn crypt<'a, Tag: Direction>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        last: &mut Last<'a>,
        group: &mut [Place<'a, Tag>],
    ) {
        let mut tags = Scratch::<MESSAGES>::new();
        if Tag::OPENS {
            for (tag, message) in tags.iter_mut().zip(group.iter().flatten()) {
                *tag = message.tag.given();
            }
            self.xor_keystreams(keys, &*tags, group);
        }
        self.sum(keys, last, group);
        self.hash(keys, group, &mut tags);
        if !Tag::OPENS {
            self.xor_keystreams(keys, &*tags, group);
        }
        for (message, tag) in group.iter_mut().flatten().zip(&*tags) {
            Tag::end(message, tag);
        }
    }

    /// CTR for every message, from the counter that its tag gives.
    fn xor_keystreams<Tag>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        tags: &[Block],
        group: &mut [Place<'_, Tag>],
    ) {
        let keystreams = group
            .iter()
            .flatten()
            .map(|message| message.blocks().1)
            .sum();
        let keystreams = self.rows.take(keystreams);
        let mut places = &mut *keystreams;
        for (tag, message) in tags.iter().zip(group.iter().flatten()) {
            let places = places
                .split_off_mut(..message.blocks().1)
                .unwrap_or_default();
            let counters = (0..).map(|i| initial_counter(tag).wrapping_add(i));
            for (block, counter) in places.iter_mut().zip(counters) {
                *block = counter.to_be_bytes();
            }
        }
        keys.encrypt_all(keystreams);
        let mut keystream = &*keystreams;
        for message in group.iter_mut().flatten() {
            let (blocks, end) = message.in_out.as_chunks_mut::<16>();
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
    fn sum<'a, Tag>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        last: &mut Last<'a>,
        group: &[Place<'a, Tag>],
    ) {
        const AS_BEFORE: usize = usize::MAX;
        let len = |message: &Message<'_, Nonce, Tag>| chain_len(message.aad.len());
        let room = self
            .chains
            .start(keys.lanes(), group.iter().flatten().map(len));
        let mut rows: &mut [Block] = &mut [];
        let mut before = last.aad;
        for (end, message) in self.ends.iter_mut().zip(group.iter().flatten()) {
            if same(before, message.aad) {
                *end = AS_BEFORE;
                continue;
            }
            before = Some(message.aad);
            if rows.is_empty() {
                rows = self.rows.take(room);
            }
            let mut places = self.chains.place(len(message));
            let last_starts = message.aad.len().saturating_sub(1) / 16 * 16;
            let (whole, rest) = message.aad.split_at(last_starts);
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
        for ((sum, end), message) in self
            .sums
            .iter_mut()
            .zip(&self.ends)
            .zip(group.iter().flatten())
        {
            if *end != AS_BEFORE {
                let mac = u128::from_be_bytes(rows[*end]);
                last.d[0] = (dbl(keys.zero()) ^ mac).to_be_bytes();
                last.aad = Some(message.aad);
            }
            *sum = last.d[0];
        }
    }

    /// The CMACs that are the tags.
    fn hash<Tag>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        group: &[Place<'_, Tag>],
        tags: &mut [Block; MESSAGES],
    ) {
        let len = |message: &Message<'_, Nonce, Tag>| chain_len(message.in_out.len());
        let room = self
            .chains
            .start(keys.lanes(), group.iter().flatten().map(len));
        let rows = self.rows.take(room);
        let mut end_blocks = Scratch::<2>::new();
        for ((end_place, sum), message) in self
            .ends
            .iter_mut()
            .zip(&*self.sums)
            .zip(group.iter().flatten())
        {
            let text = &*message.in_out;
            let mut places = self.chains.place(len(message));
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
