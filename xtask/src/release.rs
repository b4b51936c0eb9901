//! `cargo xtask release` and `sbom`: programs in `xtask/release`.

use crate::languages::{OLDEST_JAVA, installed_jdks};
use crate::process::{Failure, Tally, program, project_root, run_tests};
use std::env;

/// Makes a release and counts its trials. It calls this program to make Go's machine code.
pub(crate) fn run(arguments: &[&str]) -> Tally {
    let mut command = program("python3", &["-B", "xtask/release/main.py"]);
    command.args(arguments);
    let jdks = installed_jdks().into_iter();
    let jdks = jdks.filter(|(version, _)| *version >= OLDEST_JAVA);
    let jdks = jdks.map(|(version, home)| format!("{version}\t{}\n", home.display()));
    command.env("SIVKA_JDKS", jdks.collect::<String>());
    if let Ok(itself) = env::current_exe() {
        command.env("SIVKA_XTASK", itself);
    }
    run_tests("the release", &mut command)
}

/// Runs one of them, and prints its output, for other programs to read.
pub(crate) fn script(words: &[&str]) -> Result<(), Failure> {
    let mut command = program("python3", &["-B"]);
    command
        .args(words)
        .current_dir(project_root().join("xtask/release"));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        other => Err(Failure::new(format!(
            "python3 {}: {other:?}",
            words.join(" ")
        ))),
    }
}
