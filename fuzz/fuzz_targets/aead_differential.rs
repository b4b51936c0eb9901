//! AES-GCM-SIV, the ChaCha20-BLAKE2b family, Kuznyechik-MGM and the block cipher under it
//! on every tier against the oracle: each seals alike, opens its own and no forgery, and
//! reads and writes nowhere else (the address sanitizer watches).
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, Error, LongTag, Tag, TagLen, Tier};
use sivka::{ChaCha20Blake2b, XChaCha20Blake2b, XChaCha20Blake2bSiv};
use sivka::{Implementation, Kuznyechik, KuznyechikMgm};
use sivka_oracle::chacha20_blake2b as long_tag_oracle;
use sivka_oracle::lengths::painted;
use sivka_oracle::{gcm_siv, kuznyechik, mgm};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: [u8; 32],
    /// The longest of any AEAD; the others take its beginning.
    nonce: [u8; 24],
    /// How many painted bytes follow `plaintext`, so that the fuzzer need not
    /// write long messages out.
    painted_len: u16,
    /// The bit that the forger flips, counted over nonce, AAD, ciphertext and tag.
    forged_bit: u32,
    aad: &'a [u8],
    plaintext: &'a [u8],
}

impl Input<'_> {
    fn nonce<const N: usize>(&self) -> [u8; N] {
        core::array::from_fn(|i| self.nonce[i])
    }
}

/// The forger's message: nonce, AAD, ciphertext ‖ tag with one bit flipped.
fn forge<const N: usize>(input: &Input, sealed: &[u8]) -> ([u8; N], Vec<u8>, Vec<u8>) {
    let (mut nonce, mut aad, mut sealed) = (input.nonce(), input.aad.to_vec(), sealed.to_vec());
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
        let given_nonce = &input.nonce::<{ $key::NONCE_LEN }>();
        let seal: fn(&_, &_, &[u8], &[u8]) -> Option<Vec<u8>> = $oracle;
        let Some(sealed) = seal(key, given_nonce, input.aad, plaintext) else {
            for tier in Tier::available() {
                let key = $key::with_tier(key, tier);
                let ours = key.seal_with_nonce(given_nonce, plaintext, input.aad);
                assert!(ours.is_err(), "the standard refuses it, not {tier}");
            }
            return;
        };
        let (nonce, aad, forged) = forge(input, &sealed);
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

/// The same for the keys with long tags, whose calls stand between `|…|`.
macro_rules! hold_long_tag_against_the_oracle {
    ($key:ident, $nonce_len:literal, $input:expr, $plaintext:expr,
     |$k:ident, $nonce:ident, $aad:ident, $text:ident| $oracle:expr, $seal:expr, $open:expr,
     |$tag:ident| $open_in_place:expr) => {
        let input: &Input = $input;
        let plaintext: &[u8] = $plaintext;
        let tag_len =
            [TagLen::Bytes32, TagLen::Bytes48, TagLen::Bytes64][usize::from(input.key[0] % 3)];
        let sealed: Vec<u8> = {
            let ($k, $nonce) = (&input.key, &input.nonce::<$nonce_len>());
            let ($aad, $text) = (input.aad, plaintext);
            let _ = $nonce;
            $oracle(tag_len.bytes())
        };
        let (nonce, aad, forged) = forge::<$nonce_len>(input, &sealed);
        let (forged_ciphertext, forged_tag) = forged.split_at(plaintext.len());
        let forged_tag = LongTag::try_from(forged_tag).expect("a tag");
        for tier in Tier::available() {
            let key = $key::with_tier(&input.key, tag_len, tier);
            {
                let ($k, $nonce, $aad) = (&key, &input.nonce::<$nonce_len>(), input.aad);
                let _ = $nonce;
                let $text = plaintext;
                assert_eq!($seal.as_ref(), Ok(&sealed), "seal on {tier}");
                let $text = &sealed[..];
                assert_eq!($open.as_deref(), Ok(plaintext), "open on {tier}");
                // Whatever the fuzzer wrote is opened as it is, too.
                let $text = input.plaintext;
                assert_eq!($open, Err(Error::Open), "on {tier}");
            }
            let mut in_out = forged_ciphertext.to_vec();
            let opened = {
                let ($k, $nonce, $aad, $tag) = (&key, &nonce, &aad[..], &forged_tag);
                let _ = $nonce;
                let $text = &mut in_out[..];
                $open_in_place
            };
            assert_eq!(opened, Err(Error::Open), "forgery on {tier}");
            assert!(in_out.iter().all(|byte| *byte == 0), "not wiped on {tier}");
        }
    };
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
    gcm_siv_128(&input, &gcm_siv_plaintext);
    gcm_siv_256(&input, &gcm_siv_plaintext);
    kuznyechik_mgm(&input, &plaintext);
    kuznyechik_blocks(&input.key, &plaintext);
    hold_long_tag_against_the_oracle!(
        ChaCha20Blake2b,
        8,
        &input,
        &plaintext,
        |key, nonce, aad, text| |len| {
            long_tag_oracle::chacha20_blake2b_seal(key, nonce, aad, text, len)
        },
        key.seal_with_nonce(nonce, text, aad),
        key.open_with_nonce(nonce, text, aad),
        |tag| key.open_in_place(nonce, aad, text, tag)
    );
    hold_long_tag_against_the_oracle!(
        XChaCha20Blake2b,
        24,
        &input,
        &plaintext,
        |key, nonce, aad, text| |len| {
            long_tag_oracle::xchacha20_blake2b_seal(key, nonce, aad, text, len)
        },
        key.seal_with_nonce(nonce, text, aad),
        key.open_with_nonce(nonce, text, aad),
        |tag| key.open_in_place(nonce, aad, text, tag)
    );
    hold_long_tag_against_the_oracle!(
        XChaCha20Blake2bSiv,
        0,
        &input,
        &plaintext,
        |key, _nonce, aad, text| |len| {
            long_tag_oracle::xchacha20_blake2b_siv_seal(key, aad, text, len)
        },
        key.seal(text, aad),
        key.open(text, aad),
        |tag| key.open_in_place(aad, text, tag)
    );
});
