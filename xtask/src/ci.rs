//! `cargo xtask ci`: everything that CI does, in order, each step timed.
//!
//! A step that fails does not hide the ones behind it. `.ci/run` installs the
//! tools and calls this; nothing is checked there that is not checked here.

use crate::process::{
    Failure, Tally, cargo, exists, locked, program, project_root, seconds, succeed,
};
use crate::{constant_time, dependencies, msrv, structure, test, tiers};
use std::time::{Duration, Instant};

type Step = (&'static str, fn() -> Tally);

const STEPS: [Step; 13] = [
    ("format", || check("format", format)),
    ("structure", || check("structure", structure::run)),
    ("licences and sources", || {
        check("licences and sources", deny)
    }),
    ("dependency table", || {
        check("dependency table", dependencies::check)
    }),
    ("clippy", || check("clippy", clippy)),
    ("documentation", || check("documentation", documentation)),
    ("core without std", || {
        check("core without std", without_std)
    }),
    ("fuzz targets build", || {
        check("fuzz targets build", fuzz_targets)
    }),
    ("test", test::run),
    ("tiers", tiers::run),
    ("constant time", constant_time::run),
    ("oldest compiler", msrv::run),
    ("clean tree", || check("clean tree", clean_tree)),
];

/// Runs every step and adds up what they say.
pub(crate) fn run() -> Tally {
    let mut total = Tally::default();
    let mut timings: Vec<(&str, Duration, bool)> = Vec::new();
    let start = Instant::now();
    for (name, step) in STEPS {
        println!("\n######## {name}");
        let started = Instant::now();
        let tally = step();
        timings.push((name, started.elapsed(), tally.failed() == 0));
        println!("######## {name}: {}", seconds(started.elapsed()));
        total.append("", tally);
    }
    println!("\nsteps:");
    for (name, duration, holds) in timings {
        let mark = if holds { "ok" } else { "FAILED" };
        println!("{:>10}  {mark:<6}  {name}", seconds(duration));
    }
    println!("{:>10}  in all", seconds(start.elapsed()));
    total
}

fn check(name: &str, step: fn() -> Result<(), Failure>) -> Tally {
    let mut tally = Tally::default();
    tally.add_check(name, &step());
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

/// `core` builds on a target that has neither `std` nor an allocator, with and
/// without an allocator of the caller's.
fn without_std() -> Result<(), Failure> {
    for features in ["", "alloc", "alloc,aead"] {
        let mut command = cargo(&["check", "-p", "sivka", "--no-default-features"]);
        succeed(
            command
                .args(["--features", features])
                .args(locked())
                .env("RUSTFLAGS", "-D warnings"),
        )?;
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
    // Advisories stand in a repository, not in the registry: they are for a run
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
