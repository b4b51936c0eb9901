//! The known answer that a tier has to give before its first use.

use super::batch::{open_batch, seal_batch};
use super::{open, seal};
use crate::kernel::Block;
use crate::kernel::gcm_siv::GcmSiv;
use crate::mode::batch::{Aads, Batch, Flat, Texts};
use crate::mode::message::Status;

/// Lengths that between them reach every path of every tier's kernels.
const LENGTHS: [usize; 10] = [0, 1, 16, 47, 96, 128, 255, 272, 1031, 2112];
const LONGEST: usize = 2112;

/// The tag at the end of the chain below, with 16-byte and with 32-byte keys; the
/// test has the oracle compute them.
const KNOWN_ANSWER_128: Block = [
    0xbe, 0x8a, 0xf9, 0x75, 0x4e, 0xcf, 0x7c, 0x6c, 0xcd, 0x4b, 0xad, 0xf9, 0x8d, 0xda, 0x71, 0x02,
];
const KNOWN_ANSWER_256: Block = [
    0xb8, 0x43, 0x3e, 0x26, 0xf7, 0x16, 0x15, 0x57, 0xab, 0x02, 0xf0, 0xd8, 0x04, 0x1b, 0x21, 0x46,
];

/// Whether AES-GCM-SIV with both key sizes gives the known answer on this tier, one
/// message at a time and in a batch.
pub(crate) fn known_answers_hold<T: GcmSiv<16> + GcmSiv<32>>(t: T) -> bool {
    chain::<T, 16>(t) == Some(KNOWN_ANSWER_128)
        && chain::<T, 32>(t) == Some(KNOWN_ANSWER_256)
        && [of_many_lengths, of_one_length]
            .into_iter()
            .all(|lens| batch_agrees::<T, 16>(t, lens) && batch_agrees::<T, 32>(t, lens))
}

fn key<const KEY_LEN: usize>() -> [u8; KEY_LEN] {
    core::array::from_fn(|i| i as u8)
}

fn painted() -> [u8; LONGEST] {
    core::array::from_fn(|i| (i % 251) as u8)
}

/// Seals one message of each length, each with the tag before it as AAD and as the
/// source of its nonce, over the ciphertext before it; opens each and seals it again,
/// in place and apart, and tries a forgery. The last tag depends on every byte on the way.
fn chain<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(t: T) -> Option<Block> {
    let keys = t.expand(&key());
    let mut message = painted();
    let mut last = [0; 16];
    for len in LENGTHS {
        let nonce = core::array::from_fn(|i| last[i]);
        let aad = &last;
        let sealed = &mut message[..len];
        let mut tag = [0; 16];
        seal::<T, KEY_LEN>(t, &keys, &nonce, aad, None, sealed, &mut tag);
        let sealed = &*sealed;
        let open = |from: Option<&[u8]>, in_out: &mut [u8], tag: &Block| {
            open::<T, KEY_LEN>(t, &keys, &nonce, aad, from, in_out, tag)
        };
        let (mut opened, mut again) = ([0; LONGEST], [0; LONGEST]);
        let (opened, again) = (&mut opened[..len], &mut again[..len]);
        let mut forged = tag;
        forged[len % 16] ^= 1;
        let mut tag_again = [0; 16];
        let mut seal_again = |opened: &[u8], again: &mut [u8]| {
            let tag = &mut tag_again;
            seal::<T, KEY_LEN>(t, &keys, &nonce, aad, Some(opened), again, tag);
            tag_again
        };
        let holds = !open(Some(sealed), opened, &forged)
            && open(Some(sealed), opened, &tag)
            && seal_again(opened, again) == tag
            && again == sealed
            && open(None, again, &tag)
            && again == opened;
        if !holds {
            return None;
        }
        last = tag;
    }
    Some(last)
}

/// Messages of the batches below, and the bytes of all texts together, at most.
const BATCH: usize = 18;
const BATCH_LEN: usize = 24 * (BATCH - 1) * BATCH / 2;

/// The bytes of AAD and of text of message `i`.
type Lens = fn(i: usize) -> (usize, usize);

fn of_many_lengths(i: usize) -> (usize, usize) {
    (i, 24 * i)
}

/// Such batches go another way.
fn of_one_length(_i: usize) -> (usize, usize) {
    (5, 200)
}

/// Whether a batch of short messages gives the bytes of one at a time, and opens all
/// but the one that is forged.
fn batch_agrees<T: GcmSiv<KEY_LEN>, const KEY_LEN: usize>(t: T, lens: Lens) -> bool {
    let keys = t.expand(&key());
    let aad = painted();
    let nonces: [[u8; 12]; BATCH] = core::array::from_fn(|i| [i as u8; 12]);
    let mut statuses = [Status::Done; BATCH];
    let mut alone = [7; BATCH_LEN];
    let mut together = [7; BATCH_LEN];
    let mut tags = [[0; 16]; BATCH];
    let mut batch_tags = [[0; 16]; BATCH];
    let mut left = &mut alone[..];
    for ((i, tag), nonce) in tags.iter_mut().enumerate().zip(&nonces) {
        let (aad_len, text_len) = lens(i);
        let (in_out, rest) = left.split_at_mut(text_len);
        left = rest;
        seal::<T, KEY_LEN>(t, &keys, nonce, &aad[..aad_len], None, in_out, tag);
    }
    let aads: [&[u8]; BATCH] = core::array::from_fn(|i| &aad[..lens(i).0]);
    let mut bounds = [0; BATCH + 1];
    for i in 0..BATCH {
        bounds[i + 1] = bounds[i] + lens(i).1;
    }
    let blank = Batch {
        nonces: &nonces,
        aads: Aads::Slices(&aads),
        texts: Texts::Contiguous(&mut together, &bounds),
        tags: Flat {
            bytes: batch_tags.as_flattened_mut(),
            len: 16,
        },
        statuses: &mut statuses,
        admit: |_: &[u8; 12], _, _| Status::Done,
    };
    seal_batch::<T, KEY_LEN>(t, &keys, blank);
    let sealed_alike = alone == together && tags == batch_tags;

    let forged = BATCH / 2;
    tags[forged][0] ^= 1;
    let sealed = Batch {
        nonces: &nonces,
        aads: Aads::Slices(&aads),
        texts: Texts::Contiguous(&mut together, &bounds),
        tags: Flat {
            bytes: tags.as_flattened(),
            len: 16,
        },
        statuses: &mut statuses,
        admit: |_: &[u8; 12], _, _| Status::Done,
    };
    open_batch::<T, KEY_LEN>(t, &keys, sealed);
    sealed_alike
        && statuses.iter().enumerate().all(|(i, status)| {
            let opened = *status == Status::Done;
            opened == (i != forged)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sivka_oracle::gcm_siv as oracle;
    use std::vec::Vec;

    fn oracle_chain(key: &[u8]) -> Vec<u8> {
        let mut message = painted();
        let mut last = std::vec![0; 16];
        for len in LENGTHS {
            let sealed = oracle::seal(key, &last[..12], &last, &message[..len]);
            let (ciphertext, tag) = sealed.split_at(len);
            message[..len].copy_from_slice(ciphertext);
            last = tag.to_vec();
        }
        last
    }

    #[test]
    fn the_oracle_gives_the_known_answers() {
        assert_eq!(oracle_chain(&key::<16>()), KNOWN_ANSWER_128);
        assert_eq!(oracle_chain(&key::<32>()), KNOWN_ANSWER_256);
    }
}
