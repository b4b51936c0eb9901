//! `sivka`: seals files, folders and streams from the command line.
//!
//! A thin layer over the crate `sivka-file`: it finds keys, keeps output
//! atomic, and says what went wrong. `args` defines the command line.

#![forbid(unsafe_code)]

mod args;
mod console;
mod copy;
mod exit;
mod failure;
#[cfg(unix)]
mod folder;
mod in_memory;
mod input;
mod inspect;
mod interrupt;
mod key_store;
mod keygen;
mod keys;
mod keyset;
#[cfg(unix)]
mod listing;
mod manual;
mod name;
mod open;
mod open_failure;
mod output;
mod passphrase;
mod patterns;
mod prompt;
mod report;
mod run;
mod salvage;
mod seal;
mod slot;
mod target;
mod zstd;

use std::io::{self, Write};
use std::process::ExitCode;

use crate::args::{Cli, Command, LineError};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::{once, one};

fn main() -> ExitCode {
    // No backtrace: a thread without memory needs more to find one, and then waits for ever for its
    // own lock. The macro would need memory, too.
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(io::stderr(), "sivka: internal error: {panic}");
    }));
    keep_owners_rights();
    let cli = match Cli::from_line() {
        Ok(cli) => cli,
        Err(LineError::Usage(error)) => return usage(&error),
        Err(LineError::Key(failure)) => return failed(&failure),
    };
    if let Err(error) = interrupt::watch() {
        // The system is out of threads, or of memory for one.
        let message = format!("cannot watch for signals: {}", failure::reason(&error));
        return failed(&Failure::new(Exit::Limit, message));
    }
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exit) => ExitCode::from(exit as u8),
    }
}

/// Carries out `command`, reports every failure, and returns the exit status of the first one.
fn run(command: Command) -> Result<(), Exit> {
    match command {
        Command::Seal(args) => seal::seal(&args),
        Command::Open(args) => open::open(&args),
        Command::List(args) => open::list(&args),
        Command::Verify(args) => open::verify(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Salvage(args) => salvage::salvage(&args),
        Command::Keygen(args) => {
            one(args.output.as_deref(), args.reporting.report(), || keygen::keygen(&args))
        }
        Command::Keys(args) => keygen::keys(&args),
        Command::Slot(command) => slot::slot(&command),
        Command::Keyset(command) => keyset::keyset(&command),
        Command::Completions(args) => once(|| output::print(&manual::completions(args.shell))),
        Command::Man(args) => once(|| manual::manual(&args)),
    }
}

/// Gives the owner every right to new files, whatever the umask: without it, the run could not fill
/// its folders or open its files again.
fn keep_owners_rights() {
    #[cfg(unix)]
    {
        use rustix::fs::Mode;
        let umask = rustix::process::umask(Mode::RWXU | Mode::RWXG | Mode::RWXO);
        rustix::process::umask(umask - Mode::RWXU);
    }
}

fn failed(failure: &Failure) -> ExitCode {
    failure.report();
    ExitCode::from(failure.exit as u8)
}

/// Prints the help or version, or the error in the command line in the form of every other error.
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
    failed(&Failure::new(Exit::Usage, message.join(" ")).hint(tip.unwrap_or(&help)))
}

/// The command whose usage is in an error's text; that of a wrong value has none.
fn command_in(text: &str) -> String {
    let mut lines = text.lines();
    let usage = lines.find_map(|line| line.trim().strip_prefix("Usage: "));
    let bare = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let words = usage.unwrap_or("sivka COMMAND").split(' ').take_while(bare);
    words.collect::<Vec<_>>().join(" ")
}
