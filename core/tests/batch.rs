//! Batches give the bytes of one message at a time, whatever their mix, and one bad
//! message hides none of the others.

use proptest::prelude::*;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, BatchAad, BatchText, Error, Tag, Tier};

/// Both key types behind the calls that this file makes.
trait Key {
    fn on(tier: Tier) -> Self;
    fn seal_one(&self, nonce: &[u8; 12], aad: &[u8], in_out: &mut [u8]) -> Tag;
    fn seal(
        &self,
        nonces: &[[u8; 12]],
        aad: BatchAad<'_>,
        text: BatchText<'_, '_>,
        tags: &mut [Tag],
        statuses: &mut [Result<(), Error>],
    ) -> Result<(), Error>;
    fn open(
        &self,
        nonces: &[[u8; 12]],
        aad: BatchAad<'_>,
        text: BatchText<'_, '_>,
        tags: &[Tag],
        statuses: &mut [Result<(), Error>],
    ) -> Result<(), Error>;
}

macro_rules! key {
    ($name:ident, $key_len:literal) => {
        impl Key for $name {
            fn on(tier: Tier) -> Self {
                Self::with_tier(
                    &core::array::from_fn::<u8, $key_len, _>(|i| 3 * i as u8),
                    tier,
                )
            }
            fn seal_one(&self, nonce: &[u8; 12], aad: &[u8], in_out: &mut [u8]) -> Tag {
                self.seal_in_place(nonce, aad, in_out).unwrap()
            }
            fn seal(
                &self,
                nonces: &[[u8; 12]],
                aad: BatchAad<'_>,
                text: BatchText<'_, '_>,
                tags: &mut [Tag],
                statuses: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                self.seal_batch(nonces, aad, text, tags, statuses)
            }
            fn open(
                &self,
                nonces: &[[u8; 12]],
                aad: BatchAad<'_>,
                text: BatchText<'_, '_>,
                tags: &[Tag],
                statuses: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                self.open_batch(nonces, aad, text, tags, statuses)
            }
        }
    };
}
key!(Aes128GcmSiv, 16);
key!(Aes256GcmSiv, 32);

/// Texts and AADs of the given lengths in contiguous buffers, painted modulo 251.
struct Batch {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
    aad_bytes: Vec<u8>,
    aad_offsets: Vec<usize>,
    nonces: Vec<[u8; 12]>,
}

impl Batch {
    fn new(lens: &[(usize, usize)]) -> Self {
        let mut batch = Self {
            bytes: vec![],
            offsets: vec![0],
            aad_bytes: vec![],
            aad_offsets: vec![0],
            nonces: vec![],
        };
        for (i, (text_len, aad_len)) in lens.iter().enumerate() {
            batch
                .bytes
                .extend((0..*text_len).map(|j| ((i + j) % 251) as u8));
            batch.offsets.push(batch.bytes.len());
            batch
                .aad_bytes
                .extend((0..*aad_len).map(|j| ((7 * i + j) % 251) as u8));
            batch.aad_offsets.push(batch.aad_bytes.len());
            batch
                .nonces
                .push(core::array::from_fn(|j| (i * 31 + j) as u8));
        }
        batch
    }

    fn len(&self) -> usize {
        self.nonces.len()
    }

    fn aad(&self) -> BatchAad<'_> {
        BatchAad::Contiguous {
            bytes: &self.aad_bytes,
            offsets: &self.aad_offsets,
        }
    }

    fn one_by_one<K: Key>(&self, key: &K) -> (Vec<u8>, Vec<Tag>) {
        let mut bytes = self.bytes.clone();
        let tags = (0..self.len())
            .map(|i| {
                let aad = &self.aad_bytes[self.aad_offsets[i]..self.aad_offsets[i + 1]];
                let text = &mut bytes[self.offsets[i]..self.offsets[i + 1]];
                key.seal_one(&self.nonces[i], aad, text)
            })
            .collect();
        (bytes, tags)
    }
}

