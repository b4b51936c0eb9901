//! `cargo xtask differential --executions N`: so many messages through every tier.

use crate::process::{Failure, cargo, locked, succeed};

pub(crate) fn run(executions: u64) -> Result<(), Failure> {
    let mut command = cargo(&["run", "--release", "-p", "sivka-differential"]);
    command.args(locked()).args(["--", "--executions"]);
    succeed(command.arg(executions.to_string()))
}
