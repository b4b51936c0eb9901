//! Folders: packed and unpacked, listed, salvaged, and what file systems and archives may do.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder {
    mod left_out;
    mod salvage;
    mod there_and_back;
    mod vectors;
}

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::Cursor;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use sivka_file::folder::{Entries, Entry, Error, Named, Pack, Unpack, Unpacked, pack, unpack};

/// The mark of archives, but not of those in a file of the folder.
const MARK: [u8; 8] = *b"its mark";

fn packed(folder: &Path) -> Vec<u8> {
    let (mut options, mut archive) = (Pack::default(), Vec::new());
    options.mark = MARK;
    let packed = pack(folder, &mut archive, &options).unwrap();
    assert!(packed.named.is_empty(), "{:?}", packed.named);
    archive
}

fn unpacked(mut archive: &[u8], into: &Path) -> Result<Unpacked, Error> {
    unpack(Entries::new(&mut archive), into, &Unpack::default())
}

/// All entries, where their content is leapt over.
fn entries(archive: &[u8]) -> Result<Vec<Entry>, Error> {
    let mut file = Cursor::new(archive);
    let mut entries = Entries::seekable(&mut file).unwrap();
    std::iter::from_fn(|| entries.next_entry().transpose()).collect()
}

/// What was named, as `PATH: WHY`.
fn named(named: &[Named]) -> Vec<String> {
    let line = |named: &Named| format!("{}: {}", named.path.display(), named.why);
    named.iter().map(line).collect()
}

/// The paths of all that is in a tree, and of itself.
fn paths(root: &Path) -> BTreeSet<PathBuf> {
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

/// Everything of a tree that is to come back: rights, owners, times, the first path of the same
/// file, attributes, and a hash of the content.
fn tree(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut firsts = HashMap::new();
    let mut about = |path: PathBuf| {
        let at = root.join(&path);
        let found = at.symlink_metadata().unwrap();
        let first = firsts.entry(found.ino()).or_insert(path.clone());
        let (mode, uid, gid) = (found.mode(), found.uid(), found.gid());
        let time = (found.mtime(), found.mtime_nsec());
        let value = |name: OsString| (xattr::get(&at, &name).unwrap(), name);
        let attributes: BTreeSet<_> = xattr::list(&at).unwrap().map(value).collect();
        let content = match fs::read_link(&at) {
            Ok(target) => target.into_os_string().into_encoded_bytes(),
            Err(_) if found.is_file() => fs::read(&at).unwrap(),
            Err(_) => Vec::new(),
        };
        let content = Sha256::digest(content);
        let found = format!("{mode:o} {uid} {gid} {time:?} {first:?} {attributes:?} {content:?}");
        (path, found)
    };
    paths(root).into_iter().map(&mut about).collect()
}
