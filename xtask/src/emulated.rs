//! `cargo xtask tiers` and `cargo xtask emulated [TARGET…]`: the tests of `core` on lesser CPUs of
//! this kind; and for other CPUs and systems, with those of `file`, and of the command for Windows.
//!
//! `machines.toml` has them. Cargo builds the programs and hands each to an emulator, its `runner`.
//! Each machine says which tiers it has, and the tests must find exactly these:
//! `SIVKA_REQUIRE_TIERS` makes them fail where one is missing.

use crate::files::make_folder;
use crate::process::{
    Failure, Tally, WORKSPACE, cargo, exists, locked, output, program, project_root, run_tests,
    succeed,
};
use crate::targets::{is_installed, library, machines};
use std::process::{Command, Stdio};
use toml::{Table, Value};

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

/// What a row says; nothing where it does not.
fn says<'r>(row: &'r Table, key: &str) -> &'r str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn calls(row: &Table) -> Vec<&str> {
    let calls = row.get("runs").and_then(Value::as_array).into_iter();
    calls.flatten().filter_map(Value::as_str).collect()
}

/// The rows of a list of `machines.toml`.
fn rows(list: &str) -> Vec<Table> {
    let list = machines().get(list).and_then(Value::as_array).cloned();
    let rows = list.into_iter().flatten();
    rows.filter_map(|row| row.as_table().cloned()).collect()
}

/// Runs these targets, or all.
pub(crate) fn run(names: &[&str]) -> Tally {
    let mut tally = Tally::default();
    let targets = rows("emulated");
    for name in names {
        if !targets.iter().any(|target| says(target, "name") == *name) {
            let failure = Failure::new("there is no such target in xtask/machines.toml");
            tally.add_check(name, &Err(failure));
        }
    }
    let asked = |row: &&Table| names.is_empty() || names.contains(&says(row, "name"));
    for target in targets.iter().filter(asked) {
        run_on(target, says(target, "crates"), &calls(target), &mut tally);
    }
    tally
}

/// What every run of CI does: the kernels of AArch64.
pub(crate) fn kernels_of_neon() -> Tally {
    of_core(0, |calls| &calls[..1])
}

pub(crate) fn vectors_on_neon() -> Tally {
    of_core(0, |calls| &calls[1..])
}

pub(crate) fn aarch64_without_sha3() -> Tally {
    of_core(1, |calls| calls)
}

pub(crate) fn s390x<const PART: usize>() -> Tally {
    of_core(2, |calls| &calls[PART..=PART])
}

pub(crate) fn webassembly() -> Tally {
    of_core(4, |calls| calls)
}

