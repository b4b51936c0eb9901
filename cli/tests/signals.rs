//! A run that is stopped leaves nothing behind.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use within::{RunInTime, WaitInTime};

const SIVKA: &str = env!("CARGO_BIN_EXE_sivka");
/// How long a run may take before it has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that meets every signal as a program at a terminal does, though whoever
/// started these tests may ignore some, as nohup and shells in the background do.
fn as_if_nothing_were_ignored(program: &str) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal", program]);
    command
}

/// Whether the process has a file in `folder` that has no name yet, or a temporary one.
fn has_unfinished(folder: &Path, pid: &str) -> bool {
    let folder = fs::canonicalize(folder).expect("it is there");
    let is_partial =
        |path: PathBuf| path.starts_with(&folder) && path.file_name() != Some(OsStr::new("key"));
    let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten();
    let unnamed = open
        .filter_map(|fd| fs::read_link(fd.ok()?.path()).ok())
        .any(|path| path.to_string_lossy().ends_with(" (deleted)") && is_partial(path));
    let mut named = fs::read_dir(&folder).expect("readable");
    unnamed || named.any(|entry| is_partial(entry.expect("readable").path()))
}

fn run(folder: &Path, args: &[&str]) {
    let ran = Command::new(SIVKA).args(args).current_dir(folder).status_in_time();
    assert!(ran.expect("sivka runs").success());
}

fn send(signal: &str, pid: &str) {
    let sent = Command::new("kill").args(["-s", signal, pid]).status_in_time();
    assert!(sent.expect("kill runs").success());
}

fn names(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).expect("readable");
    entries.map(|entry| entry.expect("readable").file_name()).collect()
}

#[test]
fn a_stopped_run_leaves_nothing_behind() {
    // Where files without a name are made, not even SIGKILL leaves one behind.
    let kill = cfg!(target_os = "linux").then_some(("KILL", 9));
    for (signal, number) in
        [("INT", 2), ("QUIT", 3), ("TERM", 15), ("ALRM", 14), ("USR1", 10)].into_iter().chain(kill)
    {
        let folder = tempfile::tempdir().expect("a temporary folder");
        run(folder.path(), &["keygen", "-o", "key"]);

        // SIGQUIT would leave the system's core dump beside the key.
        let mut seal = as_if_nothing_were_ignored("sh")
            .args(["-c", "ulimit -c 0; exec \"$0\" \"$@\"", SIVKA])
            .args(["seal", "-", "-o", "sealed", "--key", "key"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        let mut input = seal.stdin.take().expect("a pipe");
        input.write_all(&vec![7; 8 << 20]).expect("sivka reads");
        let pid = seal.id().to_string();
        let deadline = Instant::now() + PATIENCE;
        while !has_unfinished(folder.path(), &pid) {
            assert!(Instant::now() < deadline, "no unfinished file appears");
            std::thread::sleep(Duration::from_millis(10));
        }

        send(signal, &pid);
        assert_eq!(seal.wait_in_time().expect("it ends").signal(), Some(number));
        assert_eq!(names(folder.path()), ["key"], "after SIG{signal}");
    }
}

#[test]
fn a_folder_that_was_not_finished_is_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run(folder.path(), &["keygen", "-o", "key"]);
    fs::create_dir_all(folder.path().join("many/in")).expect("made");
    for number in 0..2000 {
        fs::write(folder.path().join(format!("many/in/{number}")), "x").expect("written");
    }
    run(folder.path(), &["seal", "--key", "key", "many"]);
    let sealed = fs::read(folder.path().join("many.sivka")).expect("readable");
    fs::remove_dir_all(folder.path().join("many")).expect("removed");
    fs::remove_file(folder.path().join("many.sivka")).expect("removed");

    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("ALRM", 14), ("XCPU", 24)] {
        let mut open = as_if_nothing_were_ignored(SIVKA)
            .args(["open", "-", "-o", "many", "--key", "key"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        // All but the end, which is kept back. The run goes on making entries until it is ended.
        let (mut input, sealed) = (open.stdin.take().expect("a pipe"), sealed.clone());
        let fed = std::thread::spawn(move || {
            let _ = input.write_all(&sealed[..sealed.len() - 1000]);
            input
        });
        let deadline = Instant::now() + PATIENCE;
        while names(folder.path()).len() < 2 {
            assert!(Instant::now() < deadline, "no unfinished folder appears");
            std::thread::sleep(Duration::from_millis(1));
        }
        send(signal, &open.id().to_string());
        assert_eq!(open.wait_in_time().expect("it ends").signal(), Some(number));
        drop(fed.join().expect("it ends"));
        assert_eq!(names(folder.path()), ["key"], "after SIG{signal}");
    }
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("note"), "hello\n").expect("written");
    for signal in ["HUP", "INT", "QUIT", "TERM"] {
        stays_ignored(folder.path(), signal);
    }
}

fn stays_ignored(folder: &Path, signal: &str) {
    let script = format!(
        "trap '' {signal}; rm -f pipe sealed; mkfifo pipe; {SIVKA} seal - -o sealed <pipe & exec 3>pipe; \
         sleep 0.3; kill -s {signal} $!; echo hello >&3; exec 3>&-; wait $!"
    );
    let mut run = as_if_nothing_were_ignored("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("HOME", folder)
        .env_remove("XDG_CONFIG_HOME")
        .stderr(Stdio::null()) // where the new key is announced
        .spawn()
        .expect("sh runs");
    let status = run.wait_in_time().expect("it ends");
    assert!(status.success(), "{signal}: {status}");
    assert!(folder.join("sealed").exists(), "{signal}");
}
