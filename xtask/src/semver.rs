//! `cargo xtask semver`: what the public interfaces changed since a baseline, and whether the
//! version says so.

use crate::process::{Failure, capture, cargo, exists, program, succeed};

/// The crates that other Rust programs depend on.
const CRATES: [&str; 4] = ["sivka", "sivka-file", "sivka-keyset", "sivka-arrow"];

/// Compares with a commit; if none is given, with the newest tag of a release.
pub(crate) fn run(baseline: Option<&str>) -> Result<(), Failure> {
    if !exists("cargo-semver-checks") {
        return Err(Failure::new(
            "cargo-semver-checks is missing (cargo install --locked cargo-semver-checks)",
        ));
    }
    let baseline = match baseline {
        Some(commit) => commit.to_owned(),
        None => newest_release()?,
    };
    let mut command = cargo(&["semver-checks", "--baseline-rev", &baseline]);
    for name in CRATES {
        command.args(["-p", name]);
    }
    // Features that begin with an underscore are private.
    succeed(command.arg("--default-features"))
}

fn newest_release() -> Result<String, Failure> {
    let mut tags = program("git", &["tag", "--list", "v*", "--sort=-version:refname"]);
    let tags = capture(&mut tags)?;
    tags.lines().next().map(str::to_owned).ok_or_else(|| {
        Failure::new("nothing was released yet: name a commit, with --baseline COMMIT")
    })
}
