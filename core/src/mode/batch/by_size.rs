//! The order of messages in lanes: the smallest first, so that messages of about one size share
//! the lanes.

use super::{Batch, WINDOW};

/// The size from which on messages are sorted by comparing them. Smaller ones are counted.
const LARGE: usize = 62;

/// In place of the size of a message that is not worked on.
const LEFT_OUT: usize = LARGE + 1;

/// The numbers of the messages of a window that are worked on, in their order.
pub(crate) struct BySize {
    numbers: [u16; WINDOW],
    count: usize,
}

impl BySize {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { numbers: [0; WINDOW], count: 0 }
    }

    /// Takes the messages of the batch's window. `size` is told the lengths of AAD and text, and
    /// never falls as they grow. If none is above `small`, they keep their order: sorting them would
    /// take longer than it saves.
    #[inline(always)]
    pub(crate) fn take<N: AsRef<[u8]>>(
        &mut self,
        batch: &Batch<'_, '_, N>,
        small: usize,
        size: impl Fn((usize, usize)) -> usize,
    ) {
        let count = batch.count();
        if batch.is_uniform() || batch.limits().is_some_and(|limits| size(limits) <= small) {
            self.count = count;
            for (place, number) in self.numbers[..count].iter_mut().zip(0..) {
                *place = number;
            }
            return;
        }
        let (mut classes, mut places) = ([0_u8; WINDOW], [0_u16; LEFT_OUT + 1]);
        for (i, kept) in classes[..count].iter_mut().enumerate() {
            let class = if batch.is_there(i) { size(batch.lens(i)).min(LARGE) } else { LEFT_OUT };
            *kept = class as u8;
            places[class] += 1;
        }
        let mut start = 0;
        for place in &mut places {
            start += core::mem::replace(place, start);
        }
        let large = usize::from(places[LARGE]);
        self.count = usize::from(places[LEFT_OUT]);
        for (number, class) in (0..).zip(&classes[..count]) {
            let place = &mut places[usize::from(*class)];
            self.numbers[usize::from(*place)] = number;
            *place += 1;
        }
        self.numbers[large..self.count].sort_unstable_by_key(|i| size(batch.lens(usize::from(*i))));
    }

    pub(crate) fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}
