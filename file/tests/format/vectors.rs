//! The vectors in `vectors/file-v1`, found in the folder: every reader against each.

use super::defects;
use super::hpke::Kem;
use super::reference::{self, Key};
use super::support::{error_name, opened, opening};
use sha2::{Digest, Sha256};
use sivka_file::{Error, Identity, KeyFile, Passphrase, Reader, SeekReader, Unlock};
use sivka_oracle::vectors::SEALED_FILES;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

/// A vector as its file says, not as the writer of the vectors thinks.
struct Case {
    name: String,
    expect: String,
    payload: String,
    key: Key,
    file: Vec<u8>,
}

/// An identity of age, read by the crate for Bech32.
pub(crate) fn identity_of(text: &str) -> (Kem, [u8; 32]) {
    let (name, secret) = bech32::decode(text).expect("Bech32");
    let kem = match name.to_lowercase().as_str() {
        "age-secret-key-" => Kem::X25519,
        "age-secret-key-pq-" => Kem::MlKem768X25519,
        name => panic!("{name}"),
    };
    (kem, secret.try_into().expect("32 bytes"))
}

fn parse(name: &str, bytes: &[u8]) -> Case {
    let end = bytes
        .windows(2)
        .position(|two| two == b"\n\n")
        .expect("a head");
    let head = std::str::from_utf8(&bytes[..end]).expect("UTF-8");
    let mut fields: BTreeMap<&str, &str> = head
        .lines()
        .map(|line| line.split_once(": ").expect("a field"))
        .collect();
    let mut take = |field| fields.remove(field);
    let key = match (take("key"), take("passphrase"), take("identity")) {
        (Some(key), None, None) => {
            let bytes = sivka_oracle::vectors::hex(key).expect("hexadecimal");
            Key::File(bytes.try_into().expect("32 bytes"))
        }
        (None, Some(passphrase), None) => Key::Passphrase(passphrase.to_owned()),
        (None, None, Some(identity)) => {
            let (kem, secret) = identity_of(identity);
            Key::Identity(kem, secret)
        }
        _ => panic!("{name}: one key"),
    };
    let case = Case {
        name: name.to_owned(),
        expect: take("expect").expect("expect").to_owned(),
        payload: take("payload").expect("payload").to_owned(),
        key,
        file: bytes[end + 2..].to_vec(),
    };
    take("about").expect("about");
    assert!(fields.is_empty(), "{name}: unknown fields {fields:?}");
    case
}

fn folder() -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/file-v1");
    let files = fs::read_dir(folder).expect("the folder of vectors");
    files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "vec"))
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read(&path).expect("a file"))
        })
        .collect()
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = folder()
        .iter()
        .map(|(name, bytes)| parse(name, bytes))
        .collect();
    let count = |start: &str| {
        cases
            .iter()
            .filter(|case| case.name.starts_with(start))
            .count()
    };
    // A vector that is lost or left out of the folder fails here.
    assert_eq!((count("ok_"), count("fail_")), SEALED_FILES);
    assert_eq!(cases.len(), SEALED_FILES.0 + SEALED_FILES.1);
    cases
}

fn with_key<T>(key: &Key, f: impl FnOnce(&[Unlock<'_>]) -> T) -> T {
    match key {
        Key::File(bytes) => {
            let key = KeyFile::from_bytes(bytes, "vector").unwrap();
            f(&[Unlock::KeyFile(&key)])
        }
        Key::Passphrase(passphrase) => {
            let passphrase = Passphrase::new(passphrase.clone());
            f(&[Unlock::Passphrase(&passphrase)])
        }
        Key::Identity(kem, secret) => {
            let identity: Identity = defects::identity_text(*kem, secret).parse().unwrap();
            f(&[Unlock::Identity(&identity)])
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn check(case: &Case, reader: &str, released: &[u8], outcome: &Result<(), Error>) {
    let name = match outcome {
        Ok(()) => "success",
        Err(error) => error_name(error),
    };
    assert_eq!(name, case.expect, "{} by {reader}", case.name);
    assert_eq!(sha256(released), case.payload, "{} by {reader}", case.name);
}

#[test]
fn every_vector_ends_as_it_says() {
    for case in cases() {
        for threads in 1..=4 {
            let (released, outcome) = with_key(&case.key, |keys| opened(&case.file, keys, threads));
            check(&case, "open", &released, &outcome);
        }
    }
}

#[test]
fn the_reader_agrees() {
    for case in cases() {
        let mut released = Vec::new();
        let outcome = with_key(&case.key, |keys| {
            let mut reader = Reader::new(&case.file[..], keys, &opening(1))?;
            reader.read_to_end(&mut released).map_err(|error| {
                let error = error.into_inner().expect("an error of the format");
                *error.downcast::<Error>().expect("an error of the format")
            })?;
            Ok(())
        });
        check(&case, "Reader", &released, &outcome);
    }
}

/// The seeking reader looks at the end first, so it may name another defect. But it never
/// gives more than the authentic bytes, and never takes a bad file for a good one.
#[test]
fn the_seek_reader_accepts_the_same_files() {
    for case in cases() {
        let mut released = Vec::new();
        let read = with_key(&case.key, |keys| {
            let reader = SeekReader::new(Cursor::new(&case.file), keys, &opening(1));
            reader.is_ok_and(|mut reader| reader.read_to_end(&mut released).is_ok())
        });
        assert_eq!(read, case.expect == "success", "{}", case.name);
        if read {
            assert_eq!(sha256(&released), case.payload, "{}", case.name);
        } else {
            assert!(
                defects::plaintext(3 * 16384).starts_with(&released),
                "{}",
                case.name
            );
        }
    }
}

/// What `salvage` says is wrong is what `open` says, wherever anything can be salvaged.
#[test]
fn salvage_gives_the_same_reason() {
    let mut salvaged = 0;
    for case in cases() {
        let found = with_key(&case.key, |keys| {
            let input = Cursor::new(&case.file);
            sivka_file::salvage(input, std::io::sink(), keys, &opening(1), |_| {}, |_| {})
        });
        let Ok(found) = found else { continue };
        salvaged += 1;
        let reason = found.open_error();
        let name = reason.as_ref().map_or("success", error_name);
        assert_eq!(name, case.expect, "{}", case.name);
        assert_eq!(found.is_whole(), reason.is_none(), "{}", case.name);
    }
    assert!(salvaged > SEALED_FILES.0 + 30, "{salvaged} salvaged");
}

#[test]
fn the_independent_reading_agrees() {
    for case in cases() {
        // It has no limit on costs, and would do what these ask.
        if case.expect == "cost-too-high" {
            continue;
        }
        // It knows the parameters of Argon2 only where they are valid.
        if case.name.starts_with("fail_argon2_") && case.expect == "header-damaged" {
            continue;
        }
        let read = reference::read(&case.file, &case.key);
        let ok = case.expect == "success";
        assert_eq!(read.is_some(), ok, "{}", case.name);
        if ok {
            assert_eq!(sha256(&read.unwrap()), case.payload, "{}", case.name);
        }
    }
}

#[test]
fn the_folder_is_what_the_writer_writes() {
    let mut folder = folder();
    for vector in defects::all() {
        let committed = folder.remove(&vector.name);
        assert!(
            committed == Some(vector.to_bytes()),
            "{} differs",
            vector.name
        );
    }
    assert!(folder.is_empty(), "nobody writes {:?}", folder.keys());
}
