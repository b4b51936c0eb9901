//! `cargo xtask traces`: no secret decides what instruction runs or what address it uses, on
//! every tier of this CPU, in any kernel of that tier.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, beside, exists, output, succeed, succeed_beside};
use std::process::Command;

/// Every call at a few lengths, on the tiers that valgrind does not know, as what ships; and
/// the Go package.
pub(crate) fn run() -> Tally {
    let mut tally = on_tiers(Build::Shipped, "--brief", |tier, _| {
        !["portable", "avx2"].contains(&tier)
    });
    tally.append("", go());
    tally
}

/// What every run of CI does: the widest tier, in the build that valgrind watches.
pub(crate) fn widest() -> Tally {
    on_tiers(Build::Marked, "--brief", |tier, widest| tier == widest)
}

/// One tier, as what ships. A CPU that lacks it is said to.
pub(crate) fn shipped(asked: &str) -> Tally {
    on_tiers(Build::Shipped, "--brief", |tier, _| tier == asked)
}

/// Every call at every length, on every tier.
pub(crate) fn run_all() -> Tally {
    let mut tally = on_tiers(Build::Shipped, "--all", |_, _| true);
    tally.append("", go());
    tally
}

/// The tiers of this CPU.
fn tiers_of_cpu() -> Result<String, Failure> {
    let failure = || Failure::new("instructions are watched on Linux on x86-64 only");
    cpu::required_tiers().ok_or_else(failure)
}

/// On the tiers of this CPU that are wanted beside its widest.
fn on_tiers(build: Build, depth: &str, is_wanted: impl Fn(&str, &str) -> bool) -> Tally {
    let mut tally = Tally::default();
    let built = tiers_of_cpu().and_then(|tiers| Ok((tiers, build.program()?)));
    let (tiers, path) = match built {
        Ok(built) => built,
        Err(failure) => {
            tally.add_check("traces", &Err(failure));
            return tally;
        }
    };
    let widest = tiers.rsplit(',').next().unwrap_or_default();
    let wanted = tiers.split(',').filter(|tier| is_wanted(tier, widest));
    let wanted: Vec<&str> = wanted.collect();
    if wanted.is_empty() {
        tally.add_not_run("traces of a tier", "a CPU that has it");
        return tally;
    }
    leaks::check_kernels(&mut tally, &path, &wanted, depth);
    let traced = |tier: &str| succeed_beside(leaks::at(&path, tier).args(["trace", depth]));
    let traces = wanted.iter().map(|tier| || traced(tier));
    for (tier, result) in wanted.iter().zip(beside(traces.collect())) {
        tally.add_check(&format!("traces, {tier}"), &result);
    }
    tally
}

/// The machine code that the Go package brings is compiled otherwise. A secret that decides how
/// long a text is, and where, has to be found.
pub(crate) fn go() -> Tally {
    let mut tally = Tally::default();
    if !exists("go") {
        tally.add_not_run("traces of the Go package", "Go 1.24 or newer, as `go`");
        return tally;
    }
    let built = || {
        Ok((
            tiers_of_cpu()?,
            Build::Shipped.program()?,
            leaks::go_program()?,
        ))
    };
    let (tiers, path, program) = match built() {
        Ok(built) => built,
        Err(failure) => {
            tally.add_check("traces of the Go package", &Err(failure));
            return tally;
        }
    };
    // What differs between tiers is seen in Rust.
    let tier = tiers.rsplit(',').next().unwrap_or_default();
    let held = succeed(leaks::at(&path, tier).args(["trace-of", &program, "trace"]));
    tally.add_check(&format!("traces of the Go package, {tier}"), &held);
    let mut control = leaks::at(&path, tier);
    let found = finds(control.args(["trace-of", &program, "trace", "planted"]));
    tally.add_check(
        &format!("traces of the Go package, {tier}: control"),
        &found,
    );
    tally
}

/// Both kinds of leaks are named.
fn finds(command: &mut Command) -> Result<(), Failure> {
    let output = output(command).map_err(|e| Failure::new(e.to_string()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let kinds = ["LEAK: a branch goes two ways", "LEAK: an address differs"];
    match kinds.iter().all(|kind| said.contains(kind)) && !output.status.success() {
        true => Ok(()),
        false => Err(Failure::new("a planted leak goes unnoticed")),
    }
}
