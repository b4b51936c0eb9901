//! `cargo xtask ctgrind`: no secret decides a branch or an index, as valgrind sees it.
//!
//! `sivka-leaks` marks keys and plaintexts as undefined memory; valgrind then reports every
//! branch and every address that depends on them. It knows no VAES and no AVX-512: those
//! tiers, and `avx2` as it ships, are for `cargo xtask traces`. Which kernels the calls
//! execute is asked of what ships.

use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, beside, exists, output, program, project_root};
use std::process::{Command, Stdio};

/// The exit code that valgrind is told to answer a finding with.
const FOUND: i32 = 9;

/// The tiers that valgrind can execute. Where the optimiser names registers as it does for
/// what ships, valgrind 3.19 stumbles over a move between vector registers (VEX.128.66.0F D6
/// with a register as its target): `avx2` is judged as the tests are built.
pub(crate) const TIERS: [(&str, Build); 2] =
    [("portable", Build::Marked), ("avx2", Build::MarkedForTests)];

/// Calls of a few lengths, on every tier that valgrind can execute.
pub(crate) fn run() -> Tally {
    on_tiers(&TIERS, "--usual")
}

/// What every run of CI does.
pub(crate) fn portable() -> Tally {
    on_tiers(&TIERS[..1], "--usual")
}

/// What is left of that.
pub(crate) fn avx2() -> Tally {
    on_tiers(&TIERS[1..], "--usual")
}

/// Every call.
pub(crate) fn run_all() -> Tally {
    on_tiers(&TIERS, "--all")
}

/// Runs the check on each tier with its control, the tiers beside each other; and the same
/// calls without valgrind, for the kernels that they execute.
fn on_tiers(tiers: &[(&'static str, Build)], depth: &str) -> Tally {
    Tally::of("constant time", |tally| {
        if !exists("valgrind") {
            return Err(Failure::new("valgrind is missing (Debian: valgrind)"));
        }
        let program = |(tier, build): &(&'static str, Build)| Ok((build.program()?, *tier));
        let programs = tiers.iter().map(program);
        let programs = programs.collect::<Result<Vec<_>, Failure>>()?;
        let names: Vec<&str> = tiers.iter().map(|(tier, _)| *tier).collect();
        leaks::check_kernels(tally, &Build::Marked.program()?, &names, depth);
        let check = |(path, tier): &(String, &str)| [silent(path, tier, depth), loud(path, tier)];
        let checks = programs.iter().map(|program| || check(program));
        for (tier, [silent, loud]) in names.iter().zip(beside(checks.collect())) {
            tally.add_check(&format!("constant time, {tier}"), &silent);
            tally.add_check(&format!("constant time, {tier}: control"), &loud);
        }
        Ok(())
    })
}

/// What valgrind is told not to report, each with its reason.
const SUPPRESSIONS: &str = "evidence/leaks/verdicts.supp";

/// The program under valgrind.
pub(crate) fn valgrind(path: &str, tier: &str, command: &[&str]) -> Command {
    let mut valgrind = program("valgrind", &["--quiet", "--error-limit=no"]);
    let suppressions = project_root().join(SUPPRESSIONS);
    valgrind
        .arg(format!("--error-exitcode={FOUND}"))
        .arg(format!("--suppressions={}", suppressions.display()))
        .arg(path)
        .args(command)
        .env("SIVKA_TIER", tier);
    valgrind
}

/// Every call was made on this tier, and valgrind has nothing to say.
fn silent(path: &str, tier: &str, depth: &str) -> Result<(), Failure> {
    let mut command = valgrind(path, tier, &["run", depth]);
    let output = output(command.stderr(Stdio::piped()));
    let output = output.map_err(|e| Failure::new(e.to_string()))?;
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
    let mut command = valgrind(path, tier, &["control"]);
    let output = output(command.stderr(Stdio::null()));
    let output = output.map_err(|e| Failure::new(e.to_string()))?;
    if output.status.code() == Some(FOUND) {
        println!("valgrind reports the branch on a secret in the control, as it has to");
        Ok(())
    } else {
        Err(Failure::new("valgrind did not report the control"))
    }
}
