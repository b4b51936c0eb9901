//! `cargo xtask traces`: no secret decides what instruction runs or what address it uses, on
//! every tier of this CPU, in any kernel of that tier.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, beside, exists, output, succeed, succeed_beside};
use std::process::Command;

/// Every call at a few lengths, on the tiers that valgrind does not know, as what ships; and
/// the Go package.
pub(crate) fn run() -> Tally {
    on_tiers(
        Build::Shipped,
        "--brief",
        |tiers| tiers.retain(unknown_to_valgrind),
        1,
    )
}

/// What every run of CI does: the widest tier, in the build that valgrind watches.
pub(crate) fn widest() -> Tally {
    on_tiers(
        Build::Marked,
        "--brief",
        |tiers| drop(tiers.drain(..tiers.len() - 1)),
        0,
    )
}

pub(crate) fn unknown_to_valgrind(tier: &&str) -> bool {
    !["portable", "avx2"].contains(tier)
}

/// Every call at every length, on every tier.
pub(crate) fn run_all() -> Tally {
    on_tiers(Build::Shipped, "--all", |_| {}, usize::MAX)
}

/// On the tiers of this CPU that `choose` leaves; the Go package on so many of them, from the
/// widest down: each takes some minutes, and what differs between tiers is seen in Rust.
fn on_tiers(build: Build, depth: &str, choose: fn(&mut Vec<&str>), of_go_on: usize) -> Tally {
    let mut tally = Tally::default();
    let Some(tiers) = cpu::required_tiers() else {
        let failure = Failure::new("instructions are watched on Linux on x86-64 only");
        tally.add_check("traces", &Err(failure));
        return tally;
    };
    match build.program() {
        Ok(path) => {
            let mut tiers: Vec<&str> = tiers.split(',').collect();
            choose(&mut tiers);
            leaks::check_kernels(&mut tally, &path, &tiers, depth);
            let traced = |tier: &str| succeed_beside(leaks::at(&path, tier).args(["trace", depth]));
            let traces = tiers.iter().map(|tier| || traced(tier));
            for (tier, result) in tiers.iter().zip(beside(traces.collect())) {
                tally.add_check(&format!("traces, {tier}"), &result);
            }
            let without_go = tiers.len().saturating_sub(of_go_on);
            of_go(&mut tally, &path, &tiers[without_go..]);
        }
        Err(failure) => tally.add_check("traces", &Err(failure)),
    }
    tally
}

/// The machine code that the Go package brings is compiled otherwise. A secret that decides how
/// long a text is, and where, has to be found.
fn of_go(tally: &mut Tally, path: &str, tiers: &[&str]) {
    if tiers.is_empty() {
        return;
    }
    if !exists("go") {
        return tally.add_not_run("traces of the Go package", "Go 1.24 or newer, as `go`");
    }
    let program = match leaks::go_program() {
        Ok(program) => program,
        Err(failure) => return tally.add_check("traces of the Go package", &Err(failure)),
    };
    for tier in tiers {
        let held = succeed(leaks::at(path, tier).args(["trace-of", &program, "trace"]));
        tally.add_check(&format!("traces of the Go package, {tier}"), &held);
        let mut control = leaks::at(path, tier);
        let found = finds(control.args(["trace-of", &program, "trace", "planted"]));
        tally.add_check(
            &format!("traces of the Go package, {tier}: control"),
            &found,
        );
    }
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
