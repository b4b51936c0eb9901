//! What other programs put in the place of a file while a run works on it: before each system
//! call of the run once. It is neither lost nor believed to be what the run has made.

#![cfg(target_os = "linux")]

#[path = "tracing/calls.rs"]
mod tracing;

use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::unistd::Pid;
use tracing::traced;

const ALICE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/alice.key");
const BOB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/bob.key");

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("readable")
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("written");
    }

    fn does(&self, args: &[&str]) -> bool {
        let run = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(args)
            .current_dir(&self.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        run.expect("sivka runs").success()
    }

    /// Runs `sivka` and does `act` once: before the system call of this number among those that
    /// come when it `is_time`. Gives the status and what was said; `None` if it ended before.
    fn act(
        &self,
        args: &str,
        number: usize,
        is_time: impl Fn(Pid) -> bool,
        mut act: impl FnMut(),
    ) -> Option<(i32, String)> {
        let script = format!("'{}' {args}", env!("CARGO_BIN_EXE_sivka"));
        let mut calls = 0;
        let (mut child, status) = traced(self.0.path(), &script, |pid, _| {
            if calls <= number && is_time(pid) {
                if calls == number {
                    act();
                }
                calls += 1;
            }
            ControlFlow::Continue(())
        });
        let mut said = String::new();
        let mut errors = child.stderr.take().expect("a pipe");
        errors.read_to_string(&mut said).expect("text");
        (calls > number).then(|| (status.expect("it ended"), said))
    }
}

/// Whether a process has a file open.
fn has_open(pid: Pid, path: &Path) -> bool {
    let mut open = fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs");
    open.any(|file| fs::read_link(file.expect("readable").path()).is_ok_and(|open| open == path))
}

/// The header that another program had written was lost while a passphrase was stretched, or the
/// journal was synced.
#[test]
fn slot_keeps_the_header_that_others_write() {
    let desk = Desk::new();
    let path = desk.path("note.sivka");
    desk.write("note", "hello\n");
    assert!(desk.does(&["keygen", "-o", "carol.key"]));
    assert!(desk.does(&["seal", "--key", ALICE, "note"]));
    let before = desk.read("note.sivka");
    assert!(desk.does(&[
        "slot",
        "add",
        "--key",
        ALICE,
        "note.sivka",
        "--new-key",
        BOB
    ]));
    let other = desk.read("note.sivka");
    let args = format!("slot add --key '{ALICE}' note.sivka --new-key carol.key");
    let (mut kept, mut changed, mut lost) = (0, 0, 0);
    for number in 0.. {
        desk.write("note.sivka", &before);
        let is_open = std::cell::Cell::new(false);
        let has_been_open = |pid| {
            is_open.set(is_open.get() || has_open(pid, &path));
            is_open.get()
        };
        let acted = desk.act(&args, number, has_been_open, || {
            desk.write("note.sivka", &other);
        });
        let Some((status, said)) = acted else {
            break;
        };
        assert!(!desk.path(".note.sivka.sivka-slots").exists(), "{number}");
        if desk.read("note.sivka") == other {
            // Or it came when all was done.
            if status != 0 {
                assert_eq!(status, 3, "{number}: {said}");
                let what = "sivka: note.sivka: changed meanwhile, and nothing was written\n";
                assert!(said.ends_with(what), "{number}: {said}");
                kept += 1;
            }
        } else if desk.does(&["verify", "--key", BOB, "note.sivka"]) {
            assert_eq!(status, 0, "{number}: {said}");
            changed += 1;
        } else {
            lost += 1;
        }
    }
    // Nothing can be done between the last look and the writing: that begins by going to the
    // beginning of the file.
    assert!(
        kept > 20 && changed > 1 && lost <= 2,
        "{kept} {changed} {lost}"
    );
}
