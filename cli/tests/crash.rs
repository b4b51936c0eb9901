//! A change of slots that is killed before any of its system calls leaves the old slots
//! or the new, and the next change goes through.

#![cfg(target_os = "linux")]

#[path = "tracing/calls.rs"]
mod tracing;

use std::ffi::OsString;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::libc::{SYS_fdatasync as FDATASYNC, SYS_fsync as FSYNC};
use nix::libc::{SYS_linkat as LINK, SYS_renameat2 as RENAME, SYS_write as WRITE};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use tracing::traced;

const ALICE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/alice.key");
const BOB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/bob.key");

fn sivka(folder: &Path, args: &[&str]) -> bool {
    let run = Command::new(env!("CARGO_BIN_EXE_sivka"))
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    run.expect("sivka runs").success()
}

/// Runs `script` and sends a signal before the system call of this number, counted from the
/// start of the program that it ends in. Says whether it came so far.
fn ended_before(folder: &Path, script: &str, number: usize, ending: Signal) -> bool {
    let (mut child, ended) = traced(folder, script, |pid, call| {
        if call < number {
            return ControlFlow::Continue(());
        }
        kill(pid, ending).expect("it runs");
        if ending != Signal::SIGKILL {
            // Another thread may have taken it, and ended all.
            let _ = ptrace::detach(pid, None);
        }
        ControlFlow::Break(())
    });
    if ended.is_none() {
        child.wait().expect("it ends");
    }
    ended.is_none()
}

/// Seals a note for Alice, and gives the script that gives it to Bob.
fn desk(folder: &Path) -> String {
    fs::write(folder.join("note"), "hello\n").expect("written");
    assert!(sivka(folder, &["seal", "--key", ALICE, "note"]));
    format!(
        "'{}' slot replace --key '{ALICE}' note.sivka 0 --new-key '{BOB}'",
        env!("CARGO_BIN_EXE_sivka")
    )
}

fn names(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).expect("readable");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("readable").file_name()).collect();
    names.sort();
    names
}

/// Ends a change of slots before each of its system calls. `is_new` says whether it has the new
/// slots then; both come up.
fn ended_before_each(ending: Signal, is_new: impl Fn(&Path, &[u8], &str) -> bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let script = desk(folder);
    let before = fs::read(folder.join("note.sivka")).expect("sealed");
    let mut found = [0, 0];
    for number in 1.. {
        fs::write(folder.join("note.sivka"), &before).expect("written");
        if !ended_before(folder, &script, number, ending) {
            break;
        }
        let when = format!("ended before call {number}");
        found[usize::from(is_new(folder, &before, &when))] += 1;
        assert_eq!(names(folder), ["note", "note.sivka"], "{when}");
    }
    assert!(found[0] > 50 && found[1] > 1, "{found:?}");
}

#[test]
fn a_signal_during_a_change_of_slots_leaves_nothing() {
    ended_before_each(Signal::SIGTERM, |folder, before, _| {
        fs::read(folder.join("note.sivka")).expect("there") != before
    });
}

/// The old key opens the file or the new one, or each a copy of the header, and it can be changed
/// again.
#[test]
fn a_killed_change_of_slots_loses_nothing() {
    ended_before_each(Signal::SIGKILL, |folder, _, when| {
        let opens = |key| sivka(folder, &["verify", "--key", key, "note.sivka"]);
        let (alice, bob) = (opens(ALICE), opens(BOB));
        assert!(alice || bob, "{when}");
        let (key, other) = if bob { (BOB, ALICE) } else { (ALICE, BOB) };
        let add = ["slot", "add", "--key", key, "note.sivka", "--new-key", other];
        assert!(sivka(folder, &add), "{when}");
        // The trial whether a file without a name gets one: it is empty, and ours to remove.
        let is_trial = |name: &OsString| name.as_encoded_bytes().starts_with(b".sivka-");
        for path in names(folder).iter().filter(|it| is_trial(it)).map(|it| folder.join(it)) {
            assert_eq!(fs::metadata(&path).expect("there").len(), 0, "{when}");
            fs::remove_file(path).expect("it is there");
        }
        bob
    });
}

/// What a program writes, makes durable and gives its name in this folder, call by call.
fn changes(folder: &Path, script: &str) -> Vec<String> {
    let mut changes = Vec::new();
    let (_, status) = traced(folder, script, |pid, _| {
        let call = fs::read_to_string(format!("/proc/{pid}/syscall")).expect("stopped in a call");
        let mut words = call.split_whitespace();
        let number = words.next().and_then(|word| word.parse().ok());
        let file = words.next().and_then(|word| word.strip_prefix("0x"));
        let file = file.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let file = fs::read_link(format!("/proc/{pid}/fd/{}", file.unwrap_or_default()));
        let file = file.unwrap_or_default();
        let name = match file.strip_prefix(folder) {
            Ok(name) if name.to_string_lossy().ends_with("(deleted)") => {
                Some("the new file".into())
            }
            name => name.ok().map(|name| name.to_string_lossy()),
        };
        match (number, name) {
            (Some(WRITE), Some(name)) => changes.push(format!("write {name}")),
            (Some(FSYNC | FDATASYNC), Some(name)) => changes.push(format!("sync {name}")),
            (Some(LINK | RENAME), _) => changes.push("name".to_owned()),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(status, Some(0));
    changes
}

/// A file is durable before it has its name, and a copy of the header before the other is written.
#[test]
fn what_is_changed_is_durable_before_what_follows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = &folder.path().canonicalize().expect("there");
    let script = desk(folder);
    let (write, sync) = ("write note.sivka", "sync note.sivka");
    assert_eq!(changes(folder, &script), [write, sync, write, sync]);
    let seal = format!("'{}' seal --key '{ALICE}' -o copy note", env!("CARGO_BIN_EXE_sivka"));
    let sealed = changes(folder, &seal);
    assert!(
        sealed.ends_with(&["sync the new file", "name", "sync "].map(str::to_owned)),
        "{sealed:?}"
    );
}
