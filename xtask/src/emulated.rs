//! `cargo xtask emulated [TARGET…]`: the tests of `core` and `file`, and of the command for
//! Windows, for other CPUs and systems than this one.
//!
//! `cargo xtask tiers` is about lesser CPUs of this kind, and runs the very programs that
//! this machine runs; here they are built anew for each target.

mod windows;

use crate::process::{Failure, Tally, cargo, exists, locked, project_root};
use crate::programs::{KERNELS, Program, built_by};
use crate::targets::{is_installed, library};
use std::process::Command;

/// A target, and how its programs run here.
struct Target {
    name: &'static str,
    shows: &'static str,
    crates: &'static [&'static str],
    /// Programs that must be here, and the packages of Debian that have them. The first one
    /// links, unless the toolchain does it by itself.
    needs: &'static [(&'static str, &'static str)],
    machines: &'static [Machine],
    /// What cannot work there, and is not run.
    left_out: &'static [(&'static str, &'static str)],
}

/// What the programs of a target run on.
struct Machine {
    emulator: Emulator,
    /// What `SIVKA_REQUIRE_TIERS` says; without it, the tiers are those of this CPU.
    tiers: Option<&'static str>,
    shows: &'static str,
    /// The programs that it runs, each with words that the names of its tests have; all, if none
    /// is named.
    programs: &'static [&'static str],
}

enum Emulator {
    /// With its arguments.
    Qemu(&'static [&'static str]),
    /// With a script that is beside this file.
    Node,
    Wine,
}

const AARCH64: &str = "aarch64-unknown-linux-gnu";

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
                emulator: Emulator::Qemu(&[
                    "qemu-aarch64",
                    "-cpu",
                    "max",
                    "-L",
                    "/usr/aarch64-linux-gnu",
                ]),
                tiers: Some("portable,neon"),
                shows: "with the instructions for SHA-3",
                programs: &KERNELS,
            },
            Machine {
                emulator: Emulator::Qemu(&[
                    "qemu-aarch64",
                    "-cpu",
                    "cortex-a72",
                    "-L",
                    "/usr/aarch64-linux-gnu",
                ]),
                tiers: Some("portable,neon"),
                shows: "without them",
                // What else there is runs the same instructions on both.
                programs: &[
                    "sivka gcm_siv polyval blake2b",
                    "conformance gcm_siv_and_blake2b",
                    "chacha20_blake2b",
                    "wycheproof",
                    "dispatch",
                ],
            },
        ],
        left_out: &[],
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
            emulator: Emulator::Qemu(&["qemu-s390x", "-L", "/usr/s390x-linux-gnu"]),
            tiers: Some("portable"),
            shows: "big-endian, 64 bits",
            programs: &[],
        }],
        left_out: &[],
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
            emulator: Emulator::Qemu(&["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"]),
            tiers: Some("portable"),
            shows: "little-endian, 32 bits",
            programs: &[],
        }],
        left_out: &[],
    },
    Target {
        name: "wasm32-wasip1",
        shows: "WebAssembly",
        crates: &["sivka"],
        needs: &[("node", "nodejs")],
        machines: &[Machine {
            emulator: Emulator::Node,
            tiers: Some("portable"),
            shows: "Node",
            programs: &[],
        }],
        left_out: &[(
            "the_environment_lowers_and_never_raises",
            "no program starts another there",
        )],
    },
    Target {
        name: "x86_64-pc-windows-gnu",
        shows: "Windows, as far as Wine is",
        crates: &["sivka", "sivka-file", "sivka-cli"],
        needs: &[
            (windows::COMPILER, "gcc-mingw-w64-x86-64-win32"),
            ("wine", "wine, wine64"),
        ],
        machines: &[Machine {
            emulator: Emulator::Wine,
            tiers: None,
            shows: "this CPU",
            programs: &[],
        }],
        left_out: &[],
    },
];

/// Runs these targets, or all.
pub(crate) fn run(names: &[&str]) -> Tally {
    let mut tally = Tally::default();
    for name in names {
        if !TARGETS.iter().any(|target| target.name == *name) {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            let message = format!("{name} is none of {}", known.join(", "));
            tally.add_check(name, &Err(Failure::new(message)));
        }
    }
    let asked = |target: &&Target| names.is_empty() || names.contains(&target.name);
    for target in TARGETS.iter().filter(asked) {
        run_target(target, target.crates, target.machines, &mut tally);
    }
    tally
}

