//! `cargo xtask msrv`: what ships, built with the oldest compiler, and its unit tests.

use crate::process::{Failure, Tally, cargo, locked, project_root, run_tests};
use std::fs;

/// Builds the shipped crates with exactly the `rust-version` of `Cargo.toml`, and runs their
/// unit tests. An older compiler knows less; it does not compute otherwise, and optimising
/// would take most of the time.
pub(crate) fn run() -> Tally {
    match toolchain() {
        Ok(toolchain) => {
            let mut command = cargo(&[&format!("+{toolchain}"), "test", "--no-fail-fast"]);
            command.args(["--lib", "--bins"]);
            for profile in ["dev", "test"] {
                command.args(["--config", &format!("profile.{profile}.opt-level=0")]);
            }
            command
                .args(["-p", "sivka", "-p", "sivka-file", "-p", "sivka-cli"])
                .args(["-p", "sivka-ffi", "-p", "sivka-keyset", "-p", "sivka-arrow"])
                .args(locked());
            run_tests(&format!("msrv {toolchain}"), &mut command)
        }
        Err(failure) => {
            let mut tally = Tally::default();
            tally.add_check("msrv", &Err(failure));
            tally
        }
    }
}

/// The oldest release of the `rust-version` line: `1.89` means `1.89.0`.
fn toolchain() -> Result<String, Failure> {
    let manifest = project_root().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|e| Failure::new(e.to_string()))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "));
    let version = line.ok_or_else(|| Failure::new("Cargo.toml names no rust-version"))?;
    let version = version.trim().trim_matches('"');
    let patch = if version.matches('.').count() < 2 {
        ".0"
    } else {
        ""
    };
    Ok(format!("{version}{patch}"))
}
