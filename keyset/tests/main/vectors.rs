//! Keysets and messages that others made: `vectors/README.md` says who.

use crate::messages::{
    SYMMETRIC, VECTORS, assert_opens, bytes, keyset, open, read, seal, unhex, with_iv,
};
use serde_json::Value;
use sivka_keyset::{EncryptedKeyset, Error, Keyset, Misuse, Primitive, ReadOptions, Template};

fn from_json(value: &Value) -> Keyset {
    Keyset::from_insecure_json(value.as_str().unwrap().as_bytes(), ReadOptions::default()).unwrap()
}

#[test]
fn keysets_are_read_and_written_to_the_byte() {
    let mut written = 0;
    for vector in VECTORS["keysets"].as_array().unwrap() {
        let keyset = from_json(&vector["json"]);
        let text = vector["json"].as_str().unwrap();
        let again = keyset.to_insecure_json().unwrap();
        assert_eq!(*again, format!("{text}\n"));
        assert_eq!(keyset.primitive().unwrap().to_string(), vector["primitive"]);
        if vector["binary"].is_string() {
            let binary = unhex(&vector["binary"]);
            let read = Keyset::from_insecure_binary(&binary, ReadOptions::default()).unwrap();
            assert_eq!(read, keyset);
            assert_eq!(*keyset.to_insecure_binary().unwrap(), binary);
            written += 1;
        }
    }
    assert_eq!(written, 3);
}

#[test]
fn messages_of_keysets_open() {
    let (mut opened, mut refused) = (0, 0);
    for vector in VECTORS["keysets"].as_array().unwrap() {
        let keyset = from_json(&vector["json"]);
        let open_any = |sealed: &[u8], aad: &[u8]| open(&keyset, sealed, aad);
        for message in vector["messages"].as_array().unwrap() {
            let [sealed, aad, plaintext] = assert_opens(open_any, message);
            if keyset.primitive() == Ok(Primitive::DeterministicAead) {
                assert_eq!(seal(&keyset, &plaintext, &aad), sealed, "{message}");
            }
            opened += 1;
        }
        for message in vector["refused"].as_array().unwrap() {
            let (sealed, aad) = (unhex(&message["ciphertext"]), unhex(&message["aad"]));
            assert_eq!(open(&keyset, &sealed, &aad), Err(Error::Open));
            let mut enabled = keyset.clone();
            enabled.enable(9).unwrap();
            let plaintext = unhex(&message["plaintext"]);
            assert_eq!(open(&enabled, &sealed, &aad), Ok(plaintext));
            refused += 1;
        }
    }
    assert_eq!((opened, refused), (10, 1));
}

#[test]
fn messages_under_keys_with_parameters_open() {
    let lists = ["values", "streams"].map(|list| VECTORS[list].as_array().unwrap());
    assert_eq!(lists.map(Vec::len), [5, 7]);
    for vector in lists.into_iter().flatten() {
        let key_type = vector["type"].as_str().unwrap();
        let binary = keyset(key_type, &unhex(&vector["value"]), SYMMETRIC);
        let keyset = read(&binary).unwrap();
        assert_eq!(*keyset.to_insecure_binary().unwrap(), binary);
        let [sealed, aad, plaintext] =
            assert_opens(|sealed, aad| open(&keyset, sealed, aad), vector);
        let longer = [&sealed[..], &[0]].concat();
        assert_eq!(open(&keyset, &longer, &aad), Err(Error::Open));
        let again = seal(&keyset, &plaintext, &aad);
        assert_eq!(again.len(), sealed.len());
        assert_eq!(open(&keyset, &again, &aad), Ok(plaintext));
    }
}

#[test]
fn a_forged_empty_message_with_empty_associated_data_is_refused() {
    for vector in VECTORS["keysets"].as_array().unwrap() {
        let keyset = from_json(&vector["json"]);
        let id = keyset.primary_key_id().to_be_bytes();
        for tag in [0x00, 0xff] {
            for len in [16, 28] {
                let forged = [&[1][..], &id, &vec![tag; len]].concat();
                assert_eq!(open(&keyset, &forged, b""), Err(Error::Open));
                assert_eq!(open(&keyset, &forged[5..], b""), Err(Error::Open));
            }
        }
    }
}

