//! Test programs that Cargo built, to be started one by one, in an emulator if need be.

use crate::process::{Failure, Tally, capture, program, project_root, run_tests};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tests that walk every length or count, or a long chain, not the grid: minutes in an emulator,
/// and run on this CPU for every tier that it has.
const TOO_SLOW: [&str; 4] = [
    "every_length",
    "every_hundred_thousand",
    "every_count_of_blocks_up_to_1100",
    "chains_of_65536_encryptions",
];

/// Those of `core` that execute every kernel: what a CPU runs that differs from another one in
/// its instructions alone, each with words that the names of its tests have. The conformance tests
/// execute every line that the tests of batches do, so the latter, which take as long, are not
/// among them.
pub(crate) const KERNELS: [&str; 3] = [
    "sivka",
    "main accumulated:: chacha20_blake2b:: conformance:: published::",
    "dispatch",
];

/// A built test program.
pub(crate) struct Program {
    /// That of its source; after its crate's folder, where that is not `core`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    folder: PathBuf,
}

/// The test programs of `core`, `file` and `cli` that a command of Cargo builds.
pub(crate) fn built_by(command: &mut Command) -> Result<Vec<Program>, Failure> {
    let messages = capture(command.args(["--message-format", "json"]))?;
    let programs: Vec<Program> = messages.lines().filter_map(of_message).collect();
    match programs.is_empty() {
        true => Err(Failure::new("cargo built no test program")),
        false => Ok(programs),
    }
}

/// The program of one line of `--message-format json`, if it built a test of these crates.
fn of_message(line: &str) -> Option<Program> {
    let made: serde_json::Value = serde_json::from_str(line).ok()?;
    let path = PathBuf::from(made["executable"].as_str()?);
    let folder = Path::new(made["manifest_path"].as_str()?).parent()?;
    let name = made["target"]["name"].as_str()?;
    let of = folder.file_name()?.to_str()?;
    let is_top = folder.parent() == Some(&project_root());
    if made["profile"]["test"] != true || !is_top || !["core", "file", "cli"].contains(&of) {
        return None;
    }
    let name = if of == "core" {
        name.to_owned()
    } else {
        format!("{of}: {name}")
    };
    Some(Program {
        name,
        path,
        folder: folder.to_owned(),
    })
}

/// The program of one line of `--message-format json`, if it built any.
pub(crate) fn executable(line: &str) -> Option<PathBuf> {
    let made: serde_json::Value = serde_json::from_str(line).ok()?;
    made["executable"].as_str().map(PathBuf::from)
}

impl Program {
    /// The program as `cargo test` starts it, in the folder of its package; in an emulator, which
    /// is given with its arguments. One that does not start other programs in itself is told how
    /// the program starts itself again.
    pub(crate) fn command(&self, emulator: &str) -> Command {
        let path = self.path.to_string_lossy();
        let mut words = emulator.split_whitespace().chain([&*path]);
        let mut command = program(words.next().unwrap_or_default(), &[]);
        command.args(words).current_dir(&self.folder);
        if emulator.starts_with("qemu-") {
            command.env("SIVKA_TEST_EMULATOR", emulator);
        }
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }

    /// Runs what does not take minutes there.
    pub(crate) fn run_in_emulator(&self, row: &str, command: &mut Command, tally: &mut Tally) {
        command.args(TOO_SLOW.iter().flat_map(|test| ["--skip", test]));
        tally.append(row, run_tests(&self.name, command));
    }
}

/// The program of this name, or a failure in the row.
pub(crate) fn named<'p>(
    programs: &'p [Program],
    name: &str,
    row: &str,
    tally: &mut Tally,
) -> Option<&'p Program> {
    let found = programs.iter().find(|program| program.name == name);
    if found.is_none() {
        tally.add(format!("{row}{name} (is no program of tests)"), 0, 1);
    }
    found
}
