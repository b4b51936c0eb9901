//! `cargo xtask check`: what a change is likely to break, within a minute where little is to
//! be compiled.
//!
//! Changed is what differs from the branch that this one is compared with, or else from the
//! last commit.

use crate::ci;
use crate::process::{Failure, Tally, capture, cargo, locked, program, run_tests, succeed};
use crate::structure;
use crate::test::unoptimised;
use std::process::Command;

/// The folder of a crate, its name, and what of its tests takes seconds; all, if nothing is
/// said. The rest is for `cargo xtask test --quick`.
const CRATES: [(&str, &str, &str); 13] = [
    (
        "core",
        "sivka",
        "--lib --test dispatch --test main -- --skip accumulated:: --skip every_length",
    ),
    ("file", "sivka-file", ""),
    ("keyset", "sivka-keyset", ""),
    ("arrow", "sivka-arrow", ""),
    ("ffi", "sivka-ffi", "--lib --test interface"),
    // It has no tests: the Go package calls it.
    ("bindings/go/blob", "sivka-go-blob", ""),
    ("cli", "sivka-cli", "--bins"),
    ("evidence/oracle", "sivka-oracle", "--lib"),
    (
        "evidence/bench",
        "sivka-bench",
        "--bins -- report:: against::",
    ),
    ("evidence/fuzz", "sivka-fuzz", ""),
    ("evidence/leaks", "sivka-leaks", ""),
    ("evidence/judge", "sivka-judge", "--lib"),
    ("xtask", "xtask", ""),
];

/// Folders with tests that are not one crate's.
const OTHERS: [&str; 3] = ["bindings", "integrations", "vectors"];

/// Format, structure, clippy and tests.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    let files = match changed() {
        Ok(files) => files,
        Err(failure) => {
            tally.add_check("what has changed", &Err(failure));
            return tally;
        }
    };
    tally.stage("format", |part| part.add_check("format", &ci::format()));
    tally.stage("structure", |part| {
        part.add_check("structure", &structure::run());
    });
    let [crates, others] = sorted(&files);
    for other in others {
        tally.add_left_out(&format!("{other}: its tests are in cargo xtask test"));
    }
    for (folder, package, tests) in CRATES.iter().filter(|(folder, ..)| crates.contains(folder)) {
        tally.stage(&format!("clippy, {folder}"), |part| {
            let mut clippy = cargo(&["clippy", "--all-targets", "-p", package]);
            clippy.args(locked()).args(["--", "-D", "warnings"]);
            part.add_check(&format!("clippy, {folder}"), &succeed(&mut clippy));
        });
        tally.stage(&format!("tests, {folder}"), |part| {
            part.append("", run_tests(package, &mut tests_of(package, tests)));
        });
        if !tests.is_empty() {
            let rest =
                format!("{folder}: all tests but {tests} (cargo xtask test --quick has them)");
            tally.add_left_out(&rest);
        }
    }
    tally
}

fn tests_of(package: &str, tests: &str) -> Command {
    let mut command = cargo(&["test", "-p", package]);
    // Those of the core itself walk every length.
    if package != "sivka" {
        command.args(unoptimised());
    }
    command.args(locked()).args(tests.split_whitespace());
    command
}

/// The paths of what has changed.
fn changed() -> Result<Vec<String>, Failure> {
    let upstream = program("git", &["merge-base", "HEAD", "@{upstream}"]).output();
    let upstream = upstream.map_err(|e| Failure::new(format!("git: {e}")))?;
    let upstream = String::from_utf8_lossy(&upstream.stdout).trim().to_owned();
    let since = if upstream.is_empty() {
        "HEAD"
    } else {
        &upstream
    };
    let mut files = Vec::new();
    for arguments in [
        &["diff", "--name-only", since][..],
        &["ls-files", "--others", "--exclude-standard"],
    ] {
        let said = capture(&mut program("git", arguments))?;
        files.extend(said.lines().map(str::to_owned));
    }
    Ok(files)
}

/// The folders of the crates that have changed, and the other folders with tests of theirs.
fn sorted(files: &[String]) -> [Vec<&str>; 2] {
    let [mut crates, mut others] = [Vec::new(), Vec::new()];
    for file in files {
        let is_in = |folder: &&str| file.starts_with(&format!("{folder}/"));
        let of_crates = CRATES.iter().map(|(folder, ..)| *folder).find(is_in);
        let (list, folder) = match of_crates {
            Some(folder) => (&mut crates, Some(folder)),
            None => (&mut others, OTHERS.into_iter().find(is_in)),
        };
        list.extend(folder.filter(|folder| !list.contains(folder)));
    }
    if files
        .iter()
        .any(|file| file == "Cargo.toml" || file == "Cargo.lock")
    {
        crates = CRATES.iter().map(|(folder, ..)| *folder).collect();
    }
    [crates, others]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::project_root;

    #[test]
    fn files_are_of_crates_and_of_others() {
        let sorted = |files: &[&str]| {
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            super::sorted(&files).map(|folders| folders.join(" "))
        };
        let files = [
            "file/src/a.rs",
            "file/b",
            "docs/c.md",
            "vectors/d",
            "README.md",
        ];
        assert_eq!(sorted(&files), ["file", "vectors"]);
        assert_eq!(sorted(&["Cargo.lock"])[0].split(' ').count(), CRATES.len());
        assert_eq!(sorted(&[]), ["", ""]);
    }

    #[test]
    fn every_crate_has_a_row() {
        let text = std::fs::read_to_string(project_root().join("Cargo.toml")).unwrap();
        let members = text
            .lines()
            .find(|line| line.starts_with("members = "))
            .unwrap();
        let members = members.matches('"').count() / 2;
        assert_eq!(members, CRATES.len());
        for (folder, name, _) in CRATES {
            let path = project_root().join(folder).join("Cargo.toml");
            let manifest = std::fs::read_to_string(path).unwrap();
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{folder}");
        }
    }
}
