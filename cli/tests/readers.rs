//! Whoever only reads changes nothing, whatever somebody else has prepared in the folder.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ALICE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/alice.key");
const BOB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/bob.key");

fn sivka(folder: &Path, args: &[&str]) -> bool {
    let run = Command::new(env!("CARGO_BIN_EXE_sivka"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    run.expect("sivka runs").success()
}

/// Name, inode and content of all that is in a folder. A pipe has no content here.
fn all_in(folder: &Path) -> BTreeMap<PathBuf, (u64, Option<Vec<u8>>)> {
    let entries = fs::read_dir(folder).expect("readable");
    let found = entries.map(|entry| {
        let path = entry.expect("readable").path();
        let found = fs::symlink_metadata(&path).expect("there");
        let content = found.is_file().then(|| fs::read(&path).expect("readable"));
        (path, (found.ino(), content))
    });
    found.collect()
}

/// What older versions took for the journal of an interrupted change: with it, they wrote over
/// the header of whatever the path led to by then.
fn journal(old: &[u8], new: &[u8]) -> Vec<u8> {
    const HEADER: usize = 2048;
    const PAYLOAD_HEAD: usize = 56;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("journal");
    let mut bytes = b"sivka journal of slots, version\x01".to_vec();
    bytes.extend(&old[HEADER..][..PAYLOAD_HEAD]);
    bytes.extend(&old[..HEADER]);
    bytes.extend(&new[..HEADER]);
    fs::write(&path, &bytes).expect("written");
    let hash = Command::new("sha512sum").arg(path).output();
    let hash = String::from_utf8(hash.expect("sha512sum runs").stdout).expect("text");
    let digits = |at: usize| u8::from_str_radix(&hash[2 * at..][..2], 16).expect("digits");
    bytes.extend((0..32).map(digits));
    bytes
}

#[test]
fn readers_write_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let in_folder = |name: &str| folder.join(name);
    assert!(sivka(
        folder,
        &["keyset", "create", "users", "--key", ALICE]
    ));
    let old = fs::read(in_folder("users")).expect("sealed");
    let add = ["slot", "add", "--key", ALICE, "users", "--new-key", BOB];
    assert!(sivka(folder, &add));
    let new = fs::read(in_folder("users")).expect("sealed");
    // Sectors of both headers, as in a crash.
    let mut torn = old.clone();
    torn[..512].copy_from_slice(&new[..512]);
    fs::write(in_folder("users"), &torn).expect("written");
    fs::write(in_folder(".users.sivka-slots"), journal(&old, &new)).expect("written");
    symlink("users", in_folder("link")).expect("linked");
    symlink(".users.sivka-slots", in_folder(".link.sivka-slots")).expect("linked");
    let out = tempfile::tempdir().expect("a temporary folder");
    let out = out.path().join("out");
    let out = out.to_str().expect("text");
    let before = all_in(folder);
    for file in ["users", "link"] {
        for args in [
            &["verify", file, "--key", ALICE][..],
            &["open", file, "--key", ALICE, "-o", out],
            &["open", file, "--key", ALICE, "--range", "0..1", "-o", out],
            &["inspect", file],
            &["salvage", file, "--key", ALICE, "-o", out],
            &["slot", "list", file],
            &["keyset", "show", file, "--key", ALICE],
            &["keyset", "add", file, "--key", ALICE],
            &add,
        ] {
            let _ = fs::remove_file(out);
            sivka(folder, args);
            assert!(all_in(folder) == before, "{args:?}");
        }
    }
}
