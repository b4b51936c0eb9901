//! Encrypted keysets and what is beside them, and the longest keysets that there are.

use crate::messages::{REMOTE, SYMMETRIC, TINK, bytes, key, number, read, to_len};
use sivka_keyset::{
    EncryptedKeyset, Error, KeyType, Keyset, MAX_LEN, Misuse, OutputPrefix, ReadOptions, Template,
};

/// A keyset with two keys, the second of which has this id.
fn with_id(id: u32) -> Keyset {
    and_id(&[], id)
}

/// The same with a key of an unknown type, whose value and name are so long.
fn with(value: usize, name: usize) -> Keyset {
    let value = vec![0; value];
    let key = key(&"u".repeat(name), &value, SYMMETRIC, 3, 2);
    and_id(&key, 2)
}

fn and_id(more: &[u8], id: u32) -> Keyset {
    let (raw, siv) = (OutputPrefix::Raw, KeyType::AesGcmSiv);
    let first = Keyset::from_key(siv, &[7; 16], raw, Some(1)).unwrap();
    let mut keyset = read(&[&first.to_insecure_binary().unwrap()[..], more].concat()).unwrap();
    keyset.import(siv, &[7; 16], raw, Some(id)).unwrap();
    keyset
}

#[test]
fn what_is_written_may_be_a_mebibyte() {
    let encrypted = |len, id| with_id(id).encrypt(&to_len(len), b"").unwrap();
    let binary = |len, name| Ok(with(len, name).to_insecure_binary()?.len());
    let json = |len, name| Ok(with(len, name).to_insecure_json()?.len());
    let encrypted_binary = |len, more| Ok(encrypted(len + more, 2).to_binary()?.len());
    // Each digit of an id is a character more.
    let encrypted_json =
        |len, digits| Ok(encrypted(len, 10_u32.pow(digits as u32)).to_json()?.len());
    type Write<'a> = &'a dyn Fn(usize, usize) -> Result<usize, Error>;
    let all: [Write<'_>; 4] = [&binary, &json, &encrypted_binary, &encrypted_json];
    for write in all {
        // Of three bytes Base64 makes four.
        let len = |bytes| write(bytes, 1).unwrap();
        let of_three = len(600_003) - len(600_000);
        let bytes = 600_000 + (MAX_LEN - len(600_000)) / of_three * 3;
        let rest = MAX_LEN - len(bytes);
        assert_eq!(write(bytes, 1 + rest), Ok(MAX_LEN));
        assert_eq!(write(bytes, 2 + rest), Err(Misuse::TooLarge.into()));
    }
}

#[test]
fn a_mebibyte_is_read() {
    let keyset = with_id(2).to_insecure_binary().unwrap();
    let unknown = vec![0; MAX_LEN - keyset.len() - 4];
    let full = [&keyset[..], &bytes(15, &unknown)].concat();
    assert_eq!(full.len(), MAX_LEN);
    assert_eq!(read(&full).unwrap(), with_id(2));
}

#[test]
fn a_keyset_encrypts_keysets() {
    let master = Keyset::generate(Template::AES256_GCM_SIV).unwrap();
    let master = master.aead().unwrap();
    let encrypted = with_id(2).encrypt(&master, b"eu").unwrap();
    assert_eq!(encrypted.decrypt(&master, b"eu").unwrap(), with_id(2));
    assert_eq!(encrypted.decrypt(&master, b"us"), Err(Error::Open));
}

#[test]
fn what_stands_beside_it_is_told_and_compared() {
    let keyset = with_id(2);
    let empty = keyset.encrypt(&to_len(0), b"").unwrap();
    assert_eq!(empty.to_binary(), Err(Misuse::NoCiphertext.into()));
    assert_eq!(empty.to_json(), Err(Misuse::NoCiphertext.into()));
    let encrypted = keyset.encrypt(&to_len(9), b"").unwrap();
    assert_eq!(encrypted.unauthenticated_info(), Some(&keyset.info()));
    assert!(encrypted.info_agrees_with(&keyset));
    assert!(!encrypted.info_agrees_with(&with_id(3)));
    assert!(format!("{encrypted:?}").starts_with("EncryptedKeyset { len: 9,"));

    let silent = encrypted.to_binary().unwrap();
    let silent = EncryptedKeyset::from_binary(&silent, ReadOptions::default()).unwrap();
    assert_eq!(silent.unauthenticated_info(), None);
    assert!(silent.info_agrees_with(&keyset));
}

/// An encrypted keyset, beside which so many keys of a type are.
fn beside(keys: usize, type_url: &str) -> Result<EncryptedKeyset, Error> {
    let key = [bytes(1, type_url.as_bytes()), number(2, 1), number(3, 7), number(4, 1)];
    let info = [number(1, 7), bytes(2, &key.concat()).repeat(keys)].concat();
    let encrypted = [bytes(2, b"encrypted"), bytes(3, &info)].concat();
    EncryptedKeyset::from_binary(&encrypted, ReadOptions::default())
}

#[test]
fn what_stands_beside_it_is_bounded_and_escaped() {
    assert!(beside(1000, TINK).is_ok());
    let said = beside(1001, TINK).unwrap_err().to_string();
    assert!(said.contains("more than 1000 keys"), "{said}");

    let odd = beside(1, "a\"b\\c\u{1}d e").unwrap();
    let text = odd.to_json().unwrap();
    assert!(text.contains(r#""a\"b\\c\u0001d e""#), "{text}");
    let read = EncryptedKeyset::from_json(text.as_bytes(), ReadOptions::default()).unwrap();
    assert_eq!(read.unauthenticated_info(), odd.unauthenticated_info());
}

#[test]
fn a_keyset_without_a_primary_is_not_taken_for_an_encrypted_one() {
    let keyset = key("AesGcmSivKey", &bytes(3, &[7; 16]), SYMMETRIC, 1, 1);
    let said = read(&keyset).unwrap_err().to_string();
    assert_eq!(said, "the keyset has no key with the primary's id, 0");
}

#[test]
fn a_key_that_is_not_destroyed_has_data_of_a_kind() {
    let good = with_id(3).to_insecure_binary().unwrap();
    let and = |key: &[u8]| read(&[&good[..], key].concat());
    let without =
        |status| and(&bytes(2, &[number(2, status), number(3, 2), number(4, 3)].concat()));
    assert!(without(3).is_ok());
    for status in [1, 2] {
        let said = without(status).unwrap_err().to_string();
        assert!(said.contains("the key data are missing"), "{said}");
    }
    let of_kind = |kind| and(&key("Unknown", b"", kind, 2, 2));
    assert!(of_kind(REMOTE).is_ok());
    let said = of_kind(REMOTE + 1).unwrap_err().to_string();
    assert!(said.contains("the key material type 5"), "{said}");
}
