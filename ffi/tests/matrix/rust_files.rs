//! Rust's part in the matrix of languages: sealed files.

use super::unhex;
use sivka_file::{
    Error, KeyFile, Lock, OpenOptions, Passphrase, Reader, SealOptions, Suite, Unlock, Writer,
};
use std::fs::{self, File};
use std::io;

/// Rust's answer to a line about files; `None` for one that is not known.
pub(super) fn answer(words: &[&str]) -> Option<String> {
    Some(match *words {
        ["seal-file", suite, "key-file", key, input, output] => {
            seal_file(suite, &key_file(key), input, output)
        }
        ["open-file", kind, secret, input, output] => {
            with_secret(kind, secret, |unlock| open(unlock, input, output))
        }
        ["salvage-file", kind, secret, input, output] => {
            with_secret(kind, secret, |unlock| salvage(unlock, input, output))
        }
        _ => return None,
    })
}

/// Works with what opens a file.
fn with_secret<T>(kind: &str, word: &str, work: impl FnOnce(&[Unlock<'_>]) -> T) -> T {
    match kind {
        "key-file" => work(&[Unlock::KeyFile(&key_file(word))]),
        "key" => {
            let bytes = unhex(word).try_into().unwrap();
            work(&[Unlock::KeyFile(&KeyFile::from_bytes(&bytes, "vector").unwrap())])
        }
        "passphrase" => {
            let words = String::from_utf8(unhex(word)).unwrap();
            work(&[Unlock::Passphrase(&Passphrase::new(words))])
        }
        "identity" => work(&[Unlock::Identity(&word.parse().unwrap())]),
        other => panic!("{other}: no secret"),
    }
}

fn key_file(path: &str) -> KeyFile {
    KeyFile::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

fn open(unlock: &[Unlock<'_>], input: &str, output: &str) -> String {
    let (input, mut written) = (File::open(input).unwrap(), File::create_new(output).unwrap());
    let opened = Reader::new(input, unlock, &OpenOptions::default())
        .and_then(|mut reader| io::copy(&mut reader, &mut written).map_err(Error::from));
    opened.map_or_else(|error| refused(&error, output), |_| "done".into())
}

fn seal_file(suite: &str, key: &KeyFile, input: &str, output: &str) -> String {
    let options = SealOptions { suite: Suite::from_name(suite).unwrap(), ..SealOptions::default() };
    let (mut input, output) = (File::open(input).unwrap(), File::create_new(output).unwrap());
    let mut writer = Writer::new(output, &[Lock::KeyFile(key)], &options).unwrap();
    io::copy(&mut input, &mut writer).unwrap();
    writer.finish().unwrap();
    "done".into()
}

/// A package opens by path to a whole file or to none.
fn refused(error: &Error, output: &str) -> String {
    fs::remove_file(output).unwrap();
    failure(error)
}

fn salvage(unlock: &[Unlock<'_>], input: &str, output: &str) -> String {
    let (input, written) = (File::open(input).unwrap(), File::create_new(output).unwrap());
    let options = OpenOptions::default();
    match sivka_file::salvage(input, written, unlock, &options, |_| {}, |_| {}) {
        Ok(found) => {
            let refusal = found.open_error().map_or("done".into(), failure);
            let whole = if found.content_is_whole() { "whole" } else { "part" };
            format!("{refusal} {} {} {whole}", found.intact_len, found.lost_len)
        }
        Err(error) => refused(&error, output),
    }
}

fn failure(error: &Error) -> String {
    let kind = match error {
        Error::NotSivka => "not-sivka",
        Error::UnknownVersion { .. }
        | Error::UnknownSuite { .. }
        | Error::UnknownSlot { .. }
        | Error::UnknownKind { .. } => "newer",
        Error::HeaderDamaged | Error::PayloadMismatch | Error::Damaged { .. } => "damaged",
        Error::Truncated { .. } => "truncated",
        Error::NoSlotOpens => "wrong-key",
        Error::CostTooHigh { .. } => "cost-limit",
        error => panic!("{error}"),
    };
    kind.into()
}
