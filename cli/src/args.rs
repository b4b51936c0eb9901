//! The command line, defined once: the parser, `--help`, the shell
//! completions and the manual page all come from these types.

#[cfg(unix)]
mod folder;
mod keyset;
mod order;
mod range;
mod secret;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use sivka_file::{Argon2Cost, OpenOptions, Suite};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::report::Report;
#[cfg(unix)]
pub(crate) use folder::{Packing, Unpacking};
pub(crate) use keyset::{Form, KeyOfKeyset, Keyset, KeysetFile};
pub(crate) use range::ByteRange;
pub(crate) use secret::key_for_path;

/// Seal files and streams with authenticated encryption
///
/// `sivka seal FILE` writes FILE.sivka beside FILE; `sivka open FILE.sivka`
/// brings FILE back, or refuses if a single bit has changed. With neither
/// --key nor --passphrase, the key file that $SIVKA_KEY_FILE names is used, or a
/// default key in your configuration folder ($XDG_CONFIG_HOME/sivka/default.key,
/// by default ~/.config/sivka/default.key); the first `seal` makes that.
#[derive(Parser)]
#[command(
    name = "sivka",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_long_help = Exit::table()
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The command line of this process, options before the command's name included.
    pub(crate) fn from_line() -> Result<Self, LineError> {
        let args: Vec<OsString> = std::env::args_os().collect();
        secret::refuse_keys(&args).map_err(LineError::Key)?;
        let args = order::help_as_option(args);
        Self::try_parse_from(order::options_after_command(&Self::command(), args))
            .map_err(LineError::Usage)
    }
}

/// Why a command line is not carried out.
pub(crate) enum LineError {
    /// It is wrong, or asks for help.
    Usage(clap::Error),
    /// A key is in it.
    Key(Failure),
}

// What `--help` and the manual say of each is with its type: a comment on a
// variant would take its place.
#[derive(Subcommand)]
pub(crate) enum Command {
    Keygen(Keygen),
    Keys(KeyList),
    Seal(Seal),
    Open(Open),
    Verify(Verify),
    Inspect(Inspect),
    Salvage(Salvage),
    #[command(subcommand)]
    Slot(Slot),
    #[command(subcommand)]
    Keyset(Keyset),
    Completions(Completions),
    Man(Manual),
}

/// Make a new key file
///
/// Without -o, the key is printed on standard output. With -o, only its owner
/// can read the file. Whoever has the key opens what was sealed with it;
/// without it, nobody does: keep a copy in a safe place.
#[derive(Args)]
pub(crate) struct Keygen {
    /// Write the key, or the passphrase, to FILE
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// The key's name, to tell it from others [default: that of FILE]
    #[arg(short, long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Make an identity of age, which opens what others seal for its public key: ML-KEM-768 with
    /// X25519, which a quantum computer does not open. With -o, the public key is printed
    #[arg(short, long, conflicts_with_all = ["name", "passphrase"])]
    pub(crate) recipient: bool,

    /// With --recipient: make an identity of X25519, whose public key is short, and which a
    /// quantum computer of tomorrow opens
    #[arg(long, requires = "recipient")]
    pub(crate) x25519: bool,

    /// Make a passphrase of random words instead of a key, from the large list of the EFF
    /// (CC BY 3.0 US)
    #[arg(short, long, conflicts_with = "name")]
    pub(crate) passphrase: bool,

    /// How many words; each is worth 12.9 bits of entropy
    #[arg(long, value_name = "N", default_value_t = 8, requires = "passphrase",
          value_parser = clap::value_parser!(u8).range(5..=50))]
    pub(crate) words: u8,

    /// Protect the key with a passphrase, which is asked for now and whenever the key is used
    #[arg(long, conflicts_with = "passphrase")]
    pub(crate) protect: bool,

    /// Protect the key with the passphrase in FILE, less the line end it may end with
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["passphrase", "protect"])]
    pub(crate) protect_with: Option<PathBuf>,

    /// Replace FILE if it exists; what only the old key opens is then lost
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// List the keys in your configuration folder
///
/// One line a key: its id, as `inspect` shows it of a sealed file, its name, and its file.
#[derive(Args)]
pub(crate) struct KeyList {
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Encrypt and authenticate files
///
/// Each FILE is sealed into FILE.sivka beside it, and kept. A folder is packed while it is
/// sealed, with all that is in it, and `open` unpacks it. With several of --key, --recipient
/// and a passphrase, any one of them opens the result. Of several files, those that are sealed
/// already are left out.
#[derive(Args)]
pub(crate) struct Seal {
    /// The files and folders to seal; `-`, or nothing where it is no terminal, seals standard input to standard output
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// How to encrypt; a sealed file says it, so `open` needs no such option
    #[arg(long, value_name = "SUITE", default_value = Suite::default().name(), value_parser = suites())]
    pub(crate) suite: Suite,

    /// Compress with Zstandard before sealing. The length of the result then says how well the
    /// content compresses, and so something of what it is
    #[arg(long)]
    pub(crate) zstd: bool,

