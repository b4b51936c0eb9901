//! Rust's part in the matrix of languages, over the crates' public interface.

use super::{hex, keysets, rust_files, unhex};
use sivka::{Aead, Algorithm, Error};
use sivka_file::KeyFile;

/// The answer to one line.
pub(crate) fn answer(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words[0] {
        "seal" | "open" => message(&words).unwrap_or_else(|refused| refused),
        _ => keysets::answer(&words)
            .or_else(|| rust_files::answer(&words))
            .unwrap_or_else(|| panic!("{line}: no such command")),
    }
}

/// What one message becomes, or why not.
fn message(words: &[&str]) -> Result<String, String> {
    match *words {
        ["seal", form, name, key, nonce, aad, text, ref sizes @ ..] => {
            let (aad, mut text) = (unhex(aad), unhex(text));
            let key = key_of(name, key)?;
            Ok(text_or_forged(match form {
                "drawn" => key.seal(&text, &aad),
                "joined" => key.seal_with_nonce(&unhex(nonce), &text, &aad),
                _ => {
                    let mut tag = vec![0; tag_len_of(&*key, sizes)];
                    let sealed = key.seal_in_place(&unhex(nonce), &aad, &mut text, &mut tag);
                    sealed.map(|()| match key.algorithm().tag_first() {
                        true => [tag, text].concat(),
                        false => [text, tag].concat(),
                    })
                }
            }))
        }
        ["open", "in-place", name, key, nonce, aad, sealed, ref sizes @ ..] => {
            let mut sealed = unhex(sealed);
            let key = key_of(name, key)?;
            let tag_len = key.algorithm().tag_len();
            if key.algorithm().tag_first() {
                sealed.rotate_left(tag_len);
            }
            let mut tag = sealed.split_off(sealed.len() - tag_len);
            tag.resize(tag_len_of(&*key, sizes), 0);
            Ok(match key.open_in_place(&unhex(nonce), &unhex(aad), &mut sealed, &tag) {
                Err(Error::Open) => format!("forged {}", hex(&sealed)),
                opened => text_or_forged(opened.map(|()| sealed)),
            })
        }
        ["open", form, name, key, nonce, aad, sealed, ..] => {
            let (aad, sealed) = (unhex(aad), unhex(sealed));
            let key = key_of(name, key)?;
            Ok(text_or_forged(match form {
                "drawn" => key.open(&sealed, &aad),
                _ => key.open_with_nonce(&unhex(nonce), &sealed, &aad),
            }))
        }
        _ => panic!("{words:?}: no such form"),
    }
}

/// How long the tag by itself is to be.
fn tag_len_of(key: &dyn Aead, sizes: &[&str]) -> usize {
    sizes.last().map_or(key.algorithm().tag_len(), |len| len.parse().unwrap())
}

fn text_or_forged(answer: Result<Vec<u8>, Error>) -> String {
    match answer {
        Ok(text) => hex(&text),
        Err(Error::Open) => "forged".into(),
        Err(error) => format!("{error:?}: {error}"),
    }
}

fn key_of(name: &str, key: &str) -> Result<Box<dyn Aead>, String> {
    let algorithm = Algorithm::find(name).ok_or("no algorithm")?;
    match key.strip_prefix("column:") {
        Some(text) => {
            let key_file = KeyFile::parse(str::from_utf8(&unhex(text)).unwrap()).unwrap();
            Ok(key_file.column_key(algorithm).unwrap())
        }
        None => algorithm.new_key(&unhex(key)).map_err(|error| format!("{error:?}: {error}")),
    }
}
