//! The archives of `vectors/folder-v1`, which every reader judges alike.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{entries, unpacked};
use sivka_file::folder::{Entries, EntryKind, Error};

/// Builds the bytes of a list of pieces.
fn build(pieces: &Value, table: &Value, bytes: &mut Vec<u8>) {
    for piece in pieces.as_array().unwrap() {
        let piece = piece.as_str().unwrap();
        if let Some(pieces) = table.get(piece) {
            build(pieces, table, bytes);
            continue;
        }
        let (digits, times) = piece.split_once(" * ").unwrap_or((piece, "1"));
        let unit = base16ct::lower::decode_vec(digits).unwrap();
        bytes.extend(unit.repeat(times.parse().unwrap()));
    }
}

fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// What reading finds, in the form of the vectors.
fn lines(mut archive: &[u8]) -> Result<Vec<String>, Error> {
    let mut entries = Entries::new(&mut archive);
    let mut lines = Vec::new();
    while let Some(entry) = entries.next_entry()? {
        let text = |path: &OsStr| latin_1(path.as_bytes());
        let name = text(entry.path.as_os_str());
        let (mut size, mut digest, mut link) = (0, "-".to_owned(), String::new());
        let (kind, name) = match &entry.kind {
            EntryKind::Lost => {
                lines.push(format!("lost {name}"));
                continue;
            }
            EntryKind::Folder if name.is_empty() => (5, "./".to_owned()),
            EntryKind::Folder => (5, name + "/"),
            EntryKind::File { len } => {
                let mut content = Vec::new();
                entries.read_to_end(&mut content)?;
                size = *len;
                digest = base16ct::lower::encode_string(&Sha256::digest(&content)[..8]);
                (0, name)
            }
            EntryKind::SymbolicLink { target: to } | EntryKind::HardLink { first: to } => {
                link = format!(" > {}", text(to.as_os_str()));
                let is_hard = matches!(entry.kind, EntryKind::HardLink { .. });
                (if is_hard { 1 } else { 2 }, name)
            }
        };
        let (mode, uid, gid) = (entry.mode, entry.uid, entry.gid);
        let (seconds, nanos) = (entry.mtime.seconds, entry.mtime.nanos);
        let mut line =
            format!("{kind} {mode:o} {uid} {gid} {seconds} {nanos} {size} {digest} {name}{link}");
        for (name, value) in &entry.attributes {
            let value = match value.len() {
                0..999 => latin_1(value),
                len => format!("{len} bytes"),
            };
            line += &format!(" {}={value}", text(name));
        }
        lines.push(line);
    }
    Ok(lines)
}

#[test]
fn every_reader_judges_as_the_vectors_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/folder-v1/archives.json");
    let vectors: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(Some(cases.len() as u64), vectors["case_count"].as_u64());
    let mut wrong = HashMap::new();
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let mut archive = Vec::new();
        build(&case["archive"], &vectors["pieces"], &mut archive);
        let desk = tempfile::tempdir().unwrap();
        let came = unpacked(&archive, &desk.path().join("to"));
        let (read, sought) = (lines(&archive), entries(&archive));
        let is_right = match case["entries"].as_array() {
            Some(wanted) => {
                let count = wanted.len();
                let is_listed = sought.as_ref().is_ok_and(|found| found.len() == count);
                let is_read = read.as_ref().is_ok_and(|found| found == wanted);
                came.is_ok() && is_listed && is_read
            }
            None => {
                let is_nothing = desk.path().read_dir().unwrap().count() == 0;
                let is_refused = is_malformed(&came) && is_malformed(&sought);
                is_refused && is_malformed(&read) && is_nothing
            }
        };
        if !is_right {
            wrong.insert(name, format!("{came:?} {read:?} {sought:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn is_malformed<T>(read: &Result<T, Error>) -> bool {
    matches!(read, Err(Error::Malformed(..)))
}
