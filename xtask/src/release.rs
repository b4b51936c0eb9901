//! `cargo xtask release`: `xtask/release/main.py`, which counts its trials.

use crate::process::{Failure, Tally, program, run_tests};
use std::env;
use std::process::Command;

pub(crate) fn run(arguments: &[&str]) -> Tally {
    match command(arguments) {
        Ok(mut command) => run_tests("the release", &mut command),
        Err(failure) => {
            let mut tally = Tally::default();
            tally.add_check("the release", &Err(failure));
            tally
        }
    }
}

/// Rust's names of the platforms, a line each, for `rustup target add`.
pub(crate) fn list() -> Result<(), Failure> {
    let mut command = program("python3", &["xtask/release/main.py", "--list"]);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        other => Err(Failure::new(format!("xtask/release/main.py: {other:?}"))),
    }
}

/// It calls this program for what Rust says best.
fn command(arguments: &[&str]) -> Result<Command, Failure> {
    let itself = env::current_exe().map_err(|e| Failure::new(e.to_string()))?;
    let mut command = program("python3", &["-B", "xtask/release/main.py"]);
    command.args(arguments).env("SIVKA_XTASK", itself);
    Ok(command)
}
