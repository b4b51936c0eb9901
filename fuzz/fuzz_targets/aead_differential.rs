//! AES-GCM-SIV on every tier against the oracle: seals alike, opens its own and
//! no forgery, and reads and writes nowhere else (the address sanitizer watches).
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, Error, Tag, Tier};
use sivka_oracle::gcm_siv;
use sivka_oracle::lengths::painted;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: [u8; 32],
    nonce: [u8; 12],
    /// How many painted bytes follow `plaintext`, so that the fuzzer need not
    /// write long messages out.
    painted_len: u16,
    /// The bit that the forger flips, counted over nonce, AAD, ciphertext and tag.
    forged_bit: u32,
    aad: &'a [u8],
    plaintext: &'a [u8],
}

/// The forger's message: nonce, AAD, ciphertext ‖ tag with one bit flipped.
fn forge(input: &Input, sealed: &[u8]) -> ([u8; 12], Vec<u8>, Vec<u8>) {
    let (mut nonce, mut aad, mut sealed) = (input.nonce, input.aad.to_vec(), sealed.to_vec());
    let bytes = nonce.len() + aad.len() + sealed.len();
    let bit = input.forged_bit as usize % (8 * bytes);
    let all = nonce.iter_mut().chain(&mut aad).chain(&mut sealed);
    for byte in all.skip(bit / 8).take(1) {
        *byte ^= 1 << (bit % 8);
    }
    (nonce, aad, sealed)
}

macro_rules! hold_against_the_oracle {
    ($key:ident, $input:expr, $plaintext:expr) => {
        let input: &Input = $input;
        let plaintext: &[u8] = $plaintext;
        let (key, _) = input
            .key
            .split_first_chunk::<{ $key::KEY_LEN }>()
            .expect("32 bytes");
        let sealed = gcm_siv::seal(key, &input.nonce, input.aad, plaintext);
        let (nonce, aad, forged) = forge(input, &sealed);
        let (forged_ciphertext, forged_tag) = forged.split_last_chunk().expect("a tag");
        for tier in Tier::available() {
            let key = $key::with_tier(key, tier);
            let ours = key.seal_with_nonce(&input.nonce, plaintext, input.aad);
            assert_eq!(ours.as_ref(), Ok(&sealed), "seal on {tier}");
            let opened = key.open_with_nonce(&input.nonce, &sealed, input.aad);
            assert_eq!(opened.as_deref(), Ok(plaintext), "open on {tier}");
            let mut in_out = forged_ciphertext.to_vec();
            let opened = key.open_in_place(&nonce, &aad, &mut in_out, &Tag::from(*forged_tag));
            assert_eq!(opened, Err(Error::Open), "forgery on {tier}");
            assert!(in_out.iter().all(|byte| *byte == 0), "not wiped on {tier}");
            // Whatever the fuzzer wrote is opened as it is, too.
            assert_eq!(
                key.open(input.plaintext, input.aad),
                Err(Error::Open),
                "on {tier}"
            );
        }
    };
}

fuzz_target!(|input: Input| {
    // One message in eight is long: the oracle is slow.
    let long = input.painted_len.is_multiple_of(8);
    let painted = painted(
        0,
        if long {
            usize::from(input.painted_len / 8 % 4100)
        } else {
            0
        },
    );
    let plaintext = [input.plaintext, &painted].concat();
    hold_against_the_oracle!(Aes128GcmSiv, &input, &plaintext);
    hold_against_the_oracle!(Aes256GcmSiv, &input, &plaintext);
});
