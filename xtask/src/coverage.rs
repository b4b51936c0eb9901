//! `cargo xtask coverage`: which lines of what ships the tests execute.

use crate::process::{Failure, capture, cargo, locked, program, project_root, succeed};
use crate::programs::executable;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is measured, by the tests of the same crates: name, sources, and a library that the
/// tests build and execute as well.
const CRATES: [(&str, &str, Option<&str>); 3] = [
    ("sivka", "core/src", None),
    ("sivka-file", "file/src", None),
    // The tests in C link the archive of the same compilation.
    ("sivka-ffi", "ffi/src", Some("tmp/sivka/lib/libsivka.so")),
];

pub(crate) fn run() -> Result<(), Failure> {
    let folder = project_root().join("target/coverage");
    let mut totals = Vec::new();
    // Each by itself: what two builds of one crate have counted cannot be added.
    for (name, sources, library) in CRATES {
        let profiles = folder.join(format!("{name}-profiles"));
        if profiles.exists() {
            fs::remove_dir_all(&profiles).map_err(|e| Failure::new(e.to_string()))?;
        }
        // Of a function that two of these have in different forms, the first one's counts.
        let mut programs: Vec<PathBuf> = library.iter().map(|path| folder.join(path)).collect();
        programs.extend(tested(name, &folder, &profiles)?);
        let data = folder.join(format!("{name}.profdata"));
        let mut merge = program(&tool("llvm-profdata")?, &["merge", "--sparse", "-o"]);
        capture(merge.arg(&data).arg(&profiles))?;
        totals.push((name, covered(&programs, &data, sources)?));
    }
    for (name, total) in totals {
        println!("{name}: {total}");
    }
    Ok(())
}

/// What of `sources` the programs executed that wrote `data`.
fn covered(programs: &[PathBuf], data: &Path, sources: &str) -> Result<String, Failure> {
    let mut report = program(
        &tool("llvm-cov")?,
        &["report", "--summary-only", "--instr-profile"],
    );
    report.arg(data);
    for program in programs {
        report.arg("--object").arg(program);
    }
    report.arg("--sources").arg(project_root().join(sources));
    let said = capture(&mut report)?;
    summary(&said).ok_or_else(|| Failure::new(said))
}

/// The shares of `llvm-cov`'s last line, where each comes after two counts.
fn summary(report: &str) -> Option<String> {
    let total = report.lines().find(|line| line.starts_with("TOTAL"))?;
    let words: Vec<&str> = total.split_whitespace().collect();
    let [_, _, _, regions, _, _, functions, _, _, lines, ..] = words[..] else {
        return None;
    };
    Some(format!(
        "{lines} of lines, {functions} of functions, {regions} of regions"
    ))
}

/// Runs the tests of a crate, and says which programs they were.
fn tested(name: &str, folder: &Path, profiles: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut tests = instrumented(name, folder, profiles);
    let built = capture(tests.args(["--no-run", "--message-format", "json"]))?;
    succeed(&mut instrumented(name, folder, profiles))?;
    Ok(built.lines().filter_map(executable).collect())
}

/// The tests of a crate as programs that count what they execute.
fn instrumented(name: &str, folder: &Path, profiles: &Path) -> Command {
    let mut command = cargo(&["test", "-p", name, "--lib", "--tests"]);
    command.args(locked());
    command.env("RUSTFLAGS", "-C instrument-coverage");
    // Nothing in a program in C asks for what writes the counters at its end.
    command.env("LDFLAGS", "-Wl,-u,__llvm_profile_runtime");
    command.env("CARGO_TARGET_DIR", folder);
    command.env("LLVM_PROFILE_FILE", profiles.join("%m-%p.profraw"));
    command
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

#[cfg(test)]
mod tests {
    #[test]
    fn the_shares_of_a_report_are_read() {
        let report = "x.rs  9 9 0.00% 1 1 0.00% 4 4 0.00%\nTOTAL 100 5 95.00% 50 1 98.00% 200 8 96.00% 0 0 -\n";
        let shares = "96.00% of lines, 98.00% of functions, 95.00% of regions";
        assert_eq!(super::summary(report).as_deref(), Some(shares));
        assert_eq!(super::summary(""), None);
    }
}
