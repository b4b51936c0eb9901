//! `cargo xtask judge --messages N`: so many drawn messages through every tier.

use crate::process::{Failure, cargo, locked, succeed};

pub(crate) fn run(messages: &str) -> Result<(), Failure> {
    let mut command = cargo(&["run", "--release", "-p", "sivka-judge"]);
    command.args(locked()).args(["--", "--messages"]);
    succeed(command.arg(messages))
}
