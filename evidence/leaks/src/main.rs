//! Traces of secrets, watched from outside.
//!
//! [`calls`] lists every call of the libraries that takes a secret. `cargo xtask ctgrind` makes
//! them all under valgrind, with secrets as undefined memory ([`run`]). `cargo xtask traces` makes
//! each twice, with other secrets, one instruction at a time ([`mod@trace`]). `cargo xtask
//! zeroization` lets another process make them, and searches its memory.

mod calls;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod instructions;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod kernels;
#[cfg(target_os = "linux")]
mod process;
mod secret;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod source;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trace;
#[cfg(target_os = "linux")]
mod zeroization;

use calls::{Call, Depth, Of};
use secret::Seed;
use std::env;
#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    zeroization::end_in_time();
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["run", ref which @ ..] => run(&selected(Depth::Usual, which)),
        ["control"] => control(),
        #[cfg(target_os = "linux")]
        ["hold"] => zeroization::hold(&searched()),
        #[cfg(target_os = "linux")]
        ["zeroization"] => verdict(zeroization::of_calls(&searched())),
        #[cfg(target_os = "linux")]
        [
            which @ ("zeroization-of-unused" | "zeroization-of-messages"),
            program,
            ref arguments @ ..,
        ] => {
            let mut command = Command::new(program);
            let wipes = which.ends_with("-messages");
            verdict(zeroization::of_program(command.args(arguments), wipes))
        }
        #[cfg(target_os = "linux")]
        ["zeroization-of-command", program] => verdict(zeroization::of_command(Path::new(program))),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        ["instructions", program, ref read_as @ ..] => {
            let read_as = match read_as {
                [tier, other] => Some((*tier, *other)),
                _ => None,
            };
            verdict(instructions::all(program, read_as))
        }
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        ["kernels", ref which @ ..] => verdict(kernels::all(&selected(Depth::Usual, which))),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        ["trace", ref which @ ..] => verdict(trace::all(&selected(Depth::Brief, which))),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        ["trace-of", program, ref arguments @ ..] => verdict(trace::of_program(program, arguments)),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

const USAGE: &str = "\
usage: sivka-leaks run | kernels | trace [--brief | --usual | --all] [[--without] PART OF A NAME]
       sivka-leaks control | zeroization
       sivka-leaks zeroization-of-unused | zeroization-of-messages PROGRAM [ARGUMENT...]
       sivka-leaks zeroization-of-command PROGRAM
       sivka-leaks trace-of PROGRAM [ARGUMENT...]
       sivka-leaks instructions PROGRAM [TIER AS-ANOTHER]";

/// The calls of a depth, or of another that is named; then those whose name has a part, or has
/// it not.
fn selected(depth: Depth, mut which: &[&str]) -> Vec<Call> {
    let mut next = |word: &str| {
        let found = which.split_first().filter(|(first, _)| **first == word);
        found.map(|(_, rest)| which = rest).is_some()
    };
    let named = [("--brief", Depth::Brief), ("--usual", Depth::Usual), ("--all", Depth::Full)];
    let named = named.into_iter().find(|(word, _)| next(word));
    let depth = named.map_or(depth, |(_, depth)| depth);
    let without = next("--without");
    let mut calls = calls::all();
    calls.retain(|call| {
        let named = which.iter().all(|part| call.name.contains(part));
        call.depth <= depth && (which.is_empty() || named != without)
    });
    calls
}

/// The calls after which memory is searched: of batches those do that are brief.
#[cfg(target_os = "linux")]
fn searched() -> Vec<Call> {
    let mut calls = calls::all();
    calls.retain(|call| match call.of {
        Of::Key(_, messages) => messages < 2 || call.depth == Depth::Brief,
        Of::File(_) | Of::Keyset(_) => true,
        Of::Service => false,
    });
    calls
}

/// Makes every call once, and checks its result.
fn run(calls: &[Call]) -> ExitCode {
    for call in calls {
        let watched = (call.prepare)(Seed::FIRST);
        watched()();
    }
    println!("{} calls on {}", calls.len(), sivka::Tier::detect());
    verdict(Ok(!calls.is_empty()))
}

/// Branches on a secret: a tool that does not report this proves nothing by silence.
fn control() -> ExitCode {
    let secret = Seed::FIRST.secrets().bytes(1);
    // A vector's growth is a branch that no compiler turns into arithmetic.
    let mut seen = Vec::new();
    if std::hint::black_box(&secret)[0] > 2 {
        seen.push("large");
    }
    std::hint::black_box(seen);
    ExitCode::SUCCESS
}

fn verdict(result: Result<bool, String>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
