//! Random messages: every tier equals the oracle.

use proptest::collection::vec;
use proptest::prelude::*;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, Error, LongTag, Tag, TagLen, Tier};
use sivka::{ChaCha20Blake2b, XChaCha20Blake2b, XChaCha20Blake2bSiv};
use sivka::{Implementation, Kuznyechik, KuznyechikMgm};
use sivka_oracle::{chacha20_blake2b, gcm_siv, kuznyechik, mgm};

/// Mostly short, sometimes several strides of the widest tier.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => vec(any::<u8>(), 0..100), 1 => vec(any::<u8>(), 100..3000)]
}

macro_rules! every_tier_equals_the_oracle {
    ($name:ident, $key:ident, $oracle:expr) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn $name(
                key: [u8; $key::KEY_LEN],
                nonce: [u8; $key::NONCE_LEN],
                aad in bytes(),
                plaintext in bytes(),
                bit: prop::sample::Index,
            ) {
                // The oracle refuses what the standard refuses: an MGM nonce whose first bit
                // is set, no plaintext and no AAD.
                let seal: fn(&_, &_, &[u8], &[u8]) -> Option<Vec<u8>> = $oracle;
                let Some(expected) = seal(&key, &nonce, &aad, &plaintext) else {
                    for tier in Tier::available() {
                        let key = $key::with_tier(&key, tier);
                        let sealed = key.seal_with_nonce(&nonce, &plaintext, &aad);
                        prop_assert!(sealed.is_err(), "{}", tier);
                    }
                    return Ok(());
                };
                let mut forged = expected.clone();
                let bit = bit.index(8 * forged.len());
                forged[bit / 8] ^= 1 << (bit % 8);
                let (forged_ciphertext, forged_tag) =
                    forged.split_last_chunk::<{ Tag::LEN }>().unwrap();
                for tier in Tier::available() {
                    let key = $key::with_tier(&key, tier);
                    let sealed = key.seal_with_nonce(&nonce, &plaintext, &aad);
                    prop_assert_eq!(sealed.as_ref(), Ok(&expected), "{}", tier);
                    let opened = key.open_with_nonce(&nonce, &expected, &aad);
                    prop_assert_eq!(opened.as_ref(), Ok(&plaintext), "{}", tier);
                    let mut in_out = forged_ciphertext.to_vec();
                    let tag = Tag::from(*forged_tag);
                    let opened = key.open_in_place(&nonce, &aad, &mut in_out, &tag);
                    prop_assert_eq!(opened, Err(Error::Open), "{}, bit {}", tier, bit);
                    prop_assert!(in_out.iter().all(|byte| *byte == 0), "{}: not wiped", tier);
                }
            }
        }
    };
}

every_tier_equals_the_oracle!(
    aes_128_gcm_siv,
    Aes128GcmSiv,
    |key: &[u8; 16], nonce: &[u8; 12], aad, plaintext| {
        Some(gcm_siv::seal(key, nonce, aad, plaintext))
    }
);
every_tier_equals_the_oracle!(
    aes_256_gcm_siv,
    Aes256GcmSiv,
    |key: &[u8; 32], nonce: &[u8; 12], aad, plaintext| {
        Some(gcm_siv::seal(key, nonce, aad, plaintext))
    }
);
every_tier_equals_the_oracle!(kuznyechik_mgm, KuznyechikMgm, mgm::seal);

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kuznyechik_blocks(key: [u8; 32], blocks in vec(any::<[u8; 16]>(), 0..150)) {
        let round_keys = kuznyechik::round_keys(&key);
        let expected: Vec<_> = blocks
            .iter()
            .map(|block| kuznyechik::encrypt_with(&round_keys, block))
            .collect();
        let tiers = Tier::available().map(|tier| Kuznyechik::with_tier(&key, tier));
        let named = Implementation::ALL
            .map(|implementation| Kuznyechik::with_implementation(&key, implementation));
        for ours in tiers.chain(named) {
            let mut in_out = blocks.clone();
            ours.encrypt_blocks(&mut in_out).unwrap();
            prop_assert_eq!(&in_out, &expected, "{}", ours.tier_name());
            ours.decrypt_blocks(&mut in_out).unwrap();
            prop_assert_eq!(&in_out, &blocks, "{}", ours.tier_name());
        }
    }
}

/// The same for the keys with long tags. `|key, nonce, aad, text, tag_len|` for the oracle,
/// then our key's three calls.
macro_rules! every_tier_equals_the_oracle_with_long_tags {
    ($name:ident, $key:ident, $nonce_len:literal, $oracle:expr, $seal:expr, $open:expr, $open_in_place:expr) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn $name(
                key: [u8; 32],
                nonce: [u8; $nonce_len],
                aad in bytes(),
                plaintext in bytes(),
                tag_len in prop::sample::select(&[TagLen::Bytes32, TagLen::Bytes48, TagLen::Bytes64][..]),
                bit: prop::sample::Index,
            ) {
                let expected: Vec<u8> = $oracle(&key, &nonce, &aad, &plaintext, tag_len.bytes());
                let mut forged = expected.clone();
                let bit = bit.index(8 * forged.len());
                forged[bit / 8] ^= 1 << (bit % 8);
                let (forged_ciphertext, forged_tag) = forged.split_at(plaintext.len());
                for tier in Tier::available() {
                    let key = $key::with_tier(&key, tag_len, tier);
                    let sealed: Result<Vec<u8>, Error> = $seal(&key, &nonce, &plaintext, &aad);
                    prop_assert_eq!(sealed.as_ref(), Ok(&expected), "{}", tier);
                    let opened: Result<Vec<u8>, Error> = $open(&key, &nonce, &expected, &aad);
                    prop_assert_eq!(opened.as_ref(), Ok(&plaintext), "{}", tier);
                    let mut in_out = forged_ciphertext.to_vec();
                    let tag = LongTag::try_from(forged_tag).unwrap();
                    let opened = $open_in_place(&key, &nonce, &aad, &mut in_out, &tag);
                    prop_assert_eq!(opened, Err(Error::Open), "{}, bit {}", tier, bit);
                    prop_assert!(in_out.iter().all(|byte| *byte == 0), "{}: not wiped", tier);
                }
            }
        }
    };
}

every_tier_equals_the_oracle_with_long_tags!(
    chacha20_blake2b_of_every_tag_len,
    ChaCha20Blake2b,
    8,
    chacha20_blake2b::chacha20_blake2b_seal,
    ChaCha20Blake2b::seal_with_nonce,
    ChaCha20Blake2b::open_with_nonce,
    ChaCha20Blake2b::open_in_place
);
every_tier_equals_the_oracle_with_long_tags!(
    xchacha20_blake2b_of_every_tag_len,
    XChaCha20Blake2b,
    24,
    chacha20_blake2b::xchacha20_blake2b_seal,
    XChaCha20Blake2b::seal_with_nonce,
    XChaCha20Blake2b::open_with_nonce,
    XChaCha20Blake2b::open_in_place
);
every_tier_equals_the_oracle_with_long_tags!(
    xchacha20_blake2b_siv_of_every_tag_len,
    XChaCha20Blake2bSiv,
    0,
    |key, _: &[u8; 0], aad, text, tag_len| chacha20_blake2b::xchacha20_blake2b_siv_seal(
        key, aad, text, tag_len
    ),
    |key: &XChaCha20Blake2bSiv, _, text, aad| key.seal(text, aad),
    |key: &XChaCha20Blake2bSiv, _, sealed, aad| key.open(sealed, aad),
    |key: &XChaCha20Blake2bSiv, _, aad, in_out, tag| key.open_in_place(aad, in_out, tag)
);
