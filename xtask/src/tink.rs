//! `cargo xtask tink`: Google's Tink, in Go, Java and Python, judges our keysets, and OpenSSL
//! our AES-SIV.

use crate::process::{
    Tally, WORKSPACE, cargo, exists, locked, program, project_root, run_tests, succeed,
};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python library, from PyPI; those of Go and Java are named in their manifests.
const TINK_PY: &str = "tink==1.16.1";
/// OpenSSL, from PyPI.
const CRYPTOGRAPHY: &str = "cryptography==50.0.2";

/// Runs what each of them is there for, on its own.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    run_into(&mut tally);
    tally
}

/// Builds the programs in `keyset/tests/judges`, and asks them.
pub(crate) fn run_into(tally: &mut Tally) {
    let judges = [
        ("tink-go", go as Build),
        ("tink-java", java),
        ("tink-py", python),
    ];
    let mut lines = Vec::new();
    for (name, build) in judges {
        match build() {
            Built::Program(words) => lines.push(format!("{name}\t{}", words.join("\t"))),
            Built::Needs(what) => tally.add_not_run(&format!("keysets judged by {name}"), what),
            Built::Failed => tally.add(format!("{name} (did not build)"), 0, 1),
        }
    }
    keysets(&lines, tally);
    aes_siv(tally);
}

/// Asks Tink.
fn keysets(lines: &[String], tally: &mut Tally) {
    if lines.is_empty() {
        return;
    }
    // With the whole workspace, for which it is built already.
    let mut command = cargo(&["test", "--test", "tink"]);
    command.args(WORKSPACE).args(locked());
    command.args(["--", "--include-ignored", "--nocapture"]);
    command.env("SIVKA_TINK", lines.join("\n"));
    let name = "keysets judged by Tink";
    tally.stage(name, |part| part.append("", run_tests(name, &mut command)));
}

/// Asks OpenSSL.
fn aes_siv(tally: &mut Tally) {
    let name = "AES-SIV judged by OpenSSL";
    let script = project_root().join("core/tests/judges/aes_siv.py");
    let words = match with_python(CRYPTOGRAPHY, &script) {
        Built::Program(words) => words,
        Built::Needs(what) => return tally.add_not_run(name, what),
        Built::Failed => return tally.add(format!("{name} (did not build)"), 0, 1),
    };
    let mut command = cargo(&["test", "--test", "aes_siv_openssl"]);
    command.args(WORKSPACE).args(locked());
    command.args(["--", "--include-ignored", "--nocapture"]);
    command.env("SIVKA_OPENSSL", words.join("\t"));
    tally.stage(name, |part| part.append("", run_tests(name, &mut command)));
}

type Build = fn() -> Built;

/// What became of a program.
enum Built {
    /// The words of the command that starts it.
    Program(Vec<String>),
    Needs(&'static str),
    Failed,
}

fn folder() -> PathBuf {
    project_root().join("target/tink")
}

fn sources() -> PathBuf {
    project_root().join("keyset/tests/judges")
}

fn of(commands: &mut [Command], words: &[&Path]) -> Built {
    match commands.iter_mut().try_for_each(succeed) {
        Ok(()) => Built::Program(
            words
                .iter()
                .map(|word| word.display().to_string())
                .collect(),
        ),
        Err(failure) => {
            println!("FAILED: {failure}");
            Built::Failed
        }
    }
}

fn go() -> Built {
    // `go version`: it has no `--version`.
    if succeed(&mut program("go", &["version"])).is_err() {
        return Built::Needs("Go, as `go`");
    }
    let judge = folder().join("judge-go");
    let mut build = program("go", &["build", "-mod=readonly", "-buildvcs=false", "-o"]);
    build.arg(&judge).current_dir(sources().join("go"));
    // A compiler that is too old fetches the one that the module names.
    build.env("GOTOOLCHAIN", "auto");
    of(&mut [build], &[&judge])
}

fn java() -> Built {
    if !exists("mvn") {
        return Built::Needs("Maven, as `mvn`");
    }
    let mut build = program("mvn", &["--quiet", "--batch-mode", "package", "-f"]);
    build.arg(sources().join("java/pom.xml"));
    let built = folder().join("java");
    let class_path = format!("{0}/classes:{0}/dependency/*", built.display());
    let words = ["java", "-cp", &class_path, "TinkJudge"].map(Path::new);
    of(&mut [build], &words)
}

fn python() -> Built {
    with_python(TINK_PY, &sources().join("judge.py"))
}

/// A script, in an environment that has a package from PyPI.
fn with_python(package: &str, script: &Path) -> Built {
    if !exists("python3") {
        return Built::Needs("CPython, as `python3`");
    }
    let venv = folder().join("venv");
    let interpreter = venv.join("bin/python");
    let mut make = program("python3", &["-m", "venv"]);
    make.arg(&venv);
    let mut install = Command::new(&interpreter);
    install.args(["-m", "pip", "install", "--quiet", package]);
    of(&mut [make, install], &[&interpreter, script])
}
