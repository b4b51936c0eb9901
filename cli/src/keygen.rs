//! Making and listing key files.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::Path;

use serde::Serialize;
use sivka_file::{Error, Identity, KeyFile, Passphrase};
use zeroize::Zeroizing;

use crate::args::{KeyList, Keygen};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, note};
use crate::key_store::{
    OwnKey, default_key_path, others_can_read, protect, read_key, read_new_passphrase,
    stays_closed, stored_keys, write_secret_file,
};
use crate::keys::refuse_target;
use crate::name::{is_standard, printable, shown};
use crate::output::{print_secret, standard_output};
use crate::passphrase;
use crate::prompt;
use crate::report::Report;
use crate::run::{each, once};

/// The report on a key, without the key itself.
#[derive(Serialize)]
pub(crate) struct KeyRecord<'a> {
    key_id: String,
    name: &'a str,
}

impl<'a> KeyRecord<'a> {
    pub(crate) fn of(key: &'a KeyFile) -> Self {
        Self { key_id: key.id().to_string(), name: key.name() }
    }
}

/// The report on an identity.
#[derive(Serialize)]
struct RecipientRecord {
    recipient: String,
}

/// The report on a protected key.
#[derive(Serialize)]
struct ProtectedRecord {
    protected: bool,
}

pub(crate) fn keygen(args: &Keygen) -> Result<(), Failure> {
    let report = args.reporting.report();
    if let Some(words) = args.words {
        return new_passphrase(args, words, report);
    }
    if args.identity {
        return new_identity(args, report);
    }
    let stem = args.output.as_deref().and_then(Path::file_stem).and_then(OsStr::to_str);
    let name = args.name.as_deref().or(stem).unwrap_or("unnamed");
    let key = KeyFile::generate(name).map_err(|error| match error {
        Error::BadKeyName(_) if args.name.is_none() => Failure::new(Exit::Usage, error.to_string())
            .hint("the name was taken from FILE: give another one with --name"),
        Error::BadKeyName(_) => Failure::new(Exit::Usage, error.to_string()),
        _ => Failure::new(Exit::Internal, error.to_string()),
    })?;
    put_key(args, report, key.to_text().as_bytes())?;
    let console = Console::new(args.reporting.verbose);
    console.detail(|| format!("made the key {}, id {}", printable(key.name()), key.id()));
    match file(args) {
        Some(path) => report.tell_json(path, 0, KeyRecord::of(&key)),
        None => Ok(()),
    }
}

/// Makes an identity, in a file as age's, which has the public key as a comment.
fn new_identity(args: &Keygen, report: Report) -> Result<(), Failure> {
    let made = match args.x25519 {
        true => Identity::generate_x25519(),
        false => Identity::generate(),
    };
    let made = made.map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    let (recipient, secret) = (made.recipient().to_string(), made.to_text());
    let mut text = Zeroizing::new(String::with_capacity(recipient.len() + secret.len() + 32));
    for part in ["# public key: ", &recipient, "\n", &secret, "\n"] {
        text.push_str(part);
    }
    put_key(args, report, text.as_bytes())?;
    match file(args) {
        Some(path) => {
            let line = format!("{recipient}\n");
            report.tell(Some(path), RecipientRecord { recipient }, || line)
        }
        None => Ok(()),
    }
}

/// Makes a passphrase. Its entropy is printed on standard error, where it is no part of it.
fn new_passphrase(args: &Keygen, words: u8, report: Report) -> Result<(), Failure> {
    let mut passphrase = passphrase::generate(words)
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    passphrase.push('\n');
    put(args, report, passphrase.as_bytes())?;
    let entropy_bits = passphrase::entropy_bits(words);
    note(&format!("{words} words of 7776: {entropy_bits} bits of entropy"));
    match file(args) {
        Some(path) => report.tell_done(path),
        None => Ok(()),
    }
}

/// The file that the secret goes to.
fn file(args: &Keygen) -> Option<&Path> {
    args.output.as_deref().filter(|path| !is_standard(path))
}

/// Writes a key where it was asked for, protected if that was asked for too.
fn put_key(args: &Keygen, report: Report, key: &[u8]) -> Result<(), Failure> {
    let passphrase = match &args.protect_with {
        Some(path) => {
            if let Some(target) = file(args) {
                refuse_target(&[path], target)?;
            }
            read_new_passphrase(path)?
        }
        None if args.protect => prompt::new_passphrase()?,
        None => return put(args, report, key),
    };
    let protected = protect(key, &Passphrase::new(passphrase.to_string()))?;
    if file(args).is_none() && io::stdout().is_terminal() {
        let message = "sealed bytes would garble the terminal";
        return Err(Failure::new(Exit::Usage, message).hint("name a file with -o"));
    }
    put(args, report, &protected)
}

/// Writes a secret where it was asked for.
fn put(args: &Keygen, report: Report, secret: &[u8]) -> Result<(), Failure> {
    if let Some(path) = file(args) {
        let written = write_secret_file(path, secret, args.force);
        return written.map_err(|failure| match failure.exit {
            Exit::Exists => failure.hint(
                "name another target with -o; with --force, what only the old key opens is lost",
            ),
            _ => failure,
        });
    }
    report.may_share(true)?;
    print_secret(secret)?;
    if standard_output().is_ok_and(|file| others_can_read(&file)) {
        note("everybody can read the file that the key was written to; chmod 600 keeps it to you");
    }
    Ok(())
}

/// Lists every key file in the folder of the default key: id, name and place.
pub(crate) fn keys(args: &KeyList) -> Result<(), Exit> {
    let (report, console) = (args.reporting.report(), Console::new(args.reporting.verbose));
    let default = once(default_key_path)?;
    if let Some(folder) = default.parent() {
        console.detail(|| format!("looking for keys in {}", shown(folder)));
    }
    let files = once(|| stored_keys(&default))?;
    each(&files, &console, report, |path| {
        let mut is_protected = false;
        let key = read_key(path, |path: &Path, sealed: &[u8]| {
            is_protected = true;
            stays_closed(path, sealed)
        });
        if is_protected {
            let line = || format!("protected with a passphrase  {}\n", shown(path));
            return report.tell(Some(path), ProtectedRecord { protected: true }, line);
        }
        match key? {
            OwnKey::KeyFile(key) => report.tell(Some(path), KeyRecord::of(&key), || {
                format!("{}  {}  {}\n", key.id(), printable(key.name()), shown(path))
            }),
            OwnKey::Identities(identities) => identities.iter().try_for_each(|own| {
                let recipient = own.recipient().to_string();
                let line = format!("{recipient}  {}\n", shown(path));
                report.tell(Some(path), RecipientRecord { recipient }, || line)
            }),
        }
    })
}
