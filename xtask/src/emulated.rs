//! `cargo xtask emulated [TARGET…]`: the tests of `core` and `file`, and of the command for
//! Windows, for other CPUs and systems than this one.
//!
//! `cargo xtask tiers` is about lesser CPUs of this kind, and runs the very programs that
//! this machine runs; here they are built anew for each target.

mod windows;

use crate::process::{Failure, Tally, cargo, exists, locked, project_root};
use crate::programs::{KERNELS, Program, built_by, named};
use crate::targets::{is_installed, library};

/// A target, and how its programs run here.
struct Target {
    name: &'static str,
    shows: &'static str,
    crates: &'static [&'static str],
    /// Programs that must be here, and the packages of Debian that have them. The first one
    /// links, unless the toolchain does it by itself.
    needs: &'static [(&'static str, &'static str)],
    machines: &'static [Machine],
    /// A test that cannot work there, and why.
    left_out: Option<(&'static str, &'static str)>,
}

/// What the programs of a target run on.
struct Machine {
    /// The words of a command.
    emulator: &'static str,
    /// What `SIVKA_REQUIRE_TIERS` says; if empty, the tiers are those of this CPU.
    tiers: &'static str,
    shows: &'static str,
    /// The programs that it runs, each with words that the names of its tests have; all, if none
    /// is named.
    programs: &'static [&'static str],
}

const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// What has kernels of its own on a CPU with the instructions for SHA-3: the rest runs the same on
/// one without.
const WITHOUT_SHA3: [&str; 3] = [
    "sivka gcm_siv polyval blake2b",
    "main conformance::gcm_siv_and_blake2b chacha20_blake2b:: wycheproof::",
    "dispatch",
];

const TARGETS: [Target; 5] = [
    // No CPU that QEMU emulates lacks AES: `portable` is tested by lowering the tier, as
    // every test of tiers does.
    Target {
        name: AARCH64,
        shows: "the tier neon",
        crates: &["sivka"],
        needs: &[
            (
                "aarch64-linux-gnu-gcc",
                "gcc-aarch64-linux-gnu, libc6-dev-arm64-cross",
            ),
            ("qemu-aarch64", "qemu-user"),
        ],
        machines: &[
            Machine {
                emulator: "qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu",
                tiers: "portable,neon",
                shows: "with the instructions for SHA-3",
                programs: &KERNELS,
            },
            Machine {
                emulator: "qemu-aarch64 -cpu cortex-a72 -L /usr/aarch64-linux-gnu",
                tiers: "portable,neon",
                shows: "without them",
                programs: &WITHOUT_SHA3,
            },
        ],
        left_out: None,
    },
    Target {
        name: "s390x-unknown-linux-gnu",
        shows: "the most significant byte first",
        crates: &["sivka", "sivka-file"],
        needs: &[
            (
                "s390x-linux-gnu-gcc",
                "gcc-s390x-linux-gnu, libc6-dev-s390x-cross",
            ),
            ("qemu-s390x", "qemu-user"),
        ],
        machines: &[Machine {
            emulator: "qemu-s390x -L /usr/s390x-linux-gnu",
            tiers: "portable",
            shows: "big-endian, 64 bits",
            programs: &[],
        }],
        left_out: None,
    },
    Target {
        name: "armv7-unknown-linux-gnueabihf",
        shows: "32 bits",
        crates: &["sivka", "sivka-file"],
        needs: &[
            (
                "arm-linux-gnueabihf-gcc",
                "gcc-arm-linux-gnueabihf, libc6-dev-armhf-cross",
            ),
            ("qemu-arm", "qemu-user"),
        ],
        machines: &[Machine {
            emulator: "qemu-arm -L /usr/arm-linux-gnueabihf",
            tiers: "portable",
            shows: "little-endian, 32 bits",
            programs: &[],
        }],
        left_out: None,
    },
    Target {
        name: "wasm32-wasip1",
        shows: "WebAssembly",
        crates: &["sivka"],
        needs: &[("node", "nodejs")],
        machines: &[Machine {
            // Node 20 crashes where its collector marks beside a program that grows its memory.
            emulator: "node --no-warnings --no-concurrent-marking {root}/xtask/src/emulated/wasi.mjs",
            tiers: "portable",
            shows: "Node",
            programs: &[],
        }],
        left_out: Some((
            "the_environment_lowers_and_never_raises",
            "no program starts another there",
        )),
    },
    Target {
        name: windows::TARGET,
        shows: "Windows, as far as Wine is",
        crates: &["sivka", "sivka-file", "sivka-cli"],
        needs: &[
            (windows::COMPILER, "gcc-mingw-w64-x86-64-win32"),
            ("wine", "wine, wine64"),
        ],
        machines: &[Machine {
            emulator: "wine",
            tiers: "",
            shows: "this CPU",
            programs: &[],
        }],
        left_out: None,
    },
];

