//! Keysets in the matrix: each language reads, decrypts and opens what each other makes.

use super::{Language, forge, hex, painted, rust, unhex};
use sivka_keyset::{EncryptedKeyset, Error, Keyset, KeysetAead, Primitive, ReadOptions, Template};
use std::io::{self, Read as _, Write as _};

const TEMPLATES: [&str; 13] = [
    "AES256_GCM_SIV",
    "AES128_GCM_SIV",
    "AES256_SIV",
    "AES256_GCM",
    "AES128_GCM",
    "CHACHA20_POLY1305",
    "XCHACHA20_POLY1305",
    "XAES_256_GCM_192_BIT_NONCE",
    "XAES_256_GCM_160_BIT_NONCE",
    "AES256_GCM_SIV_RAW",
    "AES256_SIV_RAW",
    "AES256_GCM_HKDF_4KB",
    "AES128_CTR_HMAC_SHA256_4KB",
];
const TEXT_LENS: [usize; 4] = [0, 1, 16, 1025];
/// Of streams: several segments too.
const STREAM_LENS: [usize; 4] = [0, 1, 4096, 9001];

/// Each language makes keysets and rotates them; all others read them, agree on their binary
/// form, and open what was sealed before and after.
pub(super) fn keysets(languages: &mut [Language]) {
    let master = rust::answer("keyset-new AES256_GCM_SIV");
    for template in TEMPLATES {
        for maker in 0..languages.len() {
            let from = languages[maker].name.clone();
            let old = languages[maker].ask(&format!("keyset-new {template}"));
            let new = languages[maker].ask(&format!("keyset-rotate {template} {old}"));
            assert_eq!(read(&new).info().keys.len(), 2, "{from}: {template}");
            let encrypted = languages[maker].ask(&format!("keyset-encrypt {master} 61 {new}"));
            let binary = hex(&read(&new).to_insecure_binary().unwrap());
            for reader in &mut *languages {
                let who = format!("{from} to {}: {template}", reader.name);
                reader.answers(&format!("keyset-to-binary {new}"), &binary, &who);
                for line in [
                    format!("keyset-from-binary {binary}"),
                    format!("keyset-decrypt {master} 61 {encrypted}"),
                ] {
                    assert_eq!(read(&reader.ask(&line)), read(&new), "{who}: {line}");
                }
                let line = format!("keyset-decrypt {master} 62 {encrypted}");
                reader.answers(&line, "forged", &who);
            }
            for sealer in [maker, (maker + 1) % languages.len()] {
                messages(languages, sealer, [&old, &new], template);
            }
        }
    }
}

/// What one language seals under a keyset, before and after it was rotated, each other opens
/// under the newer one.
fn messages(languages: &mut [Language], sealer: usize, [old, new]: [&str; 2], template: &str) {
    let lens = match read(new).primitive() {
        Ok(Primitive::StreamingAead) => STREAM_LENS,
        _ => TEXT_LENS,
    };
    for (label, text_len) in lens.into_iter().enumerate() {
        let (aad, text) = (hex(&painted(label, 5)), hex(&painted(label + 10, text_len)));
        for keyset in [old, new] {
            let from = languages[sealer].name.clone();
            let sealed = languages[sealer].ask(&format!("keyset-seal {keyset} {aad} {text}"));
            for opener in &mut *languages {
                let (call, forged) = (format!("keyset-open {new} {aad}"), forge(&sealed));
                let who = format!("{from}: {template}");
                opener.answers(&format!("{call} {sealed}"), &text, &who);
                opener.answers(&format!("{call} {forged}"), "forged", &who);
            }
        }
    }
}

fn read(json: &str) -> Keyset {
    Keyset::from_insecure_json(&unhex(json), ReadOptions::default()).unwrap()
}

fn write(keyset: &Keyset) -> String {
    hex(keyset.to_insecure_json().unwrap().as_bytes())
}

/// Rust's answer to a line that begins with `keyset-`; `None` for one that is not known.
pub(super) fn answer(words: &[&str]) -> Option<String> {
    Some(match *words {
        ["keyset-new", name] => write(&Keyset::generate(template(name)).unwrap()),
        ["keyset-rotate", name, keyset] => {
            let mut keyset = read(keyset);
            keyset.rotate(template(name)).unwrap();
            write(&keyset)
        }
        ["keyset-to-binary", keyset] => hex(&read(keyset).to_insecure_binary().unwrap()),
        ["keyset-from-binary", binary] => {
            let keyset = Keyset::from_insecure_binary(&unhex(binary), ReadOptions::default());
            write(&keyset.unwrap())
        }
        ["keyset-encrypt", master, aad, keyset] => {
            let master = read(master).aead().unwrap();
            let encrypted = read(keyset).encrypt(&master, &unhex(aad)).unwrap();
            hex(encrypted.to_json().unwrap().as_bytes())
        }
        ["keyset-decrypt", master, aad, encrypted] => {
            let master = read(master).aead().unwrap();
            let encrypted = EncryptedKeyset::from_json(&unhex(encrypted), ReadOptions::default());
            let keyset = encrypted.unwrap().decrypt(&master, &unhex(aad));
            keyset.map_or_else(|error| forged(&error), |keyset| write(&keyset))
        }
        ["keyset-seal", keyset, aad, text] => {
            let (keyset, text, aad) = (read(keyset), unhex(text), unhex(aad));
            answer_of(match keyset.primitive().unwrap() {
                Primitive::StreamingAead => Ok(seal_stream(&keyset, &aad, &text).unwrap()),
                _ => aead_of(&keyset).seal(&text, &aad),
            })
        }
        ["keyset-open", keyset, aad, sealed] => {
            let (keyset, sealed, aad) = (read(keyset), unhex(sealed), unhex(aad));
            answer_of(match keyset.primitive().unwrap() {
                Primitive::StreamingAead => {
                    open_stream(&keyset, &aad, &sealed).map_err(|error| error.downcast().unwrap())
                }
                _ => aead_of(&keyset).open(&sealed, &aad),
            })
        }
        _ => return None,
    })
}

fn seal_stream(keyset: &Keyset, aad: &[u8], plaintext: &[u8]) -> io::Result<Vec<u8>> {
    let streams = keyset.streaming_aead().map_err(io::Error::other)?;
    let mut writer = streams.seal(Vec::new(), aad).map_err(io::Error::other)?;
    writer.write_all(plaintext)?;
    writer.finish()
}

fn open_stream(keyset: &Keyset, aad: &[u8], sealed: &[u8]) -> io::Result<Vec<u8>> {
    let streams = keyset.streaming_aead().map_err(io::Error::other)?;
    let mut plaintext = Vec::new();
    streams.open(sealed, aad).read_to_end(&mut plaintext)?;
    Ok(plaintext)
}

fn aead_of(keyset: &Keyset) -> KeysetAead {
    match keyset.primitive().unwrap() {
        Primitive::DeterministicAead => keyset.deterministic_aead().unwrap(),
        _ => keyset.aead().unwrap(),
    }
}

fn answer_of(made: Result<Vec<u8>, Error>) -> String {
    made.map_or_else(|error| forged(&error), |bytes| hex(&bytes))
}

fn forged(error: &Error) -> String {
    assert_eq!(*error, Error::Open);
    "forged".into()
}

fn template(name: &str) -> Template {
    Template::find(name).expect("a template")
}
