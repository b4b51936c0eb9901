//! What the ChaCha20-BLAKE2b family promises beyond what the conformance tests ask of every AEAD:
//! commitment.

use sivka::{Algorithm, Error, Tier};
use sivka_oracle::lengths::painted;

/// Every key and AAD made from `key` and `aad` by a small change that the conformance tests do not
/// make. Some move the border between AAD and ciphertext, which the lengths in the tag's input must
/// tell.
fn others(key: [u8; 32], aad: &[u8], ciphertext: &[u8]) -> Vec<([u8; 32], Vec<u8>)> {
    let changed = (0..256).map(|bit| {
        let mut other = key;
        other[bit / 8] ^= 1 << (bit % 8);
        (other, aad.to_vec())
    });
    let moved = [aad[1..].to_vec(), [aad, &ciphertext[..1]].concat(), Vec::new()];
    changed.chain(moved.map(|aad| (key, aad))).collect()
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
