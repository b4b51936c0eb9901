//! Rust's part in the matrix of languages, over the crates' public interface.

use super::{hex, keysets, unhex};
use sivka::{Aead, Algorithm, BatchAad, BatchText, Error, Status};
use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, Suite, Unlock};
use std::fs::{self, File};
use std::mem;

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
        ["seal-batch", name, key, aad, ref messages @ ..] => {
            batch(&*key_of(name, &unhex(key)), &unhex(aad), messages, true)
        }
        ["open-batch", name, key, aad, ref messages @ ..] => {
            batch(&*key_of(name, &unhex(key)), &unhex(aad), messages, false)
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

fn batch(key: &dyn Aead, aad: &[u8], messages: &[&str], sealing: bool) -> String {
    let split = |message: &&str| {
        let (nonce, text) = message.split_once(':').unwrap();
        (unhex(nonce), unhex(text))
    };
    let (nonces, mut texts): (Vec<_>, Vec<_>) = messages.iter().map(split).unzip();
    let (nonces, tag_len) = (nonces.concat(), key.algorithm().tag_len());
    let tag_first = key.algorithm().tag_first();
    let mut tags = vec![0; texts.len() * tag_len];
    if !sealing {
        let tag = |text: &mut Vec<u8>| {
            if tag_first {
                let ciphertext = text.split_off(tag_len);
                mem::replace(text, ciphertext)
            } else {
                text.split_off(text.len() - tag_len)
            }
        };
        tags = texts.iter_mut().flat_map(tag).collect();
    }
    let mut statuses = vec![Status::Done; texts.len()];
    let mut in_out: Vec<&mut [u8]> = texts.iter_mut().map(Vec::as_mut_slice).collect();
    let (aad, in_out) = (BatchAad::Common(aad), BatchText::Slices(&mut in_out));
    if sealing {
        let sealed = key.seal_batch(&nonces, aad, in_out, &mut tags, &mut statuses);
        assert_eq!(sealed, Ok(()));
        let tags = tags.chunks_exact(tag_len);
        let tagged = texts.iter_mut().zip(tags);
        tagged.for_each(|(text, tag)| {
            let at = if tag_first { 0 } else { text.len() };
            text.splice(at..at, tag.iter().copied());
        });
    } else {
        let opened = key.open_batch(&nonces, aad, in_out, &tags, &mut statuses);
        let failed = statuses.iter().any(|status| *status != Status::Done);
        assert_eq!(opened.is_err(), failed, "{opened:?}");
    }
    let answers = texts.into_iter().zip(statuses);
    let answers = answers.map(|(text, status)| match status {
        Status::Done => hex(&text),
        Status::NotOpened => "forged".into(),
        other => panic!("{other:?}"),
    });
    answers.collect::<Vec<_>>().join(" ")
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
