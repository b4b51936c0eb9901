//! `cargo xtask zeroization`: no key is left in the memory of a process that has freed it, on
//! any tier, from Rust, C and Go, and of the command.

use crate::cpu;
use crate::leaks::{self, Build};
use crate::process::{
    Failure, Tally, cargo, exists, locked, output, program, project_root, succeed,
};
use std::process::Command;

/// A program that does what it is asked with keys: its language, how the program of `leaks` is
/// told of it, and which of its messages must leave something, as a control.
struct KeyProgram {
    language: &'static str,
    words: Vec<String>,
    leaves: Option<&'static str>,
}

/// In one unit, and as Cargo builds for others unless told otherwise.
const SHIPPED: [Build; 2] = [Build::Shipped, Build::InUnits];

/// Every program on every tier.
pub(crate) fn run() -> Tally {
    on_tiers(
        &SHIPPED,
        |_| true,
        &[command, c, go_unused, go_wiped, go_planted],
    )
}

/// What every run of CI does: Rust, in the build that valgrind and the traces watch, on the
/// tiers with vectors.
pub(crate) fn of_rust() -> Tally {
    on_tiers(&[Build::Marked], has_vectors, &[])
}

/// Rust as it ships, and the command.
pub(crate) fn of_what_ships() -> Tally {
    on_tiers(&SHIPPED, has_vectors, &[command])
}

fn has_vectors(tier: &str) -> bool {
    tier != "portable"
}

type Make = fn() -> Result<KeyProgram, Failure>;

fn on_tiers(builds: &[Build], is_wanted: fn(&str) -> bool, programs: &[Make]) -> Tally {
    let mut tally = Tally::default();
    let built = || {
        let none = || Failure::new("memory is searched on Linux on x86-64 only");
        let tiers = cpu::required_tiers().ok_or_else(none)?;
        let paths = builds.iter().map(|build| build.program());
        let programs = programs.iter().map(|make| make());
        Ok((
            tiers,
            paths.collect::<Result<Vec<_>, _>>()?,
            programs.collect::<Result<Vec<_>, _>>()?,
        ))
    };
    let (tiers, paths, programs) = match built() {
        Ok(built) => built,
        Err(failure) => {
            tally.add_check("zeroization", &Err(failure));
            return tally;
        }
    };
    for tier in tiers.split(',').filter(|tier| is_wanted(tier)) {
        for path in &paths {
            let clean = succeed(at(path, tier).arg("zeroization"));
            let name = path.rsplit('/').next().unwrap_or_default();
            tally.add_check(&format!("zeroization, {name}, {tier}"), &clean);
        }
        for program in &programs {
            let holds = program.check(&mut at(&paths[0], tier));
            let name = format!("zeroization, {}, {tier}", program.language);
            tally.add_check(&name, &holds);
        }
    }
    tally
}

/// The program on a tier.
fn at(path: &str, tier: &str) -> Command {
    let mut command = leaks::at(path, tier);
    // The runtime of Go interrupts calls of 10 ms by signals, which put every register on the
    // stack that the thread has for them.
    command.env("GODEBUG", "asyncpreemptoff=1");
    command
}

impl KeyProgram {
    fn new(language: &'static str, words: &[&str]) -> Self {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            language,
            words,
            leaves: None,
        }
    }

    fn check(&self, command: &mut Command) -> Result<(), Failure> {
        let command = command.args(&self.words);
        let Some(part) = self.leaves else {
            return succeed(command);
        };
        let output = output(command.env("SIVKA_REMAINS_PART", part));
        let output = output.map_err(|error| Failure::new(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        match said.lines().find(|line| line.starts_with("REMAINS")) {
            Some(line) if !output.status.success() => {
                println!("as it has to: {line}");
                Ok(())
            }
            _ => Err(Failure::new("what a message has left goes unnoticed")),
        }
    }
}

/// A file of what ships, with the tiers that `SIVKA_TIER` may lower: built together with the
/// program, whose features it then has.
fn built(name: &str) -> Result<String, Failure> {
    let words = "build --profile leaks -p sivka-leaks -p sivka-ffi -p sivka-cli";
    let words: Vec<&str> = words.split(' ').collect();
    succeed(cargo(&words).args(locked()))?;
    Ok(project_root()
        .join("target/leaks")
        .join(name)
        .display()
        .to_string())
}

fn command() -> Result<KeyProgram, Failure> {
    Ok(KeyProgram::new(
        "the command",
        &["zeroization-of-command", &built("sivka")?],
    ))
}

fn c() -> Result<KeyProgram, Failure> {
    let (out, library) = (
        project_root().join("target/leaks/hold"),
        built("libsivka_ffi.a")?,
    );
    let words =
        "-std=gnu11 -O2 -Wall -Wextra -Iffi/include -Wl,-z,lazy evidence/leaks/key_programs/hold.c";
    let words: Vec<&str> = words.split(' ').collect();
    let mut compile = program("cc", &words);
    compile
        .arg(library)
        .args(["-lpthread", "-ldl", "-lm", "-o"]);
    succeed(compile.arg(&out))?;
    Ok(KeyProgram::new(
        "C",
        &["zeroization-of", &out.to_string_lossy()],
    ))
}

/// Keys that the collector wipes.
fn go_unused() -> Result<KeyProgram, Failure> {
    go("Go, keys that nobody uses", "zeroization-of-unused", &[])
}

/// Messages after which `Wipe` is called.
fn go_wiped() -> Result<KeyProgram, Failure> {
    go(
        "Go, messages and Wipe",
        "zeroization-of-messages",
        &["wiped"],
    )
}

/// Messages of another goroutine, which `Wipe` does not reach: this one leaves something on every
/// tier.
fn go_planted() -> Result<KeyProgram, Failure> {
    let mut program = go(
        "Go, what another goroutine leaves",
        "zeroization-of-messages",
        &["planted"],
    )?;
    program.leaves = Some("XChaCha20-BLAKE2b-Tag64, open, 100");
    Ok(program)
}

fn go(language: &'static str, command: &str, how: &[&str]) -> Result<KeyProgram, Failure> {
    if !exists("go") {
        return Err(Failure::new(format!("{language}: Go, as `go`, is missing")));
    }
    let program = leaks::go_program()?;
    Ok(KeyProgram::new(
        language,
        &[&[command, &program, "hold"], how].concat(),
    ))
}
