//! What the ChaCha20-BLAKE2b family promises beyond what the conformance tests ask of every AEAD:
//! commitment, determinism, tags of several lengths.

use sivka::{Algorithm, BatchAad, BatchText, Error, LongTag, Status, TagLen, Tier};
use sivka::{XChaCha20Blake2b, XChaCha20Blake2bSiv};
use sivka_oracle::lengths::painted;

/// Every key and AAD made from `key` and `aad` by a small change. Some move the border between
/// AAD and ciphertext, which the lengths in the tag's input must tell.
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
    let (key_bytes, aad, text) = ([0x42; 32], painted(3, 20), painted(9, 150));
    let family = Algorithm::all().iter().filter(|algorithm| algorithm.name().contains("BLAKE2b"));
    let mut ran = 0;
    for (algorithm, tier) in family.flat_map(|row| Tier::available().map(move |tier| (row, tier))) {
        let nonce = vec![1; algorithm.nonce_len()];
        let key = algorithm.new_key_with_tier(&key_bytes, tier).unwrap();
        let sealed = key.seal_with_nonce(&nonce, &text, &aad).unwrap();
        for (other_key, other_aad) in others(key_bytes, &aad, &sealed) {
            let other = algorithm.new_key_with_tier(&other_key, tier).unwrap();
            let opened = other.open_with_nonce(&nonce, &sealed, &other_aad);
            assert_eq!(opened, Err(Error::Open), "{algorithm} on {tier}");
        }
        let opened = key.open_with_nonce(&nonce, &sealed, &aad);
        assert_eq!(opened.as_ref(), Ok(&text), "{algorithm} on {tier}");
        ran += 1;
    }
    assert_eq!(ran, 9 * Tier::available().count());
}

/// A shorter tag is another hash, so no tag is the beginning of a longer one.
#[test]
fn tags_of_two_lengths_have_nothing_in_common() {
    let [short, middle, long] =
        [TagLen::Bytes32, TagLen::Bytes48, TagLen::Bytes64].map(|tag_len| {
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

/// Short messages are worked on together and long ones by themselves, in whatever order they
/// come: each is what it is alone, and none is lost after one that does not open.
#[test]
fn a_batch_of_any_lengths_is_its_messages_one_by_one() {
    // Runs of messages that wait for each other, and ends of batches within them.
    for (count, tier) in [3, 15, 16, 17, 40, 150]
        .into_iter()
        .flat_map(|count| Tier::available().map(move |tier| (count, tier)))
    {
        let key = XChaCha20Blake2bSiv::of_len_on_tier(&[1; 32], TagLen::Bytes48, tier);
        let lens = (0..count).map(|i| match i % 5 {
            0 | 3 => 29 * i % 131,
            1 => 67 * i % 2100,
            _ => 977 * i % 3001,
        });
        let texts: Vec<Vec<u8>> = lens.map(|len| painted(len, len)).collect();
        let mut offsets = vec![0];
        offsets.extend(texts.iter().scan(0, |end, text| {
            *end += text.len();
            Some(*end)
        }));
        let plaintext = texts.concat();
        let mut bytes = plaintext.clone();
        let mut tags = vec![[0; 48]; count];
        let mut statuses = vec![Status::Refused; count];
        let aad = BatchAad::Common(b"aad");
        let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
        key.seal_batch(&[], aad, text, tags.as_flattened_mut(), &mut statuses).unwrap();
        assert!(statuses.iter().all(|status| *status == Status::Done));
        for (i, (text, tag)) in texts.iter().zip(&tags).enumerate() {
            let mut alone = text.clone();
            let expected = key.seal_in_place(&[], b"aad", &mut alone).unwrap();
            let sealed = &bytes[offsets[i]..offsets[i + 1]];
            assert!(sealed == alone, "text {i} of {count} on {tier}");
            assert_eq!(tag[..], *expected.as_bytes(), "{i} of {count}");
        }
        let is_forged = |i: usize| i % 7 == 2;
        for i in (0..count).filter(|i| is_forged(*i)) {
            tags[i][i % 48] ^= 1;
        }
        let text = BatchText::Contiguous { bytes: &mut bytes, offsets: &offsets };
        let failed = (0..count).filter(|i| is_forged(*i)).count();
        let opened = key.open_batch(&[], aad, text, tags.as_flattened(), &mut statuses);
        assert_eq!(opened, Err(Error::Batch { failed }), "{count} on {tier}");
        for i in 0..count {
            let place = offsets[i]..offsets[i + 1];
            if is_forged(i) {
                assert_eq!(statuses[i], Status::NotOpened, "{i} of {count} on {tier}");
                assert!(bytes[place].iter().all(|byte| *byte == 0));
            } else {
                assert_eq!(statuses[i], Status::Done, "{i} of {count} on {tier}");
                assert!(bytes[place.clone()] == plaintext[place], "{i} of {count}");
            }
        }
    }
}

/// A tag of another length is the caller's mistake, and nothing is written.
#[test]
fn a_tag_of_another_length_is_refused() {
    let key = XChaCha20Blake2bSiv::with_tag_len(&[1; 32], TagLen::Bytes48);
    let refused = Err(Error::TagLen { expected: 48, given: 64 });
    let (mut in_out, tag) = (*b"message", LongTag::from([0; 64]));
    assert_eq!(key.open_in_place(&[], b"aad", &mut in_out, &tag), refused);
    let opened = key.open_into(&[], b"another", b"aad", &tag, &mut in_out);
    assert_eq!((opened, &in_out), (refused, b"message"));
}
