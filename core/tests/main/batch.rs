//! Batches give the bytes of one message at a time, whatever their mix, and one bad
//! message hides none of the others. Drawn ones are in the conformance tests; here are
//! lengths one by one, and what is no batch at all.

use sivka::{Algorithm, BatchAad, BatchText, Error, Status, Tier};
use sivka_judge::OneKey;
use sivka_judge::conformance::{self, Many};
use sivka_judge::shapes::{
    AadForm, Base, BatchForm, Bit, Forged, ForgedPart, Messages, NonceStyle, Shape, SplitMix64,
};
use sivka_oracle::lengths::painted;

/// Each form of texts and AADs, with forgeries of any part.
const FORMS: [Shape; 2] = [
    Shape {
        nonce: NonceStyle::Distinct,
        base: Base::Later,
        batch: BatchForm::List,
        forged: Forged::Independent,
        part: ForgedPart::Any,
        bit: Bit::Random,
        ..Shape::PLAIN
    },
    Shape {
        aad_form: AadForm::Contiguous,
        nonce: NonceStyle::Boundary,
        forged: Forged::Alternating,
        part: ForgedPart::Length,
        bit: Bit::Random,
        ..Shape::PLAIN
    },
];

/// Texts and AADs of these lengths, in one of the forms, on every tier.
fn check(algorithm: &Algorithm, lens: &[(usize, usize)], form: usize) {
    let reference = conformance::algorithm(algorithm.name());
    let key = painted(3, algorithm.key_len());
    let (shape, lens) = (FORMS[form % FORMS.len()], lens.to_vec());
    let messages = Messages::of_lens(shape, reference.parts(), lens, &mut SplitMix64::new(1));
    let mut many = Many::new(reference, &key, &messages);
    for tier in Tier::available() {
        many.check(&OneKey::new(algorithm, &key, tier));
    }
}

#[test]
fn every_count_of_equal_messages() {
    for algorithm in Algorithm::all() {
        for count in 0..=67 {
            check(algorithm, &vec![(16, 16); count], count);
            check(algorithm, &vec![(count, 0); count], count + 1);
            check(algorithm, &vec![(4, 0); count], 1);
        }
    }
}

/// First no tag shares a bit with the right one: what looks at all of a group at once sees none
/// alike. Then one message alone is forged, in each place of whole groups and of a part of one.
#[test]
fn all_forged_or_one_alone() {
    const COUNT: usize = 70;
    for algorithm in Algorithm::all() {
        let (key, tag_len) = (painted(3, algorithm.key_len()), algorithm.tag_len());
        for tier in Tier::available() {
            let key = algorithm.new_key_with_tier(&key, tier).unwrap();
            let nonces = vec![1; COUNT * algorithm.nonce_len()];
            let plaintext = painted(2, 16 * COUNT);
            let mut sealed = plaintext.clone();
            let offsets: Vec<usize> = (0..=COUNT).map(|i| 16 * i).collect();
            let mut tags = vec![0; COUNT * tag_len];
            let mut statuses = [Status::Done; COUNT];
            let in_out = BatchText::Contiguous { bytes: &mut sealed, offsets: &offsets };
            let aad = BatchAad::Common(b"aad");
            key.seal_batch(&nonces, aad, in_out, &mut tags, &mut statuses).unwrap();
            let mut open = |tags: &[u8]| {
                let mut texts = sealed.clone();
                let in_out = BatchText::Contiguous { bytes: &mut texts, offsets: &offsets };
                let opened = key.open_batch(&nonces, aad, in_out, tags, &mut statuses);
                (opened, texts)
            };
            for forge in [|_: u8| 0, |byte: u8| !byte] {
                let forged: Vec<u8> = tags.iter().map(|byte| forge(*byte)).collect();
                let refused = (Err(Error::Batch { failed: COUNT }), vec![0; 16 * COUNT]);
                assert!(open(&forged) == refused, "{algorithm} on {tier}");
            }
            for i in 0..COUNT {
                let mut forged = tags.clone();
                forged[i * tag_len] ^= 1;
                let mut opened = plaintext.clone();
                opened[16 * i..][..16].fill(0);
                let refused = (Err(Error::Batch { failed: 1 }), opened);
                assert!(open(&forged) == refused, "{i}, {algorithm} on {tier}");
            }
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
                check(algorithm, &rising.collect::<Vec<_>>(), i);
            }
            check(algorithm, &falling.collect::<Vec<_>>(), i + 1);
        }
    }
}

