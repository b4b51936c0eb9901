//! A folder to work in, and archives that are put together by hand.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::within::{RunInTime, WaitInTime};
use tar::{EntryType, Header};

pub(super) const MARK_LEN: usize = 1024;

/// A folder with a key in it, and with `outside` beside the targets, which nothing touches.
pub(super) struct House {
    pub(super) folder: tempfile::TempDir,
    pub(super) mark: Vec<u8>,
}

impl House {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut house = Self {
            folder,
            mark: Vec::new(),
        };
        assert!(house.sivka(&["keygen", "-o", "key"]).status.success());
        fs::create_dir(house.path("empty")).expect("made");
        assert!(
            house
                .sivka(&["seal", "--key", "key", "empty"])
                .status
                .success()
        );
        let archive = house.sivka(&["open", "--key", "key", "empty.sivka", "-o", "-"]);
        house.mark = archive.stdout[..MARK_LEN].to_vec();
        fs::create_dir(house.path("outside")).expect("made");
        fs::write(house.path("outside/file"), "untouched").expect("written");
        house
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn sivka(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(args)
            .current_dir(&self.folder)
            .output_in_time()
            .expect("sivka runs")
    }

    /// Seals a mark and then what `write` writes.
    pub(super) fn seal(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) {
        let mut seal = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(["seal", "--key", "key", "-", "-fo", "hostile.sivka"])
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        let mut input = std::io::BufWriter::new(seal.stdin.take().expect("a pipe"));
        input.write_all(&self.mark).expect("sivka reads");
        write(&mut input).expect("sivka reads");
        drop(input);
        assert!(seal.wait_in_time().expect("it ends").success());
    }

    pub(super) fn seal_entries(&self, entries: &[Header]) {
        self.seal(|out| {
            for entry in entries {
                out.write_all(entry.as_bytes())?;
                let len = entry.entry_size()? as usize;
                out.write_all(&vec![b'x'; len.next_multiple_of(512)])?;
            }
            out.write_all(&[0; 1024])
        });
    }

    /// Opens, and gives the exit status and what was said.
    pub(super) fn open(&self) -> (i32, String) {
        let opened = self.sivka(&["open", "--key", "key", "hostile.sivka"]);
        let said = String::from_utf8_lossy(&opened.stderr).into_owned();
        (opened.status.code().expect("no signal"), said)
    }

    /// The exit statuses of lists: where contents are leapt over, and where all is read.
    pub(super) fn list(&self) -> [i32; 2] {
        let sealed = fs::read(self.path("hostile.sivka")).expect("sealed");
        let list = ["open", "--key", "key", "--list"];
        let leapt = self.sivka(&[&list[..], &["hostile.sivka"]].concat());
        let mut read = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(list)
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sivka runs");
        // One that refuses early does not read it all.
        let _ = read.stdin.take().expect("a pipe").write_all(&sealed);
        let read = read.wait_in_time().expect("it ends");
        [leapt.status, read].map(|status| status.code().expect("no signal"))
    }

    /// Nothing of what was opened is there, and nothing else has changed.
    pub(super) fn assert_nothing_was_made(&self, case: &str) {
        let mut names: Vec<_> = fs::read_dir(&self.folder)
            .expect("readable")
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        names.sort();
        let expected = ["empty", "empty.sivka", "hostile.sivka", "key", "outside"];
        assert_eq!(names, expected, "{case}");
        let inside: Vec<_> = fs::read_dir(self.path("outside"))
            .expect("readable")
            .collect();
        assert_eq!(inside.len(), 1, "{case}");
        let file = fs::read_to_string(self.path("outside/file")).expect("readable");
        assert_eq!(file, "untouched", "{case}");
    }
}

/// An entry as it is, whatever it says.
pub(super) fn entry(kind: EntryType, name: &str, link: &str, len: u64) -> Header {
    let mut header = Header::new_gnu();
    let gnu = header.as_gnu_mut().expect("made as such");
    gnu.name[..name.len()].copy_from_slice(name.as_bytes());
    gnu.linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o7777);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(len);
    header.set_cksum();
    header
}

pub(super) fn file(name: &str) -> Header {
    entry(EntryType::Regular, name, "", 4)
}

pub(super) fn folder(name: &str) -> Header {
    entry(EntryType::Directory, name, "", 0)
}

pub(super) fn link(kind: EntryType, name: &str, to: &str) -> Header {
    entry(kind, name, to, 0)
}
