//! Keysets in files: how they are found, read and written.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sivka_file::{Header, SealOptions};
use sivka_keyset::{Error, Keyset, MAX_LEN, ReadOptions};
use zeroize::Zeroizing;

use crate::args::{Form, KeysetFile};
use crate::exit::Exit;
use crate::failure::{Failure, note};
use crate::key_store::{others_can_read, write_secret_file};
use crate::keys::Secrets;
use crate::name::{is_standard, shown};
use crate::progress::Progress;
use crate::refusal::refused;

/// The most bytes that a sealed keyset has: a header and the tags of 64 chunks beside it.
const MAX_FILE_LEN: u64 = MAX_LEN as u64 + (64 << 10);

/// A keyset that was read from a file.
pub(crate) struct Found {
    pub(crate) keyset: Keyset,
    pub(crate) form: Form,
    /// What the file is sealed with.
    sealed: Option<(Header, Secrets)>,
}

/// Reads the keyset in a file, in whatever form it is.
pub(crate) fn read(args: &KeysetFile) -> Result<Found, Failure> {
    let path = &args.file;
    let bytes = read_file(path)?;
    let (form, header) = match Header::parse(&bytes) {
        Err(sivka_file::Error::NotSivka) if is_json(&bytes) => (Form::InsecureJson, None),
        Err(sivka_file::Error::NotSivka) => (Form::InsecureBinary, None),
        header => (Form::Sealed, Some(header)),
    };
    let Some(header) = header else {
        let keyset = parse(path, &bytes)?;
        if File::open(path).is_ok_and(|file| others_can_read(&file)) {
            let warning = "everybody can read these keys; chmod 600 keeps them to you";
            note(&format!("{}: {warning}", shown(path)));
        }
        let sealed = None;
        return Ok(Found {
            keyset,
            form,
            sealed,
        });
    };
    let progress = Progress::hidden();
    let voice = args.reporting.voice(&progress);
    let header = header.map_err(|error| Failure::file(path, path, &error))?;
    let mut secrets = Secrets::for_opening(&args.keys, path, voice)?;
    let options = args.limit.options();
    let opened = secrets.try_on(path, &progress, |keys| {
        // All of it at once: a buffer that grows leaves copies of keys behind.
        let mut text = Zeroizing::new(Vec::with_capacity(bytes.len()));
        sivka_file::open(&bytes[..], &mut *text, keys, &options, |_| {})?;
        Ok(text)
    })?;
    let text = opened.map_err(|error| refused(path, path, &bytes, &secrets, &error))?;
    Ok(Found {
        keyset: parse(path, &text)?,
        form,
        sealed: Some((header, secrets)),
    })
}

impl Found {
    /// Writes the keyset back into its file, in the same form and for the same keys.
    pub(crate) fn write_back(&self, path: &Path) -> Result<(), Failure> {
        let text = plain(path, &self.keyset, self.form)?;
        let Some((header, secrets)) = &self.sealed else {
            return write_secret_file(path, &text, true);
        };
        let locks = secrets.locks_of(header).ok_or_else(|| {
            let message = format!("{}: not every key that opens it was given", shown(path));
            let hint = "give each with --key, so that each opens the changed keyset too; \
                        `sivka slot remove` takes one away";
            Failure::new(Exit::Key, message).hint(hint)
        })?;
        let mut sealed = Vec::new();
        let options = SealOptions::default();
        sivka_file::seal(&text[..], &mut sealed, &locks, &options, |_| {})
            .map_err(|error| Failure::file(path, path, &error))?;
        write_secret_file(path, &sealed, true)
    }
}

/// Writes a keyset into a file, which is sealed with what was given for that.
pub(crate) fn write_new(
    path: &Path,
    keyset: &Keyset,
    form: Form,
    args: &KeysetFile,
    force: bool,
) -> Result<(), Failure> {
    let text = plain(path, keyset, form)?;
    if form != Form::Sealed {
        return write_secret_file(path, &text, force);
    }
    let progress = Progress::hidden();
    let voice = args.reporting.voice(&progress);
    let secrets = Secrets::for_sealing(&args.keys, voice)?;
    let mut sealed = Vec::new();
    let options = SealOptions::default();
    sivka_file::seal(&text[..], &mut sealed, &secrets.locks(), &options, |_| {})
        .map_err(|error| Failure::file(path, path, &error))?;
    write_secret_file(path, &sealed, force)
}

/// The keyset in the clear; what is sealed is its JSON.
fn plain(path: &Path, keyset: &Keyset, form: Form) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let text = match form {
        Form::InsecureBinary => keyset.to_insecure_binary(),
        Form::InsecureJson | Form::Sealed => {
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
    bytes.trim_ascii_start().first() == Some(&b'{')
}

/// All bytes of a file, of which a longer one than a keyset is not read.
fn read_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if is_standard(path) {
        let message = "keysets are read from files, not from standard input";
        return Err(Failure::new(Exit::Usage, message).hint("a file called - is ./-"));
    }
    let failed = |error| Failure::io(path, &error);
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_FILE_LEN as usize + 2));
    file.take(MAX_FILE_LEN + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    match bytes.len() as u64 > MAX_FILE_LEN {
        true => Err(Failure::new(
            Exit::Limit,
            format!("{}: longer than a keyset can be (1 MiB)", shown(path)),
        )),
        false => Ok(bytes),
    }
}

/// What the keyset crate found wrong with the keyset of `path`.
pub(crate) fn failure(path: &Path, error: &Error) -> Failure {
    let exit = match error {
        Error::Format { .. }
        | Error::LooksEncrypted
        | Error::LooksCleartext
        | Error::Keyset { .. } => Exit::Format,
        Error::Unsupported { .. } => Exit::Newer,
        Error::Misuse(_) => Exit::Usage,
        Error::Open => Exit::Key,
        _ => Exit::Internal,
    };
    let failure = Failure::new(exit, format!("{}: {error}", shown(path)));
    match error {
        Error::Format { .. } => {
            failure.hint("`sivka keyset` reads keysets that it sealed, and Tink's JSON and binary")
        }
        Error::LooksEncrypted => {
            failure.hint("who encrypted it for a key-management service decrypts it there")
        }
        _ => failure,
    }
}
