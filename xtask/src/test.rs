//! `cargo xtask test`: the tests of the project, in one command.

use crate::cargo::reference;
use crate::process::{SHIPPED, Tally, WORKSPACE, cargo, locked, package, run_tests, succeed};
use crate::targets::{self, ALL};
use crate::{cpu, languages};
use std::env;
use std::process::Command;

/// Runs the tests of Rust, of C, and of each other language on its newest runtime. With `all`,
/// everything else that `cargo xtask ci` tests natively. Says what ran, what did not for want of
/// a tool, and how long each part took.
pub(crate) fn run(all: bool) -> Tally {
    let mut tally = Tally::default();
    let is_built = build("every crate", &WORKSPACE, &mut tally);
    tally.append(
        "",
        languages::newest(|tally| {
            if is_built {
                test("every crate", &WORKSPACE, &languages::MATRIX, tally);
            }
        }),
    );
    if all {
        tally.append("", reference());
        tally.append("", other_builds());
        tally.append("", with_oldest_compiler());
        tally.append("", languages::engines(false));
        tally.append("", languages::of("older"));
        tally.append("", languages::of("otherwise_built"));
        tally.append("", languages::of("judges"));
    } else {
        tally.add_left_out(
            "other builds of Rust and Go, older runtimes, the release build of the C library, \
             engines for SQL, Tink and OpenSSL as judges (cargo xtask test --all)",
        );
    }
    tally
}

/// Those of the Rust crates, and nothing else.
pub(crate) fn quick() -> Tally {
    let mut tally = Tally::default();
    tests_of("every crate", &WORKSPACE, &mut tally);
    tally.add_left_out("the packages in other languages, and all that cargo xtask test leaves out");
    tally
}

/// `core` for other systems and without `std`, and keysets of our own AEADs alone. They run
/// little: nothing is optimised.
pub(crate) fn other_builds() -> Tally {
    let mut tally = targets::run();
    let without_std = format!("-p sivka --lib --no-default-features --features {ALL},alloc");
    for (name, arguments) in [
        ("core without std", without_std.as_str()),
        ("keysets of our own AEADs alone", "-p sivka-keyset"),
    ] {
        let words = unoptimised().into_iter().chain(arguments.split(' '));
        tests_of(name, &Vec::from_iter(words), &mut tally);
    }
    tally
}

/// Unit tests of shipped code. An older compiler does not compute otherwise.
pub(crate) fn with_oldest_compiler() -> Tally {
    let mut tally = Tally::default();
    let toolchain = format!("+{}", oldest_compiler());
    let mut command = cargo(&[&toolchain, "test", "--no-fail-fast", "--lib", "--bins"]);
    command.args(unoptimised()).args(locked());
    for folder in SHIPPED {
        command.args(["-p", &package(folder)]);
    }
    let name = format!("tests with the compiler {}", oldest_compiler());
    tally.stage(&name, |part| {
        part.append("", run_tests(&name, &mut command));
    });
    tally
}

/// The oldest release of the `rust-version` of `Cargo.toml`, which all crates have: `1.89` means
/// `1.89.0`.
pub(crate) fn oldest_compiler() -> String {
    let version = env!("CARGO_PKG_RUST_VERSION");
    let is_line = version.matches('.').count() < 2;
    format!("{version}{}", if is_line { ".0" } else { "" })
}

/// Kernels are compiled fast and run slowly: for builds that run little.
pub(crate) const fn unoptimised() -> [&'static str; 4] {
    [
        "--config",
        "profile.dev.package.sivka.opt-level=0",
        "--config",
        "profile.test.package.sivka.opt-level=0",
    ]
}

/// Builds a selection of crates and features, which takes long after a change only, and tests it.
fn tests_of(name: &str, arguments: &[&str], tally: &mut Tally) {
    if build(name, arguments, tally) {
        test(name, arguments, &[], tally);
    }
}

fn build(name: &str, arguments: &[&str], tally: &mut Tally) -> bool {
    tally.stage(&format!("building {name}"), |part| {
        let built = succeed(tests(arguments).arg("--no-run"));
        if built.is_err() {
            part.add_check(name, &built);
        }
        built.is_ok()
    })
}

/// Runs the tests, without some that run later.
fn test(name: &str, arguments: &[&str], later: &[&str], tally: &mut Tally) {
    tally.stage(name, |part| {
        let later = later.iter().flat_map(|test| ["--skip", test]);
        part.append("", run_tests(name, tests(arguments).arg("--").args(later)));
    });
}

fn tests(arguments: &[&str]) -> Command {
    let mut command = cargo(&["test", "--no-fail-fast"]);
    command.args(arguments).args(locked());
    // The tiers that tests must find on this CPU, by default. If the system does not know, they run
    // on those that the library finds.
    if let (Some(tiers), None) = (cpu::required_tiers(), env::var_os("SIVKA_REQUIRE_TIERS")) {
        command.env("SIVKA_REQUIRE_TIERS", tiers);
    }
    command
}
