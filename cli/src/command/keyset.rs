//! Making and changing keysets.

use std::path::Path;

use serde::Serialize;
use sivka_keyset::{KeyInfo, Keyset};

use crate::args::{KeyOfKeyset, Keyset as Command, KeysetFile};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keys::refuse_target;
use crate::keyset_file::{
    Writing, change, convert, failure, openers, read, refuse_standard_output, write_new,
};
use crate::name::{printable, shown};
use crate::report::Name;
use crate::run::one;

/// Carries out a `keyset` command.
pub(crate) fn keyset(command: &Command) -> Result<(), Exit> {
    let (Command::Create { file, .. }
    | Command::Add { file, .. }
    | Command::Promote(KeyOfKeyset { file, .. })
    | Command::Disable(KeyOfKeyset { file, .. })
    | Command::Enable(KeyOfKeyset { file, .. })
    | Command::Destroy(KeyOfKeyset { file, .. })
    | Command::Remove(KeyOfKeyset { file, .. })
    | Command::Show { file }
    | Command::Convert { file, .. }) = command;
    one(Some(&file.file), file.reporting.report(), || {
        carry_out(command, file)
    })
}

fn carry_out(command: &Command, file: &KeysetFile) -> Result<(), Failure> {
    let (path, report) = (&file.file, file.reporting.report());
    let failed = |error| failure(path, &error);
    match command {
        Command::Create {
            new, form, force, ..
        } => {
            refuse_standard_output(path)?;
            refuse_target(&openers(file), path)?;
            if file.master.is_some() && !form.is_encrypted() {
                let message = "--master encrypts a keyset, and this form is not encrypted";
                return Err(Failure::new(Exit::Usage, message)
                    .hint("--form encrypted-json is what every Tink reads"));
            }
            let keyset = Keyset::generate(new.of_first()).map_err(failed)?;
            write_new(path, &keyset, &Writing::of(file, *form)?, *force)?;
            tell_id(file, keyset.primary_key_id())
        }
        Command::Add { new, primary, .. } => {
            let id = change(file, |keyset| {
                let template = new.of_next(keyset.primary_template());
                let template = template.ok_or_else(|| unknown_primary(path))?;
                let added = match primary {
                    true => keyset.rotate(template),
                    false => keyset.add(template),
                };
                added.map_err(failed)
            })?;
            tell_id(file, id)
        }
        Command::Promote(key) => change_key(key, Keyset::promote),
        Command::Disable(key) => change_key(key, Keyset::disable),
        Command::Enable(key) => change_key(key, Keyset::enable),
        Command::Destroy(key) => change_key(key, Keyset::destroy),
        Command::Remove(key) => change_key(key, Keyset::remove),
        Command::Show { .. } => {
            let keyset = read(file)?.keyset;
            let record = KeysetRecord::of(&keyset);
            report.tell(Some(path), &record, || record.words())
        }
        Command::Convert {
            form,
            output,
            force,
            ..
        } => {
            let keyset = convert(file, *form, output, *force)?;
            let record = ConvertedRecord {
                output: Name {
                    field: "output",
                    path: output,
                },
                keyset: KeysetRecord::of(&keyset),
            };
            report.tell_json(path, 0, record)
        }
    }
}

/// The primary is not there to see what another key like it would be.
fn unknown_primary(path: &Path) -> Failure {
    let message = "a key-management service has the primary";
    Failure::new(Exit::Usage, format!("{}: {message}", shown(path)))
        .hint("say with --template what the new key is like")
}

fn change_key(
    key: &KeyOfKeyset,
    with: fn(&mut Keyset, u32) -> Result<(), sivka_keyset::Error>,
) -> Result<(), Failure> {
    change(&key.file, |keyset| {
        with(keyset, key.id).map_err(|error| failure(&key.file.file, &error))
    })?;
    let report = key.file.reporting.report();
    report.tell_json(&key.file.file, 0, IdRecord { key_id: key.id })
}

#[derive(Serialize)]
struct IdRecord {
    key_id: u32,
}

fn tell_id(file: &KeysetFile, key_id: u32) -> Result<(), Failure> {
    let path: &Path = &file.file;
    let report = file.reporting.report();
    report.tell(Some(path), IdRecord { key_id }, || format!("{key_id}\n"))
}

/// What is told of a keyset: never a key.
#[derive(Serialize)]
struct KeysetRecord {
    primary_key_id: u32,
    keys: Vec<KeyRecord>,
}

/// What is told of a keyset that was written in another form.
#[derive(Serialize)]
struct ConvertedRecord<'a> {
    #[serde(flatten)]
    output: Name<'a>,
    #[serde(flatten)]
    keyset: KeysetRecord,
}

#[derive(Serialize)]
struct KeyRecord {
    key_id: u32,
    status: &'static str,
    output_prefix: &'static str,
    #[serde(rename = "type")]
    type_url: String,
}

impl KeyRecord {
    fn of(key: KeyInfo) -> Self {
        Self {
            key_id: key.id,
            status: key.status.name(),
            output_prefix: key.output_prefix.name(),
            type_url: key.type_url,
        }
    }
}

impl KeysetRecord {
    fn of(keyset: &Keyset) -> Self {
        let info = keyset.info();
        Self {
            primary_key_id: info.primary_key_id,
            keys: info.keys.into_iter().map(KeyRecord::of).collect(),
        }
    }

    /// A line a key: id, status, prefix, the type's last part, and which is the primary.
    fn words(&self) -> String {
        let line = |key: &KeyRecord| {
            let kind = key.type_url.rsplit(['.', '/']).next().unwrap_or_default();
            let kind = if kind.is_empty() {
                "-".to_owned()
            } else {
                printable(kind)
            };
            let primary = match key.key_id == self.primary_key_id {
                true => "  primary",
                false => "",
            };
            let (status, prefix) = (key.status, key.output_prefix);
            format!(
                "{:<10}  {status:<9}  {prefix:<7}  {kind}{primary}\n",
                key.key_id
            )
        };
        self.keys.iter().map(line).collect()
    }
}