fn check<K: Key>(lens: &[(usize, usize)]) {
    let batch = Batch::new(lens);
    let blank = vec![Tag::from([0; 16]); batch.len()];
    for tier in Tier::available() {
        let key = K::on(tier);
        let (expected, expected_tags) = batch.one_by_one(&key);

        let (mut bytes, mut tags) = (batch.bytes.clone(), blank.clone());
        let mut statuses = vec![Err(Error::Open); batch.len()];
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets: &batch.offsets,
        };
        assert_eq!(
            key.seal(&batch.nonces, batch.aad(), text, &mut tags, &mut statuses),
            Ok(())
        );
        assert!(statuses.iter().all(Result::is_ok));
        assert!(
            bytes == expected && tags == expected_tags,
            "{tier}: contiguous, {lens:?}"
        );

        // The same as slices, opened with every third message forged.
        let forged = |i: usize| i % 3 == 1;
        for (i, tag) in tags.iter_mut().enumerate().filter(|(i, _)| forged(*i)) {
            let mut bytes = <[u8; 16]>::from(*tag);
            bytes[i % 16] ^= 1 << (i % 8);
            *tag = bytes.into();
        }
        let mut left = bytes.as_mut_slice();
        let mut slices: Vec<&mut [u8]> = lens
            .iter()
            .map(|(text_len, _)| {
                left.split_off_mut(..*text_len)
                    .expect("texts fill the buffer")
            })
            .collect();
        let aads: Vec<&[u8]> = batch
            .aad_offsets
            .windows(2)
            .map(|ends| &batch.aad_bytes[ends[0]..ends[1]])
            .collect();
        let text = BatchText::Slices(&mut slices);
        let aad = BatchAad::Slices(&aads);
        let opened = key.open(&batch.nonces, aad, text, &tags, &mut statuses);
        let failed = (0..batch.len()).filter(|i| forged(*i)).count();
        assert_eq!(
            opened,
            if failed == 0 {
                Ok(())
            } else {
                Err(Error::Batch { failed })
            }
        );
        for (i, status) in statuses.iter().enumerate() {
            let ends = batch.offsets[i]..batch.offsets[i + 1];
            if forged(i) {
                assert_eq!(
                    statuses[i],
                    Err(Error::Open),
                    "{tier}: message {i} of {lens:?}"
                );
                assert!(
                    bytes[ends].iter().all(|byte| *byte == 0),
                    "{tier}: message {i} not wiped"
                );
            } else {
                assert_eq!(*status, Ok(()), "{tier}: message {i} of {lens:?}");
                assert!(
                    bytes[ends.clone()] == batch.bytes[ends],
                    "{tier}: message {i}"
                );
            }
        }
    }
}

#[test]
fn every_count_of_equal_messages() {
    for count in 0..=67 {
        check::<Aes256GcmSiv>(&vec![(16, 16); count]);
        check::<Aes128GcmSiv>(&vec![(count, 0); count]);
    }
}

#[test]
fn every_length_around_the_lanes() {
    for aad_len in [0, 1, 15, 16, 17, 63, 64, 65] {
        let lens: Vec<_> = (0..=530).map(|text_len| (text_len, aad_len)).collect();
        check::<Aes256GcmSiv>(&lens);
        let falling: Vec<_> = (0..=530)
            .rev()
            .step_by(7)
            .map(|len| (len, aad_len))
            .collect();
        check::<Aes128GcmSiv>(&falling);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn mixed_lengths(lens in prop::collection::vec((0..5000_usize, 0..200_usize), 0..60)) {
        check::<Aes256GcmSiv>(&lens);
    }

    #[test]
    fn mixed_short_lengths(lens in prop::collection::vec((0..100_usize, 0..70_usize), 0..100)) {
        check::<Aes128GcmSiv>(&lens);
    }
}

#[test]
fn a_common_aad_is_every_messages_aad() {
    let lens = [(40, 20); 21];
    let batch = Batch::new(&lens);
    for tier in Tier::available() {
        let key = Aes256GcmSiv::on(tier);
        let mut bytes = batch.bytes.clone();
        let (mut tags, mut statuses) = ([Tag::from([0; 16]); 21], [Ok(()); 21]);
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets: &batch.offsets,
        };
        let aad = BatchAad::Common(b"common");
        key.seal_batch(&batch.nonces, aad, text, &mut tags, &mut statuses)
            .unwrap();
        for i in 0..21 {
            let mut text = batch.bytes[40 * i..40 * (i + 1)].to_vec();
            let tag = key
                .seal_in_place(&batch.nonces[i], b"common", &mut text)
                .unwrap();
            assert_eq!((tag, &*text), (tags[i], &bytes[40 * i..40 * (i + 1)]));
        }
    }
}

