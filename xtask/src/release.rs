//! `cargo xtask release`: the program in `xtask/release`.

use crate::languages::{OLDEST_JAVA, installed_jdks};
use crate::process::{Tally, program, run_tests};
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
