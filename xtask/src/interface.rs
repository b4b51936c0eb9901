//! `cargo xtask interface`: writes the C header, and what other languages say of the C
//! interface, from the crate that has it.

use crate::process::{Failure, cargo, locked, succeed};

/// Runs the test that compares them with the source, and lets it write instead.
pub(crate) fn write() -> Result<(), Failure> {
    let mut command = cargo(&["test", "-p", "sivka-ffi", "--test", "interface"]);
    succeed(command.args(locked()).env("SIVKA_WRITE_INTERFACE", "yes"))
}
