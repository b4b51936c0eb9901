//! Content that says what it is, and is not: only who has the key can make it.

#[path = "within/waiting.rs"]
mod within;

use std::fs;
use std::io::Write;
use std::process::Command;

use sivka_file::{KeyFile, Kind, Lock, SealOptions, Writer};

use within::RunInTime;

#[test]
fn what_is_no_folder_and_not_compressed_makes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let key = KeyFile::generate("mine").expect("a key");
    fs::write(path("key"), key.to_text().as_bytes()).expect("written");
    for kind in [Kind::Folder, Kind::CompressedFile, Kind::CompressedFolder] {
        let options = SealOptions {
            kind,
            ..SealOptions::default()
        };
        let locks = [Lock::KeyFile(&key)];
        let mut writer = Writer::new(Vec::new(), &locks, &options).expect("a writer");
        writer.write_all(b"nonsense").expect("written");
        fs::write(path("odd.sivka"), writer.finish().expect("sealed")).expect("written");
        let opened = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(["open", "--key", "key", "odd.sivka"])
            .current_dir(&folder)
            .output_in_time()
            .expect("sivka runs");
        let said = String::from_utf8_lossy(&opened.stderr);
        assert_eq!(opened.status.code(), Some(12), "{kind}: {said}");
        assert!(said.contains("malformed"), "{said}");
        let left = fs::read_dir(&folder).expect("readable");
        assert_eq!(left.count(), 2, "{kind}");
    }
}

/// What is whole comes back, and the status says that there may have been more.
#[cfg(unix)]
#[test]
fn salvage_says_that_a_folder_is_malformed() {
    let around = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| around.path().join(name);
    let key = KeyFile::generate("mine").expect("a key");
    fs::write(path("key"), key.to_text().as_bytes()).expect("written");
    fs::create_dir(path("folder")).expect("made");
    for name in ["a", "b", "c"] {
        fs::write(path("folder").join(name), name).expect("written");
    }
    let mut archive = Vec::new();
    let options = sivka_file::folder::Pack::default();
    sivka_file::folder::pack(&path("folder"), &mut archive, &options).expect("packed");
    for (is_malformed, status) in [(false, 0), (true, 12)] {
        if is_malformed {
            // The mode of an entry, and so its checksum.
            let header = archive.len() - 1024 - 1024;
            archive[header + 100] ^= 1;
        }
        let options = SealOptions {
            kind: Kind::Folder,
            ..SealOptions::default()
        };
        let mut writer = Writer::new(Vec::new(), &[Lock::KeyFile(&key)], &options).expect("one");
        writer.write_all(&archive).expect("written");
        fs::write(path("odd.sivka"), writer.finish().expect("sealed")).expect("written");
        let to = format!("rescued {status}");
        let salvaged = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(["salvage", "--key", "key", "odd.sivka", "-o", &to])
            .current_dir(&around)
            .output_in_time()
            .expect("sivka runs");
        let said = String::from_utf8_lossy(&salvaged.stderr);
        assert_eq!(salvaged.status.code(), Some(status), "{said}");
        assert_eq!(said.contains("malformed"), is_malformed, "{said}");
        assert_eq!(fs::read(path(&to).join("a")).expect("whole"), b"a");
    }
}
