//! The known answer, from the oracle.

use super::TagBytes;
use super::known_answer::{CHECKED_LENGTHS, KNOWN_ANSWER};
use sivka_oracle::chacha20_blake2b as oracle;

/// Takes over a link of the chain: the ciphertext into `message`, the tag as the next
/// link's AAD.
fn link(message: &mut [u8], sealed: &[u8]) -> TagBytes {
    let (ciphertext, tag) = sealed.split_at(message.len());
    message.copy_from_slice(ciphertext);
    let mut last = [0; 64];
    last[..tag.len()].copy_from_slice(tag);
    last
}

/// The chain of `known_answer`, every link sealed by the oracle.
#[test]
fn the_known_answer_is_the_oracles() {
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    let mut message: [u8; 2200] = core::array::from_fn(|i| (i % 251) as u8);
    let mut last = [0; 64];
    for (i, len) in CHECKED_LENGTHS.into_iter().enumerate() {
        let tag_len = [32, 48, 64][i % 3];
        let nonce8 = core::array::from_fn(|i| last[i]);
        let nonce24 = core::array::from_fn(|i| last[i]);
        let (aad, text) = (last, &mut message[..len]);
        let sealed = oracle::chacha20_blake2b_seal(&key, &nonce8, &aad, text, tag_len);
        let aad = link(text, &sealed);
        let sealed = oracle::xchacha20_blake2b_seal(&key, &nonce24, &aad, text, tag_len);
        let aad = link(text, &sealed);
        let sealed = oracle::xchacha20_blake2b_siv_seal(&key, &aad, text, 64);
        last = link(text, &sealed);
    }
    assert_eq!(last, KNOWN_ANSWER, "{last:02x?}");
}
