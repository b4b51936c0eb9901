//! Forgeries whose right tag agrees with the given one up to a byte that the seed chooses.
//!
//! With a tag that is also where decryption starts, a changed bit gives another plaintext,
//! and that another tag, which differs from the first byte on. A comparison that stops at
//! the first difference would always stop there, and nothing would show.

use crate::secret::{Seed, WHEN_USED};
use sivka::Algorithm;
use sivka_oracle::chacha20_blake2b::{Context, encryption_key};
use sivka_oracle::{aes_siv, chacha20, gcm_siv};

/// Changes a bit of `tag`, and makes `text` one that decrypts under it to the same plaintext. `len`
/// is the length of all the texts that are drawn from the seed; this is the first.
pub(super) fn forge(
    algorithm: &Algorithm,
    seed: Seed,
    nonce: &[u8],
    len: usize,
    text: &mut [u8],
    tag: &mut [u8],
) {
    tag[seed.place(tag.len())] ^= 0x40;
    // The oracle wipes nothing, and who searches compares no times.
    if WHEN_USED.get().is_some() {
        return;
    }
    let secrets = seed.unmarked();
    let (key, plaintext) = (secrets.bytes(algorithm.key_len()), secrets.bytes(len));
    let mut plaintext = plaintext[..text.len()].to_vec();
    if algorithm.name().ends_with("GCM-SIV") {
        let start = tag.first_chunk().expect("tags have 16 bytes");
        let keys = gcm_siv::derive_keys(&key, nonce);
        text.copy_from_slice(&gcm_siv::aes_ctr(&keys, start, &plaintext));
    } else if algorithm.name().starts_with("AES-SIV") {
        let start = tag.first_chunk().expect("tags have 16 bytes");
        text.copy_from_slice(&aes_siv::ctr(&key[key.len() / 2..], start, &plaintext));
    } else if algorithm.name().contains("-SIV") {
        let key = key.first_chunk().expect("keys have 32 bytes");
        let start = tag.first_chunk().expect("tags have at least 32 bytes");
        let ke = encryption_key(key, Context::of("XChaCha20-BLAKE2b-SIV").encryption);
        chacha20::xchacha20_xor(&ke, start, &mut plaintext);
        text.copy_from_slice(&plaintext);
    }
}
