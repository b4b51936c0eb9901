//! Encrypted keysets, and how they are told from others.

use super::read;
use crate::differences::{GOOD, keyset};
use crate::messages::{self, Kek, bytes};
use sivka_keyset::{EncryptedKeyset, Error, ReadOptions};

#[test]
fn the_two_kinds_of_keysets_are_told_apart() {
    let keyset = read(&keyset("7", &[GOOD])).unwrap();
    let text = keyset.to_insecure_json().unwrap();
    let bytes = keyset.to_insecure_binary().unwrap();
    let options = ReadOptions::default();
    let refused = EncryptedKeyset::from_json(text.as_bytes(), options);
    assert_eq!(refused, Err(Error::LooksCleartext));
    let refused = EncryptedKeyset::from_binary(&bytes, options);
    assert_eq!(refused, Err(Error::LooksCleartext));
    let master = sivka::Aes256GcmSiv::new(&[1; 32]);
    for _ in 0..200 {
        let encrypted = keyset.encrypt(&master, b"").unwrap();
        let (text, bytes) = (encrypted.to_json().unwrap(), encrypted.to_binary().unwrap());
        assert_eq!(read(&text), Err(Error::LooksEncrypted));
        assert_eq!(messages::read(&bytes), Err(Error::LooksEncrypted));
        assert!(EncryptedKeyset::from_binary(&bytes, options).is_ok());
    }
}

/// Services say in fields of their own which of their keys it was, and any ciphertext may by
/// chance read as a key.
#[test]
fn an_encrypted_keyset_may_look_like_a_key() {
    let options = ReadOptions::default();
    let keyset = read(&keyset("7", &[GOOD])).unwrap();
    // A type URL and a value, a status, and both with an output prefix that no key has.
    for before in [
        &b"\x0a\x05\x0a\x03url"[..],
        b"\x0a\x05\x12\x03key",
        b"\x10\x01",
        b"\x0a\x05\x0a\x03url\x10\x01\x20\x09",
        b"\x0a\x07\x0a\x03\xff\xfe\xfd\x18\x01\x10\x01\x20\x01",
    ] {
        let key = sivka::Aes256GcmSiv::new(&[1; 32]);
        let master = Kek(
            |keyset: &[u8], aad: &[u8]| {
                let sealed = key.seal(keyset, aad).unwrap();
                [before, &bytes(9, &sealed)].concat()
            },
            |encrypted: &[u8], aad: &[u8]| Ok(key.open(&encrypted[before.len() + 2..], aad)?),
        );
        let binary = keyset.encrypt(&master, b"").unwrap().to_binary().unwrap();
        let encrypted = EncryptedKeyset::from_binary(&binary, options);
        assert_eq!(encrypted.unwrap().decrypt(&master, b"").unwrap(), keyset);
        let refused = messages::read(&binary);
        assert_eq!(refused, Err(Error::LooksEncrypted), "{before:?}");
    }
}

#[test]
fn encrypted_keysets_are_refused_with_a_place() {
    let options = ReadOptions::default();
    for (text, said) in [
        ("{}", "a member is missing, at byte 0"),
        (r#"{"encryptedKeyset":""}"#, "empty, at byte 19"),
        (r#"{"encryptedKeyset":"%"}"#, "not Base64, at byte 19"),
    ] {
        let refused = EncryptedKeyset::from_json(text.as_bytes(), options).unwrap_err();
        let said = format!("not a keyset as asked for: {said} (encryptedKeyset)");
        assert_eq!(refused.to_string(), said);
    }
    for bytes in [&b""[..], b"\x12\x00", b"\x0a\x01a", b"\x12\x05abc"] {
        let refused = EncryptedKeyset::from_binary(bytes, options);
        assert!(matches!(refused, Err(Error::Format { .. })), "{bytes:?}");
    }
    // What opens and is no keyset is refused without a word about it.
    let master = sivka::Aes256GcmSiv::new(&[1; 32]);
    for secret in [&b"ABCDEFGH"[..], b"", b"\x12\x08ABCDEFGH"] {
        let sealed = master.seal(secret, b"").unwrap();
        let message = [&[0x12, sealed.len() as u8], &sealed[..]].concat();
        let encrypted = EncryptedKeyset::from_binary(&message, options).unwrap();
        let said = encrypted.decrypt(&master, b"").expect_err("no keyset");
        assert!(!said.to_string().contains("ABC"), "{said}");
        if !secret.is_empty() {
            assert!(matches!(said, Error::Format { .. }), "{said}");
        }
    }
}
