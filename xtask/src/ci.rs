//! `cargo xtask ci [--all | --turn N] [PART…]`: everything that CI does, each step timed.
//!
//! A step that fails does not hide the ones after it. Two lanes of steps run beside each other, so
//! their output is mixed. `.ci/run` installs the tools and calls this; it has no checks of its own.
//! Several machines can take a part each.

mod turn;

use crate::cargo::{is_recorded, reference, report};
use crate::constant_time::{TIERS, on_tiers};
use crate::emulated::NEON;
use crate::process::{
    Failure, Tally, WORKSPACE, beside, capture, cargo, locked, program, project_root, succeed,
};
use crate::test::oldest_compiler;
use crate::{
    blob, emulated, files, languages, leaks, planted, structure, targets, test, traces, zeroization,
};
use turn::{Turn, in_turn};

/// A step counts its tests, or passes or fails as a whole.
enum Does {
    Counts(fn() -> Tally),
    Holds(fn() -> Result<(), Failure>),
}

/// A name, and the work.
struct Step(&'static str, Does);

const fn counts(name: &'static str, step: fn() -> Tally) -> Step {
    Step(name, Does::Counts(step))
}

const fn holds(name: &'static str, step: fn() -> Result<(), Failure>) -> Step {
    Step(name, Does::Holds(step))
}

/// The sources, the tests that need the packages of languages one after the other, each with its
/// part, ...
const FIRST: [(&str, Step); 11] = [
    ("sources", holds("format", format)),
    ("sources", holds("structure", structure::run)),
    ("sources", holds("licences and sources", is_recorded)),
    ("sources", holds("performance page", || report(&["--check"]))),
    ("sources", holds("leaks and defects", planted::places)),
    ("sources", holds("clippy", clippy)),
    ("sources", holds("documentation", documentation)),
    ("sources", counts("other targets", targets::of_each_kind)),
    ("sources", holds("oldest compiler", oldest)),
    ("test", counts("cargo xtask test", || test::run(false))),
    ("spark", counts("Spark", || languages::of("spark"))),
];

/// ... and beside them what secrets decide, in one build of its own, emulated CPUs, and servers.
/// Most of that keeps one processor busy.
const SECOND: [(&str, Step); 8] = [
    ("secrets", holds("instructions", leaks::instructions)),
    ("secrets", counts("constant time", || on_tiers(&TIERS[..1], "--usual"))),
    ("secrets", counts("traces", traces::widest)),
    ("secrets", counts("zeroization", zeroization::of_rust)),
    ("cpus", counts("tiers", || emulated::on_lesser(false))),
    ("cpus", counts("AArch64", || emulated::of_core(NEON, ..1))),
    ("test", counts("reference", reference)),
    ("databases", counts("databases", || languages::of("databases"))),
];

/// The part of the steps that are taken in turn.
const IN_TURN: &str = "turn";

/// Runs every step of these parts, or of all, and adds up their counts.
pub(crate) fn run(words: &[&str], tally: &mut Tally) -> Result<(), Failure> {
    let (turn, parts) = Turn::read(words)?;
    let known = || FIRST.iter().chain(&SECOND).map(|(part, _)| *part);
    if let Some(unknown) = parts.iter().find(|p| **p != IN_TURN && !known().any(|k| k == **p)) {
        return Err(Failure::new(format!("{unknown} is no part")));
    }
    let is_wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let lane = |rows: &[(&str, Step)], is_first: bool| {
        let mut tally = Tally::default();
        for (_, step) in rows.iter().filter(|(part, _)| is_wanted(part)) {
            step.take(&mut tally);
        }
        if is_wanted(IN_TURN) {
            in_turn(&turn, is_first, &mut tally);
        }
        tally
    };
    let lane = &lane;
    let lanes = [(&FIRST[..], true), (&SECOND, false)];
    let lanes = lanes.map(|(rows, is_first)| move || lane(rows, is_first));
    for lane in beside(lanes.into()) {
        tally.append("", lane);
    }
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
    Ok(())
}

impl Step {
    fn take(&self, tally: &mut Tally) {
        let Self(name, does) = self;
        tally.stage(name, |stage| match does {
            Does::Counts(step) => stage.append("", step()),
            Does::Holds(step) => stage.add_check(name, &step()),
        });
    }
}

pub(crate) fn format() -> Result<(), Failure> {
    succeed(&mut cargo(&["fmt", "--all", "--check"]))
}

fn clippy() -> Result<(), Failure> {
    // The peers of `bench` that are written in C are left out: their headers
    // need Clang, and nothing of ours depends on them.
    let mut command = cargo(&["clippy", "--all-targets", "--keep-going"]);
    command.args(WORKSPACE).args(["--features", "sivka-bench/rustcrypto,sivka-fuzz/targets"]);
    succeed(command.args(locked()).args(["--", "-D", "warnings"]))
}

/// In turn, because it has a core of its own, without state. There is no standard library for its
/// tests.
fn clippy_of_blob() -> Result<(), Failure> {
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
    let libraries = "-p sivka -p sivka-file -p sivka-keyset -p sivka-ffi";
    succeed(command.args(libraries.split(' ')).args(locked()))
}

/// Building and testing leaves nothing behind that is not ignored.
fn clean_tree() -> Result<(), Failure> {
    let left = capture(&mut program("git", &["status", "--porcelain"]))?;
    match left.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(format!("left in the tree or changed:\n{left}"))),
    }
}
