//! The packages in other languages: the tests of each, and the matrix of what each seals
//! and each other opens.
//!
//! What a package needs and this machine lacks is said, and in CI it is a failure.

mod dotnet;
mod go;
mod java;
mod python;

use crate::install::Built;
use crate::process::{Tally, WORKSPACE, cargo, exists, locked, run_tests};
use std::path::Path;

/// On which runtimes a package is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runtimes {
    Newest,
    Others,
}

/// Runs the tests of every package on its newest runtime, against the C library that the tests
/// of Rust are built with.
pub(crate) fn run(tally: &mut Tally) {
    for tool in ["valgrind", "pkg-config", "cmake"] {
        if !exists(tool) {
            tally.add_not_run("the tests of the C interface that need it", tool);
        }
    }
    run_on(Runtimes::Newest, Built::of_tests, tally);
}

/// Runs those of packages that have other runtimes there, against the C library as it ships.
pub(crate) fn others(tally: &mut Tally) {
    run_on(Runtimes::Others, || Built::build("release"), tally);
}

fn run_on(
    runtimes: Runtimes,
    build: fn() -> Result<Built, crate::process::Failure>,
    tally: &mut Tally,
) {
    if !exists("cc") {
        return tally.add_not_run("the packages in other languages", "a C compiler, as `cc`");
    }
    let library = match tally.stage("the C library", |_| build()) {
        Ok(library) => library,
        Err(failure) => return tally.add_check("the C library", &Err(failure)),
    };
    let mut matrix = tally.stage("Java", |part| java::run(runtimes, &library.archive, part));
    matrix.extend(tally.stage(".NET", |part| dotnet::run(runtimes, &library.shared, part)));
    if runtimes == Runtimes::Newest {
        matrix.extend(tally.stage("Python", |part| python::run(&library.archive, part)));
        matrix.extend(tally.stage("Go", go::run));
    }
    if !matrix.is_empty() {
        run_matrix(&matrix, tally);
    }
}

/// A language of the matrix: its name, and the words of the command that runs its program.
struct Language {
    name: String,
    command: Vec<String>,
}

impl Language {
    fn new(name: impl Into<String>, command: &[&Path]) -> Self {
        let words = command.iter().map(|word| word.display().to_string());
        Self {
            name: name.into(),
            command: words.collect(),
        }
    }

    /// Its line in `SIVKA_MATRIX`, as `ffi/tests/matrix.rs` reads it.
    fn line(&self) -> String {
        format!("{}\t{}", self.name, self.command.join("\t"))
    }
}

fn run_matrix(languages: &[Language], tally: &mut Tally) {
    let names: Vec<&str> = languages.iter().map(|each| each.name.as_str()).collect();
    let name = format!("the matrix of Rust, C, {}", names.join(", "));
    let lines: Vec<String> = languages.iter().map(Language::line).collect();
    // With the whole workspace, for which it is built already.
    let mut command = cargo(&["test", "--test", "matrix"]);
    command
        .args(WORKSPACE)
        .args(locked())
        .args(["--", "--nocapture"]);
    command.env("SIVKA_MATRIX", lines.join("\n"));
    tally.stage(&name, |part| {
        part.append("", run_tests(&name, &mut command));
        for program in &mut part.programs {
            program.name.clone_from(&name);
        }
    });
}
