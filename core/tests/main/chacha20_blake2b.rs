//! What the ChaCha20-BLAKE2b family promises beyond what the conformance tests ask of every AEAD:
//! commitment, tags of several lengths.

use sivka::{Algorithm, Error, LongTag, TagLen, Tier, XChaCha20Blake2bSiv};
use sivka_oracle::lengths::painted;

/// Every key and AAD made from `key` and `aad` by a small change that the conformance tests do not
/// make. Some move the border between AAD and ciphertext, which the lengths in the tag's input must
/// tell.
fn others(key: [u8; 32], aad: &[u8], ciphertext: &[u8]) -> Vec<([u8; 32], Vec<u8>)> {
    let mut others = Vec::new();
    for bit in 0..256 {
        let mut other = key;
        other[bit / 8] ^= 1 << (bit % 8);
        others.push((other, aad.to_vec()));
    }
    others.push((key, aad[1..].to_vec()));
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
