//! Making a key file.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::Path;

use serde::Serialize;
use sivka_file::{Error, Identity, KeyFile, Passphrase};
use zeroize::Zeroizing;

use super::keys::{KeyRecord, RecipientRecord};
use crate::args::Keygen;
use crate::exit::Exit;
use crate::failure::{Failure, note};
use crate::key_store::{others_can_read, read_new_passphrase, write_secret_file};
use crate::keys::refuse_target;
use crate::name::{is_standard, printable};
use crate::output::{print_secret, standard_output};
use crate::passphrase;
use crate::progress::Progress;
use crate::prompt;
use crate::protected_key::protect;
use crate::report::Report;

pub(crate) fn keygen(args: &Keygen) -> Result<(), Failure> {
    let report = args.reporting.report();
    if args.passphrase {
        return new_passphrase(args, report);
    }
    if args.recipient {
        return new_identity(args, report);
    }
    let stem = || {
        args.output
            .as_deref()
            .and_then(Path::file_stem)
            .and_then(OsStr::to_str)
    };
    let name = args.name.as_deref().or_else(stem).unwrap_or("unnamed");
    let key = KeyFile::generate(name).map_err(|error| match error {
        Error::BadKeyName(_) => {
            let failure = Failure::new(Exit::Usage, error.to_string());
            match args.name {
                None => failure.hint("the name was taken from FILE: give another one with --name"),
                Some(_) => failure,
            }
        }
        _ => Failure::new(Exit::Internal, error.to_string()),
    })?;
    put_key(args, report, key.to_text().as_bytes())?;
    let progress = Progress::hidden();
    let console = args.reporting.console(&progress);
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
    text.push_str("# public key: ");
    text.push_str(&recipient);
    text.push('\n');
    text.push_str(&secret);
    text.push('\n');
    put_key(args, report, text.as_bytes())?;
    match file(args) {
        Some(path) => {
            let line = format!("{recipient}\n");
            report.tell(Some(path), RecipientRecord { recipient }, || line)
        }
        None => Ok(()),
    }
}

#[derive(Serialize)]
struct PassphraseRecord {
    words: u8,
    entropy_bits: u32,
}

/// Makes a passphrase. Its entropy is said on standard error, where it is no part of it.
fn new_passphrase(args: &Keygen, report: Report) -> Result<(), Failure> {
    let mut passphrase = passphrase::generate(args.words)
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    passphrase.push('\n');
    put(args, report, passphrase.as_bytes())?;
    let (words, entropy_bits) = (args.words, passphrase::entropy_bits(args.words));
    note(&format!(
        "{words} words of 7776: {entropy_bits} bits of entropy"
    ));
    match file(args) {
        Some(path) => report.tell_json(
            path,
            0,
            PassphraseRecord {
                words,
                entropy_bits,
            },
        ),
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
