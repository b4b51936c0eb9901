//! The command line, defined once: the parser, `--help`, the shell
//! completions and the manual page all come from these types.

mod keyset;
mod range;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use sivka_file::{Argon2Cost, OpenOptions, Suite, is_key_text};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Report;
pub(crate) use keyset::{Form, KeyOfKeyset, Keyset, KeysetFile};
pub(crate) use range::ByteRange;

/// Seal files, folders and streams with authenticated encryption
///
/// `sivka seal FILE` writes FILE.sivka beside FILE. `sivka open FILE.sivka` brings FILE back
/// exactly, or refuses. Without keys, the key file that $SIVKA_KEY_FILE names is used, or those in
/// your configuration folder ($XDG_CONFIG_HOME/sivka, by default ~/.config/sivka). The first `seal`
/// makes a key there.
#[derive(Parser)]
#[command(
    name = "sivka",
    version,
    arg_required_else_help = true,
    after_long_help = Exit::table()
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The command line of this process.
    pub(crate) fn from_line() -> Result<Self, LineError> {
        let args: Vec<OsString> = std::env::args_os().collect();
        // Before anything can quote a key; together, as a shell makes each word of a text an
        // argument.
        let line = zeroize::Zeroizing::new(args.join(" ".as_ref()).into_encoded_bytes());
        if is_key_text(&line) {
            return Err(LineError::Key(key_for_path("a path was expected")));
        }
        Self::try_parse_from(args).map_err(LineError::Usage)
    }
}

/// Who gave a key where its path belongs; `expected` says where.
pub(crate) fn key_for_path(expected: &str) -> Failure {
    let message = format!("{expected}, and the text of a key was given, which is not shown");
    let hint = "give the path of the key file, or for -r the public key; your shell may have kept \
                the key in its history";
    Failure::new(Exit::Usage, message).hint(hint).ending_run()
}

/// Why a command line is not carried out.
pub(crate) enum LineError {
    /// It is wrong, or asks for help.
    Usage(clap::Error),
    /// A key is in it.
    Key(Failure),
}

// Each type has its own help: a comment on a variant would replace it.
#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(alias = "encrypt")]
    Seal(Seal),
    #[command(alias = "decrypt")]
    Open(Open),
    #[command(alias = "ls")]
    List(List),
    Verify(Verify),
    Inspect(Inspect),
    Salvage(Salvage),
    Keygen(Keygen),
    Keys(KeyList),
    #[command(subcommand)]
    Slot(Slot),
    #[command(subcommand)]
    Keyset(Keyset),
    Completions(Completions),
    Man(Manual),
}

/// Encrypt and authenticate files and folders
///
/// Each FILE is sealed into FILE.sivka beside it, and kept. A folder is packed with everything in
/// it. With several of --key, --recipient and a passphrase, any one of them opens the result. If
/// several files are given, the ones that are sealed already are left out.
#[derive(Args)]
#[command(after_long_help = "Examples:
  sivka seal --exclude /cache photos
  sivka seal -R team.txt -k me.key report.pdf
  pg_dump shop | sivka seal -k backup.key -o shop.sivka")]
pub(crate) struct Seal {
    /// The files and folders to seal; `-`, or none in a pipe, is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) target: Target,

    /// Compress with Zstandard first
    ///
    /// The length of the result then shows how well the content compresses, which tells others
    /// something about it.
    #[arg(long, help_heading = "Input and output")]
    pub(crate) zstd: bool,

    /// Remove each FILE after a test that its result opens; not for folders
    #[arg(long, help_heading = "Input and output")]
    pub(crate) remove: bool,

    /// Leave out of a folder what matches PATTERN (.gitignore syntax)
    ///
    /// `*.tmp` anywhere, `/cache` in the folder itself, `build/` folders only, `!keep.tmp` not
    /// that. May be given several times: the last match counts.
    #[arg(
        long,
        value_name = "PATTERN",
        allow_hyphen_values = true,
        help_heading = "Input and output"
    )]
    pub(crate) exclude: Vec<OsString>,

    /// Leave out what matches a line of FILE; a line that begins with `#` is a comment
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true,
          help_heading = "Input and output")]
    pub(crate) exclude_from: Vec<PathBuf>,

    /// Keep no extended attributes and no access control lists of a folder
    #[arg(long, hide_short_help = true, help_heading = "Input and output")]
    pub(crate) no_xattrs: bool,

    #[command(flatten)]
    pub(crate) recipients: Recipients,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    /// Reserve space for N more keys, which `slot add` needs
    ///
    /// At most 54 minus the post-quantum recipients of this command.
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true,
          value_parser = clap::value_parser!(u8).range(0..=54), help_heading = "Keys")]
    pub(crate) spare_slots: u8,

    /// The cipher; a sealed file names its own, so `open` has no such option
    #[arg(long, value_name = "SUITE", default_value = Suite::default().name(), value_parser = suites(),
          hide_short_help = true, help_heading = "Keys")]
    pub(crate) suite: Suite,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Suites by the names that the library gives them.
