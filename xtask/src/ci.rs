//! `cargo xtask ci [--all | --turn N] [PART…]`: everything that CI does, each step timed.
//!
//! A step that fails does not hide the ones after it. Two lanes of steps run beside each other,
//! so that what they print is mixed. `.ci/run` installs the tools and calls this; nothing is
//! checked there that is not checked here. Machines that work beside each other take a part each.

mod turn;

use crate::process::{
    Failure, Tally, WORKSPACE, beside, cargo, locked, program, project_root, succeed,
};
use crate::test::oldest_compiler;
use crate::{
    blob, constant_time, deny, emulated, files, instructions, languages, planted, reference,
    report, structure, targets, test, tiers, traces, zeroization,
};
use Step::{Counts, Holds};
use turn::{Turn, in_turn};

/// A step counts what it runs, or holds or not.
enum Step {
    Counts(fn() -> Tally),
    Holds(fn() -> Result<(), Failure>),
}

/// Its part, its name, and what it does.
type Row = (&'static str, &'static str, Step);

/// The sources, the tests that need the packages of languages one after the other, ...
const FIRST: [Row; 11] = [
    ("sources", "format", Holds(format)),
    ("sources", "structure", Holds(structure::run)),
    ("sources", "licences and sources", Holds(deny::check)),
    ("sources", "performance page", Holds(report::check)),
    (
        "sources",
        "places of leaks and defects",
        Holds(planted::places),
    ),
    ("sources", "clippy", Holds(clippy)),
    ("sources", "documentation", Holds(documentation)),
    (
        "sources",
        "core for other targets",
        Counts(targets::of_each_kind),
    ),
    ("sources", "oldest compiler", Holds(oldest)),
    ("test", "cargo xtask test", Counts(|| test::run(false))),
    ("spark", "Spark", Counts(languages::spark)),
];

/// ... and beside them what secrets decide, in one build of its own, emulated CPUs, and servers.
/// Most of that keeps one processor busy.
const SECOND: [Row; 8] = [
    (
        "secrets",
        "instructions of tiers",
        Holds(instructions::of_tiers),
    ),
    ("secrets", "constant time", Counts(constant_time::portable)),
    ("secrets", "traces", Counts(traces::widest)),
    ("secrets", "zeroization", Counts(zeroization::of_rust)),
    ("cpus", "tiers", Counts(tiers::detected)),
    ("cpus", "AArch64", Counts(emulated::kernels_of_neon)),
    ("test", "reference", Counts(reference::run)),
    ("databases", "databases", Counts(languages::databases)),
];

/// The part of the steps that are taken in turn.
const IN_TURN: &str = "turn";

/// Runs every step of these parts, or of all, and adds up what they say.
pub(crate) fn run(words: &[&str]) -> Tally {
    let mut tally = Tally::default();
    let (turn, parts) = match Turn::read(words) {
        Ok(read) => read,
        Err(failure) => {
            tally.add_check("what is asked for", &Err(failure));
            return tally;
        }
    };
    let known = || FIRST.iter().chain(&SECOND).map(|(part, ..)| *part);
    if let Some(unknown) = parts
        .iter()
        .find(|p| **p != IN_TURN && !known().any(|k| k == **p))
    {
        tally.add(format!("{unknown} (is no part)"), 0, 1);
        return tally;
    }
    let is_wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let lane = |rows: &[Row], is_first: bool| {
        let mut tally = Tally::default();
        for (_, name, step) in rows.iter().filter(|(part, ..)| is_wanted(part)) {
            take(name, step, &mut tally);
        }
        if is_wanted(IN_TURN) {
            in_turn(&turn, is_first, &mut tally);
        }
        tally
    };
    let lanes: [Box<dyn FnOnce() -> Tally + Send>; 2] = [
        Box::new(|| lane(&FIRST, true)),
        Box::new(|| lane(&SECOND, false)),
    ];
    let lanes = beside(lanes.into());
    lanes.into_iter().for_each(|lane| tally.append("", lane));
    tally.stage("clean tree", |stage| {
        stage.add_check("clean tree", &clean_tree());
    });
    if !is_wanted(IN_TURN) {
        tally.add_left_out("what is taken in turn (cargo xtask ci turn)");
    }
    for part in known().filter(|part| !is_wanted(part)) {
        tally.add_left_out(&format!("the part {part}"));
    }
    let times = project_root().join("target/ci.md");
    let written = files::write(&times, turn.described() + &tally.times());
    tally.add_check("the times are in target/ci.md", &written);
    tally
}

fn take(name: &str, step: &Step, tally: &mut Tally) {
    tally.stage(name, |stage| match step {
        Counts(step) => stage.append("", step()),
        Holds(step) => stage.add_check(name, &step()),
    });
}

pub(crate) fn format() -> Result<(), Failure> {
    succeed(&mut cargo(&["fmt", "--all", "--check"]))
}

fn clippy() -> Result<(), Failure> {
    // The peers of `bench` that are written in C are left out: their headers
    // need Clang, and nothing of ours depends on them.
    let mut command = cargo(&["clippy", "--all-targets", "--keep-going"]);
    command
        .args(WORKSPACE)
        .args(["--features", "sivka-bench/rustcrypto,sivka-fuzz/targets"]);
    succeed(command.args(locked()).args(["--", "-D", "warnings"]))?;
    // Without what would be tests, for it has no standard library; and beside the other builds,
    // which have a core with state.
    let mut command = cargo(&["clippy", "-p", "sivka-go-blob", "--all-features"]);
    command.arg("--target-dir").arg(blob::target());
    command.env("RUSTFLAGS", format!("--cfg {}", blob::STATELESS));
    succeed(command.args(locked()).args(["--", "-D", "warnings"]))
}

fn documentation() -> Result<(), Failure> {
    let mut command = cargo(&["doc", "--no-deps"]);
    command.args(WORKSPACE).args(locked());
    succeed(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The libraries compile with the oldest compiler, which knows less and does not compute otherwise.
/// In turn it runs the unit tests of all that ships.
fn oldest() -> Result<(), Failure> {
    let mut command = cargo(&[&format!("+{}", oldest_compiler()), "check"]);
    command.args([
        "-p",
        "sivka",
        "-p",
        "sivka-file",
        "-p",
        "sivka-keyset",
        "-p",
        "sivka-ffi",
    ]);
    succeed(command.args(locked()))
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
