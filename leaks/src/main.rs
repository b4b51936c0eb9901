//! What a secret leaves behind, watched from outside.
//!
//! [`calls`] lists every call of the libraries that takes a secret. `cargo xtask ctgrind`
//! makes them all under valgrind, where secrets are undefined memory ([`run`]); `cargo xtask
//! traces` makes each twice, with other secrets, one instruction at a time ([`trace`]).

mod calls;
#[cfg(target_os = "linux")]
mod remains;
mod secret;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trace;

use calls::Call;
#[cfg(target_os = "linux")]
use remains::Holder;
use secret::Seed;
use std::env;
#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["run"] => run(&calls::all()),
        ["control"] => control(),
        #[cfg(target_os = "linux")]
        ["hold"] => remains::hold(),
        #[cfg(target_os = "linux")]
        ["remains"] => remains(None),
        #[cfg(target_os = "linux")]
        ["remains", part] => remains(Some(part)),
        #[cfg(target_os = "linux")]
        ["remains-of", program, ref arguments @ ..] => remains_of(false, program, arguments),
        #[cfg(target_os = "linux")]
        ["remains-of-files", program, ref arguments @ ..] => remains_of(true, program, arguments),
        #[cfg(target_os = "linux")]
        ["remains-of-command", program] => searched(remains::of_command(Path::new(program))),
        ["trace"] => trace_all(&selected(|call| call.brief)),
        ["trace", "--all"] => trace_all(&calls::all()),
        ["trace", part] => trace_all(&selected(|call| call.name.contains(part))),
        _ => {
            eprintln!(
                "usage: sivka-leaks run | control | remains [PART OF A NAME] | trace [--all | PART OF A NAME]\n       sivka-leaks remains-of | remains-of-files PROGRAM [ARGUMENT...]\n       sivka-leaks remains-of-command PROGRAM"
            );
            ExitCode::from(2)
        }
    }
}

fn selected(which: impl FnMut(&Call) -> bool) -> Vec<Call> {
    let mut calls = calls::all();
    calls.retain(which);
    calls
}

/// Makes every call once, and checks what it gives.
fn run(calls: &[Call]) -> ExitCode {
    for call in calls {
        let watched = (call.prepare)(Seed::FIRST);
        watched()();
    }
    println!("{} calls on {}", calls.len(), sivka::Tier::detect());
    verdict(!calls.is_empty())
}

/// Branches on a secret. Who is silent about this has said nothing about the others.
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

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn trace_all(calls: &[Call]) -> ExitCode {
    verdict(trace::all(calls))
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn trace_all(_calls: &[Call]) -> ExitCode {
    eprintln!("instructions are watched on Linux on x86-64 only");
    ExitCode::FAILURE
}

/// Looks for keys in the memory of this program, started again.
#[cfg(target_os = "linux")]
fn remains(part: Option<&str>) -> ExitCode {
    let program = env::current_exe().unwrap_or_default();
    let mut command = Command::new(program);
    command.arg("hold");
    searched(remains::all(&mut command, Holder::Rust, part))
}

/// Looks for keys in the memory of a program in another language.
#[cfg(target_os = "linux")]
fn remains_of(has_files: bool, program: &str, arguments: &[&str]) -> ExitCode {
    let holder = Holder::Language { has_files };
    let mut command = Command::new(program);
    searched(remains::all(command.args(arguments), holder, None))
}

#[cfg(target_os = "linux")]
fn searched(result: Result<bool, String>) -> ExitCode {
    match result {
        Ok(holds) => verdict(holds),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn verdict(holds: bool) -> ExitCode {
    if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
