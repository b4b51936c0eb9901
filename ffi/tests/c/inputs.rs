//! The project's vectors, as the C programs read them: one to a line.

use serde_json::Value;
use sha2::{Digest, Sha256};
use sivka_ffi::status;
use sivka_oracle::vectors;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, str};

/// The files of vectors that are read here, and those of parts that C does not offer:
/// other primitives, and steps inside an algorithm.
const AEAD_VECTORS: [&str; 5] = [
    "aes-gcm-siv/rfc8452-counter-wrap.json",
    "aes-gcm-siv/rfc8452.json",
    "aes-siv/aead.json",
    "chacha20-blake2b/aead.json",
    "kuznyechik/rfc9058.json",
];
const BLOCK_VECTORS: [&str; 3] = [
    "kuznyechik/chain.json",
    "kuznyechik/gost-r-34.13-2015.json",
    "kuznyechik/rfc7801.json",
];
const MODE_VECTORS: [&str; 2] = [
    "kuznyechik/ctr-acpkm.json",
    "kuznyechik/gost-r-34.13-2015.json",
];
const LIST_VECTORS: &str = "aes-siv/lists.json";
const COLUMN_KEYS: &str = "column-v1/keys.json";
const KEYSETS: &str = "keyset/tink.json";
/// The matrix of languages plays the first one.
const NOT_OFFERED: [&str; 4] = [
    "accumulated/accumulated.json",
    "blake2b/keyed.json",
    "chacha20/chacha20.json",
    "kuznyechik/rfc9058-steps.json",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn no_file_of_vectors_is_forgotten() {
    let folder = folder();
    let mut found = Vec::new();
    for algorithm in fs::read_dir(&folder).unwrap() {
        let files = fs::read_dir(algorithm.unwrap().path());
        found.extend(
            files
                .into_iter()
                .flatten()
                .map(|entry| entry.unwrap().path()),
        );
    }
    found.retain(|path| path.extension() == Some(OsStr::new("json")));
    let name = |path: &PathBuf| path.strip_prefix(&folder).unwrap().display().to_string();
    let mut found: Vec<String> = found.iter().map(name).collect();
    found.sort();
    let mut known = [
        &AEAD_VECTORS[..],
        &BLOCK_VECTORS,
        &MODE_VECTORS,
        &[LIST_VECTORS, COLUMN_KEYS, KEYSETS],
        &NOT_OFFERED,
    ]
    .concat();
    known.sort_unstable();
    // One file has vectors of the cipher and of its modes.
    known.dedup();
    assert_eq!(found, known);
}

/// The vectors as `vectors.c` reads them, and how many there are.
pub(crate) fn aead_vectors() -> (String, usize) {
    let (mut lines, mut count) = (String::new(), 0);
    for name in AEAD_VECTORS {
        for group in vectors::read(&fs::read_to_string(folder().join(name)).unwrap()).unwrap() {
            for case in group.cases {
                let fields = [
                    &case.key,
                    &case.nonce,
                    &case.aad,
                    &case.plaintext,
                    &case.ciphertext,
                    &case.tag,
                ];
                let fields = fields.map(|bytes| hex(bytes)).join(" ");
                // C has an algorithm for each length of tag.
                let tag = match case.tag.len() {
                    48 => "-Tag48",
                    64 => "-Tag64",
                    _ => "",
                };
                writeln!(lines, "{}{tag} {fields}", group.algorithm).unwrap();
                count += 1;
            }
        }
    }
    (lines, count)
}

/// The key files and keys as `columns.c` reads them, and how many there are.
pub(crate) fn column_keys() -> (String, usize) {
    let text = fs::read_to_string(folder().join(COLUMN_KEYS)).unwrap();
    let cases = vectors::read_column_keys(&text).unwrap();
    let line = |case: &vectors::ColumnKey| {
        let fields = [case.key_file.as_bytes(), &case.column_key].map(hex);
        format!("{} {}\n", case.algorithm, fields.join(" "))
    };
    (cases.iter().map(line).collect(), cases.len())
}

/// The vectors as `kuznyechik.c` reads them: the short ones, and the chain of many steps.
pub(crate) fn block_vectors() -> (String, String) {
    let [chain, modes, cipher] = BLOCK_VECTORS.map(json);
    let line = |times: &Value, file: &Value, plaintext: &str, ciphertext: &str| {
        let key = file["key"].as_str().unwrap();
        format!("{times} {key} {plaintext} {ciphertext}\n")
    };
    let once = Value::from(1);
    let steps = [(&modes, "ecb"), (&cipher, "ciphertext")].map(|(file, ciphertext)| {
        line(
            &once,
            file,
            &field(file, "plaintext"),
            &field(file, ciphertext),
        )
    });
    let lanes = chain["lanes"].as_array().unwrap();
    // Lane i starts at the block i, 0, ..., 0.
    let starts: String = (0..lanes.len())
        .map(|lane| format!("{lane:02x}{:030}", 0))
        .collect();
    let ends: String = lanes.iter().map(|lane| lane.as_str().unwrap()).collect();
    (
        steps.concat(),
        line(&chain["times"], &chain, &starts, &ends),
    )
}

/// The vectors as `kuznyechik_modes.c` reads them.
pub(crate) fn mode_vectors() -> String {
    let [acpkm, gost] = MODE_VECTORS.map(json);
    let (plaintext, omac) = (field(&gost, "plaintext"), &gost["omac"]);
    let ctr = |file: &Value, mode: &Value, section_len: &Value| {
        let key = field(file, "key");
        let (iv, ciphertext) = (field(mode, "iv"), field(mode, "ciphertext"));
        let plaintext = field(file, "plaintext");
        format!("ctr {key} {iv} {section_len} {plaintext} {ciphertext}\n")
    };
    let tags = ["tag", "tag_printed_by_the_standard"].map(|name| {
        let (key, tag) = (field(&gost, "key"), field(omac, name));
        format!("omac {key} - {} {plaintext} {tag}\n", tag.len() / 2)
    });
    let without = Value::from(0);
    let ctrs = [
        ctr(&acpkm, &acpkm, &acpkm["section_len"]),
        ctr(&gost, &gost["ctr"], &without),
    ];
    ctrs.concat() + &tags.concat()
}

/// The vectors as `lists.c` reads them, and how many there are.
pub(crate) fn list_vectors() -> (String, usize) {
    let (mut lines, mut count) = (String::new(), 0);
    for group in json(LIST_VECTORS)["groups"].as_array().unwrap() {
        for case in group["cases"].as_array().unwrap() {
            let strings = case["associated_data"].as_array().unwrap();
            let head = [
                field(group, "algorithm"),
                field(case, "key"),
                strings.len().to_string(),
            ];
            let strings = strings
                .iter()
                .map(|string| string.as_str().unwrap().to_owned());
            let texts = ["plaintext", "ciphertext", "tag"].map(|name| field(case, name));
            let fields: Vec<String> = head.into_iter().chain(strings).chain(texts).collect();
            lines += &fields.join(" ");
            lines.push('\n');
            count += 1;
        }
    }
    (lines, count)
}

/// The keysets and their messages as `keysets.c` reads them, and how many lines there are.
pub(crate) fn keyset_vectors() -> (String, usize) {
    let vectors = json(KEYSETS);
    let bytes = |value: &Value| match value.as_str() {
        None | Some("") => "-".to_owned(),
        Some(digits) => digits.to_owned(),
    };
    let text = |value: &Value| hex(value.as_str().unwrap().as_bytes());
    let message = |what: &str, message: &Value, names: &[&str]| {
        let fields: Vec<String> = names.iter().map(|name| bytes(&message[*name])).collect();
        format!("{what} {}\n", fields.join(" "))
    };
    let mut lines = String::new();
    for keyset in vectors["keysets"].as_array().unwrap() {
        let (json, binary) = (text(&keyset["json"]), bytes(&keyset["binary"]));
        writeln!(lines, "keyset {json} {binary}").unwrap();
        for one in keyset["messages"].as_array().unwrap() {
            lines += &message("opens", one, &["aad", "plaintext", "ciphertext"]);
        }
        for one in keyset["refused"].as_array().unwrap() {
            lines += &message("refused", one, &["aad", "ciphertext"]);
        }
    }
    let first = &vectors["keysets"][0];
    let (json, binary) = (text(&first["json"]), bytes(&first["binary"]));
    writeln!(lines, "keyset {json} {binary}").unwrap();
    // The same key under AES-GCM, with the prefix of this keyset.
    let raw = &vectors["raw"][0];
    let (aad, plaintext) = (bytes(&raw["aad"]), bytes(&raw["plaintext"]));
    let sealed = bytes(&raw["ciphertext"]);
    writeln!(lines, "android {aad} {plaintext} 01cafebabe{sealed}").unwrap();
    let encrypted = &vectors["encrypted"];
    let (key, json) = (bytes(&encrypted["key"]), text(&encrypted["json"]));
    writeln!(lines, "encrypted {key} - 01 {json}").unwrap();
    for name in ["binary", "binary_with_info"] {
        writeln!(lines, "encrypted {key} - 00 {}", bytes(&encrypted[name])).unwrap();
    }
    let count = lines.lines().count();
    (lines, count)
}

fn json(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder().join(name)).unwrap()).unwrap()
}

