//! `cargo xtask msrv`: what ships, built with the oldest compiler, and its unit tests.

use crate::process::{Tally, cargo, locked, run_tests};
use crate::sbom::SHIPPED;

/// The `rust-version` of `Cargo.toml`, which all crates have.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Builds the shipped crates with exactly that, and runs their unit tests. An older compiler
/// knows less; it does not compute otherwise, and optimising would take most of the time.
pub(crate) fn run() -> Tally {
    let toolchain = release(OLDEST);
    let mut command = cargo(&[&format!("+{toolchain}"), "test", "--no-fail-fast"]);
    command.args(["--lib", "--bins"]);
    for profile in ["dev", "test"] {
        command.args(["--config", &format!("profile.{profile}.opt-level=0")]);
    }
    command.args(SHIPPED.iter().flat_map(|name| ["-p", name]));
    run_tests(&format!("msrv {toolchain}"), command.args(locked()))
}

/// The oldest release of a line: `1.89` means `1.89.0`.
fn release(version: &str) -> String {
    let is_line = version.matches('.').count() < 2;
    format!("{version}{}", if is_line { ".0" } else { "" })
}
