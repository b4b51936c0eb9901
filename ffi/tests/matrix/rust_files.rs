//! Rust's part in the matrix of languages: sealed files.

use super::unhex;
use sivka_file::{
    Error, Identity, KeyFile, Lock, OpenOptions, Passphrase, Reader, SealOptions, Suite, Unlock,
    Writer,
};
use std::fs::{self, File};
use std::io;

/// Rust's answer to a line about files; `None` for one that is not known.
pub(super) fn answer(words: &[&str]) -> Option<String> {
    Some(match *words {
        ["seal-file", suite, "key-file", key, input, output] => {
            seal_file(suite, &Secret::read("key-file", key), input, output)
        }
        ["open-file", kind, secret, input, output] => {
            let answer = Secret::read(kind, secret).open(input, File::create_new(output).unwrap());
            // A package opens by path to a whole file or to none.
            if answer != "done" {
                fs::remove_file(output).unwrap();
            }
            answer
        }
        ["salvage-file", kind, secret, input, output] => {
            Secret::read(kind, secret).with(|unlock| salvage(unlock, input, output))
        }
        _ => return None,
    })
}

/// What opens a file.
enum Secret {
    Key(KeyFile),
    Passphrase(Passphrase),
    Identity(Identity),
}

impl Secret {
    fn read(kind: &str, word: &str) -> Self {
        match kind {
            "key-file" => Self::Key(KeyFile::parse(&fs::read_to_string(word).unwrap()).unwrap()),
            "key" => {
                let bytes = unhex(word).try_into().unwrap();
                Self::Key(KeyFile::from_bytes(&bytes, "vector").unwrap())
            }
            "passphrase" => {
                Self::Passphrase(Passphrase::new(String::from_utf8(unhex(word)).unwrap()))
            }
            "identity" => Self::Identity(word.parse().unwrap()),
            other => panic!("{other}: no secret"),
        }
    }

    fn with<T>(&self, work: impl FnOnce(&[Unlock<'_>]) -> T) -> T {
        match self {
            Self::Key(key) => work(&[Unlock::KeyFile(key)]),
            Self::Passphrase(passphrase) => work(&[Unlock::Passphrase(passphrase)]),
            Self::Identity(identity) => work(&[Unlock::Identity(identity)]),
        }
    }

    fn open(&self, input: &str, mut output: impl io::Write) -> String {
        let input = File::open(input).unwrap();
        let options = OpenOptions::default();
        let opened = self.with(|unlock| {
            let mut reader = Reader::new(input, unlock, &options)?;
            io::copy(&mut reader, &mut output).map_err(Error::from)
        });
        opened.map_or_else(|error| failure(&error), |_| "done".into())
    }
}

fn seal_file(suite: &str, key: &Secret, input: &str, output: &str) -> String {
    let Secret::Key(key) = key else { panic!("a key file") };
    let options = SealOptions { suite: Suite::from_name(suite).unwrap(), ..SealOptions::default() };
    let (mut input, output) = (File::open(input).unwrap(), File::create_new(output).unwrap());
    let mut writer = Writer::new(output, &[Lock::KeyFile(key)], &options).unwrap();
    io::copy(&mut input, &mut writer).unwrap();
    writer.finish().unwrap();
    "done".into()
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
        Err(error) => {
            fs::remove_file(output).unwrap();
            failure(&error)
        }
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
