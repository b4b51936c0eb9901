//! Making and changing keysets, which are kept in files.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::Serialize;
use sivka_file::{FileLock, Header, Lock};
use sivka_keyset::{Error, Keyset, KeysetInfo, MAX_LEN, Misuse, ReadOptions, Template};
use zeroize::Zeroizing;

use crate::args::{Form, KeyOfKeyset, Keyset as Command, KeysetFile, Recipients};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, note, refuse_standard};
use crate::in_memory;
use crate::key_store::{others_can_read, read_up_to, replace_secret_file, write_secret_file};
use crate::keys::{Secrets, refuse_target};
use crate::name::{is_same_file, printable, shown};
use crate::run::one;

/// The most bytes that a sealed keyset has: the header and the tags of 64 chunks beside it.
const MAX_FILE_LEN: u64 = MAX_LEN as u64 + (192 << 10);

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
    let report = file.reporting.report();
    one(Some(&file.file), report, || carry_out(command, file))
}

fn carry_out(command: &Command, file: &KeysetFile) -> Result<(), Failure> {
    let (path, report) = (&file.file, file.reporting.report());
    let failed = |error| failure(path, &error);
    let tell_id =
        |key_id: u32| report.tell(Some(path), IdRecord { key_id }, || format!("{key_id}\n"));
    match command {
        Command::Create { new, form, force, .. } => {
            refuse_output(file, path)?;
            let template = new.template(Some(Template::AES256_GCM_SIV));
            let template = template.ok_or_else(|| unknown_primary(path))?;
            let keyset = Keyset::generate(template).map_err(failed)?;
            let secrets = sealing(file, *form)?;
            let bytes = written(path, &keyset, *form, &locks(secrets.as_ref()))?;
            write_secret_file(path, &bytes, *force)?;
            tell_id(keyset.primary_key_id())
        }
        Command::Add { new, primary, .. } => {
            let id = change(file, |keyset| {
                let template = new.template(keyset.primary_template());
                let template = template.ok_or_else(|| unknown_primary(path))?;
                let added = match primary {
                    true => keyset.rotate(template),
                    false => keyset.add(template),
                };
                added.map_err(failed)
            })?;
            tell_id(id)
        }
        Command::Promote(key) => change_key(key, Keyset::promote),
        Command::Disable(key) => change_key(key, Keyset::disable),
        Command::Enable(key) => change_key(key, Keyset::enable),
        Command::Destroy(key) => change_key(key, Keyset::destroy),
        Command::Remove(key) => change_key(key, Keyset::remove),
        Command::Show { .. } => {
            let record = KeysetRecord::of(Loaded::read(file)?.keyset.info());
            report.tell(Some(path), &record, || record.words())
        }
        Command::Convert { form, output, force, .. } => {
            convert(file, *form, output, *force)?;
            report.tell_done(path)
        }
    }
}

fn change_key(
    key: &KeyOfKeyset,
    with: fn(&mut Keyset, u32) -> Result<(), Error>,
) -> Result<(), Failure> {
    let path = &key.file.file;
    change(&key.file, |keyset| with(keyset, key.id).map_err(|error| failure(path, &error)))?;
    key.file.reporting.report().tell_done(path)
}

/// Changes the keyset in a file under a lock, and replaces the file, in the same form and for the
/// same keys.
fn change<T>(
    args: &KeysetFile,
    change: impl FnOnce(&mut Keyset) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let path = &args.file;
    refuse_pipe(path)?;
    let (_lock, mut found) = Loaded::read(args)?.lock(args)?;
    let changed = change(&mut found.keyset)?;
    let locks = match &found.sealed {
        None => Vec::new(),
        Some((header, secrets)) => secrets.locks_of(header).ok_or_else(|| {
            let message = format!("{}: not every key that opens it was given", shown(path));
            let hint = "give each with --key, so that each opens the changed keyset too; \
                        `sivka slot remove` takes one away";
            Failure::new(Exit::Key, message).hint(hint)
        })?,
    };
    let bytes = written(path, &found.keyset, found.form, &locks)?;
    replace_secret_file(path, &bytes)?;
    Ok(changed)
}

