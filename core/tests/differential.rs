//! Random messages: every tier equals the oracle.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::collection::vec;
use proptest::prelude::*;
use sivka::{Algorithm, Error, Implementation, Kuznyechik, Tier};
use sivka_oracle::kuznyechik;
use sivka_oracle::suite::{self, Message};

/// Mostly short, sometimes several strides of the widest tier.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => vec(any::<u8>(), 0..100), 1 => vec(any::<u8>(), 100..3000)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Keys and nonces are the beginnings of what is drawn.
    #[test]
    fn every_algorithm(
        algorithm in prop::sample::select(Algorithm::all()),
        key in vec(any::<u8>(), 64),
        nonce: [u8; 24],
        aad in bytes(),
        plaintext in bytes(),
        bit: prop::sample::Index,
    ) {
        let (key, nonce) = (&key[..algorithm.key_len()], &nonce[..algorithm.nonce_len()]);
        let message = Message { nonce: nonce.to_vec(), aad, plaintext };
        let Message { aad, plaintext, .. } = &message;
        // The oracle refuses what the standard refuses: an MGM nonce whose first bit
        // is set, no plaintext and no AAD.
        let expected = suite::algorithm(algorithm.name()).seal(key, &message);
        let mut forged = expected.clone().unwrap_or_default();
        if !forged.is_empty() {
            let bit = bit.index(8 * forged.len());
            forged[bit / 8] ^= 1 << (bit % 8);
        }
        for tier in Tier::available() {
            let what = format!("{algorithm} on {tier}");
            let key = algorithm.new_key_with_tier(key, tier).unwrap();
            let sealed = key.seal_with_nonce(nonce, plaintext, aad);
            let Some(expected) = &expected else {
                prop_assert!(sealed.is_err(), "{}", what);
                continue;
            };
            prop_assert_eq!(sealed.as_ref(), Ok(expected), "{}", what);
            let opened = key.open_with_nonce(nonce, expected, aad);
            prop_assert_eq!(opened.as_ref(), Ok(plaintext), "{}", what);
            let (ciphertext, tag) = if algorithm.tag_first() {
                let (tag, ciphertext) = forged.split_at(algorithm.tag_len());
                (ciphertext, tag)
            } else {
                forged.split_at(plaintext.len())
            };
            let mut in_out = ciphertext.to_vec();
            let opened = key.open_in_place(nonce, aad, &mut in_out, tag);
            prop_assert_eq!(opened, Err(Error::Open), "{}", what);
            prop_assert!(in_out.iter().all(|byte| *byte == 0), "{}: not wiped", what);
        }
    }
}

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
