//! `cargo xtask header`: writes the C header from the crate that it describes.

use crate::process::{Failure, cargo, locked, succeed};

/// Runs the test that compares the header with the source, and lets it write instead.
pub(crate) fn write() -> Result<(), Failure> {
    let mut command = cargo(&["test", "-p", "sivka-ffi", "--test", "header"]);
    succeed(command.args(locked()).env("SIVKA_WRITE_HEADER", "yes"))
}
