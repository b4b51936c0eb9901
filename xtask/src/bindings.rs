//! The packages in other languages: the tests of each, and the matrix of what each seals
//! and each other opens.
//!
//! What a package needs and this machine lacks is said, and in CI it is a failure.

mod dotnet;
mod java;
mod python;

use crate::install::Built;
use crate::process::{Tally, cargo, exists, locked, run_tests};
use std::path::Path;

/// Runs the tests of every package against one build of the C library.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    for tool in ["cc", "valgrind", "pkg-config", "cmake"] {
        if !exists(tool) {
            tally.add_not_run("the tests of the C interface that need it", tool);
        }
    }
    if !exists("cc") {
        for package in [".NET", "Java", "Python"] {
            let what = format!("the {package} package");
            tally.add_not_run(&what, "a C compiler, as `cc`");
        }
        return tally;
    }
    println!("\n== the C library, for the other packages");
    let library = match Built::build("release") {
        Ok(built) => built,
        Err(failure) => {
            println!("FAILED: {failure}");
            tally.add("the C library, for the other packages", 0, 1);
            return tally;
        }
    };
    let mut matrix = Vec::new();
    matrix.extend(java::run(&library.archive, &mut tally));
    matrix.extend(python::run(&library.archive, &mut tally));
    matrix.extend(dotnet::run(&library.shared, &mut tally));
    if !matrix.is_empty() {
        tally.append("", run_matrix(&matrix));
    }
    tally
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

fn run_matrix(languages: &[Language]) -> Tally {
    let names: Vec<&str> = languages.iter().map(|each| each.name.as_str()).collect();
    let name = format!("the matrix of Rust, C, {}", names.join(", "));
    println!("\n== {name}");
    let lines: Vec<String> = languages.iter().map(Language::line).collect();
    let mut command = cargo(&["test", "-p", "sivka-ffi", "--test", "matrix"]);
    command.args(locked()).args(["--", "--nocapture"]);
    command.env("SIVKA_MATRIX", lines.join("\n"));
    let mut tally = run_tests(&name, &mut command);
    for suite in &mut tally.suites {
        suite.name.clone_from(&name);
    }
    tally
}
