//! `cargo xtask traces`: no secret decides what instruction runs or what address it uses, on
//! every tier of this CPU, as it ships.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, exists, succeed};

/// Every call at a few lengths, on the tiers that valgrind does not know.
pub(crate) fn run() -> Tally {
    on_tiers(&[], unknown_to_valgrind)
}

pub(crate) fn unknown_to_valgrind(tier: &str) -> bool {
    tier != "portable" && tier != "avx2"
}

/// Every call at every length, on every tier.
pub(crate) fn run_all() -> Tally {
    on_tiers(&["--all"], |_| true)
}

fn on_tiers(arguments: &[&str], wanted: fn(&str) -> bool) -> Tally {
    let mut tally = Tally::default();
    let Some(tiers) = cpu::required_tiers() else {
        let failure = Failure::new("instructions are watched on Linux on x86-64 only");
        tally.add_check("traces", &Err(failure));
        return tally;
    };
    match program() {
        Ok(path) => {
            for tier in tiers.split(',').filter(|tier| wanted(tier)) {
                let mut command = leaks::at(&path, tier);
                command.arg("trace").args(arguments);
                tally.add_check(&format!("traces, {tier}"), &succeed(&mut command));
            }
        }
        Err(failure) => tally.add_check("traces", &Err(failure)),
    }
    tally
}

fn program() -> Result<String, Failure> {
    if !exists("addr2line") {
        return Err(Failure::new("addr2line is missing (Debian: binutils)"));
    }
    Build::Shipped.program()
}
