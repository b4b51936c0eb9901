//! `cargo xtask check`: tests that a change is likely to break, within a minute if little is to be
//! compiled.
//!
//! A change is the difference from the branch that this one is compared with, or else from the last
//! commit.

use crate::ci;
use crate::process::{
    Failure, Tally, capture, cargo, locked, package, program, run_tests, succeed,
};
use crate::structure::{self, manifest::CRATES};
use crate::test::unoptimised;
use std::collections::BTreeSet;
use std::process::Command;

/// The tests of a crate that take seconds, for crates with slow ones. `cargo xtask test --quick`
/// runs the rest.
const QUICK: [(&str, &str); 5] = [
    ("core", "--lib --test dispatch --test main -- --skip accumulated:: --skip every_length"),
    ("ffi", "--lib --test interface"),
    ("cli", "--bins"),
    ("evidence/oracle", "--lib"),
    ("evidence/bench", "--bins -- report::"),
];

/// Folders with tests that are not one crate's.
const OTHERS: [&str; 3] = ["bindings", "integrations", "vectors"];

/// Format, structure, clippy and tests.
pub(crate) fn run() -> Tally {
    Tally::of("what has changed", |tally| {
        check(&changed()?, tally);
        Ok(())
    })
}

fn check(files: &[String], tally: &mut Tally) {
    tally.stage("format", |part| part.add_check("format", &ci::format()));
    tally.stage("structure", |part| {
        part.add_check("structure", &structure::run());
    });
    tally.add_left_out("features that are not default (cargo xtask test --quick has them)");
    let [crates, others] = sorted(files);
    for other in others {
        tally.add_left_out(&format!("{other}: its tests are in cargo xtask test"));
    }
    for folder in crates {
        let quick = QUICK.iter().find(|(of, _)| *of == folder);
        let tests = quick.map_or("", |(_, tests)| *tests);
        let package = &package(folder);
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

/// The paths of changed files.
fn changed() -> Result<Vec<String>, Failure> {
    let upstream = capture(&mut program("git", &["merge-base", "HEAD", "@{upstream}"]));
    let since = upstream.unwrap_or_else(|_| "HEAD".to_owned());
    let mut said = capture(&mut program("git", &["diff", "--name-only", since.trim()]))?;
    let others = ["ls-files", "--others", "--exclude-standard"];
    said += &capture(&mut program("git", &others))?;
    Ok(said.lines().map(str::to_owned).collect())
}

/// The folders of the crates that have changed, and the other folders with tests of theirs.
fn sorted(files: &[String]) -> [Vec<&'static str>; 2] {
    let crates = CRATES.map(|(folder, _)| folder);
    let is_of_all = |file: &String| ["Cargo.toml", "Cargo.lock"].contains(&file.as_str());
    let mut changed = [BTreeSet::new(), BTreeSet::new()];
    if files.iter().any(is_of_all) {
        changed[0].extend(crates);
    }
    for file in files {
        let is_in = |folder: &&str| file.starts_with(&format!("{folder}/"));
        match crates.into_iter().find(is_in) {
            Some(folder) => drop(changed[0].insert(folder)),
            None => changed[1].extend(OTHERS.into_iter().find(is_in)),
        }
    }
    changed.map(Vec::from_iter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_of_crates_and_of_others() {
        let sorted = |files: &str| {
            let files: Vec<String> = files.split(' ').map(str::to_owned).collect();
            super::sorted(&files).map(|folders| folders.join(" "))
        };
        let files = "file/src/a.rs file/b docs/c.md vectors/d README.md";
        assert_eq!(sorted(files), ["file", "vectors"]);
        assert_eq!(sorted("Cargo.lock")[0].split(' ').count(), CRATES.len());
        assert_eq!(sorted(""), ["", ""]);
    }
}
