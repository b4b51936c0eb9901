//! Runs every transcript in `tests/cmd` and compares, to the byte, what the
//! program said on standard output, on standard error, and its exit status.
//!
//! A transcript is a text file of commands and what they answered:
//!
//! ```text
//! # A remark.
//! $ sivka open damaged.sivka
//! 1| a line on standard output
//! 2| a line on standard error
//! ? 9
//! ```
//!
//! `? N` is only where the status is not 0. The commands run in `sh`, one
//! after another, in a new empty folder that is also `$HOME`, with the programs
//! of `tests/fixtures` in the path and `$FIXTURES` naming their folder.
//! `SNAPSHOTS=overwrite` in the environment writes what was answered into the
//! files instead; read the diff before committing it.
//!
//! As root, the commands run as an unprivileged user: root may read and write
//! everything, and the transcripts about permissions would show nothing.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use within::RunInTime;

/// As many transcripts as there are; one that disappears is noticed.
const TRANSCRIPTS: usize = 38;

/// The conventional number of the user `nobody`, and of its group.
const NOBODY: u32 = 65534;

struct House {
    /// Holds copies of the program and the fixtures, where any user can use them.
    bin: tempfile::TempDir,
    as_nobody: bool,
}

#[test]
fn every_transcript_holds() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let mut transcripts: Vec<PathBuf> = fs::read_dir(&here)
        .expect("tests/cmd exists")
        .map(|entry| entry.expect("tests/cmd is readable").path())
        .collect();
    transcripts.sort();
    assert!(transcripts.iter().all(|path| path.extension().is_some_and(|ext| ext == "txt")));
    assert_eq!(transcripts.len(), TRANSCRIPTS, "the number of transcripts in {}", here.display());

    let house = House::new();
    let check = snapbox::Assert::new().action_env("SNAPSHOTS");
    let failed: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = transcripts
            .iter()
            .map(|path| {
                let (house, check) = (&house, &check);
                scope.spawn(move || {
                    let expected =
                        snapbox::Data::read_from(path, Some(snapbox::data::DataFormat::Text)).raw();
                    check.try_eq(Some(&path.display()), house.run(path).into(), expected)
                })
            })
            .collect();
        runs.into_iter()
            .filter_map(|run| run.join().expect("the run of a transcript does not panic").err())
            .map(|difference| difference.to_string())
            .collect()
    });
    assert!(failed.is_empty(), "{} differ:\n{}", failed.len(), failed.join("\n"));
}

impl House {
    fn new() -> Self {
        let bin = tempfile::tempdir().expect("a temporary folder");
        fs::set_permissions(bin.path(), fs::Permissions::from_mode(0o755)).expect("chmod");
        fs::copy(env!("CARGO_BIN_EXE_sivka"), bin.path().join("sivka")).expect("a copy");
        let owner = std::os::unix::fs::MetadataExt::uid(&fs::metadata(bin.path()).expect("stat"));
        let as_nobody = owner == 0;
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        for fixture in fs::read_dir(fixtures).expect("tests/fixtures exists") {
            let fixture = fixture.expect("tests/fixtures is readable");
            let copy = bin.path().join(fixture.file_name());
            fs::copy(fixture.path(), &copy).expect("a copy");
            if copy.extension().is_some_and(|ext| ext == "key") {
                // As a key is kept: its owner's alone.
                fs::set_permissions(&copy, fs::Permissions::from_mode(0o600)).expect("chmod");
                if as_nobody {
                    chown(&copy, Some(NOBODY), Some(NOBODY)).expect("chown");
                }
            }
        }
        Self { bin, as_nobody }
    }

    /// Runs the commands of the transcript at `path` and returns the
    /// transcript of what they answered.
    fn run(&self, path: &Path) -> String {
        let sandbox = tempfile::tempdir().expect("a temporary folder");
        if self.as_nobody {
            chown(sandbox.path(), Some(NOBODY), Some(NOBODY)).expect("chown");
        }
        let text = fs::read_to_string(path).expect("a transcript is text");
        let mut answered = String::new();
        let mut ran = 0;
        for line in text.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                ran += 1;
                let _ = writeln!(answered, "{line}");
                self.answer(command, sandbox.path(), &mut answered);
            } else if line.is_empty() || line.starts_with('#') {
                let _ = writeln!(answered, "{line}");
            } else {
                let output = ["1| ", "2| ", "1|", "2|", "? "];
                assert!(
                    output.iter().any(|prefix| line.starts_with(prefix)),
                    "{}: neither command, output, status nor remark: {line}",
                    path.display()
                );
            }
        }
        assert!(ran > 0, "{}: no command", path.display());
        answered
    }

    fn answer(&self, command: &str, sandbox: &Path, answered: &mut String) {
        let path = std::env::var("PATH").expect("PATH");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .current_dir(sandbox)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.bin.path().display()))
            .env("HOME", sandbox)
            .env("FIXTURES", self.bin.path())
            .env("LC_ALL", "C")
            .stdin(std::process::Stdio::null());
        if self.as_nobody {
            shell.uid(NOBODY).gid(NOBODY);
        }
        let output = shell.output_in_time().expect("sh runs");
        let sandbox = sandbox.to_str().expect("a temporary folder has a plain name");
        let bin = self.bin.path().to_str().expect("a temporary folder has a plain name");
        for (stream, bytes) in [('1', output.stdout), ('2', output.stderr)] {
            let text = String::from_utf8_lossy(&bytes);
            for line in text.replace(sandbox, "[HOME]").replace(bin, "[FIXTURES]").lines() {
                let _ = writeln!(answered, "{}", format!("{stream}| {line}").trim_end());
            }
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => writeln!(answered, "? {code}").expect("text"),
            None => writeln!(answered, "? {}", output.status).expect("text"),
        }
    }
}
