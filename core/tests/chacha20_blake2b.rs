//! What the ChaCha20-BLAKE2b family promises beyond what the suite asks of every AEAD:
//! commitment, determinism, batches.

use sivka::XChaCha20Blake2bSiv;
use sivka::{ChaCha20Blake2b, Error, LongTag, LongTagMessage, TagLen, Tier, XChaCha20Blake2b};
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
    ($test:ident, $key:ident, $nonce:expr, $seal:expr) => {
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
                    let mut buffers = texts.clone();
                    let mut batch: Vec<_> = (0..)
                        .zip(buffers.iter_mut().zip(&aads))
                        .map(|(i, (text, aad))| LongTagMessage::to_seal($nonce(i), aad, text))
                        .collect();
                    assert_eq!(key.seal_batch(&mut batch), Ok(()));
                    let tags: Vec<_> = batch.iter().map(|message| message.tag).collect();
                    for (i, (text, aad)) in (0..).zip(texts.iter().zip(&aads)) {
                        let expected: Vec<u8> = $seal(i, aad, text, tag_len.bytes());
                        let ours = [
                            &buffers[usize::from(i)][..],
                            tags[usize::from(i)].as_bytes(),
                        ]
                        .concat();
                        assert!(ours == expected, "message {i} of {count} on {tier}");
                    }
                    // One forgery among them fails alone.
                    let forged = count / 2;
                    let mut batch: Vec<_> = (0..)
                        .zip(buffers.iter_mut().zip(&aads).zip(&tags))
                        .map(|(i, ((text, aad), tag))| {
                            LongTagMessage::to_open($nonce(i), aad, text, *tag)
                        })
                        .collect();
                    if let Some(message) = batch.get_mut(forged) {
                        let mut tag = message.tag.as_bytes().to_vec();
                        tag[count % tag_len.bytes()] ^= 0x10;
                        message.tag = LongTag::try_from(&tag[..]).unwrap();
                    }
                    let opened = key.open_batch(&mut batch);
                    assert_eq!(opened, if count == 0 { Ok(()) } else { Err(Error::Open) });
                    for (i, message) in batch.iter().enumerate() {
                        assert_eq!(
                            message.status.is_err(),
                            i == forged,
                            "message {i} of {count} on {tier}"
                        );
                    }
                    for (i, (buffer, text)) in buffers.iter().zip(&texts).enumerate() {
                        if i == forged {
                            assert!(buffer.iter().all(|byte| *byte == 0), "not wiped on {tier}");
                        } else {
                            assert!(buffer == text, "message {i} of {count} on {tier}");
                        }
                    }
                }
            }
        }
    };
}
batches_equal_the_oracle!(
    chacha20_blake2b_batches,
    ChaCha20Blake2b,
    |i: u8| [i; 8],
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
    |i: u8| [i; 24],
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
    |_: u8| (),
    |_: u8, aad: &[u8], text: &[u8], tag_len| oracle::xchacha20_blake2b_siv_seal(
        &[0x17; 32],
        aad,
        text,
        tag_len
    )
);
