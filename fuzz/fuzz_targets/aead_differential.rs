//! AES-GCM-SIV, AES-SIV, the ChaCha20-BLAKE2b family, Kuznyechik-MGM and the block cipher under it
//! on every tier against the oracle: each seals alike, opens its own and no forgery, and
//! reads and writes nowhere else (the address sanitizer watches).
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka::{Algorithm, Error, Implementation, Kuznyechik, Tier};
use sivka_oracle::kuznyechik;
use sivka_oracle::lengths::painted;
use sivka_oracle::suite::{self, Message};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// The longest of any AEAD, as the nonce; the others take its beginning.
    key: [u8; 64],
    nonce: [u8; 24],
    /// Which tag length the keys with long tags have.
    tag_len: u8,
    /// How many painted bytes follow `plaintext`, so that the fuzzer need not
    /// write long messages out.
    painted_len: u16,
    /// The bit that the forger flips, counted over nonce, AAD, ciphertext and tag.
    forged_bit: u32,
    aad: &'a [u8],
    plaintext: &'a [u8],
}

/// The forger's message: nonce, AAD, ciphertext ‖ tag with one bit flipped.
fn forge(message: &Message, sealed: &[u8], bit: u32) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let (mut nonce, mut aad) = (message.nonce.clone(), message.aad.clone());
    let mut sealed = sealed.to_vec();
    let bit = bit as usize % (8 * (nonce.len() + aad.len() + sealed.len()));
    let mut all = nonce.iter_mut().chain(&mut aad).chain(&mut sealed);
    let byte = all.nth(bit / 8).expect("a bit of the message");
    *byte ^= 1 << (bit % 8);
    (nonce, aad, sealed)
}

fn hold_against_the_oracle(algorithm: &Algorithm, input: &Input, plaintext: &[u8]) {
    let key = &input.key[..algorithm.key_len()];
    let message = Message {
        nonce: input.nonce[..algorithm.nonce_len()].to_vec(),
        aad: input.aad.to_vec(),
        plaintext: plaintext.to_vec(),
    };
    let nonce = &message.nonce[..];
    let keys = Tier::available().map(|tier| {
        let key = algorithm.new_key_with_tier(key, tier);
        (
            key.expect("a key of key_len bytes"),
            format!("{algorithm} on {tier}"),
        )
    });
    let Some(sealed) = suite::algorithm(algorithm.name()).seal(key, &message) else {
        for (key, what) in keys {
            let ours = key.seal_with_nonce(nonce, plaintext, input.aad);
            assert!(ours.is_err(), "the standard refuses it, not {what}");
        }
        return;
    };
    let (forged_nonce, forged_aad, forged) = forge(&message, &sealed, input.forged_bit);
    let (forged_ciphertext, forged_tag) = suite::algorithm(algorithm.name()).split(&forged);
    for (key, what) in keys {
        let ours = key.seal_with_nonce(nonce, plaintext, input.aad);
        assert_eq!(ours.as_ref(), Ok(&sealed), "seal: {what}");
        let opened = key.open_with_nonce(nonce, &sealed, input.aad);
        assert_eq!(opened.as_deref(), Ok(plaintext), "open: {what}");
        let mut in_out = forged_ciphertext.to_vec();
        let opened = key.open_in_place(&forged_nonce, &forged_aad, &mut in_out, forged_tag);
        assert_eq!(opened, Err(Error::Open), "forgery: {what}");
        assert!(in_out.iter().all(|byte| *byte == 0), "not wiped: {what}");
        // Whatever the fuzzer wrote is opened as it is, too.
        let opened = key.open_with_nonce(nonce, input.plaintext, input.aad);
        assert_eq!(opened, Err(Error::Open), "{what}");
        let opened = key.open(input.plaintext, input.aad);
        let refused = matches!(opened, Err(Error::Open | Error::NoRandomNonce));
        assert!(refused, "{what}: {opened:?}");
    }
}

/// The whole blocks of `text`, by every tier and every implementation chosen by name.
fn kuznyechik_blocks(key: &[u8; 32], text: &[u8]) {
    let blocks = text.as_chunks::<16>().0;
    let round_keys = kuznyechik::round_keys(key);
    let encrypt = |block| kuznyechik::encrypt_with(&round_keys, block);
    let expected: Vec<_> = blocks.iter().map(encrypt).collect();
    let tiers = Tier::available().map(|tier| Kuznyechik::with_tier(key, tier));
    let named = Implementation::ALL.map(|named| Kuznyechik::with_implementation(key, named));
    for ours in tiers.chain(named) {
        let mut in_out = blocks.to_vec();
        assert_eq!(ours.encrypt_blocks(&mut in_out), Ok(()));
        assert_eq!(in_out, expected, "encryption on {}", ours.tier_name());
        assert_eq!(ours.decrypt_blocks(&mut in_out), Ok(()));
        assert_eq!(in_out, blocks, "decryption on {}", ours.tier_name());
    }
}

fuzz_target!(|input: Input| {
    // One message in eight is long: the oracle is slow.
    let long = input.painted_len.is_multiple_of(8);
    let tail = painted(
        0,
        if long {
            usize::from(input.painted_len / 8 % 4100)
        } else {
            0
        },
    );
    let plaintext = [input.plaintext, &tail].concat();
    let mut gcm_siv_plaintext = plaintext.clone();
    if input.painted_len.is_multiple_of(64) {
        // Long enough for kernels to look the first rounds of AES up.
        gcm_siv_plaintext.extend(painted(1, 16 << 10));
    }
    let block_key = input.key.first_chunk().expect("32 bytes and more");
    kuznyechik_blocks(block_key, &plaintext);
    let tag_len = [32, 48, 64][usize::from(input.tag_len % 3)];
    for algorithm in Algorithm::all() {
        if algorithm.tag_len() == 16 || algorithm.tag_len() == tag_len {
            let is_gcm_siv = algorithm.name().ends_with("GCM-SIV");
            let plaintext = if is_gcm_siv {
                &gcm_siv_plaintext
            } else {
                &plaintext
            };
            hold_against_the_oracle(algorithm, &input, plaintext);
        }
    }
});
