//! `cargo xtask test`: every test of the project, in one command.

use crate::process::{Tally, cargo, locked, run_tests, succeed};
use crate::{bindings, cpu, tink};
use std::env;

/// Runs all tests and says what ran, what did not for want of a tool, and how long each part
/// took: the Rust toolchain is enough for all but the packages in other languages.
pub(crate) fn run() -> Tally {
    let mut tally = rust();
    tally.append("", packages());
    tally
}

/// Those of the Rust crates.
pub(crate) fn rust() -> Tally {
    let mut tally = Tally::default();
    let tiers = required_tiers();
    for pass in &PASSES {
        pass.run(tiers.as_deref(), &mut tally);
    }
    tally
}

/// Those of the packages and integrations, and what other people's libraries judge.
pub(crate) fn packages() -> Tally {
    let mut tally = Tally::default();
    bindings::run(&mut tally);
    tink::run_into(&mut tally);
    tally
}

/// Runs what a change to the Rust code is likely to break, and says what it leaves out.
pub(crate) fn quick() -> Tally {
    let mut tally = Tally::default();
    let [first, others @ ..] = &PASSES;
    first.run(required_tiers().as_deref(), &mut tally);
    for pass in others {
        tally.add_left_out(pass.name);
    }
    tally.add_left_out("keysets judged by Tink, and AES-SIV by OpenSSL");
    tally.add_left_out("the packages in other languages, and what each seals opened in each");
    tally
}

/// The tiers that the tests must find on this CPU, where somebody says which.
fn required_tiers() -> Option<String> {
    let tiers = env::var("SIVKA_REQUIRE_TIERS").ok();
    let tiers = tiers.or_else(cpu::required_tiers);
    match &tiers {
        Some(tiers) => println!("tiers that must be tested on this CPU: {tiers}"),
        None => println!(
            "this system does not say which tiers its CPU has: the tests run on those that \
             the library finds"
        ),
    }
    tiers
}

/// One selection of crates and features.
struct Pass {
    name: &'static str,
    arguments: &'static str,
    /// Whether the kernels are optimised, which takes most of the time of a build.
    optimised: bool,
}

/// What is run: the workspace as its users build it, then those parts of `core` that its
/// other features change.
const PASSES: [Pass; 4] = [
    Pass {
        name: "every crate, default features",
        arguments: "--workspace",
        // The conformance tests walk thousands of lengths on every tier.
        optimised: true,
    },
    Pass {
        name: "core with the traits of others and a tier forced by the environment",
        arguments: "-p sivka --features aead,cipher,__force_tier \
            --lib --test dispatch --test aead_traits --test kuznyechik_peers",
        optimised: false,
    },
    Pass {
        name: "core without std",
        arguments: "-p sivka --no-default-features --lib \
            --features aes-gcm-siv,aes-siv,chacha20-blake2b,kuznyechik,alloc",
        optimised: false,
    },
    Pass {
        name: "keysets of our own AEADs alone",
        arguments: "-p sivka-keyset",
        optimised: false,
    },
];

impl Pass {
    /// Builds, which takes long after a change only, and tests.
    fn run(&self, tiers: Option<&str>, tally: &mut Tally) {
        let command = || {
            let mut command = cargo(&["test", "--no-fail-fast"]);
            command.args(self.arguments.split(' ')).args(locked());
            if !self.optimised {
                for profile in ["dev", "test"] {
                    let level = format!("profile.{profile}.package.sivka.opt-level=0");
                    command.args(["--config", &level]);
                }
            }
            if let Some(tiers) = tiers {
                command.env("SIVKA_REQUIRE_TIERS", tiers);
            }
            command
        };
        let built = tally.stage(&format!("building {}", self.name), |part| {
            let built = succeed(command().arg("--no-run"));
            if built.is_err() {
                part.add_check(self.name, &built);
            }
            built.is_ok()
        });
        if built {
            tally.stage(self.name, |part| {
                part.append("", run_tests(self.name, &mut command()));
            });
        }
    }
}