#[test]
fn random_nonces_are_written_and_counted() {
    use sivka::UsageBound;
    let key = Aes256GcmSiv::new(&[1; 32]).with_usage_bound(UsageBound::KIB_16.at_most(5));
    let mut nonces = [[0; 12]; 3];
    let mut bytes = *b"aabbcc";
    let (mut tags, mut statuses) = ([Tag::from([0; 16]); 3], [Ok(()); 3]);
    let offsets = [0, 2, 4, 6];
    let mut seal = |bytes: &mut [u8], nonces: &mut [[u8; 12]]| {
        let text = BatchText::Contiguous {
            bytes,
            offsets: &offsets,
        };
        let aad = BatchAad::Common(b"");
        key.seal_batch_with_random_nonces(nonces, aad, text, &mut tags, &mut statuses)
    };
    assert_eq!(seal(&mut bytes, &mut nonces), Ok(()));
    assert!(nonces[0] != nonces[1] && nonces[1] != nonces[2]);
    let sealed = bytes;
    assert_eq!(
        seal(&mut bytes, &mut nonces),
        Err(Error::UsageBound { messages: 5 })
    );
    assert_eq!(bytes, sealed);
    let opened = key.open_in_place(&nonces[1], b"", &mut bytes[2..4], &tags[1]);
    assert_eq!((opened, &bytes[2..4]), (Ok(()), &b"bb"[..]));
}

#[test]
fn parts_that_do_not_fit_are_misuse_and_nothing_is_written() {
    let key = Aes256GcmSiv::new(&[1; 32]);
    let nonces = [[0; 12]; 2];
    let mut bytes = *b"message";
    let mut shape = |offsets: &[usize], tags: usize, statuses: usize, aad: BatchAad<'_>| {
        let mut tags = vec![Tag::from([9; 16]); tags];
        let mut statuses = vec![Ok(()); statuses];
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets,
        };
        let result = key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses);
        assert_eq!(&bytes, b"message");
        assert!(tags.iter().all(|tag| *tag == Tag::from([9; 16])));
        match result {
            Err(Error::BatchShape {
                what,
                expected,
                given,
            }) => (what, expected, given),
            other => panic!("{other:?}"),
        }
    };
    let common = BatchAad::Common(b"");
    assert_eq!(shape(&[0, 3, 7], 1, 2, common), ("tags", 2, 1));
    assert_eq!(shape(&[0, 3, 7], 2, 3, common), ("statuses", 2, 3));
    assert_eq!(shape(&[0, 7], 2, 2, common), ("text offsets", 3, 2));
    assert_eq!(shape(&[0, 4, 3], 2, 2, common), ("text offsets", 4, 3));
    assert_eq!(shape(&[0, 4, 8], 2, 2, common), ("text offsets", 7, 8));
    assert_eq!(
        shape(&[0, 3, 7], 2, 2, BatchAad::Slices(&[b""])),
        ("aads", 2, 1)
    );
    let aad = BatchAad::Contiguous {
        bytes: b"",
        offsets: &[0, 0, 1],
    };
    assert_eq!(shape(&[0, 3, 7], 2, 2, aad), ("aad offsets", 0, 1));
}
