//! A keyset of Tink's, in the process that is looked at.

use super::{forget, pause};
use crate::calls::keyset::{Ready, TYPES, streamed};
use crate::zeroization::FILE;
use crate::zeroization::request::{AAD, Act, STREAM_TEXT};
use sivka::Aes256GcmSiv;
use sivka_keyset::{
    EncryptedKeyset, Error, KeyType, Keyset, OutputPrefix, Primitive, ReadOptions, Template,
};
use std::env;
use std::fs::File;
use std::io::{Read, Write};

/// Takes a key into a keyset, writes and reads it in every form, and seals and opens with each
/// that was read; or has all of that fail. Who searches needs what was sealed, to know its
/// nonces.
pub(super) fn keyset(name: &str, act: Act, len: usize, key: &mut [u8], input: &mut File) {
    let key_type = type_of(name);
    let imported = Keyset::from_key(key_type, key, OutputPrefix::Tink, None);
    if act == Act::KeysetRefused {
        let short = Keyset::from_key(key_type, &key[1..], OutputPrefix::Tink, None);
        assert!(short.is_err());
    }
    forget(key);
    let imported = imported.expect("a good key");
    let sealed = match act {
        Act::Keyset => sealed_by_each(imported, len),
        _ => {
            let sealed = refused(&imported, len);
            drop(imported);
            sealed
        }
    };
    let written = sealed
        .expect("a good keyset")
        .into_iter()
        .flat_map(|sealed| {
            let len = (sealed.len() as u32).to_le_bytes();
            [&len[..], &sealed].concat()
        });
    let path = env::var_os(FILE).unwrap_or_default();
    std::fs::write(path, written.collect::<Vec<u8>>()).expect("written");
    pause(input, "freed", None);
}

/// Puts other keys after the first, which moves if they have no room.
fn add_others(keyset: &mut Keyset) -> Result<(), Error> {
    for _ in 0..4 {
        keyset.add(match keyset.primitive()? {
            Primitive::Aead => Template::AES256_GCM_SIV,
            Primitive::DeterministicAead => Template::AES256_SIV,
            _ => Template::AES256_GCM_HKDF_4KB,
        })?;
    }
    Ok(())
}

/// A keyset of such a key, in binary and in JSON, for who reads it in another language.
pub(in crate::zeroization) fn written(name: &str, key: &[u8]) -> Result<[Vec<u8>; 2], Error> {
    let mut keyset = Keyset::from_key(type_of(name), key, OutputPrefix::Tink, None)?;
    add_others(&mut keyset)?;
    let json = keyset.to_insecure_json()?.as_bytes().to_vec();
    Ok([keyset.to_insecure_binary()?.to_vec(), json])
}

fn type_of(name: &str) -> KeyType {
    let row = TYPES.iter().find(|(.., known)| *known == name);
    row.expect("a type of keys").0
}

#[inline(never)]
fn sealed_by_each(mut keyset: Keyset, len: usize) -> Result<Vec<Vec<u8>>, Error> {
    add_others(&mut keyset)?;
    let options = ReadOptions::default();
    let master = Aes256GcmSiv::new(&[7; 32]);
    let binary = keyset.to_insecure_binary()?;
    let json = keyset.to_insecure_json()?;
    let encrypted = keyset.encrypt(&master, AAD)?.to_json()?;
    let encrypted = EncryptedKeyset::from_json(encrypted.as_bytes(), options)?;
    let read = [
        Keyset::from_insecure_binary(&binary, options)?,
        Keyset::from_insecure_json(json.as_bytes(), options)?,
        encrypted.decrypt(&master, AAD)?,
        keyset,
    ];
    read.iter().map(|keyset| sealed(keyset, len)).collect()
}

/// What is cut off, forged or encrypted under another key is refused. JSON ends with a line end.
#[inline(never)]
fn refused(keyset: &Keyset, len: usize) -> Result<Vec<Vec<u8>>, Error> {
    let options = ReadOptions::default();
    let binary = keyset.to_insecure_binary()?;
    let cut_off = &binary[..binary.len() - 2];
    assert!(Keyset::from_insecure_binary(cut_off, options).is_err());
    let json = keyset.to_insecure_json()?;
    let cut_off = &json.as_bytes()[..json.len() - 2];
    assert!(Keyset::from_insecure_json(cut_off, options).is_err());
    let (master, other) = (Aes256GcmSiv::new(&[7; 32]), Aes256GcmSiv::new(&[8; 32]));
    let encrypted = keyset.encrypt(&master, AAD)?;
    assert!(encrypted.decrypt(&other, AAD).is_err());
    assert!(encrypted.decrypt(&master, b"").is_err());
    Ok(vec![sealed(keyset, len)?])
}

/// Seals a text with the primary key, and opens it, but not with other AAD, nor changed.
fn sealed(keyset: &Keyset, len: usize) -> Result<Vec<u8>, Error> {
    if keyset.primitive()? == Primitive::StreamingAead {
        return sealed_stream(keyset, len);
    }
    let (key, text) = (Ready::new(keyset)?, vec![0; len]);
    let sealed = key.seal(&text, AAD)?;
    assert!(key.open(&sealed, AAD)? == text);
    assert_eq!(key.open(&sealed, b""), Err(Error::Open));
    let mut changed = sealed.clone();
    *changed.last_mut().expect("a message has bytes") ^= 1;
    assert_eq!(key.open(&changed, AAD), Err(Error::Open));
    Ok(sealed)
}

/// Streams have buffers of their own: their text is looked for as well. Some are given up.
fn sealed_stream(keyset: &Keyset, len: usize) -> Result<Vec<u8>, Error> {
    let mut text = vec![0; len];
    let letters = STREAM_TEXT.iter().cycle();
    text.iter_mut()
        .zip(letters)
        .for_each(|(to, from)| *to = *from);
    let key = keyset.streaming_aead()?;
    let sealed = streamed(&key, &text, AAD)?;
    let mut given_up = key.seal(Vec::new(), AAD)?;
    given_up.write_all(&text).expect("memory takes all");
    drop(given_up);
    let opens = |sealed: &[u8], aad: &[u8]| {
        let mut opened = Vec::with_capacity(sealed.len());
        let read = key.open(sealed, aad).read_to_end(&mut opened);
        let opens = read.is_ok() && opened == text;
        forget(&mut opened);
        opens
    };
    assert!(opens(&sealed, AAD) && !opens(&sealed, b""));
    let mut changed = sealed.clone();
    *changed.last_mut().expect("a stream has bytes") ^= 1;
    assert!(!opens(&changed, AAD));
    let mut given_up = key.open(&sealed[..], AAD);
    given_up.read_exact(&mut [0; 4]).expect("a longer text");
    drop(given_up);
    forget(&mut text);
    Ok(sealed)
}
