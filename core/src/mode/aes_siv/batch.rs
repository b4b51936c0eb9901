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

mod long;

use super::{Subkeys, dbl, head_len, initial_counter, open, seal};
use crate::kernel::Block;
use crate::kernel::aes_siv::{AesSiv, MAX_LANES, MIN_LANES};
use crate::mode::message::{Message, Status};
use crate::tier::secret::{self, Scratch};

type Nonce = [u8; 0];
pub(crate) type ToSeal<'a> = crate::mode::message::ToSeal<'a, Nonce>;
pub(crate) type ToOpen<'a> = crate::mode::message::ToOpen<'a, Nonce>;

/// The most messages of a group.
const MESSAGES: usize = 64;

/// Room for a group, in blocks, and for one that has little text: what is left unused is
/// wiped all the same. Half of it may be chains, so that there are rows left for the ends of
/// the longest.
const ROOM: usize = 2048;
const SMALL_ROOM: usize = 256;

/// The longest chain, in blocks, in a room of so many.
const fn longest_chain(room: usize, lanes: usize) -> usize {
    room / lanes / 2
}

/// The blocks of a CMAC over so many bytes.
const fn chain_len(bytes: usize) -> usize {
    if bytes == 0 { 1 } else { bytes.div_ceil(16) }
}

/// Encrypts every message and writes its tag.
#[inline(always)]
pub(crate) fn seal_batch<'a, T: AesSiv<HALF>, const HALF: usize>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    messages: impl Iterator<Item = ToSeal<'a>>,
) {
    in_groups::<T, HALF, _>(t, keys, messages);
}

/// Decrypts every message, and wipes those whose tag is wrong.
#[inline(always)]
pub(crate) fn open_batch<'a, T: AesSiv<HALF>, const HALF: usize>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    messages: impl Iterator<Item = ToOpen<'a>>,
) {
    in_groups::<T, HALF, _>(t, keys, messages);
}