fn suites() -> impl TypedValueParser<Value = Suite> {
    PossibleValuesParser::new(Suite::ALL.iter().map(|suite| suite.name()))
        .try_map(|name| Suite::from_name(&name).ok_or("no such suite"))
}

/// Open sealed files, if their content is unchanged
///
/// Each FILE.sivka is opened into FILE beside it, and kept. A file or folder appears only when
/// everything was authenticated. Opening a folder writes nothing outside of it. Standard output
/// gets authenticated parts as they come: check the exit status, which says whether the end was
/// reached. A folder goes there as a tar archive.
#[derive(Args)]
#[command(after_long_help = "Examples:
  sivka open photos.sivka --only 2024/summer -o summer
  sivka open photos.sivka --only notes.txt -o -
  sivka open disk.sivka --range 1048576..2097152 -o -")]
pub(crate) struct Open {
    /// The files to open; `-`, or none in a pipe, is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) target: Target,

    #[command(flatten)]
    pub(crate) only: Only,

    /// List the entries of a sealed folder, as `sivka list` does
    #[arg(long, conflicts_with_all = ["range", "remove", "output"], help_heading = "Input and output")]
    pub(crate) list: bool,

    /// Open only bytes A up to, not including, B of a file; either may be left out
    #[arg(long, value_name = "A..B", conflicts_with_all = ["only", "remove"],
          help_heading = "Input and output")]
    pub(crate) range: Option<ByteRange>,

    /// Remove each FILE when its result is safe and complete
    #[arg(long, conflicts_with = "only", help_heading = "Input and output")]
    pub(crate) remove: bool,

    /// Restore no extended attributes and no access control lists
    #[arg(long, hide_short_help = true, help_heading = "Input and output")]
    pub(crate) no_xattrs: bool,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// List the entries of sealed folders
///
/// If FILE is no pipe, its content is not read. So `list` does not notice damage there; `verify`
/// does.
#[derive(Args)]
#[command(after_long_help = "Example:
  sivka list photos.sivka --only '*.jpg'")]
pub(crate) struct List {
    /// The sealed folders; `-`, or none in a pipe, is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) only: Only,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// The entries of a sealed folder to open or list.
#[derive(Args, Clone)]
pub(crate) struct Only {
    /// Only entries that match PATTERN (.gitignore syntax), and everything in matching folders
    ///
    /// `2024/summer`, `*.jpg`, `!*.raw`. If FILE is no pipe, nothing else of it is read.
    #[arg(
        long,
        value_name = "PATTERN",
        allow_hyphen_values = true,
        help_heading = "Input and output"
    )]
    pub(crate) only: Vec<OsString>,
}

/// Check that files open, and make no output
///
/// All content is authenticated, as `open` does it, and the plaintext is thrown away.
#[derive(Args)]
#[command(after_long_help = "Example:
  sivka verify --quiet a.sivka b.sivka")]
pub(crate) struct Verify {
    /// The files to check; `-`, or none in a pipe, is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Print nothing of files that open, and show no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Show what a sealed file says about itself, without a key
///
/// Nothing here is authenticated; `verify` authenticates. Of a key file, the name and id are shown,
/// and never the key. A key file that a passphrase protects is shown as a sealed file.
#[derive(Args)]
pub(crate) struct Inspect {
    /// The files to describe; `-`, or none in a pipe, is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Recover the intact parts of a damaged file or folder
///
/// From a folder, every whole entry comes back. The other entries are named (ten without --verbose
/// or --json), unless their header is lost. From a file, the output has the original length;
/// damaged parts are zeros, and listed. If the end of FILE is missing or extended, the length
/// differs, and the command says so. The exit status is the one of `verify`, or 12 if the folder
/// in FILE is malformed.
#[derive(Args)]
#[command(after_long_help = "Example:
  sivka salvage photos.sivka -o rescued")]
pub(crate) struct Salvage {
    /// The damaged file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Write the result to the new file or folder FILE
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) output: PathBuf,