/// Of long messages that are sealed, two are under way at once: each before and after others of
/// other lengths around the strides of a tier, few of them and many, with short ones between.
#[test]
fn long_messages_before_and_after_others() {
    const LENS: [usize; 12] = [127, 128, 129, 256, 511, 512, 513, 1023, 1100, 1536, 1700, 2060];
    for algorithm in Algorithm::all() {
        for (i, long) in LENS.into_iter().enumerate() {
            let (other, another) = (LENS[i * 5 % 12], LENS[(i * 7 + 1) % 12]);
            let lens = [long, 1040, other, 2080, 0, 1290, another, long, 15];
            let lens = lens.map(|len| (len, len % 70));
            check(algorithm, &lens[..2 + i % 8], i);
            check(algorithm, &lens.repeat(3), i + 1);
        }
    }
}

/// Short messages are worked on together and long ones by themselves, in whatever order they
/// come: runs of messages that wait for each other, and ends of batches within them.
#[test]
fn short_and_long_messages_in_turns() {
    for algorithm in Algorithm::all().iter().filter(|row| row.name().contains("-SIV")) {
        for (form, count) in [3, 15, 16, 17, 40, 150].into_iter().enumerate() {
            let lens = (0..count).map(|i| match i % 5 {
                0 | 3 => 29 * i % 131,
                1 => 67 * i % 2100,
                _ => 977 * i % 3001,
            });
            check(algorithm, &lens.map(|len| (len, 3)).collect::<Vec<_>>(), form);
        }
    }
}

/// Messages of one length go another way than those of many; a single one among them makes
/// all of its group go the other. So do messages that differ and are together as long as if none
/// did.
#[test]
fn columns_and_columns_with_one_other() {
    for algorithm in Algorithm::all() {
        for (i, text_len) in [1, 15, 17, 33, 48, 63, 64, 500, 512].into_iter().enumerate() {
            for aad_len in [0, 5, 64] {
                let mut lens = vec![(text_len, aad_len); 33 + 9 * i];
                check(algorithm, &lens, i);
                lens[11 * i % 33] = (text_len - 1, aad_len);
                check(algorithm, &lens, i + 1);
            }
        }
        for text_lens in [&[8, 4, 12][..], &[8, 4, 12, 4, 12], &[8, 4, 4, 16]] {
            check(algorithm, &text_lens.iter().map(|len| (*len, 0)).collect::<Vec<_>>(), 0);
        }
    }
}

/// A group whose AADs were all empty did not take them, and every message after it had the AAD
/// of one before: whole groups without AAD, then others, for a group of any size.
#[test]
fn groups_without_aad_before_groups_with_it() {
    for algorithm in Algorithm::all() {
        for group in [4, 8, 15, 16, 17, 31, 32, 33, 64, 65] {
            let empty = vec![(20, 0); group];
            let others = (0..2 * group).map(|i| (20, 1 + i / group * 20));
            check(algorithm, &empty.into_iter().chain(others).collect::<Vec<_>>(), group);
        }
    }
}

/// A length that is not what it must be: which part, and what is expected and given.
type Wrong = (&'static str, usize, usize);

#[test]
fn parts_that_do_not_fit_are_misuse_and_nothing_is_written() {
    for algorithm in Algorithm::all() {
        let key = algorithm.new_key(&painted(3, algorithm.key_len())).unwrap();
        let (nonce_len, tag_len) = (algorithm.nonce_len(), algorithm.tag_len());
        let check = |offsets: &[usize], nonces: usize, tags: usize, aad, wrong: Wrong| {
            let (what, expected, given) = wrong;
            let expected = Err(Error::BatchShape { what, expected, given });
            let (mut bytes, nonces) = (*b"message", vec![0; nonces]);
            let mut tags = vec![9; tags];
            let mut statuses = [Status::TooLong; 2];
            let text = BatchText::Contiguous { bytes: &mut bytes, offsets };
            let sealed = key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses);
            assert_eq!(sealed, expected, "{algorithm}");
            let text = BatchText::Contiguous { bytes: &mut bytes, offsets };
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
        let beyond = BatchAad::Contiguous { bytes: b"", offsets: &[0, 0, 1] };
        check(fits, nonces, tags, beyond, ("aad offsets", 0, 1));
    }
}
