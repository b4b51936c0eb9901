//! Cases of AES-GCM-SIV that others publish, from their own files, on every tier: those that
//! BoringSSL and AWS-LC test themselves with, and NIST's sample for ACVP. Wycheproof's are in
//! `wycheproof.rs`.

use sivka::{Algorithm, Error, Tier};
use sivka_oracle::vectors::published::{Case, acvp, boringssl};

/// Seals and opens each case on every tier; how many were authentic and how many were not.
fn on_every_tier(source: &str, cases: &[Case], expected: (usize, usize)) {
    for tier in Tier::available() {
        let mut ran = (0, 0);
        for (i, case) in cases.iter().enumerate() {
            let name = format!("{source}, case {i} on {tier}");
            let algorithm = match case.key.len() {
                16 => Algorithm::find("AES-128-GCM-SIV"),
                _ => Algorithm::find("AES-256-GCM-SIV"),
            };
            let key = algorithm.and_then(|a| a.new_key_with_tier(&case.key, tier).ok());
            let key = key.expect(&name);
            let opened = key.open_with_nonce(&case.nonce, &case.sealed, &case.aad);
            if case.is_authentic {
                let sealed = key.seal_with_nonce(&case.nonce, &case.plaintext, &case.aad);
                assert_eq!(sealed.as_deref(), Ok(&case.sealed[..]), "{name}");
                assert_eq!(opened.as_deref(), Ok(&case.plaintext[..]), "{name}");
                ran.0 += 1;
            } else {
                assert_eq!(opened, Err(Error::Open), "{name}");
                ran.1 += 1;
            }
        }
        assert_eq!(ran, expected, "{source} on {tier}");
    }
}

#[test]
fn of_boringssl_and_aws_lc() {
    let texts = [
        include_str!("../../../vectors/published/boringssl/aes_128_gcm_siv_tests.txt"),
        include_str!("../../../vectors/published/boringssl/aes_256_gcm_siv_tests.txt"),
    ];
    for (text, count) in texts.into_iter().zip([89, 90]) {
        on_every_tier("BoringSSL", &boringssl(text), (count, 0));
    }
}

#[test]
fn of_acvp() {
    let text = include_str!("../../../vectors/published/nist-acvp/aes-gcm-siv.json");
    on_every_tier("ACVP", &acvp(text), (107, 13));
}
