//! Keysets in files: how they are found, read and written.

#[cfg(target_os = "linux")]
mod exchange;
mod reading;
mod replacing;

use std::path::Path;

use sivka_file::{Header, Lock, SealOptions, Turn};
use sivka_keyset::{EncryptedKeyset, Error, Keyset, KeysetAead, Misuse, ReadOptions};
use zeroize::Zeroizing;

use reading::{ReadFile, read_file, read_to_change};
use replacing::replace;

use crate::args::{Form, KeysetFile, Recipients};
use crate::exit::Exit;
use crate::failure::{Failure, locked, note, refuse_standard};
use crate::key_store::write_secret_file;
use crate::keys::{Secrets, refuse_target};
use crate::name::{is_same_file, shown};
use crate::open_failure::open_failure;
use crate::progress::Progress;

/// A keyset that was read from a file.
pub(crate) struct Found {
    pub(crate) keyset: Keyset,
    form: Form,
    under: Under,
    /// All that was in the file.
    bytes: Zeroizing<Vec<u8>>,
}

/// What the keyset in a file is kept under.
enum Under {
    Nothing,
    /// The file is sealed.
    Slots(Header, Box<Secrets>),
    Master(Master),
}

/// The keyset that others are encrypted under, ready for use.
struct Master {
    aead: KeysetAead,
    associated_data: Vec<u8>,
}

impl Master {
    /// Reads the one that was given, if one was: a keyset that is not itself encrypted.
    fn of(args: &KeysetFile) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.master else {
            return Ok(None);
        };
        let file = read_file(path)?;
        let aead = parse_file(args, path, file, None, None)?.keyset.aead();
        Ok(Some(Self {
            aead: aead.map_err(|error| failure(path, &error))?,
            associated_data: args.associated_data.as_bytes().to_vec(),
        }))
    }

    fn decrypt(&self, path: &Path, bytes: &[u8]) -> Result<Keyset, Error> {
        let options = ReadOptions::default();
        let encrypted = match is_json(bytes) {
            true => EncryptedKeyset::from_json(bytes, options)?,
            false => EncryptedKeyset::from_binary(bytes, options)?,
        };
        let keyset = encrypted.decrypt(&self.aead, &self.associated_data)?;
        if !encrypted.info_agrees_with(&keyset) {
            let warning = "what stands beside the encrypted keyset is not true of it";
            note(&format!("{}: {warning}", shown(path)));
        }
        Ok(keyset)
    }

    fn encrypt(
        &self,
        path: &Path,
        keyset: &Keyset,
        form: Form,
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let encrypted = keyset.encrypt(&self.aead, &self.associated_data);
        let written = encrypted.and_then(|encrypted| match form {
            Form::EncryptedBinary => encrypted.to_binary(),
            _ => encrypted.to_json().map(String::into_bytes),
        });
        written
            .map(Zeroizing::new)
            .map_err(|error| failure(path, &error))
    }
}

/// Reads the keyset in a file, in whatever form it is.
pub(crate) fn read(args: &KeysetFile) -> Result<Found, Failure> {
    found_by(args, read_file)
}

fn found_by(
    args: &KeysetFile,
    read: impl FnOnce(&Path) -> Result<ReadFile, Failure>,
) -> Result<Found, Failure> {
    let master = Master::of(args)?;
    parse_file(args, &args.file, read(&args.file)?, master, None)
}

/// Changes the keyset in a file while nobody else does, and puts the changed one in its place.
pub(crate) fn change<T>(
    args: &KeysetFile,
    change: impl FnOnce(&mut Keyset) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // Nobody has to wait while somebody is asked for a passphrase.
    let found = found_by(args, read_to_change)?;
    let (_turn, mut found) = found.in_turn(args)?;
    let changed = change(&mut found.keyset)?;
    found.write_back(&args.file)?;
    Ok(changed)
}

/// Reads the keyset that `bytes`, all of the file at `path`, are, with what was given for
/// that, or with `secrets` if there are any.
fn parse_file(
    args: &KeysetFile,
    path: &Path,
    file: ReadFile,
    master: Option<Master>,
    secrets: Option<Secrets>,
) -> Result<Found, Failure> {
    let bytes = &file.bytes;
    let (form, header) = match Header::parse(bytes) {
        Err(sivka_file::Error::NotSivka) if is_json(bytes) => (Form::InsecureJson, None),
        Err(sivka_file::Error::NotSivka) => (Form::InsecureBinary, None),
        header => (Form::Sealed, Some(header)),
    };
    let Some(header) = header else {
        return read_unsealed(path, file, form, master);
    };
    let progress = Progress::hidden();
    let console = args.reporting.console(&progress);
    let header = header.map_err(|error| Failure::file(path, path, &error))?;
    let mut secrets = match secrets {
        Some(secrets) => secrets,
        None => Secrets::for_opening((&args.keys, &args.limit), path, console)?,
    };
    let options = args.limit.options();
    let opened = secrets.try_on(path, &progress, |keys| {
        // All of it at once: a buffer that grows leaves copies of keys behind.
        let mut text = Zeroizing::new(Vec::with_capacity(bytes.len()));
        sivka_file::open(&bytes[..], &mut *text, keys, &options, |_| {})?;
        Ok(text)
    })?;
    let text = opened.map_err(|error| open_failure(path, path, bytes, &secrets, &error))?;
    Ok(Found {
        keyset: parse(path, &text)?,
        form,
        under: Under::Slots(header, Box::new(secrets)),
        bytes: file.bytes,
    })
}

