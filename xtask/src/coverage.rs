//! `cargo xtask coverage`: which lines of what ships the tests execute.

use crate::process::{Failure, capture, cargo, locked, program, project_root};
use crate::programs::executable;
use std::fs;
use std::path::PathBuf;

/// What is measured, by the tests of the same crates.
const CRATES: [(&str, &str); 3] = [
    ("sivka", "core/src"),
    ("sivka-file", "file/src"),
    ("sivka-ffi", "ffi/src"),
];

pub(crate) fn run() -> Result<(), Failure> {
    let folder = project_root().join("target/coverage");
    let profiles = folder.join("profiles");
    if profiles.exists() {
        fs::remove_dir_all(&profiles).map_err(|e| Failure::new(e.to_string()))?;
    }
    let mut programs = Vec::new();
    for (name, _) in CRATES {
        programs.extend(tested(name, &folder)?);
    }
    let data = folder.join("all.profdata");
    let mut merge = program(&tool("llvm-profdata")?, &["merge", "--sparse", "-o"]);
    capture(merge.arg(&data).arg(&profiles))?;
    for (name, sources) in CRATES {
        let mut report = program(
            &tool("llvm-cov")?,
            &["report", "--summary-only", "--instr-profile"],
        );
        report.arg(&data);
        for (i, program) in programs.iter().enumerate() {
            if i > 0 {
                report.arg("--object");
            }
            report.arg(program);
        }
        report.arg("--sources").arg(project_root().join(sources));
        let said = capture(&mut report)?;
        let total = said.lines().find(|line| line.starts_with("TOTAL"));
        println!("{name}: {}", total.unwrap_or(&said));
    }
    Ok(())
}

/// Runs the tests of a crate, and says which programs they were.
fn tested(name: &str, folder: &std::path::Path) -> Result<Vec<PathBuf>, Failure> {
    let mut command = cargo(&[
        "test",
        "-p",
        name,
        "--lib",
        "--tests",
        "--message-format",
        "json",
    ]);
    command.args(locked());
    command.env("RUSTFLAGS", "-C instrument-coverage");
    command.env("CARGO_TARGET_DIR", folder);
    command.env("LLVM_PROFILE_FILE", folder.join("profiles/%m-%p.profraw"));
    let said = capture(&mut command)?;
    Ok(said.lines().filter_map(executable).collect())
}

/// A tool of the compiler's component `llvm-tools`.
fn tool(name: &str) -> Result<String, Failure> {
    let sysroot = capture(&mut program("rustc", &["--print", "sysroot"]))?;
    let host = capture(&mut program("rustc", &["--print", "host-tuple"]))?;
    let path =
        PathBuf::from(sysroot.trim()).join(format!("lib/rustlib/{}/bin/{name}", host.trim()));
    if !path.exists() {
        return Err(Failure::new(format!(
            "{name} is missing (rustup component add llvm-tools)"
        )));
    }
    Ok(path.to_string_lossy().into_owned())
}
