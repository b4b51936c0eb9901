//! `cargo xtask ctgrind`: valgrind checks that no secret decides a branch or an index.
//!
//! `sivka-leaks` marks keys and plaintexts as undefined memory; valgrind then reports every branch
//! and every address that depends on them. It knows no VAES and no AVX-512: `cargo xtask traces`
//! checks those tiers, and `avx2` as it ships. The kernels that the calls execute are counted in
//! the build that ships.

use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, beside, exists, program, project_root, said};
use std::process::Command;

/// The exit code that valgrind is told to answer a finding with.
const FOUND: i32 = 9;

/// The tiers that valgrind can execute. Where the optimiser names registers as it does for
/// what ships, valgrind 3.19 stumbles over a move between vector registers (VEX.128.66.0F D6
/// with a register as its target): `avx2` is judged as the tests are built.
pub(crate) const TIERS: [(&str, Build); 2] =
    [("portable", Build::Marked), ("avx2", Build::MarkedForTests)];

/// Runs the check on each tier with its control, the tiers beside each other; and the same
/// calls without valgrind, for the kernels that they execute. They are `--usual`, of a few lengths,
/// or `--all`.
pub(crate) fn on_tiers(tiers: &[(&'static str, Build)], depth: &str) -> Tally {
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

/// Suppressions of valgrind's reports, each with its reason.
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

/// Every call was made on this tier, and valgrind has nothing to say: one line is printed.
fn silent(path: &str, tier: &str, depth: &str) -> Result<(), Failure> {
    let (status, said) = said(&mut valgrind(path, tier, &["run", depth]))?;
    let calls = said.trim().strip_suffix(&format!(" calls on {tier}"));
    let calls = calls.and_then(|calls| calls.parse::<u64>().ok());
    match calls {
        Some(1..) if status.success() => Ok(()),
        _ => Err(Failure::new("valgrind reports a leak, or no call was made")),
    }
}

/// Valgrind reports the control, a branch on a secret.
fn loud(path: &str, tier: &str) -> Result<(), Failure> {
    match said(&mut valgrind(path, tier, &["control"]))? {
        (status, _) if status.code() == Some(FOUND) => Ok(()),
        _ => Err(Failure::new("valgrind did not report the control")),
    }
}