    /// Write damaged files of a folder too, as NAME.damaged, with zeros for what is lost
    #[arg(long)]
    pub(crate) partial: bool,

    /// Replace the output if it is a file
    #[arg(short, long)]
    pub(crate) force: bool,

    /// Show no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Make a new key file
///
/// Without -o, the key is printed on standard output. With -o, only its owner can read the file.
/// Anybody who has the key can open what it sealed. Without the key, nobody can: keep a copy in a
/// safe place.
#[derive(Args)]
#[command(after_long_help = "Examples:
  sivka keygen -o backup.key
  sivka keygen --protect -o backup.key
  sivka keygen --identity -o me.key
  sivka keygen --words 10")]
pub(crate) struct Keygen {
    /// Write the key, or the passphrase, to FILE
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// The key's name, to tell it from others [default: that of FILE]
    #[arg(short, long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Make an identity of age instead, which opens what others seal for its public key
    ///
    /// It is ML-KEM-768 with X25519, made to withstand quantum computers. With -o, the
    /// public key is printed.
    #[arg(long, conflicts_with_all = ["name", "words"])]
    pub(crate) identity: bool,

    /// With --identity: make a short classical key
    ///
    /// A future quantum computer could break it.
    #[arg(long, requires = "identity")]
    pub(crate) x25519: bool,

    /// Make a passphrase of N random words instead [N without a number: 8]
    ///
    /// Each word is worth 12.9 bits of entropy. The list is the large one of the EFF (CC BY 3.0
    /// US).
    #[arg(long, value_name = "N", conflicts_with = "name", num_args = 0..=1, default_missing_value = "8",
          value_parser = clap::value_parser!(u8).range(5..=50))]
    pub(crate) words: Option<u8>,

    /// Protect the key with a passphrase, which is asked for now and whenever the key is used
    #[arg(long, conflicts_with = "words")]
    pub(crate) protect: bool,

    /// Protect the key with the passphrase in FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["words", "protect"])]
    pub(crate) protect_with: Option<PathBuf>,

    /// Replace FILE if it exists; files that only the old key opens are then lost
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// List the keys in your configuration folder
///
/// Each line has a key's id (as in `inspect`), name and file.
#[derive(Args)]
pub(crate) struct KeyList {
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// List, add, remove or replace the keys and passphrases of a sealed file
///
/// Only the header is written, whatever the length of the file. The key of the content stays the
/// same: somebody who could open the file and kept a copy can still open that copy. To shut
/// somebody out of later contents, open the file and seal it again.
#[derive(Subcommand)]
pub(crate) enum Slot {
    /// Show the keys and passphrases of the file, without a key; nothing here is authenticated
    List {
        /// The sealed file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,

        #[command(flatten)]
        reporting: Reporting,
    },
    /// Let another key or passphrase open the file too
    #[command(after_long_help = "Example:
  sivka slot add -k me.key report.pdf.sivka --new-passphrase")]
    Add {
        #[command(flatten)]
        sealed: Sealed,

        #[command(flatten)]
        new: NewKey,
    },
    /// Take a slot away; those after it move up by one
    #[command(after_long_help = "Example:
  sivka slot remove -k me.key report.pdf.sivka --id 2eced6e116ddd512")]
    Remove {
        /// Do not ask if no key that was given opens the file after it
        #[arg(short, long)]
        yes: bool,

        #[command(flatten)]
        sealed: Sealed,

        #[command(flatten)]
        which: WhichSlot,
    },
    /// Replace the key or passphrase of a slot by a new one
    Replace {
        #[command(flatten)]
        sealed: Sealed,

        /// The number of the slot, as `slot list` shows it
        #[arg(value_name = "SLOT", help_heading = "Slot")]
        slot: usize,

        #[command(flatten)]
        new: NewKey,
    },
}

/// A sealed file, and the keys that open it.
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
#[command(next_help_heading = "Slot")]
pub(crate) struct WhichSlot {
    /// The number of the slot, as `slot list` shows it
    #[arg(value_name = "SLOT")]
    pub(crate) slot: Option<usize>,

    /// The slot of the key file with this id, as `slot list` and `sivka keys` show it
    #[arg(long, value_name = "KEY_ID")]
    pub(crate) id: Option<String>,
}

/// The key, passphrase or recipient of a new slot.
#[derive(Args)]
#[group(required = true, multiple = false)]
#[command(next_help_heading = "New key")]
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
/// The page is in roff, as man(1) reads it: `sivka man seal | man -l -`. With --install, every
/// page is written, and the completions for bash, zsh and fish as well, where shells and man(1)
/// look for them.
#[derive(Args)]
pub(crate) struct Manual {
    /// Install every page and the completions below PREFIX/share, as in ~/.local
    #[arg(long, value_name = "PREFIX", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub(crate) install: Option<PathBuf>,

