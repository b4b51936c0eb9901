//! `cargo xtask tiers` and `cargo xtask emulated [TARGET…]`: the tests of `core` on lesser CPUs of
//! this kind; and for other CPUs and systems, with those of `file`, and of the command for Windows.
//!
//! `machines.toml` has them. Cargo builds the programs and hands each to an emulator, its `runner`.
//! Each machine says which tiers it has, and the tests must find exactly these:
//! `SIVKA_REQUIRE_TIERS` makes them fail where one is missing.

use crate::process::{
    Failure, Tally, WORKSPACE, capture, cargo, exists, fails_saying, locked, project_root,
    run_tests,
};
use crate::targets::{Emulated, Lesser, Machines, is_installed, library};
use std::process::Command;
use std::slice::SliceIndex;

/// Tests that walk every length or count, or a long chain, not the grid: minutes in an emulator,
/// and run on this CPU for every tier that it has.
const TOO_SLOW: [&str; 4] = [
    "every_length",
    "every_hundred_thousand",
    "every_count_of_blocks_up_to_1100",
    "chains_of_65536_encryptions",
];

/// Programs are built as a part of the workspace, as `cargo xtask test` builds them, or all would
/// be compiled again: the words choose tests of `core`.
const DETECTION: &[&str] = &["--lib -- tier::", "--test dispatch"];
const KERNELS: &[&str] = &[
    "--lib -- kernel:: mode:: tier::",
    "--test dispatch",
    "--test main -- conformance:: accumulated:: chacha20_blake2b:: published::",
];

/// Runs these targets, or all.
pub(crate) fn run(names: &[&str]) -> Tally {
    let mut tally = Tally::default();
    let targets = Machines::read().emulated;
    for name in names {
        if !targets.iter().any(|target| target.name == *name) {
            let failure = Failure::new("there is no such target in xtask/machines.toml");
            tally.add_check(name, &Err(failure));
        }
    }
    let asked = |row: &&Emulated| names.is_empty() || names.contains(&row.name.as_str());
    for target in targets.iter().filter(asked) {
        run_on(target, &target.crates, &target.runs, &mut tally);
    }
    tally
}

/// The emulator of AArch64 with every instruction.
pub(crate) const NEON: &str = "qemu-aarch64 -cpu max";

/// Some of the runs of core that the first row with this target and emulator has.
pub(crate) fn of_core(emulator: &str, runs: impl SliceIndex<[String], Output = [String]>) -> Tally {
    let mut tally = Tally::default();
    let rows = Machines::read().emulated;
    let row = rows.iter().find(|row| row.emulator.starts_with(emulator));
    let row = row.expect("a test finds each");
    run_on(row, "-p sivka", &row.runs[runs], &mut tally);
    tally
}

fn run_on(target: &Emulated, crates: &str, runs: &[String], tally: &mut Tally) {
    let Emulated { name, emulator, linker, .. } = target;
    let what = format!("{name} ({})", target.shows);
    let emulates = emulator.split(' ').next().unwrap_or_default();
    let needed = [linker.as_str(), emulates].into_iter();
    for program in needed.filter(|name| !name.is_empty()) {
        if !exists(program) {
            let needs = format!("{program} (Debian: {})", target.packages);
            return tally.add_not_run(&what, &needs);
        }
    }
    if !is_installed(name) {
        return tally.add_not_run(&what, &library(name));
    }
    tally.stage(&what, |part| {
        for run in runs.iter().flat_map(|run| run.split(" && ")) {
            let mut command = cargo(&["test", "--no-fail-fast", "--target", name]);
            command.args(crates.split(' '));
            if !linker.is_empty() {
                command.env(variable(name, "LINKER"), linker);
            }
            emulate(&mut command, name, emulator, &target.tiers, run);
            part.append(&format!("{what}: "), run_tests(&what, &mut command));
        }
    });
}

/// The variable by which Cargo is told something of a target.
fn variable(target: &str, what: &str) -> String {
    let target = target.to_uppercase().replace('-', "_");
    format!("CARGO_TARGET_{target}_{what}")
}

