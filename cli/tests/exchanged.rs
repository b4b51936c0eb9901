//! Whoever may write to the folder of a target may put something else in the place of what is
//! unfinished there: that is neither emptied, nor given the target's name without a word.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use within::{RunInTime, WaitInTime};

const PATIENCE: Duration = Duration::from_secs(60);

/// A run that has unpacked all but the end of a folder, and waits for that.
struct Run {
    folder: tempfile::TempDir,
    open: Child,
    end: Vec<u8>,
}

/// What is put in the place of the unfinished folder.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Other {
    Folder,
    Link,
    File,
    Nothing,
}

const OTHERS: [Other; 4] = [Other::Folder, Other::Link, Other::File, Other::Nothing];

impl Run {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        let sivka = |args: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sivka"));
            command.args(args).current_dir(&folder);
            command
        };
        let run =
            |args: &[&str]| assert!(sivka(args).status_in_time().expect("sivka runs").success());
        run(&["keygen", "-o", "key"]);
        fs::create_dir_all(path("many/in")).expect("made");
        for number in 0..50 {
            fs::write(path(&format!("many/in/{number}")), [7; 20_000]).expect("written");
        }
        run(&["seal", "--key", "key", "many"]);
        let mut sealed = fs::read(path("many.sivka")).expect("readable");
        fs::remove_dir_all(path("many")).expect("removed");
        fs::remove_file(path("many.sivka")).expect("removed");
        // What belongs to somebody else.
        fs::create_dir_all(path("theirs/in")).expect("made");
        fs::write(path("theirs/in/file"), "precious").expect("written");

        let mut open = sivka(&["open", "-", "-o", "many", "--key", "key"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        let end = sealed.split_off(sealed.len() - 1000);
        let input = open.stdin.as_mut().expect("a pipe");
        input.write_all(&sealed).expect("sivka reads");
        let run = Self { folder, open, end };
        let deadline = Instant::now() + PATIENCE;
        while !run
            .partial()
            .is_some_and(|path| path.join("in/30").exists())
        {
            assert!(Instant::now() < deadline, "no unfinished folder appears");
            std::thread::sleep(Duration::from_millis(10));
        }
        run
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn partial(&self) -> Option<PathBuf> {
        let mut entries = fs::read_dir(&self.folder).expect("readable");
        entries.find_map(|entry| {
            let path = entry.expect("readable").path();
            (path.extension()? == "partial").then_some(path)
        })
    }

    fn exchange(&self, other: Other) -> PathBuf {
        let partial = self.partial().expect("it is there");
        fs::rename(&partial, self.path("moved")).expect("moved");
        match other {
            Other::Folder => fs::rename(self.path("theirs"), &partial).expect("moved"),
            Other::Link => symlink("theirs", &partial).expect("linked"),
            Other::File => fs::write(&partial, "precious").expect("written"),
            Other::Nothing => {}
        }
        partial
    }

    fn end_input(&mut self) {
        drop(self.open.stdin.take());
    }

    /// Waits for the end, and gives what was said as well.
    fn wait(&mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        let mut errors = self.open.stderr.take().expect("a pipe");
        errors.read_to_string(&mut said).expect("text");
        (self.open.wait_in_time().expect("it ends"), said)
    }

    /// What was exchanged is as it was, and of what was unpacked nothing is left but the folder.
    fn assert_nothing_else_is_removed(&self, other: Other, partial: &Path, said: &str) {
        let theirs = match other {
            Other::Folder => partial.join("in/file"),
            Other::File => partial.to_path_buf(),
            Other::Link | Other::Nothing => self.path("theirs/in/file"),
        };
        let kept = fs::read_to_string(theirs).expect("still there");
        assert_eq!(kept, "precious", "{other:?}");
        assert_eq!(partial.is_symlink(), other == Other::Link);
        let moved = fs::read_dir(self.path("moved")).expect("readable");
        assert_eq!(moved.count(), 0, "{other:?}");
        let name = partial.file_name().expect("a name").to_string_lossy();
        assert!(said.contains(&*name), "{other:?}: {said}");
        let what = match other {
            Other::Nothing => "was moved or removed meanwhile",
            _ => "is something else by now, and is left alone",
        };
        assert!(said.contains(what), "{other:?}: {said}");
        assert!(!self.path("many").exists(), "{other:?}");
    }
}

#[test]
fn a_signal_removes_nothing_else() {
    for other in OTHERS {
        let mut run = Run::new();
        let partial = run.exchange(other);
        let pid = run.open.id().to_string();
        let sent = Command::new("kill")
            .args(["-s", "TERM", &pid])
            .status_in_time();
        assert!(sent.expect("kill runs").success());
        // The input goes on: its end could come first.
        let (status, said) = run.wait();
        assert_eq!(status.signal(), Some(15), "{other:?}: {said}");
        run.assert_nothing_else_is_removed(other, &partial, &said);
    }
}

#[test]
fn a_failure_removes_nothing_else() {
    for other in OTHERS {
        let mut run = Run::new();
        let partial = run.exchange(other);
        run.end_input();
        let (status, said) = run.wait();
        assert_eq!(status.code(), Some(9), "{other:?}: {said}");
        run.assert_nothing_else_is_removed(other, &partial, &said);
    }
}

/// The run ended well, and somebody else's folder had the name.
#[test]
fn nothing_else_gets_the_name() {
    for other in OTHERS {
        let mut run = Run::new();
        let partial = run.exchange(other);
        let end = run.end.clone();
        let input = run.open.stdin.as_mut().expect("a pipe");
        input.write_all(&end).expect("sivka reads");
        run.end_input();
        let (status, said) = run.wait();
        assert_eq!(status.code(), Some(3), "{other:?}: {said}");
        assert!(said.contains("many: cannot be written: "), "{said}");
        run.assert_nothing_else_is_removed(other, &partial, &said);
    }
}