    /// Remove each FILE when its result is durable and was opened once more; not for folders
    #[arg(long)]
    pub(crate) remove: bool,

    /// Keep room for N more slots of any kind, so that `slot add` has it without moving the
    /// content; up to 54, less the post-quantum recipients of now
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u8).range(0..=54))]
    pub(crate) room: u8,

    #[command(flatten)]
    pub(crate) recipients: Recipients,

    #[cfg(unix)]
    #[command(flatten)]
    pub(crate) packing: Packing,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Suites by the names that the library gives them.
fn suites() -> impl TypedValueParser<Value = Suite> {
    PossibleValuesParser::new(Suite::ALL.iter().map(|suite| suite.name()))
        .try_map(|name| Suite::from_name(&name).ok_or("no such suite"))
}

/// Bring back what was sealed, if it is unchanged
///
/// Each FILE.sivka is opened into FILE beside it, and kept. FILE appears only
/// when everything was authenticated, and so does a folder, with all that was sealed in it;
/// nothing that it says is written outside of it. On standard output, authenticated parts
/// are passed on as they come: heed the exit status, which says whether the
/// end was reached.
#[derive(Args)]
pub(crate) struct Open {
    /// The files to open; `-`, or nothing where it is no terminal, opens standard input to standard output
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Open only the bytes of the content from A up to, not including, B; either may be left
    /// out. Only what holds them is read
    #[arg(long, value_name = "A..B")]
    pub(crate) range: Option<ByteRange>,

    /// List what is in a sealed folder, and unpack nothing
    #[arg(long, conflicts_with_all = ["range", "remove", "tar", "outside_links", "output"])]
    pub(crate) list: bool,

    /// Give a sealed folder as the tar archive that it is, as standard output does anyway
    #[arg(long, conflicts_with = "range")]
    pub(crate) tar: bool,

    /// Give the content as it is, byte for byte, also of a folder or compressed: what `seal` was
    /// given, if that looked like either
    #[arg(long, conflicts_with_all = ["list", "tar", "outside_links"])]
    pub(crate) raw: bool,

    /// Make symbolic links too that lead out of the folder
    #[arg(long, conflicts_with_all = ["range", "tar"])]
    pub(crate) outside_links: bool,

    /// Remove each FILE when its result is durable. A folder's FILE is kept if something of the
    /// folder was not restored, owners included
    #[arg(long, conflicts_with = "range")]
    pub(crate) remove: bool,

    #[cfg(unix)]
    #[command(flatten)]
    pub(crate) unpacking: Unpacking,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Check that files open, and make no output
///
/// Every byte is authenticated, as `open` does it, and the plaintext is
/// thrown away.
#[derive(Args)]
pub(crate) struct Verify {
    /// The files to check; `-`, or nothing where it is no terminal, is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    /// Say nothing of files that open, and show no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Show what a sealed file says about itself, without a key
///
/// Nothing that is shown has been authenticated: `verify` does that. Of a key file, its
/// name and id are shown, and never the key.
#[derive(Args)]
pub(crate) struct Inspect {
    /// The files to describe; `-`, or nothing where it is no terminal, is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Recover every intact part of a damaged file
///
/// Every part that is intact is at its place in the output; every part that could
/// not be authenticated is filled with zeros, and its place is listed on standard
/// output. The output is as long as the content that FILE has room for: as long as what
/// was sealed, unless the end of FILE is missing, which is then said. Of the header, its
/// first 20 bytes and a slot that a key opens must be intact. The exit status is that of
/// `verify`.
#[derive(Args)]
pub(crate) struct Salvage {
    /// The damaged file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Write what was recovered to FILE
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    /// Replace the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,

    /// Show no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// List, add, remove or replace what opens a sealed file
///
/// Only the header is written, whatever the length of the file. The key of the
/// content itself stays the same: whoever could open the file before and kept
/// a copy still opens that copy. To shut somebody out of what a file says from
/// now on, open it and seal it anew.
#[derive(Subcommand)]
pub(crate) enum Slot {
    /// Show what opens the file, without a key; nothing of it is authenticated
    List {
        /// The sealed file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,

        #[command(flatten)]
        reporting: Reporting,
    },
    /// Let another key or passphrase open the file too
    Add {
        #[command(flatten)]
        sealed: Sealed,

        #[command(flatten)]
        new: NewKey,
    },
    /// Take a slot away; those after it move up by one
    Remove {
        #[command(flatten)]
        sealed: Sealed,

        #[command(flatten)]
        which: WhichSlot,

        /// Do not ask if no key that was given opens the file after it
        #[arg(short, long)]
        yes: bool,
    },
    /// Put a new key or passphrase in the place of a slot
    Replace {
        #[command(flatten)]
        sealed: Sealed,

        /// The number of the slot, as `slot list` shows it
        #[arg(value_name = "SLOT")]
        slot: usize,

        #[command(flatten)]
        new: NewKey,
    },
}

/// A sealed file, and what opens it.
#[derive(Args)]
pub(crate) struct Sealed {
    /// The sealed file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// One slot of a file.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WhichSlot {
    /// The number of the slot, as `slot list` shows it
    #[arg(value_name = "SLOT")]
    pub(crate) slot: Option<usize>,

