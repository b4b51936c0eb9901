//! `cargo xtask traces`: no secret decides what instruction runs or what address it uses, on
//! every tier of this CPU, as it ships, in any kernel of that tier.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, exists, succeed, succeed_beside};
use std::process::Command;
use std::thread;

/// Every call at a few lengths, on the tiers that valgrind does not know.
pub(crate) fn run() -> Tally {
    on_tiers("--brief", unknown_to_valgrind)
}

pub(crate) fn unknown_to_valgrind(tier: &str) -> bool {
    tier != "portable" && tier != "avx2"
}

/// Every call at every length, on every tier.
pub(crate) fn run_all() -> Tally {
    on_tiers("--all", |_| true)
}

fn on_tiers(depth: &str, wanted: fn(&str) -> bool) -> Tally {
    let mut tally = Tally::default();
    let Some(tiers) = cpu::required_tiers() else {
        let failure = Failure::new("instructions are watched on Linux on x86-64 only");
        tally.add_check("traces", &Err(failure));
        return tally;
    };
    match Build::Shipped.program() {
        Ok(path) => {
            let tiers: Vec<&str> = tiers.split(',').filter(|tier| wanted(tier)).collect();
            leaks::check_kernels(&mut tally, &path, &tiers, depth);
            for (tier, result) in side_by_side(&path, &tiers, depth) {
                tally.add_check(&format!("traces, {tier}"), &result);
            }
            // Each takes some minutes; what differs between tiers is above.
            let of_go_too = match depth {
                "--all" => &tiers[..],
                _ => tiers.last().map_or(&[][..], std::slice::from_ref),
            };
            of_go(&mut tally, &path, of_go_too);
        }
        Err(failure) => tally.add_check("traces", &Err(failure)),
    }
    tally
}

/// The machine code that the Go package brings is compiled otherwise. A secret that decides how
/// long a text is, and where, has to be found.
fn of_go(tally: &mut Tally, path: &str, tiers: &[&str]) {
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
    let output = command.output().map_err(|e| Failure::new(e.to_string()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let kinds = ["LEAK: a branch goes two ways", "LEAK: an address differs"];
    match kinds.iter().all(|kind| said.contains(kind)) && !output.status.success() {
        true => Ok(()),
        false => Err(Failure::new("a planted leak goes unnoticed")),
    }
}

/// The tiers beside each other: of each, one process watches another step by step.
fn side_by_side<'t>(
    path: &str,
    tiers: &[&'t str],
    depth: &str,
) -> Vec<(&'t str, Result<(), Failure>)> {
    let traced = |tier: &str| succeed_beside(leaks::at(path, tier).args(["trace", depth]));
    thread::scope(|scope| {
        let running: Vec<_> = tiers
            .iter()
            .map(|&tier| (tier, scope.spawn(move || traced(tier))))
            .collect();
        let ended = || Err(Failure::new("the trace did not end"));
        running
            .into_iter()
            .map(|(tier, result)| (tier, result.join().unwrap_or_else(|_| ended())))
            .collect()
    })
}
