//! Cases of AES-GCM-SIV that others publish, from their own files, on every tier: those that
//! BoringSSL and AWS-LC test themselves with, and NIST's sample for ACVP. Wycheproof's are in
//! `wycheproof.rs`.

use serde_json::Value;
use sivka::{Algorithm, Error, Tier};
use sivka_oracle::vectors::hex;

/// A message and what it seals to, or does not.
struct Case {
    key: Vec<u8>,
    nonce: Vec<u8>,
    aad: Vec<u8>,
    plaintext: Vec<u8>,
    sealed: Vec<u8>,
    is_authentic: bool,
}

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

/// Paragraphs of lines `NAME: hexadecimal digits`, or a text in quotation marks.
fn boringssl(text: &str) -> Vec<Case> {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
        let fields = lines.filter_map(|line| line.split_once(':'));
        fields.map(|(name, value)| (name, bytes(value.trim())))
    });
    let cases = paragraphs.map(|fields| fields.collect::<Vec<_>>());
    cases
        .filter(|fields| !fields.is_empty())
        .map(case_of)
        .collect()
}

fn bytes(value: &str) -> Vec<u8> {
    match value.strip_prefix('"') {
        Some(text) => text.trim_end_matches('"').as_bytes().to_vec(),
        None => hex(value).expect("hexadecimal digits"),
    }
}

fn case_of(fields: Vec<(&str, Vec<u8>)>) -> Case {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["KEY", "NONCE", "IN", "AD", "CT", "TAG"]);
    let values: Vec<Vec<u8>> = fields.into_iter().map(|(_, value)| value).collect();
    let [key, nonce, plaintext, aad, ciphertext, tag] =
        values.try_into().expect("as many values as names");
    Case {
        key,
        nonce,
        aad,
        plaintext,
        sealed: [ciphertext, tag].concat(),
        is_authentic: true,
    }
}

/// ACVP's `internalProjection.json`, which has questions and answers.
fn acvp(text: &str) -> Vec<Case> {
    let file: Value = serde_json::from_str(text).expect("JSON");
    let groups = file["testGroups"].as_array().expect("groups");
    let tests = groups.iter().flat_map(|group| group["tests"].as_array());
    let case = |test: &Value| {
        let bytes = |name| hex(test[name].as_str()?).ok();
        Some(Case {
            key: bytes("key")?,
            nonce: bytes("iv")?,
            aad: bytes("aad")?,
            plaintext: bytes("pt")?,
            sealed: bytes("ct")?,
            is_authentic: test["testPassed"].as_bool()?,
        })
    };
    let cases = tests.flatten().map(case);
    cases.map(|case| case.expect("every field")).collect()
}

#[test]
fn of_boringssl_and_aws_lc() {
    let texts = [
        include_str!("../../vectors/published/boringssl/aes_128_gcm_siv_tests.txt"),
        include_str!("../../vectors/published/boringssl/aes_256_gcm_siv_tests.txt"),
    ];
    for (text, count) in texts.into_iter().zip([89, 90]) {
        on_every_tier("BoringSSL", &boringssl(text), (count, 0));
    }
}

#[test]
fn of_acvp() {
    let text = include_str!("../../vectors/published/nist-acvp/aes-gcm-siv.json");
    on_every_tier("ACVP", &acvp(text), (107, 13));
}
