//! The vectors in `vectors/file-v1`, found in the folder: every reader against each.

use super::support::{COPY_LEN, FIRST_SLOT, change, error_name, opened, opening};
use sha2::{Digest, Sha256};
use sivka_file::{HEADER_LEN, Header, Identity, KeyFile, Lock, Passphrase, Reader, Unlock};
use sivka_oracle::vectors::{SEALED_FILES, hex};
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

struct Case {
    name: String,
    head: String,
    file: Vec<u8>,
}

impl Case {
    fn get(&self, field: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.find_map(|(name, value)| (name == field).then_some(value))
    }

    fn with_key<T>(&self, f: impl FnOnce(&[Unlock<'_>]) -> T) -> T {
        if let Some(key) = self.get("key") {
            let bytes = hex(key).unwrap().try_into().unwrap();
            f(&[Unlock::KeyFile(&KeyFile::from_bytes(&bytes, "vector").unwrap())])
        } else if let Some(passphrase) = self.get("passphrase") {
            f(&[Unlock::Passphrase(&Passphrase::new(passphrase.to_owned()))])
        } else {
            let identity = self.get("identity").expect("a key");
            f(&[Unlock::Identity(&identity.parse::<Identity>().unwrap())])
        }
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/file-v1");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "vec"));
    let cases: Vec<_> = paths
        .map(|path| {
            let bytes = fs::read(&path).unwrap();
            let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
            Case {
                name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
                head: String::from_utf8(bytes[..end].to_vec()).unwrap(),
                file: bytes[end + 2..].to_vec(),
            }
        })
        .collect();
    // A vector that is lost or left out of the folder fails here.
    let opens = cases.iter().filter(|case| case.name.starts_with("ok_"));
    let opens = opens.count();
    assert_eq!((opens, cases.len() - opens), SEALED_FILES);
    cases
}

fn sha256(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

/// The seeking reader looks at the end first, so it may name another defect. But it never takes a
/// bad file for a good one. Salvage gives the reason of opening, wherever it can begin.
#[test]
fn every_vector_ends_as_it_says() {
    let mut salvaged = 0;
    for case in cases() {
        let (name, expect) = (&case.name, case.get("expect").unwrap());
        let (payload, opens) = (case.get("payload").unwrap(), expect == "success");
        for threads in [1, 4] {
            let (released, outcome) =
                case.with_key(|keys| opened(&case.file, keys, &opening(threads)));
            let found = outcome.as_ref().err().map_or("success", error_name);
            assert_eq!((found, &*sha256(&released)), (expect, payload), "{name}");
        }
        let (input, mut released) = (Cursor::new(&case.file), Vec::new());
        let reader = case.with_key(|keys| Reader::new(input.clone(), keys, &opening(1)));
        if let Ok(reader) = &reader {
            let kind = reader.kind().number().to_string();
            assert_eq!(case.get("kind"), Some(kind.as_str()), "{name}");
        }
        let read = reader.is_ok_and(|mut reader| {
            reader.len().is_ok() && reader.read_to_end(&mut released).is_ok()
        });
        assert_eq!(read, opens, "{name}");
        assert!(!read || payload == sha256(&released), "{name}");
        if let Some(copies) = case.get("copies") {
            let header = Header::parse(&case.file).unwrap();
            assert_eq!(header.copies_agree(), copies == "equal", "{name}");
        }

        let mut output = Vec::new();
        let found = case.with_key(|keys| {
            sivka_file::salvage(input, &mut output, keys, &opening(1), |_| {}, |_| {})
        });
        salvaged += usize::from(found.is_ok());
        let reason = match &found {
            Ok(found) => found.open_error().map_or("success", error_name),
            Err(error) => error_name(error),
        };
        assert_eq!(reason, expect, "{name}");
        assert!(!opens || payload == sha256(&output), "{name}");
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
        let lock = Lock::KeyFile(&other);
        case.with_key(|keys| change(&mut file, keys, |slots| slots.add(&lock))).unwrap();
        let changed = file.get_ref();
        assert_eq!(changed[..COPY_LEN], changed[COPY_LEN..HEADER_LEN]);
        let slots = &case.file[FIRST_SLOT..COPY_LEN - 32];
        let end = slots.iter().rposition(|byte| *byte != 0).unwrap();
        assert_eq!(changed[FIRST_SLOT..][..=end], slots[..=end]);
    }
}
