//! Batches give the bytes of one message at a time, whatever their mix, and one bad
//! message hides none of the others.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use sivka::{Aead, Algorithm, BatchAad, BatchText, Error, Status, Tier};
use sivka_oracle::lengths::painted;

/// Texts and AADs of the given lengths in contiguous buffers, and their nonces.
struct Batch {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
    aad_bytes: Vec<u8>,
    aad_offsets: Vec<usize>,
    nonce_len: usize,
    nonces: Vec<u8>,
}

/// Where messages of these lengths end, from 0.
fn offsets(lens: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut offsets = vec![0];
    offsets.extend(lens.scan(0, |end, len| {
        *end += len;
        Some(*end)
    }));
    offsets
}

impl Batch {
    /// Some nonces have their first bit set, which MGM refuses.
    fn new(algorithm: &Algorithm, lens: &[(usize, usize)]) -> Self {
        let nonce_len = algorithm.nonce_len();
        let nonces = (0..lens.len()).flat_map(|i| painted(i * 31, nonce_len));
        let bytes = |(i, (len, _)): (usize, &(usize, usize))| painted(i, *len);
        let aad_bytes = |(i, (_, len)): (usize, &(usize, usize))| painted(7 * i, *len);
        Self {
            bytes: lens.iter().enumerate().flat_map(bytes).collect(),
            offsets: offsets(lens.iter().map(|(len, _)| *len)),
            aad_bytes: lens.iter().enumerate().flat_map(aad_bytes).collect(),
            aad_offsets: offsets(lens.iter().map(|(_, len)| *len)),
            nonce_len,
            nonces: nonces.collect(),
        }
    }

    fn nonce(&self, i: usize) -> &[u8] {
        &self.nonces[i * self.nonce_len..][..self.nonce_len]
    }

    fn aads(&self) -> Vec<&[u8]> {
        let ends = self.aad_offsets.windows(2);
        ends.map(|ends| &self.aad_bytes[ends[0]..ends[1]]).collect()
    }

    /// Texts, tags and statuses as the calls for one message have them. What is refused
    /// keeps its text, and the fives that were there for a tag.
    fn one_by_one(&self, key: &dyn Aead, aads: &[&[u8]]) -> (Vec<u8>, Vec<u8>, Vec<Status>) {
        let mut bytes = self.bytes.clone();
        let mut tags = vec![5; aads.len() * key.algorithm().tag_len()];
        let each_tag = tags.chunks_exact_mut(key.algorithm().tag_len());
        let statuses = each_tag.zip(aads).enumerate().map(|(i, (tag, aad))| {
            let text = &mut bytes[self.offsets[i]..self.offsets[i + 1]];
            match key.seal_in_place(self.nonce(i), aad, text, tag) {
                Ok(()) => Status::Done,
                Err(Error::TooLong { .. }) => Status::TooLong,
                Err(_) => Status::Refused,
            }
        });
        let statuses = statuses.collect();
        (bytes, tags, statuses)
    }
}

fn verdict(statuses: &[Status]) -> Result<(), Error> {
    let failed = statuses.iter().filter(|status| **status != Status::Done);
    match failed.count() {
        0 => Ok(()),
        failed => Err(Error::Batch { failed }),
    }
}

fn key_on(algorithm: &Algorithm, tier: Tier) -> Box<dyn Aead> {
    let key = painted(3, algorithm.key_len());
    algorithm
        .new_key_with_tier(&key, tier)
        .expect("a key of that length")
}

