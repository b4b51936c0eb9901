//! `cargo xtask memory`: 4 GiB through `sivka seal - | sivka open -`.

use crate::process::{Tally, cargo, locked, run_tests};

/// Runs the memory test of the command line at full length, optimised.
pub(crate) fn run() -> Tally {
    let mut command = cargo(&["test", "--release", "-p", "sivka-cli", "--test", "memory"]);
    command
        .args(locked())
        .args(["--", "--nocapture"])
        .env("SIVKA_MEMORY_MIB", "4096");
    run_tests("memory", &mut command)
}
