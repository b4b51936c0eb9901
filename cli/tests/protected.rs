//! A protected key that asks for more work than is allowed unless told otherwise.

#[path = "within/waiting.rs"]
mod within;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use sivka_file::{Argon2Cost, KeyFile, Lock, Passphrase, SealOptions, Writer};

use within::RunInTime;

fn sivka(folder: &Path, args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sivka"))
        .args(args.split(' '))
        .current_dir(folder)
        .output_in_time()
        .expect("sivka runs")
}

#[test]
fn every_command_takes_a_limit_for_a_protected_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let passphrase = Passphrase::new("correct horse".to_owned());
    let cost = Argon2Cost { memory_kib: 64, passes: 17, lanes: 1 };
    let key = KeyFile::generate("mine").expect("a key");
    let locks = [Lock::Passphrase(&passphrase, cost)];
    let mut writer = Writer::new(Vec::new(), &locks, &SealOptions::default()).expect("a writer");
    writer.write_all(key.to_text().as_bytes()).expect("written");
    let sealed = writer.finish().expect("sealed");
    for (name, text) in [("my.key", &sealed[..]), ("p", b"correct horse\n"), ("note", b"hello")] {
        fs::write(folder.join(name), text).expect("written");
    }
    let keys = "--key my.key --key-passphrase-file p";
    for command in [
        "seal note",
        "open note.sivka -o -",
        "verify note.sivka",
        "salvage note.sivka -fo left",
        "slot add note.sivka --new-passphrase-file p",
        "keyset create k",
        "keyset show k",
        "keyset convert k --form insecure-json -o plain",
    ] {
        let refused = sivka(folder, &format!("{command} {keys}"));
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(10), "{command}: {said}");
        assert!(said.starts_with("sivka: my.key: "), "{command}: {said}");
        assert!(said.contains("--max-passes 17"), "{command}: {said}");
        let done = sivka(folder, &format!("{command} {keys} --max-passes 17"));
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{command}: {said}");
    }
}
