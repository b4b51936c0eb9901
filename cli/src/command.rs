//! Carries out a command, file by file.

mod examples;
mod inspect;
mod keygen;
mod keys;
mod keyset;
mod manual;
mod open;
mod remove;
mod salvage;
mod seal;
mod slot;

use crate::args::Command;
use crate::exit::Exit;
use crate::input::named;
use crate::output::print;
use crate::progress::Progress;
use crate::run::{each, once, one};
use inspect::inspect;
use keygen::keygen;
use keys::keys;
use keyset::keyset;
use manual::{completions, manual};
use open::{open, verify};
use salvage::salvage;
use seal::seal;
use slot::slot;

/// Carries out `command`, reports every failure, and returns the exit status
/// of the first one.
pub(crate) fn run(command: Command) -> Result<(), Exit> {
    match command {
        Command::Keygen(args) => one(args.output.as_deref(), args.reporting.report(), || {
            keygen(&args)
        }),
        Command::Keys(args) => keys(&args),
        Command::Seal(args) => seal(&args),
        Command::Open(args) => open(&args),
        Command::Verify(args) => verify(&args),
        Command::Inspect(args) => {
            let files = once(|| named(&args.files))?;
            let (progress, report) = (Progress::hidden(), args.reporting.report());
            each(&files, &progress, report, |path| inspect(path, report))
        }
        Command::Salvage(args) => salvage(&args),
        Command::Slot(command) => slot(&command),
        Command::Keyset(command) => keyset(&command),
        Command::Completions(args) => once(|| print(&completions(args.shell))),
        Command::Man(args) => once(|| manual(&args)),
    }
}
