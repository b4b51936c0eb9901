//! `sivka keyset`: the command line of keysets.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use sivka_keyset::{OutputPrefix, Template};

use super::{KeyArgs, Limit, Reporting};

const OUTPUT: &str = "Output";

/// Make and rotate Tink keysets
///
/// A keyset holds keys for programs with Tink or Sivka. The primary key seals; every enabled key
/// opens. FILE is kept sealed, as `seal` does it, unless another form is asked for. Every change
/// replaces it at once, in the form that it has, readable by its owner only. Keys are never shown.
#[derive(Subcommand)]
pub(crate) enum Keyset {
    /// Make a keyset with one key, and print the key's id
    Create {
        #[command(flatten)]
        file: KeysetFile,

        #[command(flatten)]
        new: NewKeysetKey,

        /// How to keep the keyset
        #[arg(long, value_name = "FORM", default_value = "sealed", help_heading = OUTPUT)]
        form: Form,

        /// Replace FILE if it exists; values that only the old keyset opens are then lost
        #[arg(short, long, help_heading = OUTPUT)]
        force: bool,
    },
    /// Add a new key, which opens but does not seal yet, and print its id
    Add {
        #[command(flatten)]
        file: KeysetFile,

        #[command(flatten)]
        new: NewKeysetKey,

        /// Make it the primary at once; otherwise `promote` it when all programs have it
        #[arg(long)]
        primary: bool,
    },
    /// Make a key the primary, which seals from now on
    Promote(KeyOfKeyset),
    /// Keep a key from opening, until it is enabled again
    Disable(KeyOfKeyset),
    /// Let a disabled key open again
    Enable(KeyOfKeyset),
    /// Wipe a key; its id stays
    Destroy(KeyOfKeyset),
    /// Wipe a key and its id
    Remove(KeyOfKeyset),
    /// Show ids, statuses and types of the keys, and never a key
    Show {
        #[command(flatten)]
        file: KeysetFile,
    },
    /// Write a keyset in another form
    ///
    /// If FILE is sealed, the keys open it. If not, they seal the output.
    Convert {
        #[command(flatten)]
        file: KeysetFile,

        /// How to write it
        #[arg(long, value_name = "FORM", help_heading = OUTPUT)]
        form: Form,

        /// Write to FILE
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
        output: PathBuf,

        /// Replace the output if it exists
        #[arg(short, long, help_heading = OUTPUT)]
        force: bool,
    },
}

/// A file with a keyset, and the keys that open it if it is sealed.
#[derive(Args)]
pub(crate) struct KeysetFile {
    /// The file with the keyset
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// The type of a new key.
#[derive(Args)]
#[command(next_help_heading = "New key")]
pub(crate) struct NewKeysetKey {
    /// Type of the key, by Tink's names [default: as the primary; AES256_GCM_SIV for the first key]
    #[arg(short, long, value_name = "TEMPLATE", ignore_case = true, value_parser = templates())]
    template: Option<Template>,

    /// Put no prefix before sealed values: Tink's templates with _RAW after their names
    #[arg(long)]
    raw: bool,
}

/// One key of a keyset.
#[derive(Args)]
pub(crate) struct KeyOfKeyset {
    #[command(flatten)]
    pub(crate) file: KeysetFile,

    /// The key's id, as `show` shows it
    #[arg(value_name = "ID", help_heading = "Key of the keyset")]
    pub(crate) id: u32,
}

/// How a keyset is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Sealed with a key or passphrase, as any file
    Sealed,
    /// In the clear, as every Tink reads it: anybody who reads the file has the keys
    InsecureJson,
    /// In the clear, in Tink's binary form
    InsecureBinary,
}

impl NewKeysetKey {
    /// The template of a key, or of one like the primary if there is one, `None` if that is not
    /// known.
    pub(crate) fn template(&self, primary: Option<Template>) -> Option<Template> {
        let template = self.template.or(primary)?;
        Some(match self.raw {
            true => template.with_output_prefix(OutputPrefix::Raw),
            false => template,
        })
    }
}

/// Templates by Tink's names.
fn templates() -> impl TypedValueParser<Value = Template> {
    PossibleValuesParser::new(Template::all().iter().map(|(name, _)| *name))
        .try_map(|name| Template::find(&name).ok_or("no such template"))
}
