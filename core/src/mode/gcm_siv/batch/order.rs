//! The order of messages in the lanes: by length, so that messages of about one length share lanes.
//! Very short texts, and texts of one length, keep their order: sorting them takes longer than it
//! saves.

use super::Batch;
use crate::kernel::gcm_siv::lanes::{GcmSivLanes, MAX_AAD_LEN, MAX_TEXT_LEN};
use crate::mode::batch::{Direction, WINDOW};

/// The classes of messages in lanes: a row of AAD counts one, a row of text, which is hashed and
/// encrypted, two.
const IN_LANES: usize = MAX_AAD_LEN / 16 + 2 * (MAX_TEXT_LEN / 16) + 1;

/// Messages that are worked on alone, after those of the lanes.
const ALONE: usize = IN_LANES;

/// Messages that are not worked on.
const LEFT_OUT: usize = ALONE + 1;

const CLASSES: usize = LEFT_OUT + 1;

/// The number of a message in its window, and its lengths in bytes if it goes into lanes: in one
/// word, since whole windows of them are written.
#[derive(Clone, Copy, Default)]
pub(super) struct Job(u64);

impl Job {
    #[inline(always)]
    fn new(aad_len: usize, text_len: usize) -> Self {
        Self((aad_len as u64) << 16 | (text_len as u64) << 32)
    }

    #[inline(always)]
    fn numbered(self, number: usize) -> Self {
        Self(self.0 | number as u64)
    }

    /// Keeps a class for a while.
    #[inline(always)]
    fn with_class(self, class: usize) -> Self {
        Self(self.0 | (class as u64) << 48)
    }

    /// The class that was kept, and the message without it.
    #[inline(always)]
    fn into_class(self) -> (usize, Self) {
        ((self.0 >> 48) as usize, Self(self.0 & ((1 << 48) - 1)))
    }

    #[inline(always)]
    pub(super) fn number(self) -> usize {
        usize::from(self.0 as u16)
    }

    #[inline(always)]
    pub(super) fn aad_len(self) -> usize {
        usize::from((self.0 >> 16) as u16)
    }

    #[inline(always)]
    pub(super) fn text_len(self) -> usize {
        usize::from((self.0 >> 32) as u16)
    }

    #[inline(always)]
    pub(super) fn aad_rows(self) -> usize {
        self.aad_len().div_ceil(16)
    }

    #[inline(always)]
    pub(super) fn text_rows(self) -> usize {
        self.text_len().div_ceil(16)
    }

    #[inline(always)]
    pub(super) fn has_lens_of(self, other: Self) -> bool {
        self.0 >> 16 == other.0 >> 16
    }
}

/// The messages of a window, in the order in which they are worked on.
pub(super) struct Order {
    jobs: [Job; WINDOW],
    in_lanes: usize,
    alone: usize,
    /// Whether those in lanes come one after the other.
    is_as_given: bool,
}

impl Order {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { jobs: [Job::default(); WINDOW], in_lanes: 0, alone: 0, is_as_given: true }
    }

    /// Takes the messages of the batch's window.
    #[inline(always)]
    pub(super) fn take<L: GcmSivLanes>(&mut self, batch: &Batch<'_, '_>) {
        let longest = match batch.direction() {
            _ if !batch.is_uniform() => L::MIXED_LEN,
            Direction::Seal => L::SEALED_LEN,
            Direction::Open => L::OPENED_LEN,
        };
        let class = |i| {
            if !batch.is_there(i) {
                return (LEFT_OUT, Job::default());
            }
            let (aad_len, text_len) = batch.lens(i);
            if aad_len > MAX_AAD_LEN || text_len > longest {
                return (ALONE, Job::default());
            }
            let job = Job::new(aad_len, text_len);
            (job.aad_rows() + 2 * job.text_rows(), job)
        };
        let count = batch.count();
        let as_given_len = if batch.has_one_text_len() { L::MIXED_LEN } else { L::AS_GIVEN_LEN };
        let is_brief = |(aad, text)| aad < MAX_AAD_LEN && text < as_given_len;
        self.is_as_given = batch.is_uniform() || batch.limits().is_some_and(is_brief);
        if batch.is_uniform() {
            let (class, job) = class(0);
            self.in_lanes = if class < ALONE { count } else { 0 };
            self.alone = count - self.in_lanes;
            for (number, place) in self.jobs[..count].iter_mut().enumerate() {
                *place = job.numbered(number);
            }
        } else if self.is_as_given {
            (self.in_lanes, self.alone) = (count, 0);
            for (number, place) in self.jobs[..count].iter_mut().enumerate() {
                *place = class(number).1.numbered(number);
            }
        } else {
            self.sort(count, class);
        }
    }

    /// Counts the messages of each class, and puts them after the class before. It is never
    /// inlined: its large arrays would make the batch's part of the stack deeper.
    #[inline(never)]
    fn sort(&mut self, count: usize, class: impl Fn(usize) -> (usize, Job)) {
        let mut unsorted = [Job::default(); WINDOW];
        let mut places = [0_u16; CLASSES];
        for (number, place) in unsorted[..count].iter_mut().enumerate() {
            let (class, job) = class(number);
            *place = job.numbered(number).with_class(class);
            places[class] += 1;
        }
        let mut start = 0;
        for place in &mut places {
            start += core::mem::replace(place, start);
        }
        self.in_lanes = places[ALONE].into();
        self.alone = usize::from(places[LEFT_OUT]) - self.in_lanes;
        for job in &unsorted[..count] {
            let (class, job) = job.into_class();
            let place = &mut places[class];
            self.jobs[usize::from(*place)] = job;
            *place += 1;
        }
    }

    /// The shortest first, or all as they came.
    pub(super) fn in_lanes(&self) -> &[Job] {
        &self.jobs[..self.in_lanes]
    }

    pub(super) fn alone(&self) -> &[Job] {
        &self.jobs[self.in_lanes..][..self.alone]
    }

    /// Whether the messages in lanes come one after the other.
    #[inline(always)]
    pub(super) fn is_as_given(&self) -> bool {
        self.is_as_given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order(count: usize, class: impl Fn(usize) -> usize + Copy) {
        let mut order = Order::new();
        order.sort(count, |i| (class(i), Job::default()));
        let all = |wanted: fn(usize) -> bool| {
            let mut numbers: Vec<_> = (0..count).filter(|i| wanted(class(*i))).collect();
            numbers.sort_by_key(|i| class(*i));
            numbers
        };
        let given = |jobs: &[Job]| {
            let numbers = jobs.iter().map(|job| job.number());
            numbers.collect::<Vec<_>>()
        };
        assert_eq!(given(order.in_lanes()), all(|class| class < ALONE));
        assert_eq!(given(order.alone()), all(|class| class == ALONE));
    }

    #[test]
    fn every_message_has_one_place_and_the_shortest_come_first() {
        for count in [0, 1, 2, 31, 32, 33, 127, 128, WINDOW - 1, WINDOW] {
            in_order(count, |i| match i % 7 {
                0 => ALONE,
                1 => LEFT_OUT,
                rest => 11 * rest,
            });
            in_order(count, |i| i % ALONE);
            in_order(count, |i| ALONE - 1 - i % ALONE);
            in_order(count, |i| i / 100);
            in_order(count, |_| 0);
            in_order(count, |_| ALONE);
            in_order(count, |_| LEFT_OUT);
            in_order(count, |i| if i == 3 { ALONE - 1 } else { 2 });
        }
    }
}