fn of_core(row: usize, chosen: for<'c> fn(&'c [&'c str]) -> &'c [&'c str]) -> Tally {
    let mut tally = Tally::default();
    let target = &rows("emulated")[row];
    run_on(target, "-p sivka", chosen(&calls(target)), &mut tally);
    tally
}

fn run_on(target: &Table, crates: &str, calls: &[&str], tally: &mut Tally) {
    let [name, shows, emulator, linker] =
        ["name", "shows", "emulator", "linker"].map(|key| says(target, key));
    let what = format!("{name} ({shows})");
    let needed = [linker, emulator.split(' ').next().unwrap_or_default()];
    for program in needed.into_iter().filter(|name| !name.is_empty()) {
        if !exists(program) {
            let needs = format!("{program} (Debian: {})", says(target, "packages"));
            return tally.add_not_run(&what, &needs);
        }
    }
    if !is_installed(name) {
        return tally.add_not_run(&what, &library(name));
    }
    if emulator == "wine" {
        tally.add_check("a library that Wine lacks", &library_for_wine(name, linker));
    }
    tally.stage(&what, |part| {
        for call in calls.iter().flat_map(|call| call.split(" && ")) {
            let mut command = cargo(&["test", "--no-fail-fast", "--target", name]);
            command.args(crates.split(' '));
            if !linker.is_empty() {
                command.env(variable(name, "LINKER"), linker);
            }
            emulate(&mut command, name, emulator, says(target, "tiers"), call);
            part.append(&format!("{what}: "), run_tests(&what, &mut command));
        }
    });
}

/// Puts what Wine 8 lacks beside the programs.
fn library_for_wine(target: &str, compiler: &str) -> Result<(), Failure> {
    for folder in ["debug", "debug/deps"] {
        let folder = project_root().join("target").join(target).join(folder);
        let library = folder.join("bcryptprimitives.dll");
        make_folder(&library)?;
        let mut command = program(compiler, &["-shared", "-O2", "-o"]);
        command.arg(library);
        succeed(command.args(["xtask/src/emulated/bcryptprimitives.c", "-ladvapi32"]))?;
    }
    Ok(())
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

/// What every run of CI does: each CPU has its tiers found. Which instructions a tier has is
/// read in what is built (`cargo xtask instructions`).
pub(crate) fn detected() -> Tally {
    on_lesser(false)
}

/// Every kernel on emulated CPUs.
pub(crate) fn kernels() -> Tally {
    on_lesser(true)
}

fn on_lesser(with_kernels: bool) -> Tally {
    let mut tally = Tally::default();
    let is_x86 = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if !is_x86 || !exists("qemu-x86_64") {
        let needs = "it needs Linux on x86-64 and qemu-x86_64 (Debian: qemu-user)";
        tally.add_check("emulated CPUs", &Err(Failure::new(needs)));
        return tally;
    }
    for model in rows("lesser") {
        let runs = match with_kernels && says(&model, "runs") == "kernels" {
            true => KERNELS,
            false => DETECTION,
        };
        let [name, tiers, wider] = ["name", "tiers", "next_wider"].map(|key| says(&model, key));
        let what = format!("{name} ({}): ", says(&model, "shows"));
        tally.stage(&format!("{what}{tiers}"), |part| {
            for call in runs {
                part.append(&what, run_tests(name, &mut on_model(name, tiers, call)));
            }
            let holds = has_nothing_wider(name, tiers, wider);
            part.add_check(&format!("{what}{wider} is not claimed"), &holds);
        });
    }
    tally
}

fn on_model(name: &str, tiers: &str, call: &str) -> Command {
    let mut command = cargo(&["test", "--no-fail-fast"]);
    command.args(WORKSPACE);
    let emulator = format!("qemu-x86_64 -cpu {name}");
    emulate(
        &mut command,
        "x86_64-unknown-linux-gnu",
        &emulator,
        tiers,
        call,
    );
    command
}

/// The one test that looks at `SIVKA_REQUIRE_TIERS` and at nothing else must fail when it is asked
/// for one tier more than the CPU has, or the library claims instructions that it lacks.
fn has_nothing_wider(name: &str, tiers: &str, wider: &str) -> Result<(), Failure> {
    const TEST: &str = "required_tiers_are_here";
    let run = |tiers: &str| {
        let mut command = on_model(name, tiers, &format!("--test dispatch -- --exact {TEST}"));
        let output = output(command.env("RUST_BACKTRACE", "0").stderr(Stdio::null()));
        let output = output.map_err(|e| Failure::new(e.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((output.status.success(), said))
    };
    let (passes, said) = run(tiers)?;
    if !passes || !said.contains("1 passed; 0 failed") {
        let why = format!("`{TEST}` does not pass with this CPU's tiers");
        return Err(Failure::new(why));
    }
    let (passes, said) = run(&format!("{tiers},{wider}"))?;
    // The name is in quotes that may themselves be escaped.
    let lacks = |line: &str| line.contains("lacks") && line.contains(wider);
    if passes || !said.lines().any(lacks) {
        let why = format!("`{wider}` is claimed, or `{TEST}` looks at nothing");
        return Err(Failure::new(why));
    }
    println!("asked for {wider} as well, `{TEST}` fails, as it must");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::files_in;

    #[test]
    fn no_test_of_core_is_left_out_in_parts() {
        let targets = rows("emulated");
        assert!(says(&targets[2], "name").starts_with("s390x") && calls(&targets[2]).len() == 4);
        assert!(says(&targets[4], "name").starts_with("wasm32"));
        let named = calls(&targets[2]).join(" ");
        for path in files_in(&project_root().join("core/tests")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            // It needs a feature that no other machine is tested with.
            if path.is_file() && name != "aead_traits" {
                assert!(named.split(' ').any(|word| word == name), "{name}");
            }
        }
    }
}
