//! What other programs put in the place of a file while a run works on it: before each system
//! call of the run once. It is neither lost nor believed to be what the run has made.

#![cfg(target_os = "linux")]

#[path = "tracing/calls.rs"]
mod tracing;

#[path = "within/waiting.rs"]
mod within;

use std::cell::Cell;
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::unistd::Pid;
use tracing::traced;

use within::RunInTime;

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
        self.answer(args).is_some()
    }

    /// What a run answers that ends well.
    fn answer(&self, args: &[&str]) -> Option<String> {
        let run = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(args)
            .current_dir(&self.0)
            .stderr(Stdio::null())
            .output_in_time()
            .expect("sivka runs");
        let answer = String::from_utf8(run.stdout).expect("text");
        run.status.success().then_some(answer)
    }

    /// Removes the keyset of which a run said that something else has its name now.
    fn remove_old(&self, said: &str) -> Option<Vec<u8>> {
        let (_, old) = said.split_once("the keyset that was read is ")?;
        let old = self.path(old.trim());
        let bytes = fs::read(&old).expect("readable");
        remove(&old);
        Some(bytes)
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

/// Says whether a process has a file open, or had it when it was asked about before.
fn has_been_open(path: &Path) -> impl Fn(Pid) -> bool {
    let was_open = Cell::new(false);
    move |pid| {
        let is_open = || {
            let mut open = fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs");
            open.any(|file| {
                let file = fs::read_link(file.expect("readable").path());
                file.is_ok_and(|file| file == path)
            })
        };
        was_open.set(was_open.get() || is_open());
        was_open.get()
    }
}

/// The header that another program had written was lost while a passphrase was stretched.
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
        let is_time = has_been_open(&path);
        let acted = desk.act(&args, number, is_time, || {
            desk.write("note.sivka", &other);
        });
        let Some((status, said)) = acted else {
            break;
        };
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
        kept > 3 && changed > 10 && lost <= 2,
        "{kept} {changed} {lost}"
    );
}

/// What is put in the place of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Other {
    /// One of the same length, for the same keys.
    File,
    /// What waits for a writer when it is opened.
    Pipe,
    Folder,
}

impl Other {
    /// Makes `n`, or `n.sivka` of it if that is to be opened, and what may take the place of
    /// the result.
    fn prepare(self, desk: &Desk, input: &str) {
        for entry in fs::read_dir(&desk.0).expect("readable") {
            remove(&entry.expect("readable").path());
        }
        if self == Self::Folder {
            fs::create_dir(desk.path("n")).expect("made");
            desk.write("n/file", "one");
            fs::create_dir(desk.path("other")).expect("made");
        } else {
            desk.write("n", "two");
            desk.write("other", "two");
            assert!(desk.does(&["seal", "--key", ALICE, "n"]));
            fs::rename(desk.path("n.sivka"), desk.path("other.sivka")).expect("renamed");
            desk.write("n", "one");
        }
        if input == "n.sivka" {
            assert!(desk.does(&["seal", "--key", ALICE, "n"]));
            remove(&desk.path("n"));
        }
    }

    fn put(self, desk: &Desk, result: &str) {
        let path = desk.path(result);
        fs::rename(&path, desk.path("moved")).expect("renamed");
        if self == Self::Pipe {
            make_pipe(&path);
        } else {
            let other = desk.path(&result.replacen('n', "other", 1));
            fs::rename(other, path).expect("renamed");
        }
    }
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status_in_time();
    assert!(made.expect("mkfifo runs").success());
}

fn remove(path: &Path) {
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    removed.expect("removed");
}

/// Runs `args`, which remove `input`, and puts something else in the place of the result before
/// each system call that comes when that is there.
fn removes_no_input_of_another_result(input: &str, args: &str, result: &str, other: Other) {
    let desk = Desk::new();
    let (input_path, result_path) = (desk.path(input), desk.path(result));
    let (mut kept, mut lost) = (0, 0);
    for number in 0.. {
        other.prepare(&desk, input);
        let mut was_there = false;
        let put = || {
            was_there = input_path.exists();
            other.put(&desk, result);
        };
        let acted = desk.act(args, number, |_| result_path.exists(), put);
        let Some((status, said)) = acted.filter(|_| was_there) else {
            break;
        };
        if !input_path.exists() {
            lost += 1;
            continue;
        }
        assert_eq!(status, 3, "{other:?} {number}: {said}");
        assert!(said.contains(&format!("sivka: {result}: ")), "{said}");
        kept += 1;
    }
    // After the last look at the result there is one at the input, which is then removed.
    assert!(kept > 1 && lost <= 2, "{other:?}: {kept} {lost}");
}

