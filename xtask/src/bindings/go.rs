//! The Go package, which needs neither the C library nor a C compiler.

use super::Language;
use crate::process::{Tally, program, project_root, run_lines, succeed};
use std::process::Command;

/// The module, and the one of the tests that need vectors and other packages.
const MODULES: [&str; 2] = ["bindings/go", "bindings/go/tests"];

/// Runs the tests, and returns what the matrix of languages is to run.
pub(super) fn run(tally: &mut Tally) -> Vec<Language> {
    if succeed(&mut program("go", &["version"])).is_err() {
        tally.add_not_run("the Go package", "Go 1.24 or newer, as `go`");
        return Vec::new();
    }
    for module in MODULES {
        let vet = succeed(&mut go(module, &["vet", "./..."]));
        tally.add_check(&format!("go vet, {module}"), &vet);
        test(module, tally);
    }
    for (system, architecture) in SYSTEMS {
        let mut command = go("bindings/go", &["build", "./..."]);
        command.env("GOOS", system).env("GOARCH", architecture);
        let built = succeed(&mut command);
        tally.add_check(
            &format!("the Go package for {system}/{architecture}"),
            &built,
        );
    }
    let program = project_root().join("target/go/matrix");
    let mut build = go("bindings/go/tests", &["build", "-o"]);
    let built = succeed(build.arg(&program).arg("./matrix"));
    tally.add_check("the program of the Go package for the matrix", &built);
    match built {
        Ok(()) => vec![Language::new("go", &[&program])],
        Err(_) => Vec::new(),
    }
}

/// Systems and architectures that nothing here runs.
const SYSTEMS: [(&str, &str); 5] = [
    ("darwin", "amd64"),
    ("darwin", "arm64"),
    ("freebsd", "amd64"),
    ("openbsd", "arm64"),
    ("windows", "arm64"),
];

/// `go` without a C compiler, in a folder of the project.
fn go(folder: &str, arguments: &[&str]) -> Command {
    let mut command = program("go", arguments);
    command.current_dir(project_root().join(folder));
    command.env("CGO_ENABLED", "0");
    command
}

/// Runs the tests of a module and counts them.
fn test(module: &str, tally: &mut Tally) {
    let mut counts = Counts::default();
    let mut command = go(module, &["test", "-v", "./..."]);
    let success = run_lines(&mut command, |line| counts.line(line));
    let broke_off = !success && counts.failed == 0;
    let failed = counts.failed + u64::from(broke_off || counts.passed == 0);
    let name = format!("the Go package, {module}");
    tally.add_with_ignored(name, counts.passed, failed, counts.skipped);
}

/// Tests that are no part of another test.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Counts {
    /// Reads a line of `go test -v`, which indents what is a part.
    fn line(&mut self, line: &str) {
        let verdict = line
            .strip_prefix("--- ")
            .and_then(|rest| rest.split_once(": "));
        match verdict {
            Some(("PASS", _)) => self.passed += 1,
            Some(("FAIL", _)) => self.failed += 1,
            Some(("SKIP", _)) => self.skipped += 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_tests_are_counted() {
        let mut counts = Counts::default();
        let lines = "\
=== RUN   TestA
=== RUN   TestA/part
--- PASS: TestA (0.00s)
    --- PASS: TestA/part (0.00s)
--- FAIL: TestB (0.10s)
--- SKIP: TestC (0.00s)
--- PASS: ExampleNewKey (0.00s)
FAIL
ok  \tsivka.dev/go\t0.018s";
        lines.lines().for_each(|line| counts.line(line));
        let wanted = Counts {
            passed: 2,
            failed: 1,
            skipped: 1,
        };
        assert_eq!(counts, wanted);
    }
}
