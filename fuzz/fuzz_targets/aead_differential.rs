//! AES-GCM-SIV, Kuznyechik-MGM and the block cipher under it on every tier against the
//! oracle: seals alike, opens its own and no forgery, and reads and writes nowhere else
//! (the address sanitizer watches).
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, Error, Implementation, Kuznyechik, KuznyechikMgm};
use sivka::{Tag, Tier};
use sivka_oracle::lengths::painted;
use sivka_oracle::{gcm_siv, kuznyechik, mgm};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: [u8; 32],
    /// The first 12 bytes are AES-GCM-SIV's.
    nonce: [u8; 16],
    /// How many painted bytes follow `plaintext`, so that the fuzzer need not
    /// write long messages out.
    painted_len: u16,
    /// The bit that the forger flips, counted over nonce, AAD, ciphertext and tag.
    forged_bit: u32,
    aad: &'a [u8],
    plaintext: &'a [u8],
}

/// The forger's message: nonce, AAD, ciphertext ‖ tag with one bit flipped.
fn forge<const N: usize>(
    input: &Input,
    mut nonce: [u8; N],
    sealed: &[u8],
) -> ([u8; N], Vec<u8>, Vec<u8>) {
    let (mut aad, mut sealed) = (input.aad.to_vec(), sealed.to_vec());
    let bytes = nonce.len() + aad.len() + sealed.len();
    let bit = input.forged_bit as usize % (8 * bytes);
    let all = nonce.iter_mut().chain(&mut aad).chain(&mut sealed);
    for byte in all.skip(bit / 8).take(1) {
        *byte ^= 1 << (bit % 8);
    }
    (nonce, aad, sealed)
}

macro_rules! hold_against_the_oracle {
    ($key:ident, $oracle:expr, $input:expr, $plaintext:expr) => {
        let input: &Input = $input;
        let plaintext: &[u8] = $plaintext;
        let (key, _) = input
            .key
            .split_first_chunk::<{ $key::KEY_LEN }>()
            .expect("32 bytes");
        let (given_nonce, _) = input
            .nonce
            .split_first_chunk::<{ $key::NONCE_LEN }>()
            .expect("16 bytes");
        let seal: fn(&_, &_, &[u8], &[u8]) -> Option<Vec<u8>> = $oracle;
        let Some(sealed) = seal(key, given_nonce, input.aad, plaintext) else {
            for tier in Tier::available() {
                let key = $key::with_tier(key, tier);
                let ours = key.seal_with_nonce(given_nonce, plaintext, input.aad);
                assert!(ours.is_err(), "the standard refuses it, not {tier}");
            }
            return;
        };
        let (nonce, aad, forged) = forge(input, *given_nonce, &sealed);
        let (forged_ciphertext, forged_tag) = forged.split_last_chunk().expect("a tag");
        for tier in Tier::available() {
            let key = $key::with_tier(key, tier);
            let ours = key.seal_with_nonce(given_nonce, plaintext, input.aad);
            assert_eq!(ours.as_ref(), Ok(&sealed), "seal on {tier}");
            let opened = key.open_with_nonce(given_nonce, &sealed, input.aad);
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

fn gcm_siv_128(input: &Input, plaintext: &[u8]) {
    hold_against_the_oracle!(
        Aes128GcmSiv,
        |key, nonce: &[u8; 12], aad, text| Some(gcm_siv::seal(key, nonce, aad, text)),
        input,
        plaintext
    );
}

fn gcm_siv_256(input: &Input, plaintext: &[u8]) {
    hold_against_the_oracle!(
        Aes256GcmSiv,
        |key, nonce: &[u8; 12], aad, text| Some(gcm_siv::seal(key, nonce, aad, text)),
        input,
        plaintext
    );
}

fn kuznyechik_mgm(input: &Input, plaintext: &[u8]) {
    hold_against_the_oracle!(KuznyechikMgm, mgm::seal, input, plaintext);
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
    let painted = painted(
        0,
        if long {
            usize::from(input.painted_len / 8 % 4100)
        } else {
            0
        },
    );
    let plaintext = [input.plaintext, &painted].concat();
    gcm_siv_128(&input, &plaintext);
    gcm_siv_256(&input, &plaintext);
    kuznyechik_mgm(&input, &plaintext);
    kuznyechik_blocks(&input.key, &plaintext);
});
