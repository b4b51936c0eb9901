//! Rust's part in the matrix of languages, over the crates' public interface.

use super::{hex, keysets, unhex};
use sivka::{Aead, Algorithm, Error};
use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, Suite, Unlock};
use std::fs::{self, File};

/// The answer to one line.
pub(crate) fn answer(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["seal", name, key, nonce, aad, text] => {
            let (key, aad, text) = (key_of(name, &unhex(key)), unhex(aad), unhex(text));
            text_or_forged(match nonce {
                "auto" => key.seal(&text, &aad),
                nonce => key.seal_with_nonce(&unhex(nonce), &text, &aad),
            })
        }
        ["open", name, key, nonce, aad, sealed] => {
            let (key, aad, sealed) = (key_of(name, &unhex(key)), unhex(aad), unhex(sealed));
            text_or_forged(match nonce {
                "auto" => key.open(&sealed, &aad),
                nonce => key.open_with_nonce(&unhex(nonce), &sealed, &aad),
            })
        }
        ["seal-file", suite, key, input, output] => seal_file(suite, key, input, output),
        ["open-file", key, input, output] => open_file(key, input, output),
        _ => keysets::answer(&words).unwrap_or_else(|| panic!("{line}: no such command")),
    }
}

fn text_or_forged(answer: Result<Vec<u8>, Error>) -> String {
    match answer {
        Ok(text) => hex(&text),
        Err(Error::Open) => "forged".into(),
        Err(error) => panic!("{error}"),
    }
}

fn key_of(name: &str, key: &[u8]) -> Box<dyn Aead> {
    let algorithm = Algorithm::find(name).expect("an algorithm");
    algorithm.new_key(key).unwrap()
}

fn key_file(path: &str) -> KeyFile {
    KeyFile::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

fn seal_file(suite: &str, key: &str, input: &str, output: &str) -> String {
    let key = key_file(key);
    let options = SealOptions {
        suite: Suite::from_name(suite).unwrap(),
        ..SealOptions::default()
    };
    let (input, output) = (
        File::open(input).unwrap(),
        File::create_new(output).unwrap(),
    );
    sivka_file::seal(input, output, &[Lock::KeyFile(&key)], &options, |_| {}).unwrap();
    "done".into()
}

fn open_file(key: &str, input: &str, output: &str) -> String {
    let key = key_file(key);
    let (input, output) = (
        File::open(input).unwrap(),
        File::create_new(output).unwrap(),
    );
    let options = OpenOptions::default();
    match sivka_file::open(input, output, &[Unlock::KeyFile(&key)], &options, |_| {}) {
        Ok(_) => "done".into(),
        Err(_) => "forged".into(),
    }
}
