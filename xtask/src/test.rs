//! `cargo xtask test`: every test of the project, in one command.

use crate::process::{Tally, cargo, locked, run_tests};
use crate::{bindings, cpu};
use std::env;

/// Runs all tests and says what ran, and what did not for want of a tool: the Rust
/// toolchain is enough for all but the packages in other languages.
pub(crate) fn run() -> Tally {
    let tiers = env::var("SIVKA_REQUIRE_TIERS")
        .ok()
        .or_else(cpu::required_tiers);
    match &tiers {
        Some(tiers) => println!("tiers that must be tested on this CPU: {tiers}"),
        None => println!(
            "this system does not say which tiers its CPU has: the tests run on those that \
             the library finds"
        ),
    }
    let mut total = Tally::default();
    for (name, arguments) in PASSES {
        println!("\n== {name}");
        let mut command = cargo(&["test", "--no-fail-fast"]);
        command.args(*arguments).args(locked());
        if let Some(tiers) = &tiers {
            command.env("SIVKA_REQUIRE_TIERS", tiers);
        }
        total.append("", run_tests(name, &mut command));
    }
    total.append("", bindings::run());
    total
}

/// What is run: the workspace as its users build it, then those parts of `core`
/// that its other features change.
const PASSES: &[(&str, &[&str])] = &[
    ("every crate, default features", &["--workspace"]),
    (
        "core with the traits of others and a tier forced by the environment",
        &[
            "-p",
            "sivka",
            "--features",
            "aead,cipher,__force_tier",
            "--lib",
            "--test",
            "dispatch",
            "--test",
            "aead_traits",
            "--test",
            "kuznyechik_peers",
        ],
    ),
    (
        "core without std",
        &[
            "-p",
            "sivka",
            "--no-default-features",
            "--features",
            "alloc",
            "--lib",
        ],
    ),
];
