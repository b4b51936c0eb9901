//! `cargo xtask zeroization`: no key is left in the memory of a process that has freed it, on
//! any tier, from Rust, C and Go, and of the command.

use crate::leaks::{self, Build};
use crate::process::{Failure, Tally, cargo, fails_saying, locked, program, project_root, succeed};
use crate::traces::tiers_of_cpu;
use std::process::Command;

/// A program that uses keys as it is told: its language, and the argument that names it to `leaks`.
type KeyProgram = (&'static str, Vec<String>);

/// A message of a goroutine that `Wipe` does not reach: it leaves something on every tier, which
/// must be found, as a control.
const PLANTED: &str = "Go, what another goroutine leaves";

/// Every program on every tier.
pub(crate) fn run() -> Tally {
    on_tiers(
        &[Build::Shipped, Build::InUnits],
        |_| true,
        || {
            let mut programs = vec![command()?, c()?];
            programs.extend(go()?);
            Ok(programs)
        },
    )
}

/// The part for every run of CI: Rust, in the build that valgrind and the traces watch, on the
/// tiers with vectors.
pub(crate) fn of_rust() -> Tally {
    on_tiers(&[Build::Marked], has_vectors, || Ok(Vec::new()))
}

/// Rust as it ships, the command, and C.
pub(crate) fn of_what_ships() -> Tally {
    on_tiers(&[Build::Shipped], has_vectors, || Ok(vec![command()?, c()?]))
}

/// Rust as Cargo builds it for others unless told otherwise.
pub(crate) fn in_units() -> Tally {
    on_tiers(&[Build::InUnits], has_vectors, || Ok(Vec::new()))
}

fn has_vectors(tier: &str) -> bool {
    tier != "portable"
}

fn on_tiers(
    builds: &[Build],
    is_wanted: fn(&str) -> bool,
    programs: fn() -> Result<Vec<KeyProgram>, Failure>,
) -> Tally {
    Tally::of("zeroization", |tally| {
        let tiers = tiers_of_cpu()?;
        let paths = builds.iter().map(|build| build.program());
        let paths = paths.collect::<Result<Vec<_>, _>>()?;
        let programs = programs()?;
        for tier in tiers.split(',').filter(|tier| is_wanted(tier)) {
            for path in &paths {
                let clean = succeed(at(path, tier).arg("zeroization"));
                let name = path.rsplit('/').next().unwrap_or_default();
                tally.add_check(&format!("zeroization, {name}, {tier}"), &clean);
            }
            for (language, words) in &programs {
                let mut search = at(&paths[0], tier);
                search.args(words);
                let holds = match *language {
                    PLANTED => fails_saying(&mut search, |said| said.contains("\nREMAINS")),
                    _ => succeed(&mut search),
                };
                tally.add_check(&format!("zeroization, {language}, {tier}"), &holds);
            }
        }
        Ok(())
    })
}

/// The program on a tier.
fn at(path: &str, tier: &str) -> Command {
    let mut command = leaks::at(path, tier, &[]);
    // The runtime of Go interrupts calls of 10 ms by signals, which put every register on the
    // stack that the thread has for them.
    command.env("GODEBUG", "asyncpreemptoff=1");
    command
}

fn told(language: &'static str, words: &[&str]) -> KeyProgram {
    let words = words.iter().copied().map(str::to_owned);
    (language, words.collect())
}

/// A shipped file, whose tiers `SIVKA_TIER` may lower: built together with the program, so it has
/// the program's features.
fn built(name: &str) -> Result<String, Failure> {
    let words = "build --profile leaks -p sivka-leaks -p sivka-ffi -p sivka-cli";
    let mut command = cargo(&Vec::from_iter(words.split(' ')));
    succeed(command.args(locked()).env("RUSTFLAGS", leaks::RUSTFLAGS))?;
    let path = project_root().join("target/leaks").join(name);
    Ok(path.display().to_string())
}

fn command() -> Result<KeyProgram, Failure> {
    let words = ["zeroization-of-command", &built("sivka")?];
    Ok(told("the command", &words))
}

fn c() -> Result<KeyProgram, Failure> {
    let (library, out) = (built("libsivka_ffi.a")?, built("hold")?);
    let words = "-std=gnu11 -O2 -Wall -Wextra -Iffi/include evidence/leaks/key_programs/hold.c";
    let mut compile = program("cc", &Vec::from_iter(words.split(' ')));
    succeed(compile.args([&library, "-lpthread", "-ldl", "-lm", "-o", &out]))?;
    Ok(told("C", &["zeroization-of-messages", &out]))
}

/// Keys that the collector wipes, messages after which `Wipe` is called, and the control.
fn go() -> Result<[KeyProgram; 3], Failure> {
    let path = leaks::go_program()?;
    let (unused, messages) = ("zeroization-of-unused", "zeroization-of-messages");
    Ok([
        told("Go, keys that nobody uses", &[unused, &path, "hold"]),
        told("Go, messages and Wipe", &[messages, &path, "hold", "wiped"]),
        told(PLANTED, &[messages, &path, "hold", "planted"]),
    ])
}
