//! Test programs that Cargo built, to be started one by one, in an emulator if need be.

use crate::process::{Failure, Tally, capture, program, project_root, run_tests};
use std::path::PathBuf;
use std::process::Command;

/// Tests that walk every length or count, or a long chain, not the grid: minutes in an emulator, and run on
/// this CPU for every tier that it has.
const TOO_SLOW: [&str; 4] = [
    "every_length",
    "every_hundred_thousand",
    "every_count_of_blocks_up_to_1100",
    "chains_of_65536_encryptions",
];

/// Those of `core` that execute every kernel: what a CPU runs that differs from another one in
/// its instructions alone. The conformance tests execute every line that the tests of batches do,
/// so the latter, which take as long, are not among them.
pub(crate) const KERNELS: [&str; 6] = [
    "sivka",
    "conformance",
    "accumulated",
    "dispatch",
    "chacha20_blake2b",
    "published",
];

/// A built test program.
pub(crate) struct Program {
    /// That of its source.
    pub(crate) name: String,
    /// Its crate's, which is that of a folder in the top one.
    pub(crate) folder: &'static str,
    pub(crate) path: PathBuf,
}

/// The crates whose programs are run so: their names and folders.
const CRATES: [(&str, &str); 3] = [
    ("sivka", "core"),
    ("sivka-file", "file"),
    ("sivka-cli", "cli"),
];

/// The test programs of the crates above that a command of Cargo builds.
pub(crate) fn built_by(command: &mut Command) -> Result<Vec<Program>, Failure> {
    let messages = capture(command.args(["--message-format", "json"]))?;
    let programs: Vec<Program> = messages.lines().filter_map(of_message).collect();
    if programs.is_empty() {
        return Err(Failure::new("cargo built no test program"));
    }
    Ok(programs)
}

/// The program of one line of `--message-format json`, if it built a test of these crates.
fn of_message(line: &str) -> Option<Program> {
    let is_of = |(name, _): &&(&str, &str)| line.contains(&format!("#{name}@"));
    let (_, folder) = CRATES.iter().find(is_of)?;
    // What the profile of a test ends on; a target that can be tested says so as well.
    if !line.contains("\"test\":true},\"features\"") {
        return None;
    }
    let path = executable(line)?;
    let file = path.file_name()?.to_string_lossy().into_owned();
    let name = file.rsplit_once('-')?.0.to_owned();
    Some(Program { name, folder, path })
}

/// The program of one line of `--message-format json`, if it built any.
pub(crate) fn executable(line: &str) -> Option<PathBuf> {
    let path = line.split_once("\"executable\":\"")?.1.split('"').next()?;
    // Windows separates with a backslash, which JSON doubles.
    Some(PathBuf::from(path.replace("\\\\", "\\")))
}

impl Program {
    /// Its name after its crate's folder, where that is not `core`.
    pub(crate) fn full_name(&self) -> String {
        match self.folder {
            "core" => self.name.clone(),
            folder => format!("{folder}: {}", self.name),
        }
    }

    /// The program started as `cargo test` starts it, in the folder of its package.
    pub(crate) fn command(&self) -> Command {
        self.in_its_folder(program(&self.path.to_string_lossy(), &[]))
    }

    /// The same in an emulator, which is given with its arguments.
    pub(crate) fn in_emulator(&self, emulator: &[&str]) -> Command {
        let (name, arguments) = emulator.split_first().expect("an emulator");
        let mut command = program(name, arguments);
        command.arg(&self.path);
        self.in_its_folder(command)
    }

    /// The same in an emulator that does not start other programs in itself: the program is
    /// told how it starts itself again.
    pub(crate) fn in_qemu(&self, qemu: &[&str]) -> Command {
        let mut command = self.in_emulator(qemu);
        command.env("SIVKA_TEST_EMULATOR", qemu.join(" "));
        command
    }

    fn in_its_folder(&self, mut command: Command) -> Command {
        let folder = project_root().join(self.folder);
        command
            .env("CARGO_MANIFEST_DIR", &folder)
            .current_dir(folder);
        command
    }

    /// Runs what does not take minutes there.
    pub(crate) fn run_in_emulator(&self, row: &str, command: &mut Command, tally: &mut Tally) {
        for test in TOO_SLOW {
            command.args(["--skip", test]);
        }
        tally.append(row, run_tests(&self.full_name(), command));
    }
}

#[cfg(test)]
mod tests {
    use super::of_message;

    #[test]
    fn messages_name_their_programs() {
        let line = r#"{"reason":"compiler-artifact","package_id":"path+file:///x/core#sivka@0.1.0","profile":{"opt_level":"2","test":true},"features":[],"executable":"/t/debug/deps/suite-0123456789abcdef","fresh":true}"#;
        let other = line.replace("core#sivka@", "ffi#sivka-ffi@");
        assert!(of_message(&other).is_none());
        let no_test = line.replace(":true", ":false");
        assert!(of_message(&no_test).is_none());
        let program = of_message(line).expect("a program");
        assert_eq!((program.name.as_str(), program.folder), ("suite", "core"));
        assert_eq!(
            program.path.to_string_lossy(),
            "/t/debug/deps/suite-0123456789abcdef"
        );
        let file = line.replace("core#sivka@", "file#sivka-file@");
        let program = of_message(&file).expect("a program");
        assert_eq!(program.full_name(), "file: suite");
        assert!(of_message(r#"{"reason":"x","executable":null}"#).is_none());
    }
}
