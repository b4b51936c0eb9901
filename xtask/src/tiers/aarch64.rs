//! `cargo xtask aarch64`: the tests of `core` for AArch64, in an emulator.
//!
//! No CPU that QEMU emulates lacks AES: `portable` is tested by lowering the tier, as
//! every test of tiers does.

use super::{Program, TOO_SLOW, in_emulator, programs_of};
use crate::process::{Failure, Tally, cargo, exists, locked, run_tests};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";
/// Where Debian's cross compiler has the C library.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";
const TIERS: &str = "portable,neon";

/// Emulated CPUs and what they show.
const CPUS: [(&str, &str); 2] = [
    ("max", "with the instructions for SHA-3"),
    ("cortex-a72", "without them"),
];

/// Builds the tests once and runs them on every CPU.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    match build() {
        Ok(programs) => {
            for (cpu, shows) in CPUS {
                tally.stage(&format!("{cpu} ({shows}): {TIERS}"), |part| {
                    run_cpu(cpu, &programs, part);
                });
            }
        }
        Err(failure) => tally.add_check("building the tests of core for AArch64", &Err(failure)),
    }
    tally
}

fn build() -> Result<Vec<Program>, Failure> {
    for (tool, package) in [
        (LINKER, "gcc-aarch64-linux-gnu, libc6-dev-arm64-cross"),
        (EMULATOR, "qemu-user"),
    ] {
        if !exists(tool) {
            let message = format!("{tool} is missing (Debian: {package})");
            return Err(Failure::new(message));
        }
    }
    let mut command = cargo(&["test", "-p", "sivka", "--no-run", "--target", TARGET]);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    programs_of(command.args(locked()))
}

fn run_cpu(cpu: &str, programs: &[Program], tally: &mut Tally) {
    for program in programs {
        let mut command = in_emulator(&[EMULATOR, "-cpu", cpu, "-L", LIBRARIES], &program.path);
        command.env("SIVKA_REQUIRE_TIERS", TIERS);
        for test in TOO_SLOW {
            command.args(["--skip", test]);
        }
        let row = format!("{cpu} [{TIERS}]: ");
        tally.append(&row, run_tests(&program.name, &mut command));
    }
}
