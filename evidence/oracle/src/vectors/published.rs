//! The files of AES-GCM-SIV that others publish, each in a form of its own.

use super::hex;
use serde_json::Value;

/// A message and its sealed form, valid or forged.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Case {
    pub key: Vec<u8>,
    pub nonce: Vec<u8>,
    pub aad: Vec<u8>,
    pub plaintext: Vec<u8>,
    pub sealed: Vec<u8>,
    pub is_authentic: bool,
}

/// Paragraphs of lines `NAME: hexadecimal digits`, or a text in quotation marks.
///
/// # Panics
///
/// If the text is of another form.
#[must_use]
pub fn boringssl(text: &str) -> Vec<Case> {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
        let fields = lines.filter_map(|line| line.split_once(':'));
        fields.map(|(name, value)| (name, bytes(value.trim())))
    });
    let cases = paragraphs.map(|fields| fields.collect::<Vec<_>>());
    cases.filter(|fields| !fields.is_empty()).map(case_of).collect()
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
    Case { key, nonce, aad, plaintext, sealed: [ciphertext, tag].concat(), is_authentic: true }
}

/// ACVP's `internalProjection.json`, which has questions and answers.
///
/// # Panics
///
/// If the text is of another form.
#[must_use]
pub fn acvp(text: &str) -> Vec<Case> {
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