fn check(algorithm: &Algorithm, lens: &[(usize, usize)]) {
    let batch = Batch::new(algorithm, lens);
    let (count, tag_len) = (lens.len(), algorithm.tag_len());
    let aads = batch.aads();
    for tier in Tier::available() {
        let key = key_on(algorithm, tier);
        let what = format!("{algorithm} on {tier}: {lens:?}");
        let (expected, expected_tags, expected_statuses) = batch.one_by_one(&*key, &aads);

        let (mut bytes, mut tags) = (batch.bytes.clone(), vec![5; count * tag_len]);
        let mut statuses = vec![Status::NotOpened; count];
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets: &batch.offsets,
        };
        let aad = BatchAad::Contiguous {
            bytes: &batch.aad_bytes,
            offsets: &batch.aad_offsets,
        };
        let sealed = key.seal_batch(&batch.nonces, aad, text, &mut tags, &mut statuses);
        assert_eq!(sealed, verdict(&expected_statuses), "{what}");
        assert_eq!(statuses, expected_statuses, "{what}");
        assert!(bytes == expected && tags == expected_tags, "{what}");

        // Opened as slices, with every third message forged.
        for (i, tag) in tags
            .chunks_exact_mut(tag_len)
            .enumerate()
            .skip(1)
            .step_by(3)
        {
            tag[i % tag_len] ^= 1 << (i % 8);
        }
        let mut left = bytes.as_mut_slice();
        let mut slices: Vec<&mut [u8]> = lens
            .iter()
            .map(|(len, _)| left.split_off_mut(..*len).expect("texts fill the buffer"))
            .collect();
        let (aad, text) = (BatchAad::Slices(&aads), BatchText::Slices(&mut slices));
        let opened = key.open_batch(&batch.nonces, aad, text, &tags, &mut statuses);
        assert_eq!(opened, verdict(&statuses), "{what}");
        for (i, ends) in batch.offsets.windows(2).enumerate() {
            let (text, plaintext) = (&bytes[ends[0]..ends[1]], &batch.bytes[ends[0]..ends[1]]);
            if i % 3 == 1 || expected_statuses[i] != Status::Done {
                assert_eq!(statuses[i], Status::NotOpened, "message {i}, {what}");
                assert!(text.iter().all(|byte| *byte == 0), "not wiped: {i}, {what}");
            } else {
                assert_eq!(statuses[i], Status::Done, "message {i}, {what}");
                assert!(text == plaintext, "message {i}, {what}");
            }
        }
    }
}

#[test]
fn every_count_of_equal_messages() {
    for algorithm in Algorithm::all() {
        for count in 0..=67 {
            check(algorithm, &vec![(16, 16); count]);
            check(algorithm, &vec![(count, 0); count]);
        }
    }
}

#[test]
fn every_length_around_the_lanes() {
    for (i, algorithm) in Algorithm::all().iter().enumerate() {
        for aad_len in [0, 1, 15, 16, 17, 63, 64, 65] {
            let rising = (0..=530).map(|text_len| (text_len, aad_len));
            let falling = (0..=530).rev().step_by(7).map(|len| (len, aad_len));
            // The lanes know nothing of a tag's length, so that one of three is enough.
            if i % 3 == aad_len % 3 || !algorithm.name().contains("-Tag") {
                check(algorithm, &rising.collect::<Vec<_>>());
            }
            check(algorithm, &falling.collect::<Vec<_>>());
        }
    }
}

/// Messages of one length go another way than those of many; a single one among them makes
/// all of its group go the other.
#[test]
fn columns_and_columns_with_one_other() {
    for algorithm in Algorithm::all() {
        for (i, text_len) in [1, 15, 17, 33, 48, 63, 64, 500, 512]
            .into_iter()
            .enumerate()
        {
            for aad_len in [0, 5, 64] {
                let mut lens = vec![(text_len, aad_len); 33 + 9 * i];
                check(algorithm, &lens);
                lens[11 * i % 33] = (text_len - 1, aad_len);
                check(algorithm, &lens);
            }
        }
    }
}

