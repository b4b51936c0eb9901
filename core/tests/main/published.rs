//! Cases of AES-GCM-SIV that others publish, from their own files, on every tier: those that
//! BoringSSL and AWS-LC test themselves with, and NIST's sample for ACVP. Wycheproof's are in
//! `wycheproof.rs`.

use sivka::{Algorithm, Error, Tier};
use sivka_oracle::vectors::published::{Case, acvp, boringssl};

/// What sealing a case gives, and opening it.
pub(crate) type Outcome = (Result<Vec<u8>, Error>, Result<Vec<u8>, Error>);

/// Seals and opens each case on every tier; how many were authentic and how many were not.
pub(crate) fn on_every_tier(
    source: &str,
    cases: &[Case],
    expected: (usize, usize),
    seal_and_open: impl Fn(&Case, Tier) -> Outcome,
) {
    for tier in Tier::available() {
        let mut ran = (0, 0);
        for (i, case) in cases.iter().enumerate() {
            let name = format!("{source}, case {i} on {tier}");
            let (sealed, opened) = seal_and_open(case, tier);
            let sealed = sealed.expect(&name);
            if case.is_authentic {
                assert_eq!(sealed, case.sealed, "{name}");
                assert_eq!(opened.as_deref(), Ok(&case.plaintext[..]), "{name}");
                ran.0 += 1;
            } else {
                assert_ne!(sealed, case.sealed, "{name}");
                assert_eq!(opened, Err(Error::Open), "{name}");
                ran.1 += 1;
            }
        }
        assert_eq!(ran, expected, "{source} on {tier}");
    }
}

pub(crate) fn gcm_siv(case: &Case, tier: Tier) -> Outcome {
    let name = format!("AES-{}-GCM-SIV", 8 * case.key.len());
    let key = Algorithm::find(&name).and_then(|row| row.new_key_with_tier(&case.key, tier).ok());
    let key = key.expect("a key");
    (
        key.seal_with_nonce(&case.nonce, &case.plaintext, &case.aad),
        key.open_with_nonce(&case.nonce, &case.sealed, &case.aad),
    )
}

#[test]
fn of_boringssl_and_aws_lc() {
    let texts = [
        include_str!("../../../vectors/published/boringssl/aes_128_gcm_siv_tests.txt"),
        include_str!("../../../vectors/published/boringssl/aes_256_gcm_siv_tests.txt"),
    ];
    for (text, count) in texts.into_iter().zip([89, 90]) {
        on_every_tier("BoringSSL", &boringssl(text), (count, 0), gcm_siv);
    }
}

#[test]
fn of_acvp() {
    let text = include_str!("../../../vectors/published/nist-acvp/aes-gcm-siv.json");
    on_every_tier("ACVP", &acvp(text), (107, 13), gcm_siv);
}
