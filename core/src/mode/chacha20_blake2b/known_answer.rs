//! The known answer that a tier has to give before its first use.

use super::{Extended, Short, TagBytes, expand, expand_siv, open, open_siv, seal, seal_siv};
use crate::kernel::blake2b::{Block, Run, State};
use crate::kernel::chacha20_blake2b::ChaCha20Blake2b;

/// Lengths that between them reach every path of every tier's kernels.
pub(super) const CHECKED_LENGTHS: [usize; 11] =
    [0, 1, 64, 120, 127, 300, 512, 777, 1100, 1536, 2200];

/// The last tag of the chain below; a test has the oracle compute it.
pub(super) const KNOWN_ANSWER: TagBytes = [
    0x21, 0xf2, 0x19, 0xe7, 0x1a, 0x1a, 0x2b, 0x05, 0x6d, 0x47, 0x35, 0x56, 0xf1, 0x04, 0x32, 0x71,
    0x80, 0x8d, 0x19, 0xac, 0xcc, 0x2d, 0x46, 0xbc, 0x01, 0x20, 0x27, 0x6e, 0x03, 0x78, 0x34, 0x21,
    0x0c, 0x20, 0xc3, 0x5b, 0xb2, 0x27, 0x77, 0xe0, 0xa9, 0xe1, 0x25, 0x7f, 0x5b, 0x14, 0xba, 0x04,
    0x23, 0x83, 0xbf, 0xd4, 0x2a, 0x0f, 0x73, 0xc8, 0x7e, 0x22, 0x53, 0xe4, 0x76, 0x0e, 0x33, 0x11,
];

/// Whether the family gives the known answers on this tier: the three AEADs one after
/// another, then as many hashes side by side as the tier has lanes.
pub(crate) fn known_answers_hold<T: ChaCha20Blake2b>(t: T) -> bool {
    known_answer(t) == Some(KNOWN_ANSWER) && lanes_agree(t)
}

/// Seals one message of each length with each AEAD, with the tag before it as AAD and as
/// the source of its nonce, over the ciphertext before it; opens each, and tries a
/// forgery of each. The last tag depends on every byte on the way.
fn known_answer<T: ChaCha20Blake2b>(t: T) -> Option<TagBytes> {
    let key = core::array::from_fn(|i| i as u8);
    let short = expand::<T, Short>(t, &key);
    let extended = expand::<T, Extended>(t, &key);
    let siv = expand_siv(t, &key, 64);
    let mut message: [u8; 2200] = core::array::from_fn(|i| (i % 251) as u8);
    let mut last = [0; 64];
    for (i, len) in CHECKED_LENGTHS.into_iter().enumerate() {
        let tag_len = [32, 48, 64][i % 3];
        let nonce8 = core::array::from_fn(|i| last[i]);
        let nonce24 = core::array::from_fn(|i| last[i]);
        let in_out = &mut message[..len];
        let aad = last;
        let aad = checked(
            in_out,
            tag_len,
            |in_out| seal::<T, Short>(t, &short, tag_len, &nonce8, &aad, in_out),
            |in_out, tag| open::<T, Short>(t, &short, &nonce8, &aad, in_out, tag),
        )?;
        let aad = checked(
            in_out,
            tag_len,
            |in_out| seal::<T, Extended>(t, &extended, tag_len, &nonce24, &aad, in_out),
            |in_out, tag| open::<T, Extended>(t, &extended, &nonce24, &aad, in_out, tag),
        )?;
        last = checked(
            in_out,
            64,
            |in_out| seal_siv(t, &siv, &aad, in_out),
            |in_out, tag| open_siv(t, &siv, &aad, in_out, tag),
        )?;
    }
    Some(last)
}

/// Seals `in_out`; `None` if that does not open again or a forgery does. The tag's unused
/// bytes, which a shorter tag does not define, are zeros.
fn checked(
    in_out: &mut [u8],
    tag_len: usize,
    seal: impl Fn(&mut [u8]) -> TagBytes,
    open: impl Fn(&mut [u8], &[u8]) -> bool,
) -> Option<TagBytes> {
    let mut copy = [0; 2200];
    let copy = &mut copy[..in_out.len()];
    copy.copy_from_slice(in_out);
    let mut tag = seal(in_out);
    tag[tag_len..].fill(0);
    let mut opened = [0; 2200];
    let opened = &mut opened[..in_out.len()];
    opened.copy_from_slice(in_out);
    if !open(opened, &tag[..tag_len]) || opened != copy {
        return None;
    }
    let mut forged = tag;
    forged[in_out.len() % tag_len] ^= 1;
    opened.copy_from_slice(in_out);
    if open(opened, &forged[..tag_len]) || opened.iter().any(|byte| *byte != 0) {
        return None;
    }
    Some(tag)
}

/// Whether streams side by side give what each gives alone.
fn lanes_agree<T: ChaCha20Blake2b>(t: T) -> bool {
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
