//! The archives of `vectors/folder-v1`, which every reader judges alike.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::support::{entries, unpacked};
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
fn lines(archive: &[u8]) -> Result<Vec<String>, Error> {
    let mut stream = archive;
    let mut entries = Entries::new(&mut stream);
    let mut lines = Vec::new();
    while let Some(entry) = entries.next_entry()? {
        let text = |path: &OsStr| latin_1(path.as_bytes());
        let mut name = text(entry.path.as_os_str());
        let (kind, link) = match &entry.kind {
            EntryKind::Lost => {
                lines.push(format!("lost {name}"));
                continue;
            }
            EntryKind::Folder => (5, None),
            EntryKind::File { .. } => (0, None),
            EntryKind::SymbolicLink { target } => (2, Some(target)),
            EntryKind::HardLink { first } => (1, Some(first)),
        };
        if kind == 5 {
            name = if name.is_empty() {
                "./".to_owned()
            } else {
                name + "/"
            };
        }
        let (mut size, mut digest) = (0, "-".to_owned());
        if let EntryKind::File { len } = entry.kind {
            let mut content = Vec::new();
            entries.read_to_end(&mut content)?;
            size = len;
            digest = base16ct::lower::encode_string(&Sha256::digest(&content)[..8]);
        }
        let (mode, uid, gid) = (entry.mode, entry.uid, entry.gid);
        let (seconds, nanos) = (entry.mtime.seconds, entry.mtime.nanos);
        let mut line =
            format!("{kind} {mode:o} {uid} {gid} {seconds} {nanos} {size} {digest} {name}");
        if let Some(link) = link {
            write!(line, " > {}", text(link.as_os_str())).unwrap();
        }
        for (name, value) in &entry.attributes {
            let value = match value.len() {
                0..999 => latin_1(value),
                len => format!("{len} bytes"),
            };
            write!(line, " {}={value}", text(name)).unwrap();
        }
        lines.push(line);
    }
    Ok(lines)
}

#[test]
fn every_reader_judges_as_the_vectors_say() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../vectors/folder-v1/archives.json"
    );
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
        let (read, sought) = (lines(&archive), entries(&archive, true));
        let is_right = match case["entries"].as_array() {
            Some(wanted) => {
                let wanted: Vec<_> = wanted.iter().map(|line| line.as_str().unwrap()).collect();
                came.is_ok()
                    && matches!(&read, Ok(found) if *found == wanted)
                    && sought
                        .as_ref()
                        .is_ok_and(|found| found.len() == wanted.len())
            }
            None => {
                is_malformed(&came)
                    && is_malformed(&read)
                    && is_malformed(&sought)
                    && desk.path().read_dir().unwrap().count() == 0
            }
        };
        if !is_right {
            wrong.insert(name, format!("{came:?} {read:?} {sought:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn is_malformed<T>(read: &Result<T, Error>) -> bool {
    matches!(read, Err(Error::Malformed { .. }))
}
