//! `cargo xtask ctgrind`: no secret decides a branch or an index, as valgrind sees it.
//!
//! `sivka-leaks` marks keys and plaintexts as undefined memory; valgrind then reports every
//! branch and every address that depends on them. It knows no VAES and no AVX-512: those
//! tiers, and `avx2` as it ships, are for `cargo xtask traces`.

use crate::leaks::Build;
use crate::process::{Failure, Tally, exists, program};
use std::process::Command;

/// The exit code that valgrind is told to answer a finding with.
const FOUND: i32 = 9;

/// The tiers that valgrind can execute. Where the optimiser names registers as it does for
/// what ships, valgrind 3.19 stumbles over a move between vector registers (VEX.128.66.0F D6
/// with a register as its target): `avx2` is judged as the tests are built.
pub(crate) const TIERS: [(&str, Build); 2] =
    [("portable", Build::Marked), ("avx2", Build::MarkedForTests)];

/// Runs the check on every tier that valgrind can execute, each with its control.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    for (tier, build) in TIERS {
        match program_of(build) {
            Ok(path) => {
                let name = format!("constant time, {tier}");
                tally.add_check(&name, &silent(&path, tier));
                tally.add_check(&format!("{name}: control"), &loud(&path, tier));
            }
            Err(failure) => tally.add_check("constant time", &Err(failure)),
        }
    }
    tally
}

fn program_of(build: Build) -> Result<String, Failure> {
    if !exists("valgrind") {
        return Err(Failure::new("valgrind is missing (Debian: valgrind)"));
    }
    build.program()
}

/// The program under valgrind.
pub(crate) fn valgrind(path: &str, tier: &str, command: &str) -> Command {
    let mut valgrind = program("valgrind", &["--quiet", "--error-limit=no"]);
    valgrind
        .arg(format!("--error-exitcode={FOUND}"))
        .args([path, command])
        .env("SIVKA_TIER", tier);
    valgrind
}

/// Every call was made on this tier, and valgrind has nothing to say.
fn silent(path: &str, tier: &str) -> Result<(), Failure> {
    let mut command = valgrind(path, tier, "run");
    let output = command.output().map_err(|e| Failure::new(e.to_string()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}{}", String::from_utf8_lossy(&output.stderr));
    let calls = said.split_once(&format!(" calls on {tier}"));
    let calls = calls.and_then(|(calls, _)| calls.parse::<u64>().ok());
    match calls {
        Some(1..) if output.status.success() && output.stderr.is_empty() => Ok(()),
        _ => Err(Failure::new("valgrind reports a leak, or no call was made")),
    }
}

/// Valgrind reports the control.
fn loud(path: &str, tier: &str) -> Result<(), Failure> {
    let mut command = valgrind(path, tier, "control");
    let output = command.output().map_err(|e| Failure::new(e.to_string()))?;
    if output.status.code() == Some(FOUND) {
        println!("valgrind reports the branch on a secret in the control, as it has to");
        Ok(())
    } else {
        Err(Failure::new("valgrind did not report the control"))
    }
}
