//! The packages in other languages: the tests of each, and the matrix of what each seals
//! and each other opens.
//!
//! What a package needs and this machine lacks is said, and in CI it is a failure.

mod dotnet;
mod go;
mod java;
mod python;

use crate::install::Built;
use crate::integrations;
use crate::process::{Tally, cargo, exists, locked, run_tests};
use std::path::Path;

/// The tests of a package against the C library, counted; what the matrix of languages is
/// to run.
type Package = fn(&Built, &mut Tally) -> Vec<Language>;

const PACKAGES: [(&str, Package); 4] = [
    ("Java", |library, tally| java::run(&library.archive, tally)),
    ("Python", |library, tally| {
        python::run(&library.archive, tally)
    }),
    (".NET", |library, tally| dotnet::run(&library.shared, tally)),
    ("Go", |_library, tally| go::run(tally)),
];

/// Runs the tests of every package and every integration against one build of the C library.
pub(crate) fn run(tally: &mut Tally) {
    for tool in ["cc", "valgrind", "pkg-config", "cmake"] {
        if !exists(tool) {
            tally.add_not_run("the tests of the C interface that need it", tool);
        }
    }
    if !exists("cc") {
        for (language, _) in PACKAGES {
            let what = format!("the {language} package");
            tally.add_not_run(&what, "a C compiler, as `cc`");
        }
        tally.add_not_run("the integrations", "a C compiler, as `cc`");
        return;
    }
    let library = tally.stage("the C library, for the other packages", |part| {
        let built = Built::build("release");
        match built {
            Ok(built) => Some(built),
            Err(failure) => {
                part.add_check("the C library, for the other packages", &Err(failure));
                None
            }
        }
    });
    let Some(library) = library else { return };
    let mut matrix = Vec::new();
    for (language, package) in PACKAGES {
        let name = format!("the {language} package");
        matrix.extend(tally.stage(&name, |part| package(&library, part)));
    }
    if !matrix.is_empty() {
        run_matrix(&matrix, tally);
    }
    integrations::run_with(&library.archive, false, tally);
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
    let mut command = cargo(&["test", "--workspace", "--test", "matrix"]);
    command.args(locked()).args(["--", "--nocapture"]);
    command.env("SIVKA_MATRIX", lines.join("\n"));
    tally.stage(&name, |part| {
        part.append("", run_tests(&name, &mut command));
        for program in &mut part.programs {
            program.name.clone_from(&name);
        }
    });
}
