//! `cargo xtask traces`: no secret decides what instruction runs or what address it uses, on
//! every tier of this CPU, as it ships, in any kernel of that tier.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, succeed_beside};
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
        }
        Err(failure) => tally.add_check("traces", &Err(failure)),
    }
    tally
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