/// Has Cargo run these programs in an emulator, without what takes minutes there.
fn emulate(command: &mut Command, target: &str, emulator: &str, tiers: &str, call: &str) {
    let emulator = emulator.replace("{root}", &project_root().display().to_string());
    command.env(variable(target, "RUNNER"), &emulator);
    // How a program starts itself again.
    if emulator.starts_with("qemu-") {
        command.env("SIVKA_TEST_EMULATOR", &emulator);
    }
    if !tiers.is_empty() {
        command.env("SIVKA_REQUIRE_TIERS", tiers);
    }
    // The folder of settings of a program in Wine is not the user's.
    command.env("WINEPREFIX", project_root().join("target/wine"));
    command.env("WINEDEBUG", "-all");
    let (programs, tests) = call.split_once(" -- ").unwrap_or((call, ""));
    command.args(programs.split_whitespace()).args(locked());
    command.arg("--").args(tests.split_whitespace());
    command.args(TOO_SLOW.iter().flat_map(|test| ["--skip", test]));
}

/// Checks on every CPU that its tiers are found, which takes seconds, in every run of CI; and runs
/// every kernel. `cargo xtask instructions` reads the instructions of a tier in the build.
pub(crate) fn on_lesser(with_kernels: bool) -> Tally {
    let mut tally = Tally::default();
    let is_x86 = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if !is_x86 || !exists("qemu-x86_64") {
        let needs = "it needs Linux on x86-64 and qemu-x86_64 (Debian: qemu-user)";
        tally.add_check("emulated CPUs", &Err(Failure::new(needs)));
        return tally;
    }
    for model in &Machines::read().lesser {
        let Lesser { name, tiers, .. } = model;
        let runs = match with_kernels && model.runs == "kernels" {
            true => KERNELS,
            false => DETECTION,
        };
        let what = format!("{name} ({}): ", model.shows);
        tally.stage(&format!("{what}{tiers}"), |part| {
            for run in runs {
                part.append(&what, run_tests(name, &mut on_model(name, tiers, run)));
            }
            let wider = &model.next_wider;
            let holds = has_nothing_wider(name, tiers, wider);
            part.add_check(&format!("{what}{wider} is not claimed"), &holds);
        });
    }
    tally
}

fn on_model(name: &str, tiers: &str, run: &str) -> Command {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let mut command = cargo(&["test", "--no-fail-fast"]);
    let emulator = format!("qemu-x86_64 -cpu {name}");
    emulate(command.args(WORKSPACE), TARGET, &emulator, tiers, run);
    command
}

/// The test that looks only at `SIVKA_REQUIRE_TIERS` must fail when it requires one tier more than
/// the CPU has. Otherwise the library claims instructions that the CPU lacks.
fn has_nothing_wider(name: &str, tiers: &str, wider: &str) -> Result<(), Failure> {
    const TEST: &str = "required_tiers_are_here";
    let asked = |tiers: &str| {
        let mut command = on_model(name, tiers, &format!("--test dispatch -- --exact {TEST}"));
        command.env("RUST_BACKTRACE", "0");
        command
    };
    if !capture(&mut asked(tiers))?.contains("1 passed; 0 failed") {
        return Err(Failure::new(format!("`{TEST}` does not run with this CPU's tiers")));
    }
    // The name is in quotes that may themselves be escaped.
    let lacks = |line: &str| line.contains("lacks") && line.contains(wider);
    let wider = format!("{tiers},{wider}");
    fails_saying(&mut asked(&wider), |said| said.lines().any(lacks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::files_in;

    #[test]
    fn no_test_of_core_is_left_out_in_parts() {
        let rows = Machines::read().emulated;
        let s390x = rows.iter().find(|row| row.name.starts_with("s390x")).unwrap();
        assert_eq!(s390x.runs.len(), 4);
        let named = s390x.runs.join(" ");
        for path in files_in(&project_root().join("core/tests")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            // It needs a feature that no other machine is tested with.
            if path.is_file() && name != "aead_traits" {
                assert!(named.split(' ').any(|word| word == name), "{name}");
            }
        }
    }
}