/// What differs between the two ways.
trait Direction: Default {
    /// One message on its own.
    fn one<T: AesSiv<HALF>, const HALF: usize>(
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        message: &mut Message<'_, Nonce, Self>,
    );

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
    fn one<T: AesSiv<HALF>, const HALF: usize>(
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        message: &mut Message<'_, Nonce, Self>,
    ) {
        if let Ok(tag) = <&mut Block>::try_from(&mut *message.tag) {
            seal::<T, HALF>(t, keys, &[message.aad], None, message.in_out, tag);
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
    fn one<T: AesSiv<HALF>, const HALF: usize>(
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        message: &mut Message<'_, Nonce, Self>,
    ) {
        let authentic = match <&Block>::try_from(message.tag) {
            Ok(tag) => open::<T, HALF>(t, keys, &[message.aad], None, message.in_out, tag),
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

/// Collects messages, short and long ones apart, until a group of them is full.
#[inline(always)]
fn in_groups<'a, T: AesSiv<HALF>, const HALF: usize, Tag: Direction + 'a>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    mut messages: impl Iterator<Item = Message<'a, Nonce, Tag>>,
) {
    let longest = longest_chain(ROOM, T::LANES);
    let mut statuses = [Status::Done; MESSAGES];
    let mut group = statuses.each_mut().map(|status| Message::none(&[], status));
    let mut statuses = [Status::Done; MAX_LANES];
    let mut long = statuses.each_mut().map(|status| Message::none(&[], status));
    let mut last = Last {
        aad: None,
        d: Scratch::new(),
    };
    let (mut held, mut blocks, mut long_held) = (0, [0, 0], 0);
    loop {
        let next = messages.next();
        let chains = next.as_ref().map_or([0, 0], |message| {
            [message.aad.len(), message.in_out.len()].map(chain_len)
        });
        let is_long = chains[0].max(chains[1]) > longest;
        let sums = [blocks[0] + chains[0], blocks[1] + chains[1]];
        let is_full = held == MESSAGES || sums[0].max(sums[1]) > ROOM / 2;
        if next.is_none() || !is_long && is_full {
            one_group::<T, HALF, Tag>(t, keys, &mut last, &mut group[..held]);
            (held, blocks) = (0, [0, 0]);
        }
        if next.is_none() || long_held == T::LANES {
            match &mut long[..long_held] {
                [] => {}
                [message] => Tag::one::<T, HALF>(t, keys, message),
                several => {
                    Lanes::new().crypt_long::<T, HALF, Tag>(t, keys, &mut last, several);
                }
            }
            long_held = 0;
        }
        let Some(message) = next else { return };
        if is_long {
            long[long_held] = message;
            long_held += 1;
        } else {
            group[held] = message;
            held += 1;
            blocks = [blocks[0] + chains[0], blocks[1] + chains[1]];
        }
    }
}

/// Works on a group in the least room.
#[inline(always)]
fn one_group<'a, T: AesSiv<HALF>, const HALF: usize, Tag: Direction>(
    t: T,
    keys: &Subkeys<T::RoundKeys>,
    last: &mut Last<'a>,
    group: &mut [Message<'a, Nonce, Tag>],
) {
    match group {
        [] => return,
        [message] => return Tag::one::<T, HALF>(t, keys, message),
        _ => {}
    }
    let lens = |of: fn(&Message<'a, Nonce, Tag>) -> usize| {
        let chains = group.iter().map(|message| chain_len(of(message)));
        chains.fold((0, 0), |(sum, longest), len| (sum + len, longest.max(len)))
    };
    let (aad, text) = (lens(|message| message.aad.len()), lens(|m| m.in_out.len()));
    let longest = longest_chain(SMALL_ROOM, T::LANES);
    if aad.0.max(text.0) <= SMALL_ROOM / 2 && aad.1.max(text.1) <= longest {
        Lanes::<SMALL_ROOM>::new().crypt::<T, HALF, Tag>(t, keys, last, group);
    } else {
        Lanes::<ROOM>::new().crypt::<T, HALF, Tag>(t, keys, last, group);
    }
}

/// Chains as they are in the lanes, and the working memory of a group.
struct Lanes<const BLOCKS: usize> {
    rows: Scratch<BLOCKS>,
    /// As the kernel has it.
    going_on: [u32; ROOM / MIN_LANES],
    lanes: usize,
    /// Below this row a lane takes no more chains.
    full: usize,
    /// Where the next chain goes.
    lane: usize,
    row: usize,
    /// How many rows are in use.
    used: usize,
    /// For each message, the place of the last block of its chain.
    ends: [usize; MESSAGES],
    /// The sums of the associated data of each message.
    sums: Scratch<MESSAGES>,
}

impl<const BLOCKS: usize> Lanes<BLOCKS> {
    #[inline(always)]
    fn new() -> Self {
        Self {
            rows: Scratch::new(),
            going_on: [0; ROOM / MIN_LANES],
            lanes: 1,
            full: 0,
            lane: 0,
            row: 0,
            used: 0,
            ends: [0; MESSAGES],
            sums: Scratch::new(),
        }
    }

    /// Clears the lanes for chains of so many blocks together.
    #[inline(always)]
    fn start(&mut self, lanes: usize, blocks: usize) {
        self.going_on[..BLOCKS / lanes].fill(u32::MAX);
        self.lanes = lanes;
        self.full = blocks.div_ceil(lanes);
        (self.lane, self.row, self.used) = (0, 0, 0);
    }

    /// The places of the blocks of a chain.
    #[inline(always)]
    fn place(&mut self, len: usize) -> impl Iterator<Item = usize> + use<BLOCKS> {
        if self.row >= self.full {
            (self.lane, self.row) = (self.lane + 1, 0);
        }
        self.going_on[self.row] &= !(1 << self.lane);
        let first = self.row * self.lanes + self.lane;
        self.row += len;
        self.used = self.used.max(self.row);
        (first..).step_by(self.lanes)
    }

    #[inline(always)]
    fn run<T: AesSiv<HALF>, const HALF: usize>(&mut self, t: T, keys: &Subkeys<T::RoundKeys>) {
        let rows = &mut self.rows[..self.used * self.lanes];
        t.cbc_mac_lanes(&keys.mac, &self.going_on[..self.used], rows);
    }

    /// The whole way of a group.
    #[inline(always)]
    fn crypt<'a, T: AesSiv<HALF>, const HALF: usize, Tag: Direction>(
        &mut self,
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        last: &mut Last<'a>,
        group: &mut [Message<'a, Nonce, Tag>],
    ) {
        let mut tags = Scratch::<MESSAGES>::new();
        if Tag::OPENS {
            for (tag, message) in tags.iter_mut().zip(&*group) {
                *tag = message.tag.given();
            }
            self.xor_keystreams::<T, HALF, Tag>(t, keys, &*tags, group);
        }
        self.sum::<T, HALF, Tag>(t, keys, last, group);
        self.hash::<T, HALF, Tag>(t, keys, group);
        for (tag, end) in tags.iter_mut().zip(&self.ends[..group.len()]) {
            *tag = self.rows[*end];
        }
        if !Tag::OPENS {
            self.xor_keystreams::<T, HALF, Tag>(t, keys, &*tags, group);
        }
        for (message, tag) in group.iter_mut().zip(&*tags) {
            Tag::end(message, tag);
        }
    }

    /// CTR for every message, from the counter that its tag gives.
    #[inline(always)]
    fn xor_keystreams<T: AesSiv<HALF>, const HALF: usize, Tag>(
        &mut self,
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        tags: &[Block],
        group: &mut [Message<'_, Nonce, Tag>],
    ) {
        let mut used = 0;
        for (tag, message) in tags.iter().zip(&*group) {
            let (_, len) = message.blocks();
            let counters = (0..).map(|i| initial_counter(tag).wrapping_add(i));
            for (block, counter) in self.rows[used..][..len].iter_mut().zip(counters) {
                *block = counter.to_be_bytes();
            }
            used += len;
        }
        t.encrypt_all(&keys.ctr, &mut self.rows[..used]);
        let mut keystream = &self.rows[..];
        for message in group {
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
    #[inline(always)]
    fn sum<'a, T: AesSiv<HALF>, const HALF: usize, Tag>(
        &mut self,
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        last: &mut Last<'a>,
        group: &[Message<'a, Nonce, Tag>],
    ) {
        const AS_BEFORE: usize = usize::MAX;
        let len = |message: &Message<'_, Nonce, Tag>| chain_len(message.aad.len());
        self.start(T::LANES, group.iter().map(len).sum());
        let mut before = last.aad;
        let mut any = false;
        for (i, message) in group.iter().enumerate() {
            if same(before, message.aad) {
                self.ends[i] = AS_BEFORE;
                continue;
            }
            (before, any) = (Some(message.aad), true);
            let mut places = self.place(len(message));
            let last_starts = message.aad.len().saturating_sub(1) / 16 * 16;
            let (whole, rest) = message.aad.split_at(last_starts);
            for (block, place) in whole.as_chunks().0.iter().zip(&mut places) {
                self.rows[place] = *block;
            }
            if let Some(place) = places.next() {
                self.rows[place] = keys.last_block(rest);
                self.ends[i] = place;
            }
        }
        if any {
            self.run::<T, HALF>(t, keys);
        }
        for (i, message) in group.iter().enumerate() {
            if self.ends[i] != AS_BEFORE {
                let mac = u128::from_be_bytes(self.rows[self.ends[i]]);
                last.d[0] = (dbl(keys.zero) ^ mac).to_be_bytes();
                last.aad = Some(message.aad);
            }
            self.sums[i] = last.d[0];
        }
    }

    /// The CMACs that are the tags.
    #[inline(always)]
    fn hash<T: AesSiv<HALF>, const HALF: usize, Tag>(
        &mut self,
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        group: &[Message<'_, Nonce, Tag>],
    ) {
        let len = |message: &Message<'_, Nonce, Tag>| chain_len(message.in_out.len());
        self.start(T::LANES, group.iter().map(len).sum());
        let mut end_blocks = Scratch::<2>::new();
        for (i, message) in group.iter().enumerate() {
            let text = &*message.in_out;
            let mut places = self.place(len(message));
            let (head, end) = text.split_at(head_len(text.len()));
            for (block, place) in head.as_chunks().0.iter().zip(&mut places) {
                self.rows[place] = *block;
            }
            let d = u128::from_be_bytes(self.sums[i]);
            let count = keys.end_blocks(d, end, &mut end_blocks);
            for (block, place) in end_blocks[..count].iter().zip(&mut places) {
                self.rows[place] = *block;
                self.ends[i] = place;
            }
        }
        self.run::<T, HALF>(t, keys);
    }
}
