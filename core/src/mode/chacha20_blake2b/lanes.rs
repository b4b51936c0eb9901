//! What the lanes of a tier have to give before their first use.

use crate::kernel::blake2b::{Block, Run, State};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;

/// Whether streams side by side give what each gives alone.
pub(crate) fn lanes_agree<T: ChaCha20Blake2b>(t: T) -> bool {
    const MOST: usize = 8;
    let blocks: [[Block; 3]; MOST] = core::array::from_fn(|lane| {
        core::array::from_fn(|i| core::array::from_fn(|j| (lane * 91 + i * 128 + j) as u8))
    });
    let state = |lane: usize| State::keyed(lane, 64 - lane);
    (1..=T::LANES.min(MOST)).all(|count| {
        let mut states: [State; MOST] = core::array::from_fn(state);
        let runs: [Run<'_>; MOST] = core::array::from_fn(|lane| Run {
            blocks: &blocks[lane],
            last_len: (lane % 2 == 0).then_some(lane as u8),
        });
        t.compress_many(&mut states[..count], &runs[..count]);
        states[..count]
            .iter()
            .zip(runs)
            .enumerate()
            .all(|(lane, (together, run))| {
                let mut alone = state(lane);
                t.compress(&mut alone, run);
                alone.output() == together.output()
            })
    })
}