/// An input was removed whose result had been replaced before it was opened once more.
#[test]
fn seal_removes_no_input_of_another_result() {
    let args = format!("seal --key '{ALICE}' --remove n");
    removes_no_input_of_another_result("n", &args, "n.sivka", Other::File);
    removes_no_input_of_another_result("n", &args, "n.sivka", Other::Pipe);
}

#[test]
fn open_removes_no_input_of_another_result() {
    let args = format!("open --key '{ALICE}' --remove n.sivka");
    for other in [Other::File, Other::Pipe, Other::Folder] {
        removes_no_input_of_another_result("n.sivka", &args, "n", other);
    }
}

/// It was said to have changed: the result had taken one of its names.
#[test]
fn an_input_whose_other_name_is_replaced_is_removed() {
    let desk = Desk::new();
    desk.write("n", "one");
    fs::hard_link(desk.path("n"), desk.path("n.sivka")).expect("linked");
    assert!(desk.does(&["seal", "--key", ALICE, "--force", "--remove", "n"]));
    assert!(!desk.path("n").exists());
    assert!(desk.does(&["open", "--key", ALICE, "n.sivka"]));
    assert_eq!(desk.read("n"), b"one");
}

/// It waited for somebody who reads the pipe.
#[test]
fn an_input_that_would_go_to_a_pipe_is_refused() {
    let desk = Desk::new();
    desk.write("n", "one");
    make_pipe(&desk.path("n.sivka"));
    let run = Command::new("timeout")
        .args(["20", env!("CARGO_BIN_EXE_sivka"), "seal", "--key", ALICE])
        .args(["--remove", "n"])
        .current_dir(&desk.0)
        .output_in_time()
        .expect("timeout runs");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(desk.read("n"), b"one");
}

/// It was waited for, as long as nobody wrote to it.
#[test]
fn a_pipe_in_the_place_of_a_keyset_is_kept() {
    let desk = Desk::new();
    let path = desk.path("users");
    let create = ["keyset", "create", "users", "--key", ALICE];
    assert!(desk.does(&create));
    fs::rename(&path, desk.path("before")).expect("renamed");
    let args = format!("keyset add users --key '{ALICE}'");
    let mut refused = 0;
    for number in 0.. {
        fs::copy(desk.path("before"), &path).expect("copied");
        let put = || {
            remove(&path);
            make_pipe(&path);
        };
        let Some((status, said)) = desk.act(&args, number, has_been_open(&path), put) else {
            break;
        };
        if status != 0 {
            assert_eq!(status, 3, "{number}: {said}");
            refused += 1;
        }
        desk.remove_old(&said);
        let now = path.symlink_metadata().expect("there");
        assert!(now.file_type().is_fifo());
        assert_eq!(fs::read_dir(&desk.0).expect("readable").count(), 2);
        remove(&path);
    }
    assert!(refused > 10, "{refused}");
}

/// Between the last look at a keyset and the renaming, what another program put there was lost.
#[test]
fn keyset_keeps_what_others_put_there() {
    let desk = Desk::new();
    let path = desk.path("users");
    let create = || desk.answer(&["keyset", "create", "users", "--key", ALICE]);
    assert!(create().is_some());
    fs::rename(&path, desk.path("before")).expect("renamed");
    let id = create().expect("an id");
    fs::rename(&path, desk.path("other")).expect("renamed");
    let other = desk.read("other");
    let args = format!("keyset add users --key '{ALICE}'");
    let (mut kept, mut changed) = (0, 0);
    for number in 0.. {
        fs::copy(desk.path("before"), &path).expect("copied");
        let is_time = has_been_open(&path);
        let put = || {
            fs::copy(desk.path("other"), desk.path("copy")).expect("copied");
            fs::rename(desk.path("copy"), &path).expect("renamed");
        };
        let Some((status, said)) = desk.act(&args, number, is_time, put) else {
            break;
        };
        if let Some(old) = desk.remove_old(&said) {
            assert_eq!(old, desk.read("before"));
        }
        let names = fs::read_dir(&desk.0).expect("readable");
        assert_eq!(names.count(), 3, "{number}: {said}");
        if desk.read("users") == other {
            // Or it came when all was done.
            if status != 0 {
                assert_eq!(status, 3, "{number}: {said}");
                let what = "sivka: users: changed since it was read, and is kept\n";
                let is_told = said.ends_with(what) || said.contains("has its name now");
                assert!(is_told, "{number}: {said}");
                kept += 1;
            }
        } else {
            assert_eq!(status, 0, "{number}: {said}");
            let keys = desk.answer(&["keyset", "show", "users", "--key", ALICE]);
            let is_there = keys.expect("opened").contains(id.trim());
            assert!(is_there, "lost before call {number}");
            changed += 1;
        }
    }
    assert!(kept > 10 && changed > 1, "{kept} {changed}");
}
