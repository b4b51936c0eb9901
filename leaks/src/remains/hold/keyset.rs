//! A keyset of Tink's, in the process that is looked at.

use super::{forget, pause};
use crate::remains::FILE;
use crate::remains::request::AAD;
use sivka::Aes256GcmSiv;
use sivka_keyset::{
    EncryptedKeyset, Error, KeyType, Keyset, OutputPrefix, Primitive, ReadOptions, Template,
};
use std::env;
use std::fs::File;

/// Takes a key into a keyset, writes and reads it in every form, and seals and opens with each
/// that was read. Who searches needs the messages, to know their nonces.
pub(super) fn keyset(name: &str, len: usize, key: &mut [u8], input: &mut File) {
    let key_type = match name {
        "AES-SIV-512" => KeyType::AesSiv,
        _ => KeyType::AesGcmSiv,
    };
    let imported = Keyset::from_key(key_type, key, OutputPrefix::Tink, None);
    forget(key);
    let messages = messages(imported.expect("a good key"), len).expect("a good keyset");
    std::fs::write(env::var_os(FILE).unwrap_or_default(), messages).expect("written");
    pause(input, "freed", None);
}

#[inline(never)]
fn messages(mut keyset: Keyset, len: usize) -> Result<Vec<u8>, Error> {
    // Behind the first key, which moves if they have no room.
    for _ in 0..4 {
        keyset.add(match keyset.primitive()? {
            Primitive::Aead => Template::AES256_GCM_SIV,
            _ => Template::AES256_SIV,
        })?;
    }
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
    let messages = read.iter().map(|keyset| message(keyset, &vec![0; len]));
    Ok(messages.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Seals a text with the primary key, and opens it.
fn message(keyset: &Keyset, text: &[u8]) -> Result<Vec<u8>, Error> {
    if keyset.primitive()? == Primitive::Aead {
        let key = keyset.aead()?;
        sealed(key.seal(text, AAD)?, text, |sealed, aad| {
            key.open(sealed, aad)
        })
    } else {
        let key = keyset.deterministic_aead()?;
        sealed(key.seal(text, AAD)?, text, |sealed, aad| {
            key.open(sealed, aad)
        })
    }
}

/// What was sealed, once it opens, and does not with other AAD.
fn sealed(
    sealed: Vec<u8>,
    text: &[u8],
    open: impl Fn(&[u8], &[u8]) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    let (opened, forged) = (open(&sealed, AAD)?, open(&sealed, b""));
    assert!(opened == text && forged == Err(Error::Open));
    Ok(sealed)
}
