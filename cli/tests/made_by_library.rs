//! Files that the command does not make, and the library does.

#[path = "within/waiting.rs"]
mod within;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sivka_file::{Argon2Cost, KeyFile, Kind, Lock, Passphrase, SealOptions, Writer};

use within::RunInTime;

/// A folder with a key, and a file that was sealed for it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new(kind: Kind, content: &[u8]) -> Self {
        let desk = Self(tempfile::tempdir().expect("a temporary folder"));
        let key = KeyFile::generate("mine").expect("a key");
        fs::write(desk.path("key"), key.to_text().as_bytes()).expect("written");
        let options = SealOptions { kind, ..SealOptions::default() };
        let mut writer = Writer::new(Vec::new(), &[Lock::KeyFile(&key)], &options).expect("one");
        writer.write_all(content).expect("written");
        fs::write(desk.path("odd.sivka"), writer.finish().expect("sealed")).expect("written");
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &str) -> Output {
        self.sivka(&format!("{args} --key key odd.sivka"))
    }

    fn sivka(&self, args: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(args.split(' '))
            .current_dir(&self.0)
            .output_in_time()
            .expect("sivka runs")
    }

    /// Each of these says that it is malformed, and makes nothing.
    fn is_malformed(&self, commands: &[&str]) {
        for command in commands {
            let run = self.run(command);
            let said = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(12), "{command}: {said}");
            assert!(said.contains("malformed"), "{command}: {said}");
            assert_eq!(fs::read_dir(&self.0).expect("readable").count(), 2);
        }
    }
}

#[test]
fn what_is_not_compressed_makes_nothing() {
    for kind in [Kind::CompressedFile, Kind::CompressedFolder] {
        Desk::new(kind, b"nonsense").is_malformed(&["open", "verify"]);
    }
}

/// Three files and another name of the first. `step` is done before each is packed.
#[cfg(unix)]
fn archive(step: &dyn Fn(&Path)) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    for name in ["a", "b", "c"] {
        fs::write(path(name), name).expect("written");
    }
    fs::hard_link(path("a"), path("d")).expect("linked");
    let mut archive = Vec::new();
    let mut options = sivka_file::folder::Pack::default();
    let step = |entry: &Path| step(&folder.path().join(entry));
    options.step = &step;
    sivka_file::folder::pack(folder.path(), &mut archive, &options).expect("packed");
    archive
}

/// All commands judge alike, also those that see the fault late.
#[cfg(unix)]
#[test]
fn what_is_no_folder_makes_nothing() {
    const ALL: [&str; 4] = ["open", "open -o -", "verify", "list"];
    Desk::new(Kind::Folder, b"nonsense").is_malformed(&ALL);
    let mut archive = archive(&|_| {});
    // The last name is one of nothing: the link and, so that the checksum stays, the mode.
    let header = archive.len() - 1024 - 512;
    (archive[header + 157], archive[header + 106]) = (b'a' - 1, archive[header + 106] + 1);
    Desk::new(Kind::Folder, &archive).is_malformed(&ALL);
    let passed = Desk::new(Kind::Folder, &archive).run("open -o -").stdout;
    assert_eq!(passed, archive[..header + 512]);
}

/// What is whole comes back, and the status says that there may have been more.
#[cfg(unix)]
#[test]
fn salvage_says_that_a_folder_is_malformed() {
    let mut archive = archive(&|_| {});
    for (is_malformed, status) in [(false, 0), (true, 12)] {
        if is_malformed {
            // The mode of an entry, and so its checksum.
            let header = archive.len() - 1024 - 512;
            archive[header + 100] ^= 1;
        }
        let desk = Desk::new(Kind::Folder, &archive);
        let salvaged = desk.run("salvage -o rescued");
        let said = String::from_utf8_lossy(&salvaged.stderr);
        assert_eq!(salvaged.status.code(), Some(status), "{said}");
        assert_eq!(said.contains("malformed"), is_malformed, "{said}");
        assert_eq!(fs::read(desk.path("rescued/a")).expect("whole"), b"a");
    }
}

/// Also where nothing can be passed over: the content ends too early, or is none of its kind.
#[cfg(unix)]
#[test]
fn salvage_judges_a_whole_content_as_opening_does() {
    let archive = archive(&|_| {});
    let cut = &archive[..archive.len() - 1024];
    for (kind, content) in [
        (Kind::Folder, cut),
        (Kind::Folder, &archive[..700]),
        (Kind::Folder, b"".as_slice()),
        (Kind::CompressedFolder, b"no zstd".as_slice()),
        (Kind::CompressedFile, b"no zstd".as_slice()),
    ] {
        let salvaged = Desk::new(kind, content).run("salvage --json -o rescued");
        let told = String::from_utf8_lossy(&salvaged.stdout);
        assert_eq!(salvaged.status.code(), Some(12), "{told}");
        assert!(told.contains("\"content_is_whole\":false"), "{told}");
    }
}

/// A file that became shorter while it was sealed has zeros in the archive, whose end says so.
#[cfg(unix)]
#[test]
fn a_file_that_is_no_copy_is_named_on_every_way_out() {
    let archive = archive(&|path| drop(path.ends_with("c").then(|| fs::write(path, ""))));
    let desk = Desk::new(Kind::Folder, &archive);
    for (command, status, out) in [
        ("open --only c -o -", 11, &b""[..]),
        ("open --only b -o -", 0, b"b"),
        ("open -o -", 11, &archive),
    ] {
        let run = desk.run(command);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!((run.status.code(), &run.stdout[..]), (Some(status), out), "{said}");
        assert_eq!(said.contains("c: could not be read as a whole"), status == 11, "{said}");
    }
}

/// A protected key that asks for more work than is allowed unless told otherwise.
#[test]
fn every_command_takes_a_limit_for_a_protected_key() {
    let desk = Desk(tempfile::tempdir().expect("a temporary folder"));
    let passphrase = Passphrase::new("correct horse".to_owned());
    let cost = Argon2Cost { memory_kib: 64, passes: 17, lanes: 1 };
    let key = KeyFile::generate("mine").expect("a key");
    let locks = [Lock::Passphrase(&passphrase, cost)];
    let mut writer = Writer::new(Vec::new(), &locks, &SealOptions::default()).expect("a writer");
    writer.write_all(key.to_text().as_bytes()).expect("written");
    let sealed = writer.finish().expect("sealed");
    for (name, text) in [("my.key", &sealed[..]), ("p", b"correct horse\n"), ("note", b"hello")] {
        fs::write(desk.path(name), text).expect("written");
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
        let refused = desk.sivka(&format!("{command} {keys}"));
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(10), "{command}: {said}");
        assert!(said.starts_with("sivka: my.key: "), "{command}: {said}");
        assert!(said.contains("--max-passes 17"), "{command}: {said}");
        let done = desk.sivka(&format!("{command} {keys} --max-passes 17"));
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{command}: {said}");
    }
}
