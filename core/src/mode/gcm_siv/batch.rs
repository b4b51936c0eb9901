//! Many messages under one key: short ones at once where the tier can, others one by one.

mod group;
mod order;

use super::{NONCE_LEN, length_block, open, seal};
use crate::kernel::Block;
use crate::kernel::gcm_siv::lanes::{GcmSivLanes, Work, Workspace};
use crate::kernel::gcm_siv::{GcmSiv, UnderWay};
use crate::mode::batch::{self, Direction, Message, Status, TagPlace, WINDOW};
use group::{Group, Shape};
use order::Order;

type Nonce = [u8; NONCE_LEN];
type Batch<'a, 'b> = batch::Batch<'a, 'b, Nonce>;

/// So many messages are worked on alone: to start and to wipe the lanes takes as long as some.
#[inline(always)]
pub(crate) fn few<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(t: T) -> usize {
    fn of<L: GcmSivLanes>(_lanes: L) -> usize {
        L::FEW
    }
    t.lanes().map_or(1, of)
}

/// Seals or opens every message. One that does not open is wiped. Returns whether some were worked
/// on alone: they leave secrets deeper on the stack than the lanes overwrite it.
#[inline(always)]
pub(crate) fn crypt_batch<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    batch: &mut Batch<'_, '_>,
) -> bool {
    let mut some_alone = false;
    match t.lanes() {
        Some(lanes) if batch.len() > few::<T, KEY_LEN>(t) => {
            lanes.inside(InLanes::<_, KEY_LEN> {
                t,
                keys,
                workspace: &mut Workspace::new(),
                order: &mut Order::new(),
                batch,
                some_alone: &mut some_alone,
            });
        }
        _ => {
            some_alone = true;
            let mut one_after_the_other = OneAfterTheOther::new();
            while batch.advance() {
                one_after_the_other.crypt_all::<T, KEY_LEN>(t, keys, batch);
            }
        }
    }
    some_alone
}

/// Works on one message alone. It is compiled for no tier: within the code of one, the compiler
/// would make one function of all kernels, which is slower than each by itself.
#[inline(never)]
fn alone<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(
    t: T,
    keys: &T::RoundKeys,
    batch: &mut Batch<'_, '_>,
    i: usize,
) {
    let Message { nonce, aad, from, in_out, tag } = batch.message(i);
    let authentic = match tag {
        TagPlace::Made(tag) => {
            if let Ok(tag) = <&mut Block>::try_from(tag) {
                seal::<T, KEY_LEN>(t, keys, nonce, aad, from, in_out, tag);
            }
            true
        }
        TagPlace::Given(tag) => match <&Block>::try_from(tag) {
            Ok(tag) => open::<T, KEY_LEN>(t, keys, nonce, aad, from, in_out, tag),
            Err(_) => false,
        },
    };
    if !authentic {
        batch.set_status(i, Status::NotOpened);
    }
}

/// Messages of a window that are worked on one after the other, in rising order. Long messages are
/// sealed two at a time: the text of one is encrypted while the next one is hashed.
struct OneAfterTheOther<RoundKeys> {
    under_way: UnderWay<RoundKeys>,
    /// The message that is.
    message: Option<usize>,
}

impl<RoundKeys: Default> OneAfterTheOther<RoundKeys> {
    #[inline(always)]
    fn new() -> Self {
        Self { under_way: UnderWay { keys: RoundKeys::default(), counter: [0; 16] }, message: None }
    }

    /// Works on every message of the window.
    #[inline(always)]
    fn crypt_all<T: GcmSiv<KEY_LEN, RoundKeys = RoundKeys>, const KEY_LEN: usize>(
        &mut self,
        t: T,
        keys: &RoundKeys,
        batch: &mut Batch<'_, '_>,
    ) {
        for i in 0..batch.count() {
            if batch.is_there(i) {
                self.crypt::<T, KEY_LEN>(t, keys, batch, i);
            }
        }
        self.finish::<T, KEY_LEN>(t, batch);
    }