/// What every run of CI does: the kernels of AArch64.
pub(crate) fn kernels_of_neon() -> Tally {
    in_ci(|target| &target.machines[..usize::from(target.name == AARCH64)])
}

/// The tests of `core` on this target, but for those that every run of CI does.
fn rest_of(name: &str) -> Tally {
    in_ci(|target| match target.name {
        AARCH64 if name == AARCH64 => &target.machines[1..],
        other if name == other => target.machines,
        _ => &[],
    })
}

pub(crate) fn s390x() -> Tally {
    rest_of("s390x-unknown-linux-gnu")
}

pub(crate) fn webassembly() -> Tally {
    rest_of("wasm32-wasip1")
}

pub(crate) fn aarch64_without_sha3() -> Tally {
    rest_of(AARCH64)
}

/// Runs `core` on these machines of each target.
fn in_ci(chosen: impl Fn(&Target) -> &[Machine]) -> Tally {
    let mut tally = Tally::default();
    for target in &TARGETS {
        run_target(target, &["sivka"], chosen(target), &mut tally);
    }
    tally
}

fn run_target(target: &Target, crates: &[&str], machines: &[Machine], tally: &mut Tally) {
    if machines.is_empty() {
        return;
    }
    for (program, packages) in target.needs {
        if !exists(program) {
            let needs = format!("{program} (Debian: {packages})");
            return tally.add_not_run(&format!("the tests for {}", target.name), &needs);
        }
    }
    if !is_installed(target.name) {
        let what = format!("the tests for {}", target.name);
        return tally.add_not_run(&what, &library(target.name));
    }
    let programs = match build(target, crates) {
        Ok(programs) => programs,
        Err(failure) => {
            let name = format!("building the tests for {}", target.name);
            return tally.add_check(&name, &Err(failure));
        }
    };
    for (test, why) in target.left_out {
        tally.add_left_out(&format!("{test} for {}: {why}", target.name));
    }
    for machine in machines {
        let stage = format!("{} ({}): {}", target.name, target.shows, machine.shows);
        tally.stage(&stage, |part| run_on(machine, target, &programs, part));
    }
}

fn build(target: &Target, crates: &[&str]) -> Result<Vec<Program>, Failure> {
    let mut command = cargo(&["test", "--no-run", "--target", target.name]);
    for name in crates {
        command.args(["--package", name]);
    }
    if let [(linker, _), _, ..] = target.needs {
        let triple = target.name.to_uppercase().replace('-', "_");
        command.env(format!("CARGO_TARGET_{triple}_LINKER"), linker);
    }
    built_by(command.args(locked()))
}

fn run_on(machine: &Machine, target: &Target, programs: &[Program], tally: &mut Tally) {
    if let Emulator::Wine = machine.emulator
        && let Err(failure) = windows::prepare(programs)
    {
        return tally.add_check("Wine", &Err(failure));
    }
    let row = format!("{}, {}: ", target.name, machine.shows);
    let all: Vec<String> = programs.iter().map(Program::full_name).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let rows = match machine.programs {
        [] => &all[..],
        named => named,
    };
    for line in rows {
        let (name, tests) = match machine.programs {
            [] => (*line, ""),
            _ => line.split_once(' ').unwrap_or((line, "")),
        };
        let Some(program) = programs.iter().find(|one| one.full_name() == name) else {
            tally.add(format!("{row}{name} (is no program of tests)"), 0, 1);
            continue;
        };
        let mut command = start(machine, program);
        command.args(tests.split_whitespace());
        command.envs(machine.tiers.map(|tiers| ("SIVKA_REQUIRE_TIERS", tiers)));
        for (test, _) in target.left_out {
            command.args(["--skip", test]);
        }
        program.run_in_emulator(&row, &mut command, tally);
    }
    if let Emulator::Wine = machine.emulator {
        tally.add_check(&format!("{row}a file sealed and opened"), &windows::seal());
    }
}

fn start(machine: &Machine, program: &Program) -> Command {
    match machine.emulator {
        Emulator::Qemu(qemu) => program.in_qemu(qemu),
        Emulator::Node => {
            let script = project_root().join("xtask/src/emulated/wasi.mjs");
            // Node 20 crashes where its collector marks beside a program that grows its memory.
            let marks = "--no-concurrent-marking";
            let script = script.to_string_lossy();
            program.in_emulator(&["node", "--no-warnings", marks, &script])
        }
        Emulator::Wine => windows::in_wine(program.in_emulator(&["wine"])),
    }
}