#[test]
fn encrypted_keysets_are_read() {
    let vector = &VECTORS["encrypted"];
    let options = ReadOptions::default();
    let master = sivka::Aes256GcmSiv::new(&unhex(&vector["key"]).try_into().unwrap());
    let wanted = from_json(&VECTORS["keysets"][0]["json"]);
    assert_eq!(VECTORS["keysets"][0]["name"], vector["keyset"]);

    let text = vector["json"].as_str().unwrap();
    let of_json = EncryptedKeyset::from_json(text.as_bytes(), options).unwrap();
    assert_eq!(of_json.to_json().unwrap(), format!("{text}\n"));
    assert_eq!(of_json.to_binary().unwrap(), unhex(&vector["binary"]));
    let binary = EncryptedKeyset::from_binary(&unhex(&vector["binary"]), options).unwrap();
    assert_eq!(binary.unauthenticated_info(), None);
    let with_info = unhex(&vector["binary_with_info"]);
    let with_info = EncryptedKeyset::from_binary(&with_info, options).unwrap();
    assert_eq!(with_info, of_json);
    for encrypted in [of_json, binary, with_info] {
        let keyset = encrypted.decrypt(&master, b"").unwrap();
        assert_eq!(keyset, wanted);
        assert!(encrypted.info_agrees_with(&keyset));
        assert_eq!(encrypted.decrypt(&master, b"prod/eu"), Err(Error::Open));
    }

    let other = unhex(&vector["other"]["encrypted_keyset"]);
    let len = u8::try_from(other.len() - 128).unwrap();
    let message = [&[0x12, 0x80 | len, 1], &other[..]].concat();
    let encrypted = EncryptedKeyset::from_binary(&message, options).unwrap();
    let aad = unhex(&vector["other"]["associated_data"]);
    assert_eq!(encrypted.decrypt(&master, &aad), Ok(wanted));
    assert_eq!(encrypted.decrypt(&master, b""), Err(Error::Open));
}

#[test]
fn messages_of_other_aeads_open() {
    let vectors = VECTORS["raw"].as_array().unwrap();
    for vector in vectors {
        let (name, key) = (vector["type"].as_str().unwrap(), unhex(&vector["key"]));
        let value = match name {
            "XAesGcmKey" => with_iv(12, &key),
            "ChaCha20Poly1305Key" => bytes(2, &key),
            _ => bytes(3, &key),
        };
        let keyset = read(&keyset(name, &value, SYMMETRIC)).unwrap();
        assert_opens(|sealed, aad| open(&keyset, sealed, aad), vector);
    }
    assert_eq!(vectors.len(), 5);
}

#[test]
fn what_androids_sealed_as_aes_gcm_is_opened_by_name_only() {
    let vector = &VECTORS["raw"][0];
    assert_eq!(vector["type"], "AesGcmKey");
    // The same key, in a keyset for AES-GCM-SIV.
    let mut keyset = from_json(&VECTORS["keysets"][0]["json"]);
    let prefix = [&[1][..], &keyset.primary_key_id().to_be_bytes()].concat();
    let sealed = [prefix, unhex(&vector["ciphertext"])].concat();
    let (aad, plaintext) = (unhex(&vector["aad"]), unhex(&vector["plaintext"]));
    assert_eq!(open(&keyset, &sealed, &aad), Err(Error::Open));
    let opened = keyset.open_android_aes_gcm(&sealed, &aad);
    assert_eq!(opened.as_ref(), Ok(&plaintext));
    let right = unhex(&VECTORS["keysets"][0]["messages"][0]["ciphertext"]);
    assert_eq!(keyset.open_android_aes_gcm(&right, &aad), Err(Error::Open));
    // Whatever seals by now, what was sealed then opens as long as its key is enabled.
    let old = keyset.primary_key_id();
    for template in [Template::AES256_GCM, Template::XCHACHA20_POLY1305] {
        keyset.rotate(template).unwrap();
        let opened = keyset.open_android_aes_gcm(&sealed, &aad);
        assert_eq!(opened.as_ref(), Ok(&plaintext));
        assert_eq!(keyset.open_android_aes_gcm(&sealed, b""), Err(Error::Open));
    }
    let with_kms = keyset.add_kms_key("kms://key", None).unwrap();
    keyset.promote(with_kms).unwrap();
    assert_eq!(keyset.open_android_aes_gcm(&sealed, &aad), Ok(plaintext));
    keyset.disable(old).unwrap();
    assert_eq!(keyset.open_android_aes_gcm(&sealed, &aad), Err(Error::Open));
    // No key for AES-GCM-SIV at all.
    let other = Keyset::generate(Template::AES128_GCM).unwrap();
    assert_eq!(other.open_android_aes_gcm(&sealed, &aad), Err(Error::Open));
    let other = Keyset::generate(Template::AES256_SIV).unwrap();
    let refused = Misuse::OtherPrimitive(Primitive::DeterministicAead);
    let opened = other.open_android_aes_gcm(&sealed, &aad);
    assert_eq!(opened, Err(refused.into()));
}