/// Reads a keyset in one of Tink's forms; `form` says which if it is in the clear.
fn read_unsealed(
    path: &Path,
    file: ReadFile,
    form: Form,
    master: Option<Master>,
) -> Result<Found, Failure> {
    let bytes = file.bytes;
    let options = ReadOptions::default();
    let parsed = match form {
        Form::InsecureJson => Keyset::from_insecure_json(&bytes, options),
        _ => Keyset::from_insecure_binary(&bytes, options),
    };
    let (keyset, form, under) = match (parsed, master) {
        (Err(Error::LooksEncrypted), Some(master)) => {
            let form = match form {
                Form::InsecureJson => Form::EncryptedJson,
                _ => Form::EncryptedBinary,
            };
            (master.decrypt(path, &bytes), form, Under::Master(master))
        }
        (parsed, _) => (parsed, form, Under::Nothing),
    };
    let keyset = keyset.map_err(|error| failure(path, &error))?;
    let in_the_clear = matches!(under, Under::Nothing);
    if in_the_clear && file.others_can_read {
        let warning = "everybody can read these keys; chmod 600 keeps them to you";
        note(&format!("{}: {warning}", shown(path)));
    }
    Ok(Found {
        keyset,
        form,
        under,
        bytes,
    })
}

impl Found {
    /// What is sealed is not sealed again: its other slots would be lost.
    fn check_conversion(&self, path: &Path, form: Form) -> Result<(), Failure> {
        if (self.form, form) != (Form::Sealed, Form::Sealed) {
            return Ok(());
        }
        let message = format!("{}: is sealed already", shown(path));
        let hint = "`sivka slot` adds and removes what opens it";
        Err(Failure::new(Exit::Usage, message).hint(hint))
    }

    /// What is in the file when it is our turn to change it, and that turn.
    fn in_turn(self, args: &KeysetFile) -> Result<(Turn, Self), Failure> {
        let path = &args.file;
        let turn = wait_for(path)?;
        Ok((turn, self.brought_up_to_date(args)?))
    }

    /// What is in the file now, which somebody else may have changed meanwhile.
    fn brought_up_to_date(self, args: &KeysetFile) -> Result<Self, Failure> {
        let file = read_to_change(&args.file)?;
        if file.bytes == self.bytes {
            return Ok(self);
        }
        // It may have another form now.
        let (master, secrets) = match self.under {
            Under::Nothing => (Master::of(args)?, None),
            Under::Slots(_, secrets) => (Master::of(args)?, Some(*secrets)),
            Under::Master(master) => (Some(master), None),
        };
        parse_file(args, &args.file, file, master, secrets)
    }

    /// Writes the keyset back into its file, in the same form and for the same keys.
    fn write_back(&self, path: &Path) -> Result<(), Failure> {
        let bytes = match &self.under {
            Under::Master(master) => master.encrypt(path, &self.keyset, self.form)?,
            Under::Nothing => plain(path, &self.keyset, self.form)?,
            Under::Slots(header, secrets) => {
                let locks = secrets.locks_of(header).ok_or_else(|| {
                    let message = format!("{}: not every key that opens it was given", shown(path));
                    let hint = "give each with --key, so that each opens the changed keyset too; \
                                `sivka slot remove` takes one away";
                    Failure::new(Exit::Key, message).hint(hint)
                })?;
                sealed(path, &self.keyset, &locks)?
            }
        };
        replace(path, &self.bytes, &bytes)
    }
}

/// How a keyset is put into a file in some form, with what was given or asked for it.
pub(crate) struct Writing {
    form: Form,
    master: Option<Master>,
    secrets: Option<Secrets>,
}

impl Writing {
    /// Asks for what is missing.
    pub(crate) fn of(args: &KeysetFile, form: Form) -> Result<Self, Failure> {
        let (mut master, mut secrets) = (None, None);
        if form.is_encrypted() {
            master = Master::of(args)?;
            if master.is_none() {
                let message = "a keyset is encrypted under another: none was given";
                return Err(Failure::new(Exit::Usage, message)
                    .hint("name the file of that keyset with --master"));
            }
        } else if form == Form::Sealed {
            let progress = Progress::hidden();
            let console = args.reporting.console(&progress);
            secrets = Some(Secrets::for_sealing(
                (&args.keys, &args.limit),
                &Recipients::default(),
                console,
            )?);
        }
        Ok(Self {
            form,
            master,
            secrets,
        })
    }

    fn bytes(&self, path: &Path, keyset: &Keyset) -> Result<Zeroizing<Vec<u8>>, Failure> {
        match (&self.master, &self.secrets) {
            (Some(master), _) => master.encrypt(path, keyset, self.form),
            (None, Some(secrets)) => sealed(path, keyset, &secrets.locks()),
            (None, None) => plain(path, keyset, self.form),
        }
    }
}

