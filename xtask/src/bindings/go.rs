//! The Go package, which needs neither the C library nor a C compiler.

use super::Language;
use crate::blob;
use crate::files::empty_folder;
use crate::process::{Failure, Tally, capture, exists, program, project_root, run_lines, succeed};
use crate::release::{VERSION, go_module};
use std::process::Command;

/// The module, the one over tink-go, and the one of the tests that need vectors and other
/// packages.
const MODULE: &str = "bindings/go";
const TINK: &str = "bindings/go/tink";
const TESTS: &str = "bindings/go/tests";

/// Which linter, and with which version: its own module, so that none of these needs it.
const STATICCHECK: &str = "honnef.co/go/tools/cmd/staticcheck@v0.8.2";

/// With machine code nothing calls what stands in for it; without, plain Go calls all.
const LINTS: [&[&str]; 2] = [
    &["-checks", "inherit,-U1000", "./..."],
    &["-checks", "U1000", "-tags", "purego", "./..."],
];

/// Tests of a module: what they are, the arguments of `go test`, and variables.
type Tests = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

const RUNS: [Tests; 11] = [
    ("the Go package", MODULE, &["./..."], &[]),
    (
        "the Go package with the oldest Go",
        MODULE,
        &["./..."],
        &[("GOTOOLCHAIN", "go1.24.0")],
    ),
    ("the Go package in tink-go", TINK, &["./..."], &[]),
    ("the Go package beside others", TESTS, &["./..."], &[]),
    (
        "the Go package in plain Go",
        MODULE,
        &["-tags", "purego", "./..."],
        &[],
    ),
    (
        "the same, in tink-go",
        TINK,
        &["-tags", "purego", "./..."],
        &[],
    ),
    (
        "the same, vectors",
        TESTS,
        &[
            "-tags",
            "purego",
            "-run",
            "Tier|Vectors|Wycheproof|Batch|Nonce",
            ".",
        ],
        &[],
    ),
    // The detector of races is in C.
    (
        "the Go package watched for races",
        TESTS,
        &["-race", "-run", "Tier|Load|Misuse|Wycheproof", "."],
        &[("CGO_ENABLED", "1")],
    ),
    (
        "what starts goroutines, watched for races",
        MODULE,
        &["-race", "./file/..."],
        &[("CGO_ENABLED", "1")],
    ),
    (
        "the Go package on AArch64",
        MODULE,
        // Files are plain Go over these.
        &[
            "-exec",
            "qemu-aarch64",
            ".",
            "./kuznyechik",
            "./internal/...",
        ],
        &[("GOARCH", "arm64")],
    ),
    (
        "the same without SHA-3, vectors",
        TESTS,
        // Accumulated vectors take minutes there.
        &[
            "-exec",
            "qemu-aarch64",
            "-run",
            "Tier|TestVectors|Wycheproof|Beside",
            ".",
        ],
        &[("GOARCH", "arm64"), ("QEMU_CPU", "cortex-a72")],
    ),
];

/// Runs the tests, and returns what the matrix of languages is to run.
pub(super) fn run(tally: &mut Tally) -> Vec<Language> {
    if succeed(&mut program("go", &["version"])).is_err() {
        tally.add_not_run("the Go package", "Go 1.24 or newer, as `go`");
        return Vec::new();
    }
    let code = blob::ensure();
    tally.add_check("the machine code of the Go package", &code);
    if code.is_err() {
        return Vec::new();
    }
    tally.add_check("gofmt", &formatted());
    for module in [MODULE, TINK, TESTS] {
        let vet = succeed(&mut go(module, &["vet", "./..."]));
        tally.add_check(&format!("go vet, {module}"), &vet);
        for arguments in LINTS {
            let lint = succeed(go(module, &["run", STATICCHECK]).args(arguments));
            tally.add_check(&format!("staticcheck, {module}"), &lint);
        }
    }
    let has_emulator = exists("qemu-aarch64");
    for run in &RUNS {
        if run.2.contains(&"qemu-aarch64") && !has_emulator {
            tally.add_not_run(run.0, "qemu-user");
        } else {
            test(run, tally);
        }
    }
    for (system, architecture) in SYSTEMS {
        let mut command = go(MODULE, &["build", "./..."]);
        command.env("GOOS", system).env("GOARCH", architecture);
        let built = succeed(&mut command);
        tally.add_check(
            &format!("the Go package for {system}/{architecture}"),
            &built,
        );
    }
    let used = as_users_have_it();
    tally.add_check("the Go modules seal without a C compiler", &used);
    let program = project_root().join("target/go/matrix");
    let mut build = go(TESTS, &["build", "-o"]);
    let built = succeed(build.arg(&program).arg("./matrix"));
    tally.add_check("the program of the Go package for the matrix", &built);
    match built {
        Ok(()) => vec![Language::new("go", &[&program])],
        Err(_) => Vec::new(),
    }
}

/// `gofmt` lists what it would write otherwise, and succeeds.
fn formatted() -> Result<(), Failure> {
    let listed = capture(program("gofmt", &["-l", "."]).current_dir(project_root().join(MODULE)))?;
    if listed.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("gofmt would change {listed}")))
}

/// Packs the modules, and builds a program from that.
fn as_users_have_it() -> Result<(), Failure> {
    let place = project_root().join("target/go");
    let packed = empty_folder(&place.join("packed"))?;
    go_module::write_zips(&project_root(), &packed, VERSION, 0)?;
    go_module::try_out(&packed, VERSION, &place.join("trial"))
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

/// Runs the tests of a module and counts them. They fail on code of the other kind.
fn test((name, module, arguments, variables): &Tests, tally: &mut Tally) {
    let mut counts = Counts::default();
    let mut command = go(module, &["test", "-v"]);
    command.args(*arguments).envs(variables.iter().copied());
    let is_plain = arguments.contains(&"purego");
    command.env("SIVKA_GO_CODE", if is_plain { "plain" } else { "machine" });
    let success = run_lines(&mut command, |line| counts.line(line));
    let broke_off = !success && counts.failed == 0;
    let failed = counts.failed + u64::from(broke_off || counts.passed == 0);
    let name = match &counts.tier {
        Some(tier) => format!("{name} ({tier})"),
        None => (*name).to_owned(),
    };
    tally.add_with_ignored(name, counts.passed, failed, counts.skipped);
}

/// Tests that are no part of another test.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
    /// The one that a test has named.
    tier: Option<String>,
}

impl Counts {
    /// Reads a line of `go test -v`, which indents what is a part.
    fn line(&mut self, line: &str) {
        let said = line.split_once("tier_test.go:").map(|(_, said)| said);
        if let Some((_, tier)) = said.and_then(|said| said.split_once(": tier ")) {
            self.tier = Some(tier.to_owned());
        }
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
    tier_test.go:13: tier avx512
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
            tier: Some("avx512".to_owned()),
        };
        assert_eq!(counts, wanted);
    }
}
