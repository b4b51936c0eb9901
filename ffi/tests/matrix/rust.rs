//! Rust's part in the matrix of languages, over the crates' public interface.

use super::{hex, keysets, rust_files, unhex};
use sivka::{Aead, Algorithm, Error};
use sivka_file::KeyFile;

/// The answer to one line.
pub(crate) fn answer(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["seal", form, name, key, nonce, aad, text] => {
            let (key, aad, mut text) = (key_of(name, key), unhex(aad), unhex(text));
            text_or_forged(match form {
                "drawn" => key.seal(&text, &aad),
                "joined" => key.seal_with_nonce(&unhex(nonce), &text, &aad),
                _ => {
                    let mut tag = vec![0; key.algorithm().tag_len()];
                    let sealed = key.seal_in_place(&unhex(nonce), &aad, &mut text, &mut tag);
                    sealed.map(|()| match key.algorithm().tag_first() {
                        true => [tag, text].concat(),
                        false => [text, tag].concat(),
                    })
                }
            })
        }
        ["open", "in-place", name, key, nonce, aad, sealed] => {
            let (key, mut sealed) = (key_of(name, key), unhex(sealed));
            let tag_len = key.algorithm().tag_len();
            let (text, tag) = match key.algorithm().tag_first() {
                true => {
                    let (tag, text) = sealed.split_at_mut(tag_len);
                    (text, tag)
                }
                false => {
                    let text_len = sealed.len() - tag_len;
                    sealed.split_at_mut(text_len)
                }
            };
            match key.open_in_place(&unhex(nonce), &unhex(aad), text, tag) {
                Ok(()) => hex(text),
                Err(Error::Open) => format!("forged {}", hex(text)),
                Err(error) => panic!("{error}"),
            }
        }
        ["open", form, name, key, nonce, aad, sealed] => {
            let (key, aad, sealed) = (key_of(name, key), unhex(aad), unhex(sealed));
            text_or_forged(match form {
                "drawn" => key.open(&sealed, &aad),
                _ => key.open_with_nonce(&unhex(nonce), &sealed, &aad),
            })
        }
        _ => keysets::answer(&words)
            .or_else(|| rust_files::answer(&words))
            .unwrap_or_else(|| panic!("{line}: no such command")),
    }
}

fn text_or_forged(answer: Result<Vec<u8>, Error>) -> String {
    match answer {
        Ok(text) => hex(&text),
        Err(Error::Open) => "forged".into(),
        Err(error) => panic!("{error}"),
    }
}

fn key_of(name: &str, key: &str) -> Box<dyn Aead> {
    let algorithm = Algorithm::find(name).expect("an algorithm");
    match key.strip_prefix("column:") {
        Some(text) => {
            let key_file = KeyFile::parse(str::from_utf8(&unhex(text)).unwrap()).unwrap();
            key_file.column_key(algorithm).unwrap()
        }
        None => algorithm.new_key(&unhex(key)).unwrap(),
    }
}
