//! The vectors in `vectors/file-v1`, found in the folder: every reader against each.

use super::support::{COPY_LEN, FIRST_SLOT, change, error_name, opened, opening};
use sha2::{Digest, Sha256};
use sivka_file::{Copies, HEADER_LEN, Header, Identity, KeyFile, Lock, Passphrase, Reader, Unlock};
use sivka_oracle::vectors::{SEALED_FILES, hex};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

struct Case {
    name: String,
    fields: BTreeMap<String, String>,
    file: Vec<u8>,
}

impl Case {
    fn parse(name: String, bytes: &[u8]) -> Self {
        let end = bytes.windows(2).position(|two| two == b"\n\n");
        let (head, file) = bytes.split_at(end.expect("a head") + 2);
        let lines = std::str::from_utf8(head).expect("UTF-8").trim_end().lines();
        let fields = lines.map(|line| {
            let (name, value) = line.split_once(": ").expect("a field");
            (name.to_owned(), value.to_owned())
        });
        let (fields, file) = (fields.collect(), file.to_vec());
        Self { name, fields, file }
    }

    fn get(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(String::as_str)
    }

    fn expect(&self) -> &str {
        self.get("expect").expect("expect")
    }

    fn with_key<T>(&self, f: impl FnOnce(&[Unlock<'_>]) -> T) -> T {
        let keys = ["key", "passphrase", "identity"].map(|field| self.get(field));
        match keys {
            [Some(key), None, None] => {
                let bytes = hex(key).expect("hexadecimal");
                let key = KeyFile::from_bytes(&bytes.try_into().expect("32 bytes"), "vector");
                f(&[Unlock::KeyFile(&key.unwrap())])
            }
            [None, Some(passphrase), None] => {
                f(&[Unlock::Passphrase(&Passphrase::new(passphrase.to_owned()))])
            }
            [None, None, Some(identity)] => {
                f(&[Unlock::Identity(&identity.parse::<Identity>().unwrap())])
            }
            _ => panic!("{}: one key", self.name),
        }
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/file-v1");
    let (mut cases, mut counts) = (Vec::new(), (0, 0));
    for entry in fs::read_dir(folder).expect("the folder of vectors") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "vec") {
            let name = path.file_stem().expect("a name").to_string_lossy();
            match name.starts_with("ok_") {
                true => counts.0 += 1,
                false => counts.1 += 1,
            }
            let bytes = fs::read(&path).expect("a file");
            cases.push(Case::parse(name.into_owned(), &bytes));
        }
    }
    // A vector that is lost or left out of the folder fails here.
    assert_eq!(counts, SEALED_FILES);
    cases
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_vector_ends_as_it_says() {
    for case in cases() {
        for threads in [1, 4] {
            let (released, outcome) = case.with_key(|keys| opened(&case.file, keys, threads));
            let name = outcome.as_ref().err().map_or("success", error_name);
            assert_eq!(name, case.expect(), "{}", case.name);
            let payload = case.get("payload").expect("payload");
            assert_eq!(sha256(&released), payload, "{}", case.name);
        }
    }
}

/// The seeking reader looks at the end first, so it may name another defect. But it never takes a
/// bad file for a good one.
#[test]
fn kinds_copies_and_seeking_agree() {
    for case in cases() {
        let name = &case.name;
        let mut released = Vec::new();
        let reader = case.with_key(|keys| Reader::new(Cursor::new(&case.file), keys, &opening(1)));
        if let Ok(reader) = &reader {
            let kind = reader.kind().number().to_string();
            assert_eq!(case.get("kind"), Some(kind.as_str()), "{name}");
        }
        let read = reader.is_ok_and(|mut reader| {
            reader.len().is_ok() && reader.read_to_end(&mut released).is_ok()
        });
        assert_eq!(read, case.expect() == "success", "{name}");
        assert!(
            !read || case.get("payload") == Some(&sha256(&released)),
            "{name}"
        );
        if let Some(copies) = case.get("copies") {
            let found = Header::parse(&case.file).unwrap().copies();
            let expected = match copies {
                "equal" => Copies::Equal,
                _ => Copies::Differ,
            };
            assert_eq!(found, expected, "{name}");
        }
    }
}

/// The reason that `salvage` gives is that of opening, wherever anything can be salvaged. Of a file
/// that opens it gives the content.
#[test]
fn salvage_gives_the_same_reason() {
    let mut salvaged = 0;
    for case in cases() {
        let mut output = Vec::new();
        let found = case.with_key(|keys| {
            let input = Cursor::new(&case.file);
            sivka_file::salvage(input, &mut output, keys, &opening(1), |_| {}, |_| {})
        });
        salvaged += usize::from(found.is_ok());
        let (whole_len, reason) = match found {
            Ok(found) if found.is_whole() => (found.plaintext_len, None),
            Ok(found) => (None, found.open_error().map(error_name)),
            Err(error) => (None, Some(error_name(&error))),
        };
        assert_eq!(reason.unwrap_or("success"), case.expect(), "{}", case.name);
        if reason.is_none() {
            assert_eq!(whole_len, Some(output.len() as u64));
            assert_eq!(
                case.get("payload"),
                Some(&*sha256(&output)),
                "{}",
                case.name
            );
        }
    }
    assert!(salvaged > SEALED_FILES.0 + 30, "{salvaged} salvaged");
}

/// A slot of a kind that this version does not know, of a newer program, stays as it is.
#[test]
fn unknown_slots_are_kept_byte_for_byte() {
    let mut cases = cases();
    cases.retain(|case| case.name.starts_with("ok_unknown_slot_"));
    assert!(cases.len() >= 2, "{} vectors", cases.len());
    for case in cases {
        let mut file = Cursor::new(case.file.clone());
        let other = KeyFile::generate("other").unwrap();
        let add = |keys: &[Unlock<'_>]| {
            change(&mut file, keys, |slots| slots.add(&Lock::KeyFile(&other)))
        };
        case.with_key(add).unwrap();
        let changed = file.get_ref();
        assert_eq!(changed[..COPY_LEN], changed[COPY_LEN..HEADER_LEN]);
        let slots = &case.file[FIRST_SLOT..COPY_LEN - 32];
        let end = slots.iter().rposition(|byte| *byte != 0).unwrap();
        assert_eq!(
            changed[FIRST_SLOT..][..=end],
            slots[..=end],
            "{}",
            case.name
        );
    }
}