    #[inline(always)]
    fn crypt<T: GcmSiv<KEY_LEN, RoundKeys = RoundKeys>, const KEY_LEN: usize>(
        &mut self,
        t: T,
        keys: &RoundKeys,
        batch: &mut Batch<'_, '_>,
        i: usize,
    ) {
        // Where none is long enough, this is not compiled.
        let is_beside = T::BESIDE_LEN < usize::MAX && batch.direction() == Direction::Seal;
        if is_beside && batch.lens(i).1 >= T::BESIDE_LEN {
            self.seal::<T, KEY_LEN>(t, keys, batch, i);
        } else {
            alone::<T, KEY_LEN>(t, keys, batch, i);
        }
    }

    #[inline(never)]
    fn seal<T: GcmSiv<KEY_LEN, RoundKeys = RoundKeys>, const KEY_LEN: usize>(
        &mut self,
        t: T,
        keys: &RoundKeys,
        batch: &mut Batch<'_, '_>,
        i: usize,
    ) {
        let (nonce, aad) = (batch.nonce(i), batch.aad(i));
        let (from, in_out, text) = match self.message {
            Some(before) => batch.text_and_source(before, i),
            None => (None, &mut [][..], batch.source(i)),
        };
        let lengths = length_block(aad.len(), text.len());
        let message = (nonce, aad, text);
        let before = (from, in_out);
        let tag = t.seal_beside(keys, &mut self.under_way, before, message, &lengths);
        batch.put_tag(i, &tag);
        self.message = Some(i);
    }

    /// Encrypts the text of the last one.
    #[inline(never)]
    fn finish<T: GcmSiv<KEY_LEN, RoundKeys = RoundKeys>, const KEY_LEN: usize>(
        &mut self,
        t: T,
        batch: &mut Batch<'_, '_>,
    ) {
        if let Some(i) = self.message.take() {
            let Message { from, in_out, .. } = batch.message(i);
            let UnderWay { keys, counter } = &self.under_way;
            t.ctr32_xor(keys, counter, from, in_out);
        }
    }
}

/// A batch in the lanes of its tier. Large arrays belong to the caller: the batch's own part of the
/// stack stays small, and the stack below it is overwritten.
struct InLanes<'w, 'a, 'b, T: GcmSiv<KEY_LEN>, const KEY_LEN: usize> {
    t: T,
    keys: &'w T::RoundKeys,
    workspace: &'w mut Workspace,
    order: &'w mut Order,
    batch: &'w mut Batch<'a, 'b>,
    /// Whether messages were worked on alone: these leave secrets deeper on the stack.
    some_alone: &'w mut bool,
}

impl<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize> Work for InLanes<'_, '_, '_, T, KEY_LEN> {
    #[inline(always)]
    fn run(self) {
        let Self { t, keys, workspace, order, batch, some_alone } = self;
        let Some(lanes) = t.lanes() else { return };
        lanes.start(keys, workspace);
        let mut group = Group::new();
        let mut others = OneAfterTheOther::new();
        while batch.advance() {
            if !batch.is_uniform() && T::Lanes::MIXED_LEN == 0 {
                *some_alone = true;
                others.crypt_all::<T, KEY_LEN>(t, keys, batch);
                continue;
            }
            order.take::<T::Lanes>(batch);
            let is_as_given = order.is_as_given();
            // Messages that were sorted come from the whole window.
            let ahead = if is_as_given { T::Lanes::MESSAGES } else { WINDOW };
            let groups = order.in_lanes().chunks(T::Lanes::MESSAGES);
            for (k, jobs) in groups.enumerate() {
                let shape = Shape::of(batch, jobs);
                if !shape.pays::<T::Lanes>(jobs.len()) {
                    *some_alone = true;
                    for job in jobs {
                        alone::<T, KEY_LEN>(t, keys, batch, job.number());
                    }
                } else {
                    let next = k * T::Lanes::MESSAGES + ahead;
                    group.enter(lanes, workspace, batch, (jobs, next), is_as_given, shape);
                    group.run(lanes, workspace, batch);
                }
            }
            group.leave(lanes, workspace, batch);
            *some_alone |= !order.alone().is_empty();
            for job in order.alone() {
                others.crypt::<T, KEY_LEN>(t, keys, batch, job.number());
            }
            others.finish::<T, KEY_LEN>(t, batch);
        }
    }
}
