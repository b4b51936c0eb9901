//! What the ChaCha20-BLAKE2b family promises beyond what the suite asks of every AEAD:
//! commitment, determinism, batches.

use sivka::{BatchAad, BatchText, ChaCha20Blake2b, Error, LongTag, Status, TagLen, Tier};
use sivka::{XChaCha20Blake2b, XChaCha20Blake2bSiv};
use sivka_oracle::chacha20_blake2b as oracle;
use sivka_oracle::lengths::painted;

const TAG_LENGTHS: [TagLen; 3] = [TagLen::Bytes32, TagLen::Bytes48, TagLen::Bytes64];

/// Every key and AAD made from `key` and `aad` by a small change, and some that move the
/// border between AAD and ciphertext, which the lengths in the tag's input must tell.
fn others(key: [u8; 32], aad: &[u8], ciphertext: &[u8]) -> Vec<([u8; 32], Vec<u8>)> {
    let mut others = Vec::new();
    for bit in 0..256 {
        let mut other = key;
        other[bit / 8] ^= 1 << (bit % 8);
        others.push((other, aad.to_vec()));
    }
    for bit in 0..8 * aad.len() {
        let mut other = aad.to_vec();
        other[bit / 8] ^= 1 << (bit % 8);
        others.push((key, other));
    }
    others.push((key, aad[1..].to_vec()));
    others.push((key, aad[..aad.len() - 1].to_vec()));
    others.push((key, [aad, &[0]].concat()));
    others.push((key, [aad, &ciphertext[..1]].concat()));
    others.push((key, Vec::new()));
    others
}

/// A ciphertext with its tag opens under its own key and AAD, and under none made from
/// them. (No test shows the strength; it is BLAKE2b's.)
#[test]
fn a_ciphertext_opens_under_no_other_key_and_aad() {
    let (key, aad) = ([0x42; 32], painted(3, 20));
    for tier in Tier::available() {
        for tag_len in TAG_LENGTHS {
            let seal8 = ChaCha20Blake2b::with_tier(&key, tag_len, tier);
            let seal24 = XChaCha20Blake2b::with_tier(&key, tag_len, tier);
            let siv = XChaCha20Blake2bSiv::with_tier(&key, tag_len, tier);
            let text = painted(9, 150);
            let sealed8 = seal8.seal_with_nonce(&[1; 8], &text, &aad).unwrap();
            let sealed24 = seal24.seal_with_nonce(&[1; 24], &text, &aad).unwrap();
            let sealed_siv = siv.seal(&text, &aad).unwrap();
            for (key, aad) in others(key, &aad, &sealed8) {
                let opened = ChaCha20Blake2b::with_tier(&key, tag_len, tier)
                    .open_with_nonce(&[1; 8], &sealed8, &aad);
                assert_eq!(opened, Err(Error::Open), "{tier}");
                let opened = XChaCha20Blake2b::with_tier(&key, tag_len, tier)
                    .open_with_nonce(&[1; 24], &sealed24, &aad);
                assert_eq!(opened, Err(Error::Open), "{tier}");
                let opened =
                    XChaCha20Blake2bSiv::with_tier(&key, tag_len, tier).open(&sealed_siv, &aad);
                assert_eq!(opened, Err(Error::Open), "{tier}");
            }
            assert_eq!(
                seal8.open_with_nonce(&[1; 8], &sealed8, &aad).as_ref(),
                Ok(&text)
            );
            assert_eq!(
                seal24.open_with_nonce(&[1; 24], &sealed24, &aad).as_ref(),
                Ok(&text)
            );
            assert_eq!(siv.open(&sealed_siv, &aad).as_ref(), Ok(&text));
        }
    }
}

/// A shorter tag is another hash, so no tag is the beginning of a longer one.
#[test]
fn tags_of_two_lengths_have_nothing_in_common() {
    let [short, middle, long] = TAG_LENGTHS.map(|tag_len| {
        let key = XChaCha20Blake2bSiv::with_tag_len(&[3; 32], tag_len);
        key.seal(b"", b"aad").unwrap()
    });
    assert_eq!([short.len(), middle.len(), long.len()], [32, 48, 64]);
    assert!(!long.starts_with(&middle) && !long.starts_with(&short) && !middle.starts_with(&short));
}

#[test]
fn siv_is_deterministic_and_random_nonces_are_not() {
    let siv = XChaCha20Blake2bSiv::new(&[5; 32]);
    assert_eq!(siv.seal(b"text", b"aad"), siv.seal(b"text", b"aad"));
    assert_ne!(siv.seal(b"text", b"aad"), siv.seal(b"text", b"AAD"));
    let key = XChaCha20Blake2b::new(&[5; 32]);
    assert_ne!(key.seal(b"text", b"aad"), key.seal(b"text", b"aad"));
}

