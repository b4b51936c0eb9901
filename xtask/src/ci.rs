//! `cargo xtask ci`: everything that CI does, in order, each step timed.
//!
//! A step that fails does not hide the ones after it. `.ci/run` installs the
//! tools and calls this; nothing is checked there that is not checked here.

use crate::process::{Failure, Tally, cargo, exists, locked, program, project_root, succeed};
use crate::{
    constant_time, dependencies, emulated, msrv, mutants, planted, reference, report, structure,
    targets, test, tiers, traces,
};

/// A step counts what it runs, or holds or not.
enum Step {
    Counts(fn() -> Tally),
    Holds(fn() -> Result<(), Failure>),
}

const STEPS: [(&str, Step); 19] = [
    ("format", Step::Holds(format)),
    ("structure", Step::Holds(structure::run)),
    ("licences and sources", Step::Holds(deny)),
    ("dependency table", Step::Holds(dependencies::check)),
    ("performance page", Step::Holds(report::check)),
    ("clippy", Step::Holds(clippy)),
    ("documentation", Step::Holds(documentation)),
    (
        "core without std, for other targets",
        Step::Counts(targets::run),
    ),
    ("fuzz targets build", Step::Holds(fuzz_targets)),
    ("test", Step::Counts(test::run)),
    ("reference", Step::Counts(reference::run)),
    ("tiers", Step::Counts(tiers::emulated)),
    ("other CPUs and systems", Step::Counts(emulated::run_in_ci)),
    ("constant time", Step::Counts(constant_time::run)),
    ("places of planted leaks", Step::Holds(planted::check)),
    ("places of planted defects", Step::Holds(mutants::check)),
    ("traces", Step::Counts(traces::run)),
    ("oldest compiler", Step::Counts(msrv::run)),
    ("clean tree", Step::Holds(clean_tree)),
];

/// Runs every step and adds up what they say.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    for (name, step) in STEPS {
        tally.stage(name, |part| match step {
            Step::Counts(step) => part.append("", step()),
            Step::Holds(step) => part.add_check(name, &step()),
        });
    }
    tally
}

/// The fuzz targets stand outside the workspace and must not be forgotten.
const FUZZ_MANIFEST: [&str; 2] = ["--manifest-path", "fuzz/Cargo.toml"];

fn format() -> Result<(), Failure> {
    succeed(&mut cargo(&["fmt", "--all", "--check"]))?;
    succeed(cargo(&["fmt"]).args(FUZZ_MANIFEST).arg("--check"))
}

fn clippy() -> Result<(), Failure> {
    // The peers of `bench` that are written in C are left out: their headers
    // need Clang, and nothing of ours depends on them.
    let selections: [&[&str]; 3] = [
        &["--workspace"],
        &["-p", "sivka", "--all-features"],
        &["-p", "sivka-bench", "--features", "rustcrypto"],
    ];
    for selection in selections {
        let mut command = cargo(&["clippy", "--all-targets", "--keep-going"]);
        succeed(
            command
                .args(selection)
                .args(locked())
                .args(["--", "-D", "warnings"]),
        )?;
    }
    Ok(())
}

fn documentation() -> Result<(), Failure> {
    let selections: [&[&str]; 2] = [&["--workspace"], &["-p", "sivka", "--all-features"]];
    for selection in selections {
        let mut command = cargo(&["doc", "--no-deps"]);
        command.args(selection).args(locked());
        succeed(command.env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

fn fuzz_targets() -> Result<(), Failure> {
    let mut command = cargo(&["check"]);
    succeed(command.args(FUZZ_MANIFEST).args(locked()))
}

fn deny() -> Result<(), Failure> {
    if !exists("cargo-deny") {
        return Err(Failure::new(
            "cargo-deny is missing (cargo install --locked cargo-deny)",
        ));
    }
    // Advisories are in a repository, not in the registry: they are for a run
    // with a network.
    succeed(&mut cargo(&[
        "deny",
        "--all-features",
        "check",
        "licenses",
        "bans",
        "sources",
    ]))
}

/// Building and testing leaves nothing behind that is not ignored.
fn clean_tree() -> Result<(), Failure> {
    if !project_root().join(".git").exists() {
        return Err(Failure::new("this is no git checkout"));
    }
    let mut command = program("git", &["status", "--porcelain"]);
    let left = crate::process::capture(&mut command)?;
    if left.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "left in the tree or changed:\n{left}"
        )))
    }
}
