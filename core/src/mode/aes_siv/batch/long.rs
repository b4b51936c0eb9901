//! Messages whose chains are longer than the lanes: one message a lane, as many rows at a
//! time as there is room for, the states carried over.

use super::super::{Subkeys, head_len, initial_counter};
use super::{Direction, Lanes, Last, MAX_LANES, Message, Nonce, ROOM, chain_len, same};
use crate::kernel::Block;
use crate::kernel::aes_siv::AesSiv;
use crate::tier::secret::Scratch;

impl Lanes<ROOM> {
    /// The whole way of at most as many messages as there are lanes.
    #[inline(always)]
    pub(super) fn crypt_long<'a, T: AesSiv<HALF>, const HALF: usize, Tag: Direction>(
        &mut self,
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        last: &mut Last<'a>,
        group: &mut [Message<'a, Nonce, Tag>],
    ) {
        let mut tags = Scratch::<MAX_LANES>::new();
        for ((tag, sum), message) in tags.iter_mut().zip(&mut *self.sums).zip(&mut *group) {
            if Tag::OPENS {
                *tag = message.tag.given();
                let counter = initial_counter(tag).to_be_bytes();
                t.ctr_xor(&keys.ctr, &counter, None, message.in_out);
            }
            if !same(last.aad, message.aad) {
                last.d[0] = keys.sum::<T, HALF>(t, &[message.aad]).to_be_bytes();
                last.aad = Some(message.aad);
            }
            *sum = last.d[0];
        }
        *tags = [[0; 16]; MAX_LANES];
        self.hash_long::<T, HALF, Tag>(t, keys, group, &mut tags);
        for (tag, message) in tags.iter().zip(group) {
            if !Tag::OPENS {
                let counter = initial_counter(tag).to_be_bytes();
                t.ctr_xor(&keys.ctr, &counter, None, message.in_out);
            }
            Tag::end(message, tag);
        }
    }

    /// The CMACs that are the tags. `states` are zeros at first.
    #[inline(always)]
    fn hash_long<T: AesSiv<HALF>, const HALF: usize, Tag>(
        &mut self,
        t: T,
        keys: &Subkeys<T::RoundKeys>,
        group: &[Message<'_, Nonce, Tag>],
        states: &mut [Block; MAX_LANES],
    ) {
        let (lanes, rows) = (T::LANES, ROOM / T::LANES);
        let lens = group.iter().map(|message| chain_len(message.in_out.len()));
        let longest = lens.clone().max().unwrap_or(0);
        self.going_on[..rows].fill(u32::MAX);
        for start in (0..longest).step_by(rows) {
            // A lane whose chain has ended goes on with whatever is in its rows.
            for (lane, message) in group.iter().enumerate() {
                self.lay_out(lanes, lane, start, keys, message);
                let first = &mut self.rows[lane];
                *first = core::array::from_fn(|i| first[i] ^ states[lane][i]);
            }
            let used = rows.min(longest - start);
            let blocks = &mut self.rows[..used * lanes];
            t.cbc_mac_lanes(&keys.mac, &self.going_on[..used], blocks);
            for (lane, len) in lens.clone().enumerate() {
                if len > start {
                    let row = rows.min(len - start) - 1;
                    states[lane] = self.rows[row * lanes + lane];
                }
            }
        }
    }

    /// Puts the blocks of a chain from `start` on into its lane, as far as there is room.
    #[inline(always)]
    fn lay_out<RoundKeys, Tag>(
        &mut self,
        lanes: usize,
        lane: usize,
        start: usize,
        keys: &Subkeys<RoundKeys>,
        message: &Message<'_, Nonce, Tag>,
    ) {
        let rows = self.rows.len() / lanes;
        let (head, end) = message.in_out.split_at(head_len(message.in_out.len()));
        let head = head.as_chunks().0;
        let places = (lane..).step_by(lanes).take(rows);
        for (place, block) in places.zip(head.iter().skip(start)) {
            self.rows[place] = *block;
        }
        if head.len() + 2 <= start || head.len() >= start + rows {
            return;
        }
        let mut blocks = Scratch::<2>::new();
        let d = u128::from_be_bytes(self.sums[lane]);
        let count = keys.end_blocks(d, end, &mut blocks);
        for (i, block) in (head.len()..).zip(&blocks[..count]) {
            if (start..start + rows).contains(&i) {
                self.rows[(i - start) * lanes + lane] = *block;
            }
        }
    }
}
