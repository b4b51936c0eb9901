//! `cargo xtask traces`: no secret decides what instruction runs or what address it uses, on
//! every tier of this CPU, in any kernel of that tier.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, beside, exists, fails_saying, succeed};

/// On the tiers that valgrind does not know, at a few lengths; or on all, at every length. And the
/// Go package.
pub(crate) fn run(all: bool) -> Tally {
    let is_wanted = |tier: &str, _: &str| all || !["portable", "avx2"].contains(&tier);
    let depth = if all { "--all" } else { "--brief" };
    let mut tally = on_tiers(Build::Shipped, depth, is_wanted);
    tally.append("", go());
    tally
}

/// The part for every run of CI: the widest tier, in the build that valgrind watches.
pub(crate) fn widest() -> Tally {
    on_tiers(Build::Marked, "--brief", |tier, widest| tier == widest)
}

/// One tier, in the build that ships. If the CPU lacks it, that is printed.
pub(crate) fn shipped(asked: &str) -> Tally {
    on_tiers(Build::Shipped, "--brief", |tier, _| tier == asked)
}

/// The tiers of this CPU.
pub(crate) fn tiers_of_cpu() -> Result<String, Failure> {
    let failure = || Failure::new("instructions and memory are watched on Linux on x86-64 only");
    cpu::required_tiers().ok_or_else(failure)
}

/// On the tiers of this CPU that are wanted beside its widest.
fn on_tiers(build: Build, depth: &str, is_wanted: impl Fn(&str, &str) -> bool) -> Tally {
    Tally::of("traces", |tally| {
        let (tiers, path) = (tiers_of_cpu()?, build.program()?);
        let widest = tiers.rsplit(',').next().unwrap_or_default();
        let wanted = tiers.split(',').filter(|tier| is_wanted(tier, widest));
        let wanted: Vec<&str> = wanted.collect();
        if wanted.is_empty() {
            tally.add_not_run("traces of a tier", "a CPU that has it");
            return Ok(());
        }
        leaks::check_kernels(tally, &path, &wanted, depth);
        let traced = |tier: &str| succeed(&mut leaks::at(&path, tier, &["trace", depth]));
        let traces = wanted.iter().map(|tier| || traced(tier));
        for (tier, result) in wanted.iter().zip(beside(traces.collect())) {
            tally.add_check(&format!("traces, {tier}"), &result);
        }
        Ok(())
    })
}

/// The machine code that the Go package brings is compiled otherwise. Secrets that decide how long
/// a text is, and where, have to be found.
pub(crate) fn go() -> Tally {
    Tally::of("traces of the Go package", |tally| {
        if !exists("go") {
            tally.add_not_run("traces of the Go package", "Go 1.24 or newer, as `go`");
            return Ok(());
        }
        let (tiers, path) = (tiers_of_cpu()?, Build::Shipped.program()?);
        let program = leaks::go_program()?;
        // Rust's traces show the differences between tiers.
        let tier = tiers.rsplit(',').next().unwrap_or_default();
        let watched = |words: &[&str]| {
            let words = [&["trace-of", &program, "trace"], words].concat();
            leaks::at(&path, tier, &words)
        };
        let what = format!("traces of the Go package, {tier}");
        tally.add_check(&what, &succeed(&mut watched(&[])));
        let kinds = ["LEAK: a branch goes two ways", "LEAK: an address differs"];
        let found = fails_saying(&mut watched(&["planted"]), |said| {
            kinds.iter().all(|kind| said.contains(kind))
        });
        tally.add_check(&format!("{what}: control"), &found);
        Ok(())
    })
}