/// The keyset in JSON, sealed for these locks.
fn sealed(path: &Path, keyset: &Keyset, locks: &[Lock<'_>]) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let (text, mut sealed) = (plain(path, keyset, Form::Sealed)?, Vec::new());
    sivka_file::seal(
        &text[..],
        &mut sealed,
        locks,
        &SealOptions::default(),
        |_| {},
    )
    .map_err(|error| Failure::file(path, path, &error))?;
    Ok(Zeroizing::new(sealed))
}

/// Fails if a keyset would go to standard output.
pub(crate) fn refuse_standard_output(path: &Path) -> Result<(), Failure> {
    refuse_standard(path, "keysets are written to files, not to standard output")
}

/// Writes a keyset into a file.
pub(crate) fn write_new(
    path: &Path,
    keyset: &Keyset,
    writing: &Writing,
    force: bool,
) -> Result<(), Failure> {
    write_in_turn(path, &writing.bytes(path, keyset)?, force)
}

/// Writes the keyset in a file in another form: to another file, or, while nobody else changes
/// it, to its own. Gives what was written.
pub(crate) fn convert(
    args: &KeysetFile,
    form: Form,
    output: &Path,
    force: bool,
) -> Result<Keyset, Failure> {
    let path = &args.file;
    refuse_standard_output(output)?;
    let is_in_place = force && is_same_file(path, output);
    let found = match is_in_place {
        true => found_by(args, read_to_change)?,
        false => read(args)?,
    };
    found.check_conversion(path, form)?;
    match is_same_file(path, output) {
        // Encrypted under itself, nobody would open it again.
        true => refuse_target(&openers(args), output)?,
        false => may_replace(args, output)?,
    }
    let writing = Writing::of(args, form)?;
    if !is_in_place {
        write_new(output, &found.keyset, &writing, force)?;
        return Ok(found.keyset);
    }
    let (_turn, found) = found.in_turn(args)?;
    found.check_conversion(path, form)?;
    let bytes = writing.bytes(path, &found.keyset)?;
    replace(output, &found.bytes, &bytes)?;
    Ok(found.keyset)
}

/// Writes a file for its owner only; one that it replaces is not half-way through a change.
fn write_in_turn(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    let replaces = force && path.is_file();
    let _turn = replaces.then(|| wait_for(path)).transpose()?;
    write_secret_file(path, bytes, force)
}

/// Waits until nobody else changes the file.
fn wait_for(path: &Path) -> Result<Turn, Failure> {
    let turn = Turn::wait_for(path, || note(&locked(path)));
    turn.map_err(|error| Failure::io(path, &error))
}

/// The keyset in the clear: in binary, or in JSON, which is what is sealed.
fn plain(path: &Path, keyset: &Keyset, form: Form) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let text = match form {
        Form::InsecureBinary => keyset.to_insecure_binary(),
        _ => {
            let text = keyset.to_insecure_json();
            text.map(|mut text| Zeroizing::new(std::mem::take(&mut *text).into_bytes()))
        }
    };
    text.map_err(|error| failure(path, &error))
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Keyset, Failure> {
    let options = ReadOptions::default();
    let keyset = match is_json(bytes) {
        true => Keyset::from_insecure_json(bytes, options),
        false => Keyset::from_insecure_binary(bytes, options),
    };
    keyset.map_err(|error| failure(path, &error))
}

/// Whether bytes can only be JSON: no keyset in binary begins so.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.trim_ascii_start().first() == Some(&b'{')
}

/// Fails if a result at `target` would replace the keyset, the one that it is encrypted under, or
/// what opens either.
fn may_replace(args: &KeysetFile, target: &Path) -> Result<(), Failure> {
    let mut own = openers(args);
    own.push(&args.file);
    refuse_target(&own, target)
}

/// The files with what opens the keyset.
pub(crate) fn openers(args: &KeysetFile) -> Vec<&Path> {
    args.keys.files().chain(args.master.as_deref()).collect()
}

/// What the keyset crate found wrong with the keyset of `path`.
pub(crate) fn failure(path: &Path, error: &Error) -> Failure {
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
        Error::LooksEncrypted => failure.hint(
            "--master names the keyset that it is encrypted under; \
                 who encrypted it for a key-management service decrypts it there",
        ),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    // What an editor, or a copy of a backup, had put there was lost.
    #[test]
    fn what_others_change_without_a_turn_is_kept() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("keyset");
        let keyset = Keyset::generate(sivka_keyset::Template::AES256_GCM_SIV).expect("keys");
        let bytes = plain(&path, &keyset, Form::InsecureJson).expect("text");
        fs::write(&path, &bytes).expect("written");
        let found = Found {
            keyset,
            form: Form::InsecureJson,
            under: Under::Nothing,
            bytes,
        };
        found.write_back(&path).expect("nobody was there");
        fs::write(&path, "another").expect("written");
        let failure = found.write_back(&path).expect_err("changed");
        assert_eq!(failure.exit as u8, 3);
        assert_eq!(fs::read(&path).expect("there"), b"another");
    }
}
