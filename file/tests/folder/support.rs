//! Packing and unpacking in memory, what a tree is like, and archives made by hand.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Cursor;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sivka_file::folder::{Entries, Entry, Error, Named, Pack, Unpack, Unpacked, pack, unpack};

pub(super) fn packed(folder: &Path) -> Vec<u8> {
    let mut archive = Vec::new();
    let packed = pack(folder, &mut archive, &Pack::default()).unwrap();
    assert!(packed.named.is_empty(), "{:?}", packed.named);
    archive
}

pub(super) fn unpacked(archive: &[u8], into: &Path) -> Result<Unpacked, Error> {
    let mut stream = archive;
    unpack(Entries::new(&mut stream), into, &Unpack::default())
}

/// All entries, read by seeking where `by_seeking`.
pub(super) fn entries(archive: &[u8], by_seeking: bool) -> Result<Vec<Entry>, Error> {
    let (mut file, mut stream) = (Cursor::new(archive), archive);
    let mut entries = match by_seeking {
        true => Entries::seekable(&mut file).unwrap(),
        false => Entries::new(&mut stream),
    };
    let mut found = Vec::new();
    while let Some(entry) = entries.next_entry()? {
        found.push(entry);
    }
    Ok(found)
}

/// What was named, as `PATH: WHY`.
pub(super) fn named(named: &[Named]) -> Vec<String> {
    let line = |named: &Named| format!("{}: {}", named.path.display(), named.why);
    named.iter().map(line).collect()
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    mode: u32,
    owner: (u32, u32),
    mtime: (i64, i64),
    /// The first path of the same file.
    first: PathBuf,
    content: Vec<u8>,
    attributes: BTreeMap<Vec<u8>, Vec<u8>>,
}

/// The paths of all that is in a tree, and of itself.
pub(super) fn paths(root: &Path) -> BTreeSet<PathBuf> {
    let (mut found, mut folders) = (BTreeSet::from([PathBuf::new()]), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path.clone());
            }
            found.insert(path);
        }
    }
    found
}

/// Everything of a tree that is to come back.
pub(super) fn tree(root: &Path) -> BTreeMap<PathBuf, Found> {
    let mut firsts = HashMap::new();
    let mut about = |path: PathBuf| {
        let at = root.join(&path);
        let about = at.symlink_metadata().unwrap();
        let first = firsts.entry((about.dev(), about.ino()));
        let content = match about.file_type() {
            kind if kind.is_symlink() => fs::read_link(&at).unwrap().into_os_string().into_vec(),
            kind if kind.is_file() => fs::read(&at).unwrap(),
            _ => Vec::new(),
        };
        let attributes = xattr::list(&at).unwrap().map(|name| {
            let value = xattr::get(&at, &name).unwrap().unwrap();
            (name.into_vec(), value)
        });
        let found = Found {
            mode: about.mode(),
            owner: (about.uid(), about.gid()),
            mtime: (about.mtime(), about.mtime_nsec()),
            first: first.or_insert(path.clone()).clone(),
            content,
            attributes: attributes.collect(),
        };
        (path, found)
    };
    paths(root).into_iter().map(&mut about).collect()
}

/// A header as anybody may make it, with a right checksum.
pub(super) fn header(kind: u8, name: &str, link: &str, size: usize) -> Vec<u8> {
    let mut block = vec![0; 512];
    let mut text =
        |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    text(0, name);
    let mode = if kind == b'5' { "0000755" } else { "0000644" };
    text(100, mode);
    text(108, "0000000\x000000000\x00");
    text(124, &format!("{size:011o}\x0000000000000\x00        "));
    text(157, link);
    text(257, "ustar\x0000");
    block[156] = kind;
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\x00 ").as_bytes());
    block
}

/// `content` after its header, filled up.
pub(super) fn with_content(kind: u8, name: &str, content: &[u8]) -> Vec<u8> {
    let mut entry = header(kind, name, "", content.len());
    entry.extend_from_slice(content);
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

/// An archive of these entries, from the folder itself to the end.
pub(super) fn archive(entries: &[Vec<u8>]) -> Vec<u8> {
    [header(b'5', "./", "", 0), entries.concat(), vec![0; 1024]].concat()
}

/// Records of pax, ahead of what follows.
pub(super) fn records(records: &[(&str, &[u8])]) -> Vec<u8> {
    let record = |(key, value): &(&str, &[u8])| {
        let rest = key.len() + value.len() + 3;
        let len = (rest..)
            .find(|len| rest + len.to_string().len() == *len)
            .unwrap();
        [format!("{len} {key}=").as_bytes(), value, b"\n"].concat()
    };
    with_content(
        b'x',
        "pax",
        &records.iter().map(record).collect::<Vec<_>>().concat(),
    )
}
