//! `cargo xtask ci [PART…]`: everything that CI does, in order, each step timed.
//!
//! A step that fails does not hide the ones after it. Some parts run beside others, so that
//! what they print is mixed. `.ci/run` installs the tools and calls this; nothing is checked
//! there that is not checked here. Machines that work beside each other take a part each.

use crate::leaks::Build;
use crate::process::{Failure, Tally, cargo, exists, locked, program, project_root, succeed};
use crate::{
    blob, constant_time, dependencies, emulated, msrv, mutants, planted, reference, report,
    structure, targets, test, tiers, traces, zeroization,
};
use Step::{Counts, Holds};
use std::thread;

/// A step counts what it runs, or holds or not.
enum Step {
    Counts(fn() -> Tally),
    Holds(fn() -> Result<(), Failure>),
}

/// Each with its part: the sources, the tests of Rust, what is in other languages, emulated
/// CPUs, and what secrets decide.
const STEPS: [(&str, &str, Step); 20] = [
    ("sources", "format", Holds(format)),
    ("sources", "structure", Holds(structure::run)),
    ("sources", "licences and sources", Holds(deny)),
    ("sources", "dependency table", Holds(dependencies::check)),
    ("sources", "performance page", Holds(report::check)),
    ("sources", "places of leaks", Holds(planted::check)),
    ("sources", "places of defects", Holds(mutants::check)),
    ("sources", "clippy", Holds(clippy)),
    ("sources", "documentation", Holds(documentation)),
    ("sources", "core for other targets", Counts(targets::run)),
    ("sources", "fuzz targets build", Holds(fuzz_targets)),
    ("sources", "oldest compiler", Counts(msrv::run)),
    ("rust", "tests of Rust", Counts(test::rust)),
    ("rust", "reference", Counts(reference::run)),
    ("packages", "machine code of Go", Holds(blob::ensure)),
    ("packages", "packages", Counts(test::packages)),
    ("cpus", "tiers", Counts(tiers::emulated)),
    ("cpus", "other systems", Counts(emulated::run_in_ci)),
    ("secrets", "constant time, and traces", Counts(secrets)),
    ("secrets", "zeroization", Counts(zeroization::of_rust)),
];

/// The part that runs beside all after the sources: both start many programs one after the
/// other, most of which keep one CPU busy.
const BESIDE: &str = "cpus";

/// Runs every step of these parts, or of all, and adds up what they say.
pub(crate) fn run(parts: &[&str]) -> Tally {
    let mut tally = Tally::default();
    let is_part = |name: &&&str| STEPS.iter().any(|(part, ..)| part == *name);
    if let Some(unknown) = parts.iter().find(|name| !is_part(name)) {
        tally.add(format!("{unknown} (is no part)"), 0, 1);
        return tally;
    }
    let is_wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let chosen = |is_of: fn(&str) -> bool| {
        let steps = STEPS.iter().filter(move |(part, ..)| is_of(part));
        steps.filter(|(part, ..)| is_wanted(part))
    };
    take(chosen(|part| part == "sources"), &mut tally);
    thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let mut tally = Tally::default();
            if is_wanted("secrets") {
                build_what_is_watched();
            }
            take(chosen(|part| part == BESIDE), &mut tally);
            tally
        });
        take(
            chosen(|part| part != "sources" && part != BESIDE),
            &mut tally,
        );
        match beside.join() {
            Ok(beside) => tally.append("", beside),
            Err(_) => tally.add(format!("{BESIDE} (did not end)"), 0, 1),
        }
    });
    tally.stage("clean tree", |stage| {
        stage.add_check("clean tree", &clean_tree());
    });
    tally
}

/// Takes these steps, one after the other.
fn take<'s>(
    steps: impl Iterator<Item = &'s (&'static str, &'static str, Step)>,
    tally: &mut Tally,
) {
    for (_, name, step) in steps {
        tally.stage(name, |stage| match step {
            Counts(step) => stage.append("", step()),
            Holds(step) => stage.add_check(name, &step()),
        });
    }
}

/// What the part `secrets` builds as it ships. If that fails they will say so.
fn build_what_is_watched() {
    for build in [Build::Marked, Build::Shipped, Build::InUnits] {
        let _ = build.program();
    }
}

/// What valgrind watches, and what is watched step by step, beside each other.
fn secrets() -> Tally {
    thread::scope(|scope| {
        let traces = scope.spawn(traces::run);
        let mut tally = constant_time::run();
        match traces.join() {
            Ok(traced) => tally.append("", traced),
            Err(_) => tally.add_check("traces", &Err(Failure::new("they did not end"))),
        }
        tally
    })
}

/// The fuzz targets are outside the workspace and must not be forgotten.
const FUZZ_MANIFEST: [&str; 2] = ["--manifest-path", "evidence/fuzz/Cargo.toml"];

pub(crate) fn format() -> Result<(), Failure> {
    succeed(&mut cargo(&["fmt", "--all", "--check"]))?;
    succeed(cargo(&["fmt"]).args(FUZZ_MANIFEST).arg("--check"))
}

fn clippy() -> Result<(), Failure> {
    // The peers of `bench` that are written in C are left out: their headers
    // need Clang, and nothing of ours depends on them.
    let selections: [&[&str]; 2] = [
        &["--workspace", "--features", "sivka-bench/rustcrypto"],
        &["-p", "sivka", "--all-features"],
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
    // Without what would be tests, for it has no standard library; and beside the other builds,
    // which have a core with state.
    let mut command = cargo(&["clippy", "-p", "sivka-go-blob", "--all-features"]);
    command.arg("--target-dir").arg(blob::target());
    command.env("RUSTFLAGS", format!("--cfg {}", blob::STATELESS));
    succeed(command.args(locked()).args(["--", "-D", "warnings"]))
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
