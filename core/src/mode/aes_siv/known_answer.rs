//! The known answer that a tier has to give before its first use.

use super::batch::{open_batch, seal_batch};
use super::{Keys, open, seal};
use crate::kernel::Block;
use crate::kernel::aes_siv::AesSiv;
use crate::mode::message::{Message, Status};

/// Lengths that between them reach every path of every tier's kernels.
const LENGTHS: [usize; 9] = [0, 3, 16, 23, 64, 130, 255, 530, 1063];
const LONGEST: usize = 1063;

/// The tag at the end of the chain below, with keys of 32, 48 and 64 bytes; the test has the
/// oracle compute them.
const KNOWN_ANSWERS: [Block; 3] = [
    [
        0xd4, 0xb6, 0xe4, 0x2c, 0xea, 0x83, 0x45, 0xbb, 0xd9, 0xc9, 0x2f, 0x1c, 0xe6, 0xd7, 0xc8,
        0xfb,
    ],
    [
        0xd7, 0x23, 0x61, 0xbc, 0x23, 0xb5, 0x80, 0x87, 0x0d, 0x8d, 0x48, 0x50, 0x2a, 0x11, 0xae,
        0x37,
    ],
    [
        0x44, 0xe7, 0x9a, 0x4a, 0xc6, 0xa9, 0x4b, 0x08, 0x6f, 0xae, 0x18, 0x5a, 0xc0, 0x8a, 0x31,
        0xd7,
    ],
];

/// Whether AES-SIV with all key sizes gives the known answer on this tier, one message at a
/// time and in a batch.
pub(crate) fn known_answers_hold<T: AesSiv<16> + AesSiv<24> + AesSiv<32>>(t: T) -> bool {
    holds::<T, 16>(t, &KNOWN_ANSWERS[0])
        && holds::<T, 24>(t, &KNOWN_ANSWERS[1])
        && holds::<T, 32>(t, &KNOWN_ANSWERS[2])
}

fn holds<T: AesSiv<HALF>, const HALF: usize>(t: T, known: &Block) -> bool {
    let keys = Keys::expand::<T, HALF>(t, [&half(0), &half(HALF)]);
    chain::<T, HALF>(t, &keys).as_ref() == Some(known) && batch_agrees::<T, HALF>(t, &keys)
}

/// `HALF` bytes of a key that counts up from zero.
fn half<const HALF: usize>(first: usize) -> [u8; HALF] {
    core::array::from_fn(|i| (first + i) as u8)
}

fn painted() -> [u8; LONGEST] {
    core::array::from_fn(|i| (i % 251) as u8)
}

/// Seals one message of each length, each with the tag before it and the length as
/// associated data, over the ciphertext before it; opens each and seals it again, in place
/// and apart, and tries a forgery. The last tag depends on every byte on the way.
fn chain<T: AesSiv<HALF>, const HALF: usize>(t: T, keys: &Keys<T::RoundKeys>) -> Option<Block> {
    let mut message = painted();
    let mut last = [0; 16];
    for len in LENGTHS {
        let aad = [&last[..], &[len as u8]];
        let sealed = &mut message[..len];
        let mut tag = [0; 16];
        seal::<T, HALF>(t, keys, &aad, None, sealed, &mut tag);
        let sealed = &*sealed;
        let open = |from: Option<&[u8]>, in_out: &mut [u8], tag: &Block| {
            open::<T, HALF>(t, keys, &aad, from, in_out, tag)
        };
        let (mut opened, mut again) = ([0; LONGEST], [0; LONGEST]);
        let (opened, again) = (&mut opened[..len], &mut again[..len]);
        let mut forged = tag;
        forged[len % 16] ^= 0x80;
        let refused = !open(Some(sealed), opened, &forged);
        let apart = open(Some(sealed), opened, &tag);
        let mut tag_again = [0; 16];
        seal::<T, HALF>(t, keys, &aad, Some(opened), again, &mut tag_again);
        let alike = again == sealed && tag_again == tag;
        let in_place = open(None, again, &tag) && again == opened;
        if !(refused && apart && alike && in_place) {
            return None;
        }
        last = tag;
    }
    Some(last)
}

/// Messages of the batches below, and the bytes of all texts together.
const BATCH: usize = 18;
const BATCH_LEN: usize = 13 * (BATCH - 1) * BATCH / 2;

/// Whether a batch of short messages gives the bytes of one at a time, and opens all but the
/// one that is forged.
fn batch_agrees<T: AesSiv<HALF>, const HALF: usize>(t: T, keys: &Keys<T::RoundKeys>) -> bool {
    let aad = painted();
    let mut statuses = [Status::Done; BATCH];
    let mut alone = [7; BATCH_LEN];
    let mut together = [7; BATCH_LEN];
    let mut tags = [[0; 16]; BATCH];
    let mut batch_tags = [[0; 16]; BATCH];
    let mut left = &mut alone[..];
    for (i, tag) in tags.iter_mut().enumerate() {
        let (in_out, rest) = left.split_at_mut(13 * i);
        left = rest;
        seal::<T, HALF>(t, keys, &[&aad[..3 * (i / 2)]], None, in_out, tag);
    }
    let out = batch_tags.iter_mut().map(|tag| &mut tag[..]);
    seal_batch::<T, HALF>(t, keys, messages(&aad, &mut together, out, &mut statuses));
    let sealed_alike = alone == together && tags == batch_tags;

    let forged = BATCH / 2;
    tags[forged][0] ^= 1;
    let expected = tags.iter().map(|tag| &tag[..]);
    open_batch::<T, HALF>(
        t,
        keys,
        messages(&aad, &mut together, expected, &mut statuses),
    );
    sealed_alike
        && statuses.iter().enumerate().all(|(i, status)| {
            let opened = *status == Status::Done;
            opened == (i != forged)
        })
}

fn messages<'a, Tag>(
    aad: &'a [u8; LONGEST],
    texts: &'a mut [u8; BATCH_LEN],
    tags: impl Iterator<Item = Tag>,
    statuses: &'a mut [Status; BATCH],
) -> impl Iterator<Item = Message<'a, [u8; 0], Tag>> {
    let mut left = &mut texts[..];
    tags.zip(statuses)
        .enumerate()
        .map(move |(i, (tag, status))| {
            let (in_out, rest) = core::mem::take(&mut left).split_at_mut(13 * i);
            left = rest;
            Message {
                nonce: &[],
                aad: &aad[..3 * (i / 2)],
                in_out,
                tag,
                status,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sivka_oracle::aes_siv as oracle;

    #[test]
    fn the_oracle_gives_the_known_answers() {
        let answers = [32_u8, 48, 64].map(|key_len| {
            let key: std::vec::Vec<u8> = (0..key_len).collect();
            let mut message = painted();
            let mut last = [0; 16];
            for len in LENGTHS {
                let sealed = oracle::seal(&key, &[&last, &[len as u8]], &message[..len]);
                let (tag, ciphertext) = sealed.split_at(16);
                message[..len].copy_from_slice(ciphertext);
                last.copy_from_slice(tag);
            }
            last
        });
        assert_eq!(answers, KNOWN_ANSWERS);
    }
}
