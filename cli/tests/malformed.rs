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
