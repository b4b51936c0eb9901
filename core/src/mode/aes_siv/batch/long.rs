//! Messages whose chains are longer than the lanes: one message a lane. The rows are worked on in
//! parts, and the states are carried over.

use super::super::{LastBlocks, head_len, initial_counter};
use super::{Batch, Keyed, Lanes, Last, MAX_LANES, ROOM, chain_len, end, given, same};
use crate::kernel::Block;
use crate::mode::batch::Direction;
use crate::tier::erased::Scratch;

impl Lanes {
    /// The whole way of at most as many messages as there are lanes.
    pub(super) fn crypt_long<'a>(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        last: &mut Last<'a>,
        batch: &mut Batch<'a, '_>,
        group: &[usize],
        direction: Direction,
    ) {
        let mut tags = Scratch::<MAX_LANES>::new();
        for (sum, &i) in self.sums.iter_mut().zip(group) {
            batch.bring_in_place(i);
            if direction == Direction::Open {
                let counter = initial_counter(&given(batch, i)).to_be_bytes();
                keys.ctr_xor(&counter, batch.text(i));
            }
            let aad = batch.aad(i);
            if !same(last.aad, aad) {
                last.d[0] = keys.sum(aad).to_be_bytes();
                last.aad = Some(aad);
            }
            *sum = last.d[0];
        }
        self.hash_long(keys, batch, group, &mut tags);
        for (tag, &i) in tags.iter().zip(group) {
            if direction == Direction::Seal {
                let counter = initial_counter(tag).to_be_bytes();
                keys.ctr_xor(&counter, batch.text(i));
            }
            end(batch, i, tag, direction);
        }
    }

    /// The CMACs that are the tags. `states` are zeros at first.
    fn hash_long(
        &mut self,
        keys: &(impl Keyed + ?Sized),
        batch: &Batch<'_, '_>,
        group: &[usize],
        states: &mut [Block; MAX_LANES],
    ) {
        let (lanes, rows) = (keys.lanes(), ROOM / keys.lanes());
        let lens = group.iter().map(|i| chain_len(batch.made(*i).len()));
        let longest = lens.clone().max().unwrap_or(0);
        let going_on = &mut self.chains.going_on[..rows];
        going_on.fill(u32::MAX);
        let room = self.rows.take(ROOM);
        for start in (0..longest).step_by(rows) {
            // A lane whose chain has ended goes on with whatever is in its rows.
            for (lane, (i, sum)) in group.iter().zip(&*self.sums).enumerate() {
                let places = room.iter_mut().skip(lane).step_by(lanes);
                let d = u128::from_be_bytes(*sum);
                lay_out(places, start, keys.last_blocks(), d, batch.made(*i));
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