fn any_algorithm() -> impl Strategy<Value = &'static Algorithm> {
    prop::sample::select(Algorithm::all())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 144, failure_persistence: None, ..Default::default() })]

    #[test]
    fn mixed_lengths(
        algorithm in any_algorithm(),
        lens in prop::collection::vec((0..5000_usize, 0..200_usize), 0..60),
    ) {
        check(algorithm, &lens);
    }

    #[test]
    fn mixed_short_lengths(
        algorithm in any_algorithm(),
        lens in prop::collection::vec((0..100_usize, 0..70_usize), 0..100),
    ) {
        check(algorithm, &lens);
    }
}

#[test]
fn a_common_aad_is_every_messages_aad() {
    for algorithm in Algorithm::all() {
        let batch = Batch::new(algorithm, &[(40, 20); 21]);
        for tier in Tier::available() {
            let key = key_on(algorithm, tier);
            let (expected, expected_tags, expected_statuses) =
                batch.one_by_one(&*key, &[&b"common"[..]; 21]);
            let mut bytes = batch.bytes.clone();
            let mut tags = vec![5; 21 * algorithm.tag_len()];
            let mut statuses = [Status::NotOpened; 21];
            let text = BatchText::Contiguous {
                bytes: &mut bytes,
                offsets: &batch.offsets,
            };
            let aad = BatchAad::Common(b"common");
            let sealed = key.seal_batch(&batch.nonces, aad, text, &mut tags, &mut statuses);
            assert_eq!(sealed, verdict(&expected_statuses), "{algorithm}");
            assert_eq!((bytes, tags), (expected, expected_tags), "{algorithm}");
        }
    }
}

/// A length that is not what it must be: which part, and what is expected and given.
type Wrong = (&'static str, usize, usize);

#[test]
fn parts_that_do_not_fit_are_misuse_and_nothing_is_written() {
    for algorithm in Algorithm::all() {
        let key = key_on(algorithm, Tier::detect());
        let (nonce_len, tag_len) = (algorithm.nonce_len(), algorithm.tag_len());
        let check = |offsets: &[usize], nonces: usize, tags: usize, aad, wrong: Wrong| {
            let (what, expected, given) = wrong;
            let expected = Err(Error::BatchShape {
                what,
                expected,
                given,
            });
            let (mut bytes, nonces) = (*b"message", vec![0; nonces]);
            let mut tags = vec![9; tags];
            let mut statuses = [Status::TooLong; 2];
            let text = BatchText::Contiguous {
                bytes: &mut bytes,
                offsets,
            };
            let sealed = key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses);
            assert_eq!(sealed, expected, "{algorithm}");
            let text = BatchText::Contiguous {
                bytes: &mut bytes,
                offsets,
            };
            let opened = key.open_batch(&nonces, aad, text, &tags, &mut statuses);
            assert_eq!(opened, expected, "{algorithm}");
            assert_eq!((&bytes, statuses), (b"message", [Status::TooLong; 2]));
            assert!(tags.iter().all(|byte| *byte == 9), "{algorithm}");
        };
        let common = BatchAad::Common(b"");
        let (nonces, tags) = (2 * nonce_len, 2 * tag_len);
        let fits = &[0, 3, 7][..];
        check(fits, nonces, tags - 1, common, ("tags", tags, tags - 1));
        check(fits, nonces, tags / 2, common, ("tags", tags, tags / 2));
        let longer = nonces + 1;
        check(fits, longer, tags, common, ("nonces", nonces, longer));
        if nonce_len != 0 {
            let half = nonce_len;
            check(fits, half, tags, common, ("nonces", nonces, half));
        }
        check(&[0, 7], nonces, tags, common, ("text offsets", 3, 2));
        check(&[0, 4, 3], nonces, tags, common, ("text offsets", 4, 3));
        check(&[0, 4, 8], nonces, tags, common, ("text offsets", 7, 8));
        let one = BatchAad::Slices(&[b""]);
        check(fits, nonces, tags, one, ("aads", 2, 1));
        let beyond = BatchAad::Contiguous {
            bytes: b"",
            offsets: &[0, 0, 1],
        };
        check(fits, nonces, tags, beyond, ("aad offsets", 0, 1));
    }
}