/// Lengths of a batch: all alike, all different, with long AADs among them.
fn lengths(count: usize, seed: usize) -> Vec<(usize, usize)> {
    (0..count)
        .map(|i| match seed {
            0 => (1000, 16),
            _ => ((i * i * 377 + seed * 991) % 3000, (i * 131 * seed) % 400),
        })
        .collect()
}

macro_rules! batches_equal_the_oracle {
    ($test:ident, $key:ident, [$($nonces:expr)?], $seal:expr) => {
        #[test]
        fn $test() {
            for tier in Tier::available() {
                for (count, seed) in (0..=20).flat_map(|count| [(count, 0), (count, 1), (count, 2)])
                {
                    let tag_len = TAG_LENGTHS[(count + seed) % 3];
                    let key = $key::with_tier(&[0x17; 32], tag_len, tier);
                    let lengths = lengths(count, seed);
                    let texts: Vec<_> =
                        lengths.iter().map(|(len, _)| painted(*len, *len)).collect();
                    let aads: Vec<_> = lengths.iter().map(|(_, len)| painted(*len, *len)).collect();
                    let aads: Vec<_> = aads.iter().map(Vec::as_slice).collect();
                    let mut tags = vec![LongTag::from([9; 32]); count];
                    let mut statuses = vec![Status::NotOpened; count];

                    // Sealed in one buffer.
                    let mut sealed = texts.concat();
                    let mut offsets = vec![0];
                    offsets.extend(lengths.iter().scan(0, |end, (len, _)| {
                        *end += len;
                        Some(*end)
                    }));
                    let text = BatchText::Contiguous { bytes: &mut sealed, offsets: &offsets };
                    let aad = BatchAad::Slices(&aads);
                    let done = key.seal_batch($(&$nonces(count),)? aad, text, &mut tags, &mut statuses);
                    assert_eq!(done, Ok(()));
                    assert!(statuses.iter().all(|status| *status == Status::Done));
                    for (i, (text, aad)) in (0..).zip(texts.iter().zip(&aads)) {
                        let expected: Vec<u8> = $seal(i as u8, aad, text, tag_len.bytes());
                        let ours = [&sealed[offsets[i]..offsets[i + 1]], tags[i].as_bytes()].concat();
                        assert!(ours == expected, "message {i} of {count} on {tier}");
                    }

                    // Opened in slices of their own: one forgery among them fails alone.
                    let forged = count / 2;
                    if let Some(tag) = tags.get_mut(forged) {
                        let mut bytes = tag.as_bytes().to_vec();
                        bytes[count % tag_len.bytes()] ^= 0x10;
                        *tag = LongTag::try_from(&bytes[..]).unwrap();
                    }
                    let mut left = sealed.as_mut_slice();
                    let mut slices: Vec<_> = lengths
                        .iter()
                        .map(|(len, _)| left.split_off_mut(..*len).unwrap())
                        .collect();
                    let text = BatchText::Slices(&mut slices);
                    let opened = key.open_batch($(&$nonces(count),)? aad, text, &tags, &mut statuses);
                    let failure = Err(Error::Batch { failed: 1 });
                    assert_eq!(opened, if count == 0 { Ok(()) } else { failure });
                    for (i, text) in texts.iter().enumerate() {
                        let opened = &sealed[offsets[i]..offsets[i + 1]];
                        if i == forged {
                            assert_eq!(statuses[i], Status::NotOpened, "message {i} of {count} on {tier}");
                            assert!(opened.iter().all(|byte| *byte == 0), "not wiped on {tier}");
                        } else {
                            assert_eq!(statuses[i], Status::Done, "message {i} of {count} on {tier}");
                            assert!(opened == text, "message {i} of {count} on {tier}");
                        }
                    }
                }
            }
        }
    };
}

fn nonces<const LEN: usize>(count: usize) -> Vec<[u8; LEN]> {
    (0..count).map(|i| [i as u8; LEN]).collect()
}

batches_equal_the_oracle!(
    chacha20_blake2b_batches,
    ChaCha20Blake2b,
    [nonces::<8>],
    |i: u8, aad: &[u8], text: &[u8], tag_len| oracle::chacha20_blake2b_seal(
        &[0x17; 32],
        &[i; 8],
        aad,
        text,
        tag_len
    )
);
batches_equal_the_oracle!(
    xchacha20_blake2b_batches,
    XChaCha20Blake2b,
    [nonces::<24>],
    |i: u8, aad: &[u8], text: &[u8], tag_len| oracle::xchacha20_blake2b_seal(
        &[0x17; 32],
        &[i; 24],
        aad,
        text,
        tag_len
    )
);
batches_equal_the_oracle!(
    xchacha20_blake2b_siv_batches,
    XChaCha20Blake2bSiv,
    [],
    |_: u8, aad: &[u8], text: &[u8], tag_len| oracle::xchacha20_blake2b_siv_seal(
        &[0x17; 32],
        aad,
        text,
        tag_len
    )
);