    /// The command to describe, instead of all of sivka
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// Who will unlock a file, besides those who have its keys.
#[derive(Args, Default)]
#[command(next_help_heading = "Keys")]
pub(crate) struct Recipients {
    /// Seal for the owner of this public key, age1... or age1pq1...
    ///
    /// May be given several times. Without --key too, you cannot open the result yourself.
    #[arg(short, long, value_name = "RECIPIENT")]
    pub(crate) recipient: Vec<String>,

    /// Seal for every recipient in FILE, one a line
    #[arg(short = 'R', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) recipients_file: Vec<PathBuf>,
}

/// The keys and the passphrase of a file.
#[derive(Args, Default)]
#[command(next_help_heading = "Keys")]
pub(crate) struct KeyArgs {
    /// Use the key in FILE, or the identities of age in it; may be given several times
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) key: Vec<PathBuf>,

    /// Ask for a passphrase on the terminal
    #[arg(short, long, conflicts_with = "passphrase_file")]
    pub(crate) passphrase: bool,

    /// Use the passphrase in FILE; a line end after it does not count
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) passphrase_file: Option<PathBuf>,

    /// Open keys that a passphrase protects with the one in FILE, and do not ask for it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) key_passphrase_file: Option<PathBuf>,
}

/// How results are told.
#[derive(Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Reporting {
    /// Print a JSON object per file (lists: per line) on standard output, also for failed files
    #[arg(long, hide_short_help = true)]
    pub(crate) json: bool,

    /// Print on standard error each step, and its key
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl Reporting {
    pub(crate) fn report(&self) -> Report {
        Report::new(self.json)
    }
}

/// Limits on the work that a file asks for.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limit {
    /// Most memory that a passphrase may cost, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Argon2Cost::DEFAULT_LIMIT.memory_kib >> 10,
          hide_short_help = true)]
    pub(crate) max_memory: u32,

    /// Most passes over the memory that a passphrase may cost
    #[arg(long, value_name = "N", default_value_t = Argon2Cost::DEFAULT_LIMIT.passes,
          hide_short_help = true)]
    pub(crate) max_passes: u32,
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

/// Where results go.
#[derive(Args)]
#[command(next_help_heading = "Input and output")]
pub(crate) struct Target {
    /// Write to FILE, or into FILE if it is a folder; `-` is standard output
    ///
    /// A sealed folder is opened into an existing one only if FILE ends with a slash.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,

    /// Replace files that exist, and also write binary data to a terminal
    #[arg(short, long)]
    pub(crate) force: bool,

    /// Show no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn limits_are_what_was_asked_for() {
        let limit = |max_memory, max_passes| {
            let limit = Limit { max_memory, max_passes };
            let cost = limit.options().max_cost;
            (cost.memory_kib, cost.passes, cost.lanes)
        };
        let lanes = Argon2Cost::DEFAULT_LIMIT.lanes;
        assert_eq!(limit(5, 7), (5 << 10, 7, lanes));
        assert_eq!(limit(u32::MAX, 1), (u32::MAX, 1, lanes));
    }

    /// An example that does not parse, and a short option that means two things.
    #[test]
    fn examples_parse_and_options_mean_one_thing() {
        let mut program = Cli::command();
        program.build();
        let mut meanings = std::collections::BTreeMap::new();
        let (mut commands, mut examples) = (vec![&program], 0);
        while let Some(command) = commands.pop() {
            for option in command.get_arguments() {
                if let (Some(short), Some(long)) = (option.get_short(), option.get_long()) {
                    let takes = option.get_action().takes_values();
                    let meaning = (long.to_owned(), takes);
                    assert_eq!(meanings.entry(short).or_insert(meaning.clone()), &meaning);
                }
            }
            let text = command.get_after_long_help().map(ToString::to_string);
            for line in text.iter().flat_map(|text| text.lines()) {
                if let Some((_, line)) = line.split_once("  ").filter(|(rest, _)| rest.is_empty())
                    && let Some(from) = line.find("sivka ")
                {
                    let words = line[from..].split(' ').map(|word| word.trim_matches('\''));
                    assert!(Cli::try_parse_from(words).is_ok(), "{line}");
                    examples += 1;
                }
            }
            commands.extend(command.get_subcommands());
        }
        assert!(examples > 10, "{examples}");
    }
}
