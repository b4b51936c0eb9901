//! Messages whose chains are longer than the lanes: one message a lane, as many rows at a
//! time as there is room for, the states carried over.

use super::super::{LastBlocks, head_len, initial_counter};
use super::{Direction, Keyed, Lanes, Last, MAX_LANES, Place, ROOM, chain_len, same};
use crate::kernel::Block;
use crate::tier::secret::Scratch;

impl Lanes {
    /// The whole way of at most as many messages as there are lanes.
    pub(super) fn crypt_long<'a, Tag: Direction>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        last: &mut Last<'a>,
        group: &mut [Place<'a, Tag>],
    ) {
        let mut tags = Scratch::<MAX_LANES>::new();
        for ((tag, sum), message) in tags
            .iter_mut()
            .zip(&mut *self.sums)
            .zip(group.iter_mut().flatten())
        {
            if Tag::OPENS {
                *tag = message.tag.given();
                let counter = initial_counter(tag).to_be_bytes();
                keys.ctr_xor(&counter, message.in_out);
            }
            if !same(last.aad, message.aad) {
                last.d[0] = keys.sum(message.aad).to_be_bytes();
                last.aad = Some(message.aad);
            }
            *sum = last.d[0];
        }
        *tags = [[0; 16]; MAX_LANES];
        self.hash_long(keys, group, &mut tags);
        for (tag, message) in tags.iter().zip(group.iter_mut().flatten()) {
            if !Tag::OPENS {
                let counter = initial_counter(tag).to_be_bytes();
                keys.ctr_xor(&counter, message.in_out);
            }
            Tag::end(message, tag);
        }
    }

    /// The CMACs that are the tags. `states` are zeros at first.
    fn hash_long<Tag>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        group: &[Place<'_, Tag>],
        states: &mut [Block; MAX_LANES],
    ) {
        let (lanes, rows) = (keys.lanes(), ROOM / keys.lanes());
        let lens = group
            .iter()
            .flatten()
            .map(|message| chain_len(message.in_out.len()));
        let longest = lens.clone().max().unwrap_or(0);
        let going_on = &mut self.chains.going_on[..rows];
        going_on.fill(u32::MAX);
        let room = self.rows.take(ROOM);
        for start in (0..longest).step_by(rows) {
            // A lane whose chain has ended goes on with whatever is in its rows.
            for (lane, (message, sum)) in group.iter().flatten().zip(&*self.sums).enumerate() {
                let places = room.iter_mut().skip(lane).step_by(lanes);
                let d = u128::from_be_bytes(*sum);
                lay_out(places, start, keys.last_blocks(), d, message.in_out);
                let first = &mut room[lane];
                *first = core::array::from_fn(|i| first[i] ^ states[lane][i]);
            }
            let used = rows.min(longest - start);
            keys.cbc_mac_lanes(&going_on[..used], &mut room[..used * lanes]);
            for (lane, len) in lens.clone().enumerate() {
                if len > start {
                    let row = rows.min(len - start) - 1;
                    states[lane] = room[row * lanes + lane];
                }
            }
        }
    }
}

/// Puts the blocks of the chain of a text, from number `start` on, into the places of its lane.
fn lay_out<'r>(
    mut places: impl Iterator<Item = &'r mut Block>,
    start: usize,
    last_blocks: &LastBlocks,
    d: u128,
    text: &[u8],
) {
    let (head, end) = text.split_at(head_len(text.len()));
    let head = head.as_chunks().0;
    for (block, place) in head.iter().skip(start).zip(&mut places) {
        *place = *block;
    }
    let mut blocks = Scratch::<2>::new();
    let count = last_blocks.of_text(d, end, &mut blocks);
    // Some of them may have been in the rows before these.
    let before = start.saturating_sub(head.len());
    for (block, place) in blocks[..count].iter().skip(before).zip(places) {
        *place = *block;
    }
}
