//! `cargo xtask tiers`: the tests of `core` on this CPU and, in an emulator, on
//! lesser ones.
//!
//! Each row says which tiers its CPU has. The tests must find exactly these:
//! `SIVKA_REQUIRE_TIERS` makes them fail where one is missing, and a second run
//! that asks for the next wider tier must fail, or the library claims
//! instructions that the CPU lacks.

use crate::cpu;
use crate::process::{Failure, Tally, WORKSPACE, cargo, exists, locked, output, run_tests};
use crate::programs::{KERNELS, Program, built_by, named};
use std::process::Stdio;

/// An emulated CPU: its name in QEMU, its tiers, and what it shows.
struct Model {
    name: &'static str,
    tiers: &'static str,
    next_wider: &'static str,
    shows: &'static str,
    /// Whether it runs every kernel. Where it has the tiers of another row and differs in what
    /// it lacks, only what is found on it can differ.
    runs_kernels: bool,
}

/// The test programs that look at what the CPU has.
const DETECTION: [&str; 2] = ["sivka", "dispatch"];

const MODELS: [Model; 4] = [
    Model {
        name: "Nehalem",
        tiers: "portable",
        next_wider: "avx2",
        shows: "no AES instructions at all",
        runs_kernels: true,
    },
    Model {
        name: "Westmere",
        tiers: "portable",
        next_wider: "avx2",
        shows: "AES-NI and PCLMULQDQ without AVX",
        runs_kernels: false,
    },
    Model {
        name: "Haswell",
        tiers: "portable,avx2",
        next_wider: "vaes256",
        shows: "the AVX2 tier and no more",
        runs_kernels: true,
    },
    Model {
        name: "max",
        tiers: "portable,avx2",
        next_wider: "vaes256",
        shows: "VAES without VPCLMULQDQ",
        runs_kernels: false,
    },
];

/// Every test here, and every kernel on emulated CPUs.
pub(crate) fn run() -> Tally {
    with_programs(|programs, tally| {
        let Some(tiers) = cpu::required_tiers() else {
            let failure = Failure::new("the tier matrix runs on Linux on x86-64 only");
            return tally.add_check("native", &Err(failure));
        };
        let row = format!("this CPU [{tiers}]: ");
        tally.stage(&row, |part| {
            for program in programs {
                let mut command = program.command("");
                command.env("SIVKA_REQUIRE_TIERS", &tiers);
                part.append(&row, run_tests(&program.name, &mut command));
            }
        });
        emulate_all(programs, true, tally);
    })
}

/// What every run of CI does: each CPU has its tiers found. Which instructions a tier has is
/// read in what is built (`cargo xtask instructions`).
pub(crate) fn detected() -> Tally {
    with_programs(|programs, tally| emulate_all(programs, false, tally))
}

/// Every kernel on emulated CPUs.
pub(crate) fn kernels() -> Tally {
    with_programs(|programs, tally| emulate_all(programs, true, tally))
}

/// Builds the tests of `core` once; every row runs these very files. They are built as a
/// part of the workspace, as `cargo xtask test` builds them: alone, the crates below would
/// have other features, and all would be compiled again.
fn with_programs(work: impl FnOnce(&[Program], &mut Tally)) -> Tally {
    let mut tally = Tally::default();
    let mut command = cargo(&["test", "--no-run"]);
    match built_by(command.args(WORKSPACE).args(locked())) {
        Ok(mut programs) => {
            programs.retain(|program| !program.name.contains(": "));
            work(&programs, &mut tally);
        }
        Err(failure) => tally.add_check("building the tests of core", &Err(failure)),
    }
    tally
}

/// On every model: what is found there, or all kernels where they differ.
fn emulate_all(programs: &[Program], with_kernels: bool, tally: &mut Tally) {
    if !exists("qemu-x86_64") {
        let failure = Failure::new("qemu-x86_64 is missing (Debian: qemu-user)");
        return tally.add_check("emulated CPUs", &Err(failure));
    }
    for model in MODELS {
        let runs: &[&str] = match with_kernels && model.runs_kernels {
            true => &KERNELS,
            false => &DETECTION,
        };
        let stage = format!("{} ({}): {}", model.name, model.shows, model.tiers);
        tally.stage(&stage, |part| run_model(&model, runs, programs, part));
    }
}

fn run_model(model: &Model, runs: &[&str], programs: &[Program], tally: &mut Tally) {
    let row = format!("{} [{}]: ", model.name, model.tiers);
    let emulator = format!("qemu-x86_64 -cpu {}", model.name);
    for line in runs {
        let (name, tests) = line.split_once(' ').unwrap_or((line, ""));
        if let Some(program) = named(programs, name, &row, tally) {
            let mut command = program.command(&emulator);
            command.args(tests.split_whitespace());
            command.env("SIVKA_REQUIRE_TIERS", model.tiers);
            program.run_in_emulator(&row, &mut command, tally);
        }
    }
    if let Some(program) = named(programs, "dispatch", &row, tally) {
        let name = format!("{row}{} is not claimed", model.next_wider);
        tally.add_check(&name, &nothing_wider(model, &emulator, program));
    }
}

/// The one test that looks at `SIVKA_REQUIRE_TIERS` and at nothing else must fail when it is asked
/// for one tier more than the CPU has.
fn nothing_wider(model: &Model, emulator: &str, program: &Program) -> Result<(), Failure> {
    const TEST: &str = "required_tiers_are_here";
    let run = |tiers: &str| {
        let mut command = program.command(emulator);
        command
            .env("SIVKA_REQUIRE_TIERS", tiers)
            .env("RUST_BACKTRACE", "0");
        let output = output(command.args(["--exact", TEST]).stderr(Stdio::null()));
        let output = output.map_err(|e| Failure::new(e.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((output.status.success(), said))
    };
    let (passes, said) = run(model.tiers)?;
    if !passes || !said.contains("1 passed; 0 failed") {
        return Err(Failure::new(format!(
            "`{TEST}` does not pass with this CPU's tiers"
        )));
    }
    let wider = model.next_wider;
    let (passes, said) = run(&format!("{},{wider}", model.tiers))?;
    // The name is in quotes that may themselves be escaped.
    if passes
        || !said
            .lines()
            .any(|line| line.contains("lacks") && line.contains(wider))
    {
        return Err(Failure::new(format!(
            "`{wider}` is claimed, or `{TEST}` looks at nothing"
        )));
    }
    println!("asked for {wider} as well, `{TEST}` fails, as it must");
    Ok(())
}
