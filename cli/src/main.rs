//! `sivka`: seals files and streams from the command line.
//!
//! A thin layer over the crate `sivka-file`: it finds keys, keeps output
//! atomic, and says what went wrong. `args` defines the command line; `command`
//! carries it out, file by file.

#![forbid(unsafe_code)]

mod args;
mod batch;
mod command;
mod compression;
mod console;
#[cfg(unix)]
mod content;
mod exit;
mod failure;
#[cfg(unix)]
mod folder;
mod input;
mod interrupt;
mod key_store;
mod keys;
mod keyset_file;
mod name;
mod open_failure;
mod output;
mod passphrase;
mod placed;
mod progress;
mod prompt;
mod protected_key;
mod report;
mod run;
mod target;
mod terminal;

use std::io::{self, Write};
use std::process::ExitCode;

use crate::args::{Cli, LineError};
use crate::exit::Exit;
use crate::failure::Failure;

fn main() -> ExitCode {
    say_panics_plainly();
    keep_owners_rights();
    let cli = match Cli::from_line() {
        Ok(cli) => cli,
        Err(LineError::Usage(error)) => return usage(&error),
        Err(LineError::Key(failure)) => {
            failure.report();
            return ExitCode::from(failure.exit as u8);
        }
    };
    if let Err(error) = interrupt::watch() {
        // The system is out of threads, or of memory for one.
        let message = format!("cannot watch for signals: {}", failure::reason(&error));
        Failure::new(Exit::Limit, message).report();
        return ExitCode::from(Exit::Limit as u8);
    }
    match command::run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => ExitCode::from(exit as u8),
    }
}

/// Says what a panic says, without the way there: a thread that has no memory wants more to find
/// that, and then waits for ever for what it holds itself.
fn say_panics_plainly() {
    std::panic::set_hook(Box::new(|panic| {
        // No memory is needed for it.
        let _ = writeln!(io::stderr(), "sivka: internal error: {panic}");
    }));
}

/// Leaves the owner every right to what is made, whatever the umask: folders that are filled
/// and files that are opened once more would not be the run's own.
fn keep_owners_rights() {
    #[cfg(unix)]
    {
        use rustix::fs::Mode;
        let umask = rustix::process::umask(Mode::RWXU | Mode::RWXG | Mode::RWXO);
        rustix::process::umask(umask - Mode::RWXU);
    }
}

/// Prints the help or version that was asked for, or what is wrong with the
/// command line, in the form of every other error.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Fails only when standard output is closed: nobody is left to tell.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let Some(text) = text.strip_prefix("error: ") else {
        let _ = error.print(); // The help, for a command line that says nothing.
        return ExitCode::from(Exit::Usage as u8);
    };
    let mut lines = text.lines().map(str::trim);
    let message: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let tip = lines.find_map(|line| line.strip_prefix("tip: "));
    // Nobody who mistypes an option wants a file of that name.
    let tip = tip.filter(|tip| !tip.contains("as a value"));
    let help = format!("`{} --help` lists what is possible", command_in(text));
    Failure::new(Exit::Usage, message.join(" "))
        .hint(tip.unwrap_or(&help))
        .report();
    ExitCode::from(Exit::Usage as u8)
}

/// The command whose usage is in an error's text.
fn command_in(text: &str) -> String {
    let mut lines = text.lines();
    let usage = lines.find_map(|line| line.trim().strip_prefix("Usage: "));
    let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words = usage.unwrap_or("sivka").split(' ').take_while(is_name);
    words.collect::<Vec<_>>().join(" ")
}