/// Runs these targets, or all.
pub(crate) fn run(names: &[&str]) -> Tally {
    let mut tally = Tally::default();
    let known = TARGETS.map(|target| target.name);
    for name in names.iter().filter(|name| !known.contains(name)) {
        let message = format!("{name} is none of {}", known.join(", "));
        tally.add_check(name, &Err(Failure::new(message)));
    }
    let asked = |target: &&Target| names.is_empty() || names.contains(&target.name);
    for target in TARGETS.iter().filter(asked) {
        run_target(target, target.crates, target.machines, &mut tally);
    }
    tally
}

/// What every run of CI does: the kernels of AArch64.
pub(crate) fn kernels_of_neon() -> Tally {
    in_ci(AARCH64, 0)
}

pub(crate) fn aarch64_without_sha3() -> Tally {
    in_ci(AARCH64, 1)
}

pub(crate) fn s390x() -> Tally {
    in_ci("s390x-unknown-linux-gnu", 0)
}

pub(crate) fn webassembly() -> Tally {
    in_ci("wasm32-wasip1", 0)
}

/// Runs `core` on one machine of a target.
fn in_ci(name: &str, machine: usize) -> Tally {
    let mut tally = Tally::default();
    for target in TARGETS.iter().filter(|target| target.name == name) {
        run_target(
            target,
            &["sivka"],
            &target.machines[machine..=machine],
            &mut tally,
        );
    }
    tally
}

fn run_target(target: &Target, crates: &[&str], machines: &[Machine], tally: &mut Tally) {
    let what = format!("the tests for {}", target.name);
    for (program, packages) in target.needs {
        if !exists(program) {
            return tally.add_not_run(&what, &format!("{program} (Debian: {packages})"));
        }
    }
    if !is_installed(target.name) {
        return tally.add_not_run(&what, &library(target.name));
    }
    let programs = match build(target, crates) {
        Ok(programs) => programs,
        Err(failure) => return tally.add_check(&what, &Err(failure)),
    };
    if let Some((test, why)) = target.left_out {
        tally.add_left_out(&format!("{test} for {}: {why}", target.name));
    }
    for machine in machines {
        let stage = format!("{} ({}): {}", target.name, target.shows, machine.shows);
        tally.stage(&stage, |part| run_on(machine, target, &programs, part));
    }
}

fn build(target: &Target, crates: &[&str]) -> Result<Vec<Program>, Failure> {
    let mut command = cargo(&["test", "--no-run", "--target", target.name]);
    command.args(crates.iter().flat_map(|name| ["--package", name]));
    if let [(linker, _), _, ..] = target.needs {
        let triple = target.name.to_uppercase().replace('-', "_");
        command.env(format!("CARGO_TARGET_{triple}_LINKER"), linker);
    }
    let programs = built_by(command.args(locked()))?;
    if target.name == windows::TARGET {
        windows::prepare(&programs)?;
    }
    Ok(programs)
}

fn run_on(machine: &Machine, target: &Target, programs: &[Program], tally: &mut Tally) {
    let row = format!("{}, {}: ", target.name, machine.shows);
    let emulator = machine
        .emulator
        .replace("{root}", &project_root().to_string_lossy());
    let all: Vec<&str> = programs
        .iter()
        .map(|program| program.name.as_str())
        .collect();
    let is_all = machine.programs.is_empty();
    for line in if is_all { &all } else { machine.programs } {
        let (name, tests) = match line.split_once(' ') {
            Some(named) if !is_all => named,
            _ => (*line, ""),
        };
        let Some(program) = named(programs, name, &row, tally) else {
            continue;
        };
        let mut command = program.command(&emulator);
        windows::set(&mut command);
        command.args(tests.split_whitespace());
        if !machine.tiers.is_empty() {
            command.env("SIVKA_REQUIRE_TIERS", machine.tiers);
        }
        command.args(
            target
                .left_out
                .iter()
                .flat_map(|(test, _)| ["--skip", test]),
        );
        program.run_in_emulator(&row, &mut command, tally);
    }
    if target.name == windows::TARGET {
        tally.add_check(&format!("{row}a file sealed and opened"), &windows::seal());
    }
}