    /// The slot of the key file with this id, as `slot list` and `sivka keys` show it
    #[arg(long, value_name = "KEY_ID")]
    pub(crate) id: Option<String>,
}

/// What a new slot opens with.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct NewKey {
    /// The new slot opens with the key in FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) new_key: Option<PathBuf>,

    /// The new slot opens with the identity of this public key, age1... or age1pq1...
    #[arg(short, long, value_name = "RECIPIENT")]
    pub(crate) recipient: Option<String>,

    /// Ask for the new slot's passphrase on the terminal
    #[arg(long)]
    pub(crate) new_passphrase: bool,

    /// The new slot opens with the passphrase in FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) new_passphrase_file: Option<PathBuf>,
}

/// Print a completion script for a shell
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell to complete for
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Print a manual page
///
/// The page is in roff, as man(1) reads it: `sivka man seal | man -l -`, or
/// `sivka man slot add | man -l -`. With --all, every page is written, and with --install,
/// the completions for bash, zsh and fish as well, where shells and man(1) look for them.
#[derive(Args)]
pub(crate) struct Manual {
    /// Install every page and the completions below PREFIX/share, as in ~/.local
    #[arg(long, value_name = "PREFIX", value_hint = ValueHint::DirPath,
          conflicts_with_all = ["all", "command"])]
    pub(crate) install: Option<PathBuf>,

    /// Write every page into DIR, as `sivka.1`, `sivka-seal.1` and so on
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub(crate) all: Option<PathBuf>,

    /// The command to describe, instead of all of sivka
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// Who will unlock a file, besides those who have its keys.
#[derive(Args, Default)]
pub(crate) struct Recipients {
    /// Seal for whoever has the identity of this public key, age1... or age1pq1...; may be given
    /// several times. Without --key too, you cannot open the result yourself
    #[arg(short, long, value_name = "RECIPIENT")]
    pub(crate) recipient: Vec<String>,

    /// Seal for every recipient in FILE, which has one a line
    #[arg(short = 'R', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) recipients_file: Vec<PathBuf>,
}

/// What unlocks, or will unlock, a file.
#[derive(Args)]
pub(crate) struct KeyArgs {
    /// Use the key in FILE, or the identities of age in it; may be given several times
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) key: Vec<PathBuf>,

    /// Ask for a passphrase on the terminal
    #[arg(short, long, conflicts_with = "passphrase_file")]
    pub(crate) passphrase: bool,

    /// Use the passphrase in FILE, less the line end it may end with
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) passphrase_file: Option<PathBuf>,

    /// Open keys that a passphrase protects with the one in FILE, and do not ask for it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) key_passphrase_file: Option<PathBuf>,
}

/// How results are told.
#[derive(Args)]
pub(crate) struct Reporting {
    /// Print one JSON object a file on standard output, a failed one included
    #[arg(long)]
    pub(crate) json: bool,

    /// Say on standard error what is done, and with which key
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl Reporting {
    pub(crate) fn report(&self) -> Report {
        Report::new(self.json)
    }

    pub(crate) fn console<'a>(&self, progress: &'a Progress) -> Console<'a> {
        Console::new(progress, self.verbose)
    }
}

/// What a file may ask of the one who opens it.
#[derive(Args)]
pub(crate) struct Limit {
    /// Refuse a passphrase slot, also of a protected key, that needs more than MIB mebibytes of
    /// memory
    #[arg(long, value_name = "MIB", default_value_t = Argon2Cost::DEFAULT_LIMIT.memory_kib >> 10)]
    pub(crate) max_memory: u32,

    /// Refuse a passphrase slot, also of a protected key, that needs more than N passes over the
    /// memory
    #[arg(long, value_name = "N", default_value_t = Argon2Cost::DEFAULT_LIMIT.passes)]
    pub(crate) max_passes: u32,
}

/// Where results go.
#[derive(Args)]
pub(crate) struct Target {
    /// Write to FILE, or into FILE if it is a folder; `-` is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,

    /// Replace targets that exist, and write bytes to a terminal that are no text
    #[arg(short, long)]
    pub(crate) force: bool,

    /// Show no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Limit {
    pub(crate) fn options(&self) -> OpenOptions {
        OpenOptions {
            max_cost: Argon2Cost {
                memory_kib: self.max_memory.saturating_mul(1024),
                passes: self.max_passes,
                ..Argon2Cost::DEFAULT_LIMIT
            },
            ..OpenOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_what_was_asked_for() {
        let limit = |max_memory, max_passes| {
            let cost = Limit {
                max_memory,
                max_passes,
            };
            let cost = cost.options().max_cost;
            (cost.memory_kib, cost.passes, cost.lanes)
        };
        let lanes = Argon2Cost::DEFAULT_LIMIT.lanes;
        assert_eq!(limit(5, 7), (5 << 10, 7, lanes));
        assert_eq!(limit(u32::MAX, 1), (u32::MAX, 1, lanes));
    }
}
