//! `sivka keyset`: the command line of keysets.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use sivka_keyset::{OutputPrefix, Template};

use super::{KeyArgs, Limit, Reporting};

/// Make and rotate Tink keysets
///
/// A keyset holds the keys that programs with Tink, or with Sivka's libraries, seal values
/// with: one of them seals, the primary, and all that are enabled open. FILE is kept sealed,
/// as `seal` does it, unless another form is asked for; every change replaces it at once, in
/// the form that it has, readable by its owner only. Changes of one FILE take turns, and each
/// counts. Keys are never shown.
#[derive(Subcommand)]
pub(crate) enum Keyset {
    /// Make a keyset with one key, and print the key's id
    Create {
        #[command(flatten)]
        file: KeysetFile,

        #[command(flatten)]
        new: NewKeysetKey,

        /// How to keep the keyset
        #[arg(long, value_name = "FORM", default_value = "sealed")]
        form: Form,

        /// Replace FILE if it exists; what only the old keyset opens is then lost
        #[arg(short, long)]
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
    /// Wipe a key for good, and keep its id
    Destroy(KeyOfKeyset),
    /// Wipe a key for good, and its id
    Remove(KeyOfKeyset),
    /// Show ids, statuses and types of the keys, and never a key
    Show {
        #[command(flatten)]
        file: KeysetFile,
    },
    /// Write a keyset in another form
    ///
    /// Keys and passphrases open a FILE that is sealed, and otherwise seal what is written. So
    /// does --master with a FILE that is encrypted.
    Convert {
        #[command(flatten)]
        file: KeysetFile,

        /// How to write it
        #[arg(long, value_name = "FORM")]
        form: Form,

        /// Write to FILE
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: PathBuf,

        /// Replace the output if it exists
        #[arg(short, long)]
        force: bool,
    },
}

/// A file with a keyset, and what opens it if it is sealed.
#[derive(Args)]
pub(crate) struct KeysetFile {
    /// The file with the keyset
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) keys: KeyArgs,

    /// The keyset that FILE is encrypted under, as Tink does it; itself sealed or in the clear
    #[arg(long, value_name = "KEYSET", value_hint = ValueHint::FilePath)]
    pub(crate) master: Option<PathBuf>,

    /// The associated data that FILE is encrypted with; most have none
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) associated_data: String,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// What a new key of a keyset is like.
#[derive(Args)]
pub(crate) struct NewKeysetKey {
    /// What the key is like, by Tink's names [default: as the primary; AES256_GCM_SIV for the
    /// first key]
    #[arg(short, long, value_name = "TEMPLATE", ignore_case = true, value_parser = templates())]
    template: Option<Template>,

    /// Put no prefix before what the key seals: Tink's templates with _RAW after their names
    #[arg(long)]
    raw: bool,
}

/// One key of a keyset.
#[derive(Args)]
pub(crate) struct KeyOfKeyset {
    #[command(flatten)]
    pub(crate) file: KeysetFile,

    /// The key's id, as `show` shows it
    #[arg(value_name = "ID")]
    pub(crate) id: u32,
}

/// How a keyset is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Sealed with a key or passphrase, as any file
    Sealed,
    /// In the clear, as every Tink reads it: whoever reads the file has the keys
    InsecureJson,
    /// In the clear, in Tink's binary form
    InsecureBinary,
    /// Encrypted under the keyset of --master, as every Tink reads it; ids and types show
    EncryptedJson,
    /// Encrypted under the keyset of --master, in Tink's binary form
    EncryptedBinary,
}

impl Form {
    /// Whether it is kept under another keyset.
    pub(crate) fn is_encrypted(self) -> bool {
        matches!(self, Self::EncryptedJson | Self::EncryptedBinary)
    }
}

impl NewKeysetKey {
    /// The template of the first key.
    pub(crate) fn of_first(&self) -> Template {
        self.with_prefix(self.template.unwrap_or(Template::AES256_GCM_SIV))
    }

    /// The template of a key beside those that are there, `None` if none is named or known.
    pub(crate) fn of_next(&self, primary: Option<Template>) -> Option<Template> {
        Some(self.with_prefix(self.template.or(primary)?))
    }

    fn with_prefix(&self, template: Template) -> Template {
        match self.raw {
            true => template.with_output_prefix(OutputPrefix::Raw),
            false => template,
        }
    }
}

/// Templates by Tink's names.
fn templates() -> impl TypedValueParser<Value = Template> {
    PossibleValuesParser::new(Template::all().iter().map(|(name, _)| *name))
        .try_map(|name| Template::find(&name).ok_or("no such template"))
}
