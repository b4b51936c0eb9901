//! Rust's part in the matrix of languages, over the crates' public interface.

use super::{hex, unhex};
use sivka::{
    Aes128GcmSiv, Aes256GcmSiv, BatchAad, BatchText, ChaCha20Blake2b, Error, KuznyechikMgm,
    LongTag, Status, Tag, TagLen, XChaCha20Blake2b, XChaCha20Blake2bSiv,
};
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
        ["seal-batch", name, key, aad, ref messages @ ..] => {
            batch(&*key_of(name, &unhex(key)), &unhex(aad), messages, true)
        }
        ["open-batch", name, key, aad, ref messages @ ..] => {
            batch(&*key_of(name, &unhex(key)), &unhex(aad), messages, false)
        }
        ["seal-file", suite, key, input, output] => seal_file(suite, key, input, output),
        ["open-file", key, input, output] => open_file(key, input, output),
        _ => panic!("{line}: no such command"),
    }
}

fn text_or_forged(answer: Answer) -> String {
    match answer {
        Ok(text) => hex(&text),
        Err(Error::Open) => "forged".into(),
        Err(error) => panic!("{error}"),
    }
}

fn batch(key: &dyn Key, aad: &[u8], messages: &[&str], sealing: bool) -> String {
    let split = |message: &&str| {
        let (nonce, text) = message.split_once(':').unwrap();
        (unhex(nonce), unhex(text))
    };
    let (nonces, texts): (Vec<_>, Vec<_>) = messages.iter().map(split).unzip();
    let answers = match sealing {
        true => key.seal_batch(&nonces, aad, texts),
        false => key.open_batch(&nonces, aad, texts),
    };
    let answers: Vec<String> = answers.into_iter().map(text_or_forged).collect();
    answers.join(" ")
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

/// A key of any algorithm. `sealed` is nonce, ciphertext and tag for level 1, and
/// ciphertext and tag otherwise.
trait Key {
    fn seal(&self, text: &[u8], aad: &[u8]) -> Answer;
    fn open(&self, sealed: &[u8], aad: &[u8]) -> Answer;
    fn seal_with_nonce(&self, nonce: &[u8], text: &[u8], aad: &[u8]) -> Answer;
    fn open_with_nonce(&self, nonce: &[u8], sealed: &[u8], aad: &[u8]) -> Answer;
    fn seal_batch(&self, nonces: &[Vec<u8>], aad: &[u8], texts: Vec<Vec<u8>>) -> Vec<Answer>;
    fn open_batch(&self, nonces: &[Vec<u8>], aad: &[u8], sealed: Vec<Vec<u8>>) -> Vec<Answer>;
}

type Answer = Result<Vec<u8>, Error>;

/// What depends on the algorithm: how a call is given a message's nonce, and a batch all
/// of its nonces; the names of the calls; how to make a tag; level 1.
macro_rules! key {
    ($key:ty {
        nonce: |$one:ident| ($($nonce:expr)?),
        nonces: |$all:ident| ($($nonces:expr)?),
        calls: $seal_with_nonce:ident, $open_with_nonce:ident,
        tag: |$key_of_tag:ident, $bytes:ident| $tag_len:expr, $tag:expr,
        level_1: |$this:ident, $text:ident, $aad:ident| $seal:expr, $open:expr,
    }) => {
        impl Key for $key {
            fn seal(&self, $text: &[u8], $aad: &[u8]) -> Answer {
                let $this = self;
                $seal
            }

            fn open(&self, $text: &[u8], $aad: &[u8]) -> Answer {
                let $this = self;
                $open
            }

            fn seal_with_nonce(&self, $one: &[u8], text: &[u8], aad: &[u8]) -> Answer {
                self.$seal_with_nonce($($nonce,)? text, aad)
            }

            fn open_with_nonce(&self, $one: &[u8], sealed: &[u8], aad: &[u8]) -> Answer {
                self.$open_with_nonce($($nonce,)? sealed, aad)
            }

            fn seal_batch(&self, $all: &[Vec<u8>], aad: &[u8], mut texts: Vec<Vec<u8>>) -> Vec<Answer> {
                let ($key_of_tag, no_tag) = (self, [0; 64]);
                let $bytes = &no_tag[..$tag_len];
                let mut tags = vec![$tag; texts.len()];
                let mut statuses = vec![Status::Done; texts.len()];
                let mut in_out: Vec<&mut [u8]> = texts.iter_mut().map(Vec::as_mut_slice).collect();
                let (aad, in_out) = (BatchAad::Common(aad), BatchText::Slices(&mut in_out));
                self.seal_batch($($nonces,)? aad, in_out, &mut tags, &mut statuses).unwrap();
                let tagged = texts.into_iter().zip(tags);
                tagged.map(|(text, tag)| Ok([&text, tag.as_ref()].concat())).collect()
            }

            fn open_batch(&self, $all: &[Vec<u8>], aad: &[u8], mut sealed: Vec<Vec<u8>>) -> Vec<Answer> {
                let $key_of_tag = self;
                let tags = sealed.iter_mut().map(|sealed| {
                    let $bytes = &sealed.split_off(sealed.len() - $tag_len)[..];
                    $tag
                });
                let tags: Vec<_> = tags.collect();
                let mut statuses = vec![Status::Done; tags.len()];
                let mut in_out: Vec<&mut [u8]> = sealed.iter_mut().map(Vec::as_mut_slice).collect();
                let (aad, in_out) = (BatchAad::Common(aad), BatchText::Slices(&mut in_out));
                let opened = self.open_batch($($nonces,)? aad, in_out, &tags, &mut statuses);
                assert!(matches!(opened, Ok(()) | Err(Error::Batch { .. })), "{opened:?}");
                let answers = sealed.into_iter().zip(statuses);
                let answers = answers.map(|(text, status)| match status {
                    Status::Done => Ok(text),
                    Status::NotOpened => Err(Error::Open),
                    other => panic!("{other:?}"),
                });
                answers.collect()
            }
        }
    };
}

/// A key with tags of 16 bytes and random nonces.
macro_rules! short_tag_key {
    ($key:ty) => {
        key!($key {
            nonce: |nonce| (nonce.try_into().unwrap()),
            nonces: |nonces| (&slab(nonces)),
            calls: seal_with_nonce, open_with_nonce,
            tag: |_key, bytes| Tag::LEN, Tag::from(<[u8; Tag::LEN]>::try_from(bytes).unwrap()),
            level_1: |key, text, aad| key.seal(text, aad), key.open(text, aad),
        });
    };
}

short_tag_key!(Aes128GcmSiv);
short_tag_key!(Aes256GcmSiv);
short_tag_key!(KuznyechikMgm);
key!(XChaCha20Blake2b {
    nonce: |nonce| (nonce.try_into().unwrap()),
    nonces: |nonces| (&slab(nonces)),
    calls: seal_with_nonce, open_with_nonce,
    tag: |key, bytes| key.tag_len().bytes(), LongTag::try_from(bytes).unwrap(),
    level_1: |key, text, aad| key.seal(text, aad), key.open(text, aad),
});
key!(ChaCha20Blake2b {
    nonce: |nonce| (nonce.try_into().unwrap()),
    nonces: |nonces| (&slab(nonces)),
    calls: seal_with_nonce, open_with_nonce,
    tag: |key, bytes| key.tag_len().bytes(), LongTag::try_from(bytes).unwrap(),
    level_1: |_key, _text, _aad| panic!("draws no nonces"), panic!("draws no nonces"),
});
key!(XChaCha20Blake2bSiv {
    nonce: |_nonce| (),
    nonces: |_nonces| (),
    calls: seal, open,
    tag: |key, bytes| key.tag_len().bytes(), LongTag::try_from(bytes).unwrap(),
    level_1: |key, text, aad| key.seal(text, aad), key.open(text, aad),
});

/// The nonces of a batch, one after another.
fn slab<const N: usize>(nonces: &[Vec<u8>]) -> Vec<[u8; N]> {
    let nonces = nonces
        .iter()
        .map(|nonce| nonce.as_slice().try_into().unwrap());
    nonces.collect()
}

fn key_of(name: &str, key: &[u8]) -> Box<dyn Key> {
    let (name, tag_len) = match name.rsplit_once("-Tag") {
        Some((name, "48")) => (name, TagLen::Bytes48),
        Some((name, "64")) => (name, TagLen::Bytes64),
        _ => (name, TagLen::Bytes32),
    };
    if name == "AES-128-GCM-SIV" {
        return Box::new(Aes128GcmSiv::new(key.try_into().unwrap()));
    }
    let key = key.try_into().unwrap();
    match name {
        "AES-256-GCM-SIV" => Box::new(Aes256GcmSiv::new(key)),
        "ChaCha20-BLAKE2b" => Box::new(ChaCha20Blake2b::with_tag_len(key, tag_len)),
        "XChaCha20-BLAKE2b" => Box::new(XChaCha20Blake2b::with_tag_len(key, tag_len)),
        "XChaCha20-BLAKE2b-SIV" => Box::new(XChaCha20Blake2bSiv::with_tag_len(key, tag_len)),
        "Kuznyechik-MGM" => Box::new(KuznyechikMgm::new(key)),
        _ => panic!("{name}: no such algorithm"),
    }
}
