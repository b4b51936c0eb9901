//! `cargo xtask remains`: no key is left in the memory of a process that has freed it, on
//! any tier.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, succeed};

pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    let Some(tiers) = cpu::required_tiers() else {
        let failure = Failure::new("memory is searched on Linux on x86-64 only");
        tally.add_check("remains", &Err(failure));
        return tally;
    };
    match Build::Shipped.program() {
        Ok(path) => {
            for tier in tiers.split(',') {
                let mut command = leaks::at(&path, tier);
                let clean = succeed(command.arg("remains"));
                tally.add_check(&format!("remains, {tier}"), &clean);
            }
        }
        Err(failure) => tally.add_check("remains", &Err(failure)),
    }
    tally
}
