//! The attack that the slots' commitments are for.
//!
//! AES-GCM-SIV commits to nothing: one wrapped key and tag that are authentic under two
//! wrapping keys come out of two linear equations in the two blocks of ciphertext.

use super::reference::{Payload, Slot, argon2id, fixed, header, prefix, wrapping_key};
use sivka_oracle::aes::Aes;
use sivka_oracle::gcm_siv;
use sivka_oracle::polyval::{dot, inverse, polyval};

const COST: [u32; 3] = [64, 1, 1];

/// A file whose slot unwraps under both passphrases, and commits to the first. Its MAC
/// and its payload are right for what `opens_for`, one of the two, unwraps.
pub(crate) fn file(passphrases: [&str; 2], opens_for: &str, plaintext: &[u8]) -> Vec<u8> {
    let prefix = prefix(1, 1);
    let salt = fixed("two passphrases");
    let keys = passphrases.map(|text| wrapping_key(2, &salt, &argon2id(text, COST, &salt)).0);
    let mut slot = Slot::passphrase(passphrases[0], COST, salt, [0; 32]).encode(&prefix);
    let wrapped_at = slot.len() - 48;
    let aad = [&prefix[..], &slot[..wrapped_at]].concat();
    let wrapped = unwraps_twice([&keys[0], &keys[1]], &aad);
    slot[wrapped_at..].copy_from_slice(&wrapped);

    let file_keys = keys.map(|key| -> [u8; 32] {
        let file_key = gcm_siv::open(&key, &[0; 12], &aad, &wrapped);
        file_key
            .expect("authentic under both")
            .try_into()
            .expect("32 bytes")
    });
    assert_ne!(file_keys[0], file_keys[1]);
    let file_key = file_keys[usize::from(opens_for == passphrases[1])];
    let payload = Payload::new(1, &file_key, &fixed("payload salt"), plaintext);
    [header(&prefix, &[slot], &file_key), payload.to_bytes()].concat()
}

/// 32 bytes of ciphertext and a tag that open under both keys, nonce zero.
fn unwraps_twice(keys: [&[u8]; 2], aad: &[u8]) -> Vec<u8> {
    let keys = keys.map(|key| gcm_siv::derive_keys(key, &[0; 12]));
    for attempt in 0_u8.. {
        let tag = [attempt; 16];
        // POLYVAL's result before the AES that makes it the tag; its top bit must be 0.
        let sums = [0, 1]
            .map(|i: usize| u128::from_le_bytes(Aes::new(&keys[i].encryption).decrypt_block(tag)));
        if sums.iter().any(|sum| sum >> 127 == 1) {
            continue;
        }
        // For key i: S = ((A + p1) H + p2) H + L) H with p = c + keystream, which is
        // c1 H^3 + c2 H^2 = r.
        let rows = [0, 1].map(|i: usize| {
            let h = u128::from_le_bytes(keys[i].authentication);
            let keystream = keystream(&keys[i].encryption, &tag);
            let mut blocks: Vec<u128> = padded(aad);
            blocks.extend(keystream);
            blocks.push((aad.len() as u128 * 8) | (32 * 8) << 64);
            let (h2, h3) = (dot(h, h), dot(dot(h, h), h));
            (h3, h2, polyval(h, &blocks) ^ sums[i])
        });
        // Cramer's rule; `dot` carries a constant factor that its inverse takes out.
        // POLYVAL's powers are powers under `dot`, so the rows multiply by `dot` too.
        let [(a, b, r), (c, d, s)] = rows;
        let determinant = inverse(dot(a, d) ^ dot(b, c));
        let first = dot(dot(r, d) ^ dot(b, s), determinant);
        let second = dot(dot(a, s) ^ dot(r, c), determinant);
        return [first.to_le_bytes(), second.to_le_bytes(), tag].concat();
    }
    unreachable!("one tag in four will do")
}

fn keystream(encryption: &[u8], tag: &[u8; 16]) -> [u128; 2] {
    let aes = Aes::new(encryption);
    let mut counter = *tag;
    counter[15] |= 0x80;
    let first = aes.encrypt_block(counter);
    counter[0] = counter[0].wrapping_add(1);
    [first, aes.encrypt_block(counter)].map(u128::from_le_bytes)
}

fn padded(aad: &[u8]) -> Vec<u128> {
    let block = |chunk: &[u8]| {
        let mut block = [0; 16];
        block[..chunk.len()].copy_from_slice(chunk);
        u128::from_le_bytes(block)
    };
    aad.chunks(16).map(block).collect()
}