/// Writes the keyset in a file in another form: to another file, or to its own.
fn convert(args: &KeysetFile, form: Form, output: &Path, force: bool) -> Result<(), Failure> {
    let path = &args.file;
    let is_same = is_same_file(path, output);
    refuse_output(args, output)?;
    match is_same {
        true => refuse_pipe(path)?,
        false => refuse_target(&[path], output)?,
    }
    let mut found = Loaded::read(args)?;
    if (found.form, form) == (Form::Sealed, Form::Sealed) {
        // Its other slots would be lost.
        let message = format!("{}: is sealed already", shown(path));
        let hint = "`sivka slot` adds and removes what opens it";
        return Err(Failure::new(Exit::Usage, message).hint(hint));
    }
    if is_same && (found.form == Form::Sealed) != (form == Form::Sealed) {
        let message = format!("{}: is the keyset itself, under another protection", shown(output));
        return Err(Failure::new(Exit::Exists, message).hint("name another file with -o"));
    }
    let secrets = sealing(args, form)?;
    let mut lock = None;
    if is_same && force {
        let (held, again) = found.lock(args)?;
        (lock, found) = (Some(held), again);
    }
    let bytes = written(path, &found.keyset, form, &locks(secrets.as_ref()))?;
    write_secret_file(output, &bytes, force)?;
    drop(lock);
    Ok(())
}

/// A keyset that was read from a file.
struct Loaded {
    keyset: Keyset,
    form: Form,
    /// The keys that open the file, if it is sealed.
    sealed: Option<(Header, Secrets)>,
    /// All that was in the file.
    bytes: Zeroizing<Vec<u8>>,
}

impl Loaded {
    /// Reads the keyset in a file, in whatever form it is.
    fn read(args: &KeysetFile) -> Result<Self, Failure> {
        Self::parse(args, read_file(&args.file)?, None)
    }

    /// The content of the file, read under its lock. The passphrase was asked for before the lock
    /// was taken, so the content may have changed meanwhile.
    fn lock(self, args: &KeysetFile) -> Result<(FileLock, Self), Failure> {
        let path = &args.file;
        let lock = FileLock::wait_for(path).map_err(|error| Failure::io(path, &error))?;
        let file = read_file(path)?;
        let found = match file.0 == self.bytes {
            true => self,
            false => Self::parse(args, file, self.sealed.map(|(_, secrets)| secrets))?,
        };
        Ok((lock, found))
    }

    fn parse(
        args: &KeysetFile,
        (bytes, others_can_read): (Zeroizing<Vec<u8>>, bool),
        secrets: Option<Secrets>,
    ) -> Result<Self, Failure> {
        let path = &args.file;
        let failed = |error| failure(path, &error);
        let header = match Header::parse(&bytes) {
            Err(sivka_file::Error::NotSivka) => {
                let (keyset, form) = cleartext(&bytes).map_err(failed)?;
                if others_can_read {
                    let warning = "everybody can read these keys; chmod 600 keeps them to you";
                    note(&format!("{}: {warning}", shown(path)));
                }
                return Ok(Self { keyset, form, sealed: None, bytes });
            }
            header => header.map_err(|error| Failure::file(path, path, &error))?,
        };
        let console = Console::new(args.reporting.verbose);
        let mut secrets = match secrets {
            Some(secrets) => secrets,
            None => Secrets::for_opening((&args.keys, &args.limit), path, &console)?,
        };
        let opened = secrets
            .try_on(path, &console, |keys| in_memory::open(&bytes, keys, &args.limit.options()))?;
        let text = opened.map_err(|error| secrets.refusal(path, Some(&header), &error))?;
        let (keyset, _) = cleartext(&text).map_err(failed)?;
        Ok(Self { keyset, form: Form::Sealed, sealed: Some((header, secrets)), bytes })
    }
}

/// All bytes of a file up to the longest keyset, and whether everybody may read the file.
fn read_file(path: &Path) -> Result<(Zeroizing<Vec<u8>>, bool), Failure> {
    refuse_standard(path, "keysets are read from files, not from standard input")?;
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    Ok((read_up_to(path, &file, MAX_FILE_LEN)?, others_can_read(&file)))
}

/// A keyset in the clear, in one of Tink's forms: no keyset in binary begins as JSON.
fn cleartext(bytes: &[u8]) -> Result<(Keyset, Form), Error> {
    let options = ReadOptions::default();
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match text.trim_ascii_start().first() {
        Some(b'{') => Ok((Keyset::from_insecure_json(bytes, options)?, Form::InsecureJson)),
        _ => Ok((Keyset::from_insecure_binary(bytes, options)?, Form::InsecureBinary)),
    }
}

