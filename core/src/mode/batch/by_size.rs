//! The order of messages in lanes: the smallest first, so that messages of about one size share
//! the lanes.

use super::{Batch, WINDOW};

/// The size from which on messages are sorted by comparing them. Smaller ones are counted.
const LARGE: usize = 63;

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

    /// Takes the messages of the batch's window. `size` is told the lengths of AAD and text.
    #[inline(always)]
    pub(crate) fn take<N: AsRef<[u8]>>(
        &mut self,
        batch: &Batch<'_, '_, N>,
        size: impl Fn((usize, usize)) -> usize,
    ) {
        if batch.is_uniform() {
            self.count = batch.count();
            for (place, number) in self.numbers[..self.count].iter_mut().zip(0..) {
                *place = number;
            }
            return;
        }
        let numbers = || (0..batch.count()).filter(|i| batch.is_there(*i));
        let (mut classes, mut places) = ([0_u8; WINDOW], [0_u16; LARGE + 1]);
        for i in numbers() {
            let class = size(batch.lens(i)).min(LARGE);
            classes[i] = class as u8;
            places[class] += 1;
        }
        let mut start = 0;
        for place in &mut places {
            start += core::mem::replace(place, start);
        }
        self.count = usize::from(start);
        let large = usize::from(places[LARGE]);
        for i in numbers() {
            let place = &mut places[usize::from(classes[i])];
            self.numbers[usize::from(*place)] = i as u16;
            *place += 1;
        }
        self.numbers[large..self.count].sort_unstable_by_key(|i| size(batch.lens(usize::from(*i))));
    }

    pub(crate) fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}