fn field(file: &Value, name: &str) -> String {
    file[name].as_str().unwrap().to_owned()
}

/// A vector of the file format, as `files.c` reads it.
pub(crate) struct SealedFile {
    pub(crate) line: String,
    /// Where the plaintext is, if there is to be one, and its SHA-256.
    opened: Option<(PathBuf, String)>,
}

impl SealedFile {
    /// What was opened is what the vector says.
    pub(crate) fn is_right(&self) {
        if let Some((path, expected)) = &self.opened {
            let found = hex(&Sha256::digest(fs::read(path).unwrap()));
            assert_eq!(&found, expected, "{}", path.display());
        }
    }
}

/// The vectors of the file format, of which the sealed files are copied into `scratch`.
pub(crate) fn file_vectors(scratch: &Path) -> Vec<SealedFile> {
    let files = fs::read_dir(folder().join("file-v1")).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new("vec")));
    paths.sort();
    paths
        .iter()
        .map(|path| file_vector(path, scratch))
        .collect()
}

fn file_vector(path: &Path, scratch: &Path) -> SealedFile {
    let vector = fs::read(path).unwrap();
    let end = vector.windows(2).position(|two| two == b"\n\n").unwrap();
    let head = str::from_utf8(&vector[..end]).unwrap();
    let value = |name: &str| {
        let found = head.lines().find_map(|line| line.strip_prefix(name));
        found.map(|value| value.trim_start().to_owned())
    };
    let secret = match (value("key:"), value("passphrase:")) {
        (Some(key), None) => format!("key {key}"),
        (None, Some(passphrase)) => format!("passphrase {}", hex(passphrase.as_bytes())),
        _ => panic!("{}: a key or a passphrase", path.display()),
    };
    let status = status_of(&value("expect:").unwrap());
    let sealed = scratch.join(path.file_name().unwrap());
    let opened = sealed.with_extension("opened");
    fs::write(&sealed, &vector[end + 2..]).unwrap();
    SealedFile {
        line: format!(
            "{status} {secret} {} {}\n",
            sealed.display(),
            opened.display()
        ),
        opened: (status == status::SIVKA_OK).then(|| (opened, value("payload:").unwrap())),
    }
}

/// The status for an error of section 9 of the file format.
fn status_of(error: &str) -> status::Status {
    match error {
        "success" => status::SIVKA_OK,
        "not-sivka" => status::SIVKA_ERROR_NOT_SIVKA,
        "unknown-version" | "unknown-suite" | "unknown-slot" => status::SIVKA_ERROR_NEWER,
        "header-damaged" | "payload-mismatch" | "damaged" | "damaged-end" => {
            status::SIVKA_ERROR_DAMAGED
        }
        "truncated" => status::SIVKA_ERROR_TRUNCATED,
        "no-slot-opens" => status::SIVKA_ERROR_WRONG_KEY,
        "cost-too-high" => status::SIVKA_ERROR_COST_LIMIT,
        _ => panic!("{error} is no error of the file format"),
    }
}