/// The bytes of a keyset in a form. If that is sealed, they are JSON, sealed for `locks`.
fn written(
    path: &Path,
    keyset: &Keyset,
    form: Form,
    locks: &[Lock<'_>],
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let json = || {
        let text = keyset.to_insecure_json();
        text.map(|mut text| Zeroizing::new(std::mem::take(&mut *text).into_bytes()))
    };
    let text = match form {
        Form::InsecureBinary => keyset.to_insecure_binary(),
        Form::InsecureJson | Form::Sealed => json(),
    };
    let text = text.map_err(|error| failure(path, &error))?;
    match form {
        Form::Sealed => in_memory::seal(&text, locks)
            .map(Zeroizing::new)
            .map_err(|error| Failure::file(path, path, &error)),
        _ => Ok(text),
    }
}

/// The locks of a new file of this form. May ask for a passphrase.
fn sealing(args: &KeysetFile, form: Form) -> Result<Option<Secrets>, Failure> {
    let keys = (&args.keys, &args.limit);
    let console = Console::new(args.reporting.verbose);
    let secrets = || Secrets::for_sealing(keys, &Recipients::default(), &console);
    (form == Form::Sealed).then(secrets).transpose()
}

fn locks(secrets: Option<&Secrets>) -> Vec<Lock<'_>> {
    let console = Console::new(false);
    secrets.map_or_else(Vec::new, |secrets| secrets.locks(&console))
}

/// Fails if a keyset would go to standard output, or replace its own key.
fn refuse_output(args: &KeysetFile, output: &Path) -> Result<(), Failure> {
    let message = "keysets are written to files, not to standard output";
    refuse_standard(output, message)?;
    refuse_target(&args.keys.files(), output)
}

/// Fails if a file that is to be changed is none: a pipe is read once.
fn refuse_pipe(path: &Path) -> Result<(), Failure> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => {
            Err(Failure::io(path, &io::ErrorKind::NotSeekable.into()))
        }
        _ => Ok(()),
    }
}

/// The primary is not there to see what another key like it would be.
fn unknown_primary(path: &Path) -> Failure {
    let message = "a key-management service has the primary";
    Failure::new(Exit::Usage, format!("{}: {message}", shown(path)))
        .hint("--template names what the new key is like")
}

/// The failure for an error of the keyset crate, with the keyset of `path`.
fn failure(path: &Path, error: &Error) -> Failure {
    let exit = match error {
        Error::Format { .. }
        | Error::LooksEncrypted
        | Error::LooksCleartext
        | Error::Keyset { .. } => Exit::Format,
        Error::Unsupported { .. } => Exit::Newer,
        Error::Misuse(Misuse::TooLarge | Misuse::TooLong(_)) => Exit::Limit,
        Error::Misuse(_) => Exit::Usage,
        Error::Open => Exit::Key,
        _ => Exit::Internal,
    };
    let failure = Failure::new(exit, format!("{}: {error}", shown(path)));
    match error {
        Error::Format { .. } => {
            failure.hint("`sivka keyset` reads keysets that it sealed, and Tink's JSON and binary")
        }
        Error::LooksEncrypted => failure.hint("Sivka's libraries and Tink's decrypt it"),
        _ => failure,
    }
}

#[derive(Serialize)]
struct IdRecord {
    key_id: u32,
}

/// The report on a keyset, without keys.
#[derive(Serialize)]
struct KeysetRecord {
    primary_key_id: u32,
    keys: Vec<KeyRecord>,
}

#[derive(Serialize)]
struct KeyRecord {
    key_id: u32,
    status: &'static str,
    output_prefix: &'static str,
    #[serde(rename = "type")]
    type_url: String,
}

impl KeysetRecord {
    fn of(info: KeysetInfo) -> Self {
        let keys = info.keys.into_iter().map(|key| KeyRecord {
            key_id: key.id,
            status: key.status.name(),
            output_prefix: key.output_prefix.name(),
            type_url: key.type_url,
        });
        Self { primary_key_id: info.primary_key_id, keys: keys.collect() }
    }

    /// A line a key: id, status, prefix, the type's last part, and which is the primary.
    fn words(&self) -> String {
        let line = |key: &KeyRecord| {
            let kind = key.type_url.rsplit(['.', '/']).next();
            let kind = kind.filter(|kind| !kind.is_empty()).map_or("-".to_owned(), printable);
            let primary = match key.key_id == self.primary_key_id {
                true => "  primary",
                false => "",
            };
            let (id, status, prefix) = (key.key_id, key.status, key.output_prefix);
            format!("{id:<10}  {status:<9}  {prefix:<7}  {kind}{primary}\n")
        };
        self.keys.iter().map(line).collect()
    }
}
