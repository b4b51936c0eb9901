//! The known answers of a tier's lanes before their first use.

use super::{Extended, Short, Variant};
use crate::kernel::blake2b::{Block, Run, State};
use crate::kernel::chacha20::{KEY_LEN, MAX_STREAMS, StreamNonce};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;

/// Whether hashes and keystreams side by side equal single ones.
pub(crate) fn lanes_agree<T: ChaCha20Blake2b>(t: T) -> bool {
    hashes_agree(t)
        && keystreams_agree::<T, Short>(t, |stream| [stream as u8; 8])
        && keystreams_agree::<T, Extended>(t, |stream| [stream as u8; 24])
}

fn hashes_agree<T: ChaCha20Blake2b>(t: T) -> bool {
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
        states[..count].iter().zip(runs).enumerate().all(|(lane, (together, run))| {
            let mut alone = state(lane);
            t.compress(&mut alone, run);
            alone.output() == together.output()
        })
    })
}

fn keystreams_agree<T: ChaCha20Blake2b, V: Variant>(
    t: T,
    nonce: impl Fn(usize) -> V::Nonce,
) -> bool {
    // More than a block, so that a lane's text is not that of its number, and no whole ones.
    const LEN: usize = 77;
    let key: [u8; KEY_LEN] = core::array::from_fn(|i| i as u8);
    let nonces: [V::Nonce; MAX_STREAMS] = core::array::from_fn(nonce);
    let stream_nonces: [StreamNonce; MAX_STREAMS] =
        core::array::from_fn(|stream| V::stream_nonce(&nonces[stream]));
    let mut together = [[0; LEN]; MAX_STREAMS];
    let mut texts = together.each_mut().map(|text| &mut text[..]);
    let count = T::STREAMS;
    t.xor_streams(&key, &stream_nonces[..count], V::EXTENDED, &mut texts[..count]);
    together.iter().zip(&nonces).take(count).all(|(together, nonce)| {
        let mut alone = [0; LEN];
        t.chacha20_xor(&V::matrix(t, &key, nonce), 0, &mut alone);
        alone == *together
    })
}