/// A tag of another length is the caller's mistake, for that message alone.
#[test]
fn a_batch_refuses_a_tag_of_another_length_and_opens_the_rest() {
    for tier in Tier::available() {
        let key = XChaCha20Blake2bSiv::with_tier(&[1; 32], TagLen::Bytes48, tier);
        let (mut bytes, offsets) = (*b"onetwothree", [0, 3, 6, 11]);
        let mut tags = [LongTag::from([0; 32]); 3];
        let mut statuses = [Status::Done; 3];
        let aad = BatchAad::Common(b"aad");
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets: &offsets,
        };
        key.seal_batch(aad, text, &mut tags, &mut statuses).unwrap();
        let sealed = bytes;
        tags[1] = LongTag::try_from(&tags[1].as_bytes()[..32]).unwrap();
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets: &offsets,
        };
        let opened = key.open_batch(aad, text, &tags, &mut statuses);
        assert_eq!(opened, Err(Error::Batch { failed: 1 }), "{tier}");
        assert_eq!(statuses, [Status::Done, Status::Refused, Status::Done]);
        assert_eq!((&bytes[..3], &bytes[6..]), (&b"one"[..], &b"three"[..]));
        assert_eq!(bytes[3..6], sealed[3..6]);
    }
}

#[test]
fn random_nonces_of_a_batch_are_written() {
    let key = XChaCha20Blake2b::new(&[1; 32]);
    let mut nonces = [[0; 24]; 3];
    let mut bytes = *b"aabbcc";
    let (mut tags, mut statuses) = ([LongTag::from([0; 32]); 3], [Status::Done; 3]);
    let text = BatchText::Contiguous {
        bytes: &mut bytes,
        offsets: &[0, 2, 4, 6],
    };
    let aad = BatchAad::Common(b"");
    key.seal_batch_with_random_nonces(&mut nonces, aad, text, &mut tags, &mut statuses)
        .unwrap();
    assert!(nonces[0] != nonces[1] && nonces[1] != nonces[2] && nonces[0] != [0; 24]);
    let opened = key.open_in_place(&nonces[1], b"", &mut bytes[2..4], &tags[1]);
    assert_eq!((opened, &bytes[2..4]), (Ok(()), &b"bb"[..]));
}

#[test]
fn parts_that_do_not_fit_are_misuse_and_nothing_is_written() {
    let key = ChaCha20Blake2b::new(&[1; 32]);
    let siv = XChaCha20Blake2bSiv::new(&[1; 32]);
    let misuse = |what, expected, given| {
        Err(Error::BatchShape {
            what,
            expected,
            given,
        })
    };
    let aad = BatchAad::Common(b"");
    let mut bytes = *b"message";
    let mut tags = [LongTag::from([9; 32]); 3];
    let mut statuses = [Status::NotOpened; 3];
    for (nonces, tag_count, status_count, offsets, expected) in [
        (2, 1, 2, &[0, 3, 7][..], misuse("tags", 2, 1)),
        (2, 2, 3, &[0, 3, 7], misuse("statuses", 2, 3)),
        (2, 2, 2, &[0, 7], misuse("text offsets", 3, 2)),
        (2, 2, 2, &[0, 4, 8], misuse("text offsets", 7, 8)),
    ] {
        let nonces = vec![[0; 8]; nonces];
        let (tags, statuses) = (&mut tags[..tag_count], &mut statuses[..status_count]);
        let bytes = &mut bytes;
        let text = BatchText::Contiguous { bytes, offsets };
        assert_eq!(key.seal_batch(&nonces, aad, text, tags, statuses), expected);
        let text = BatchText::Contiguous { bytes, offsets };
        assert_eq!(key.open_batch(&nonces, aad, text, tags, statuses), expected);
    }
    for (tag_count, status_count, offsets, expected) in [
        (1, 2, &[0, 3, 7][..], misuse("tags", 2, 1)),
        (3, 2, &[0, 3, 7], misuse("tags", 2, 3)),
        (2, 2, &[0, 4, 3], misuse("text offsets", 4, 3)),
    ] {
        let (tags, statuses) = (&mut tags[..tag_count], &mut statuses[..status_count]);
        let bytes = &mut bytes;
        let text = BatchText::Contiguous { bytes, offsets };
        assert_eq!(siv.seal_batch(aad, text, tags, statuses), expected);
        let text = BatchText::Contiguous { bytes, offsets };
        assert_eq!(siv.open_batch(aad, text, tags, statuses), expected);
    }
    assert_eq!(&bytes, b"message");
    assert_eq!(tags, [LongTag::from([9; 32]); 3]);
    assert_eq!(statuses, [Status::NotOpened; 3]);
}
