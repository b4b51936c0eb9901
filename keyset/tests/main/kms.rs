//! Keys that are with a key-management service.

use crate::messages::{
    Kek, REMOTE, SYMMETRIC, TINK, VECTORS, assert_opens, bytes, key, keyset, number, read, to_len,
    unhex,
};
use sivka_keyset::{
    Error, Keyset, KeysetAeadWithKms, Misuse, OutputPrefix, SharedKeyEncryptionKey, Template,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const URI: &str = "example-kms://eu/users";

fn service() -> SharedKeyEncryptionKey {
    let key = unhex(&VECTORS["envelope"]["kek"]);
    Arc::new(sivka::Aes256GcmSiv::new(&key.try_into().unwrap()))
}

fn aead(keyset: &Keyset) -> Result<KeysetAeadWithKms, Error> {
    keyset.aead_with_kms(&|uri| (uri == URI).then(service))
}

fn template(name: &str, format: &[u8]) -> Vec<u8> {
    let url = format!("{TINK}{name}");
    [bytes(1, url.as_bytes()), bytes(2, format), number(3, 3)].concat()
}

fn envelope(uri: &str, template: &[u8]) -> Vec<u8> {
    bytes(2, &[bytes(1, uri.as_bytes()), bytes(2, template)].concat())
}

fn refused(value: &[u8]) -> String {
    let keyset = keyset("KmsEnvelopeAeadKey", value, REMOTE);
    read(&keyset).unwrap_err().to_string()
}

#[test]
fn an_envelope_opens_with_its_service() {
    let vector = &VECTORS["envelope"];
    let binary = keyset("KmsEnvelopeAeadKey", &unhex(&vector["value"]), REMOTE);
    let keyset = read(&binary).unwrap();
    assert_eq!(*keyset.to_insecure_binary().unwrap(), binary);
    let aead = aead(&keyset).unwrap();
    assert_opens(|sealed, aad| aead.open(sealed, aad), vector);
    let sealed = aead.seal(b"new", b"aad").unwrap();
    assert_eq!(aead.open(&sealed, b"aad").unwrap(), b"new");
    // Our key is one of AES-256-GCM-SIV: 34 bytes as a message, 28 more encrypted.
    assert_eq!(sealed.len(), 4 + (34 + 28) + (3 + 28));
}

#[test]
fn lengths_out_of_range_do_not_reach_the_service() {
    let count = Arc::new(AtomicUsize::new(0));
    let calls = || count.load(Ordering::Relaxed);
    let counted = count.clone();
    // Encrypts nothing.
    let counting = Arc::new(Kek(
        |key: &[u8], _: &[u8]| key.to_vec(),
        move |key: &[u8], _: &[u8]| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(key.to_vec())
        },
    ));
    let keyset = Keyset::from_kms_key(URI, Some(Template::AES128_GCM_SIV)).unwrap();
    let aead = keyset.aead_with_kms(&|_| Some(counting.clone())).unwrap();
    let sealed = aead.seal(b"plaintext", b"").unwrap();
    let rest = &sealed[4..];
    for len in [0, 4097, 1 << 16, u32::MAX] {
        let long = vec![0; 5000];
        for rest in [rest, &long] {
            let changed = [&len.to_be_bytes(), rest].concat();
            assert_eq!(aead.open(&changed, b""), Err(Error::Open));
        }
    }
    let beyond = rest.len() as u32 + 1;
    let beyond = [&beyond.to_be_bytes(), rest].concat();
    assert_eq!(aead.open(&beyond, b""), Err(Error::Open));
    assert_eq!(aead.open(&[], b""), Err(Error::Open));
    assert_eq!(calls(), 0);
    // Within range, the service is asked; what it decrypts to need not be a key.
    for len in [1_u32, 4096] {
        let changed = [&len.to_be_bytes()[..], &[0; 5000]].concat();
        assert_eq!(aead.open(&changed, b""), Err(Error::Open));
    }
    assert_eq!(calls(), 2);
    assert_eq!(aead.open(&sealed, b"").unwrap(), b"plaintext");
}

#[test]
fn what_a_service_answers_is_looked_at() {
    let keyset = Keyset::from_kms_key(URI, Some(Template::AES256_GCM_SIV)).unwrap();
    for (given, fits) in [(0, false), (1, true), (4096, true), (4097, false)] {
        let aead = keyset.aead_with_kms(&|_| Some(Arc::new(to_len(given))));
        let aead = aead.unwrap();
        let sealed = aead.seal(b"plaintext", b"");
        match sealed {
            Ok(sealed) if fits => {
                // That the service cannot be reached is no forgery.
                let failed = Err(Error::Kms("not reached".into()));
                assert_eq!(aead.open(&sealed, b""), failed);
            }
            other => {
                assert!(!fits);
                assert_eq!(other, Err(Misuse::EncryptedKeyLen(given).into()));
            }
        }
    }
}

#[test]
fn a_key_of_a_service_encrypts_messages() {
    let keyset = Keyset::from_kms_key(URI, None).unwrap();
    let url = keyset.info().keys[0].type_url.clone();
    assert_eq!(url, format!("{TINK}KmsAeadKey"));
    let aead = aead(&keyset).unwrap();
    let sealed = aead.seal(b"plaintext", b"aad").unwrap();
    assert_eq!(sealed.len(), 9 + 28);
    assert_eq!(aead.open(&sealed, b"aad").unwrap(), b"plaintext");
    assert_eq!(aead.open(&sealed, b""), Err(Error::Open));
    let binary = keyset.to_insecure_binary().unwrap();
    assert_eq!(read(&binary), Ok(keyset));
}

#[test]
fn without_the_service_a_keyset_is_refused_by_name() {
    let mut keyset = Keyset::from_kms_key("other-kms://us", None).unwrap();
    let id = keyset.primary_key_id();
    for refused in [keyset.aead().err(), aead(&keyset).err()] {
        let service = "a key-management service, at other-kms://us";
        let said = format!("key {id} (key[0]): its key is with {service}, which was not given");
        assert_eq!(refused.unwrap().to_string(), said);
    }
    // It is not needed for a key that is not enabled.
    let new = keyset.add(Template::AES256_GCM_SIV).unwrap();
    keyset.promote(new).unwrap();
    keyset.disable(id).unwrap();
    assert!(keyset.aead().is_ok());
    let refused = keyset.deterministic_aead().unwrap_err();
    assert!(matches!(refused, Error::Misuse(Misuse::OtherPrimitive(_))));
}

#[test]
fn keys_of_services_have_rules_of_their_own() {
    let siv = template("AesGcmSivKey", &[0x10, 0x20]);
    assert!(read(&keyset("KmsEnvelopeAeadKey", &envelope(URI, &siv), REMOTE)).is_ok());
    for (name, value, material) in [
        ("KmsEnvelopeAeadKey", envelope(URI, &siv), SYMMETRIC),
        ("AesGcmSivKey", bytes(3, &[1; 16]), REMOTE),
    ] {
        let said = read(&keyset(name, &value, material)).unwrap_err();
        let end = format!("do not have the key material type {material}");
        assert!(said.to_string().ends_with(&end), "{said}");
    }

    let uri = "the URI of the KMS key is empty or not printable ASCII";
    let dek = "the envelope's template is not one of an AEAD that envelopes have";
    let of = |name: &str, format: &[u8]| envelope(URI, &template(name, format));
    let versioned = [number(1, 1), number(2, 32)].concat();
    let unknown = format!("keys of type {TINK}HmacKey are not supported");
    for (value, said) in [
        (envelope("", &siv), uri),
        (envelope("a b", &siv), uri),
        (envelope("\u{e9}", &siv), uri),
        (envelope("a\n", &siv), uri),
        (of("AesGcmSivKey", &number(2, 24)), "keys of this type do not have 24 bytes"),
        (envelope(URI, b""), dek),
        (of("AesSivKey", &number(1, 64)), dek),
        (of("AesGcmSivKey", &versioned), "version 1 of its type is not known; only 0 is"),
        (
            [number(1, 3), envelope(URI, &siv)].concat(),
            "version 3 of its type is not known; only 0 is",
        ),
        (of("HmacKey", b""), &unknown),
    ] {
        assert_eq!(refused(&value), format!("key 1 (key[0]): {said}"));
    }
    for (made, said) in [
        (Keyset::from_kms_key(URI, Some(Template::AES256_SIV)), dek),
        (Keyset::from_kms_key("", None), uri),
    ] {
        let said = format!("a new key breaks a rule: {said}");
        assert_eq!(made.unwrap_err().to_string(), said);
    }
}

#[test]
fn disabled_keys_of_services_are_kept() {
    let with = |template: &[u8]| {
        let enabled = key("AesGcmSivKey", &bytes(3, &[1; 16]), SYMMETRIC, 1, 1);
        let value = envelope(URI, template);
        let disabled = key("KmsEnvelopeAeadKey", &value, REMOTE, 2, 2);
        let binary = [number(1, 1), enabled, disabled].concat();
        let keyset = read(&binary).unwrap();
        assert_eq!(*keyset.to_insecure_binary().unwrap(), binary);
        keyset
    };
    let mut keyset = with(&template("AesGcmSivKey", &[0x10, 0x20]));
    keyset.enable(2).unwrap();
    assert!(keyset.aead().is_err());
    let aead = aead(&keyset).unwrap();
    let vector = &VECTORS["envelope"];
    let sealed = unhex(&vector["ciphertext"]);
    assert_eq!(aead.open(&sealed, b"ctx"), Ok(unhex(&vector["plaintext"])));
    keyset.destroy(2).unwrap();
    assert_eq!(keyset.info().keys[1].output_prefix, OutputPrefix::Raw);

    // Also an envelope of keys that nobody knows.
    let refused = with(&template("HmacKey", b"")).enable(2).unwrap_err();
    assert!(matches!(refused, Error::Unsupported { .. }));
}

#[test]
fn every_key_that_envelopes_have_is_made_and_read() {
    let mut made = 0;
    for (name, template) in Template::all() {
        let Ok(keyset) = Keyset::from_kms_key(URI, Some(*template)) else {
            let without = ["256_SIV", "XAES", "KB", "MB"];
            assert!(without.iter().any(|part| name.contains(part)), "{name}");
            continue;
        };
        let again = read(&keyset.to_insecure_binary().unwrap()).unwrap();
        assert_eq!(again, keyset);
        let sealed = aead(&keyset).unwrap().seal(b"plaintext", b"aad").unwrap();
        let opened = aead(&again).unwrap().open(&sealed, b"aad");
        assert_eq!(opened.unwrap(), b"plaintext", "{name}");
        let json = keyset.to_insecure_json().unwrap();
        assert!(json.contains(r#""keyMaterialType":"REMOTE""#));
        made += 1;
    }
    assert_eq!(made, 10);
}

#[test]
fn templates_of_two_keys_have_bounds() {
    let ctr_hmac = |aes_len, hmac_len| {
        let aes = [bytes(1, &number(1, 16)), number(2, aes_len)].concat();
        let tag = [number(1, 3), number(2, 16)].concat();
        let hmac = [bytes(1, &tag), number(2, hmac_len)].concat();
        let format = [bytes(1, &aes), bytes(2, &hmac)].concat();
        let envelope = envelope(URI, &template("AesCtrHmacAeadKey", &format));
        read(&keyset("KmsEnvelopeAeadKey", &envelope, REMOTE))
    };
    for (aes_len, hmac_len) in [(16, 32), (32, 32), (16, 1024)] {
        ctr_hmac(aes_len, hmac_len).unwrap();
    }
    for (aes_len, hmac_len, given) in [(16, 1025, 1025), (33, 32, 33)] {
        let said = ctr_hmac(aes_len, hmac_len).unwrap_err().to_string();
        let end = format!("do not have {given} bytes");
        assert!(said.ends_with(&end), "{said}");
    }
}

#[test]
fn what_is_not_known_is_not_read_as_parameters() {
    let odd = b"\xff";
    let format = [bytes(1, odd), number(2, 16)].concat();
    let envelope = envelope(URI, &template("AesGcmKey", &format));
    let keyset = read(&keyset("KmsEnvelopeAeadKey", &envelope, REMOTE)).unwrap();
    assert!(format!("{:?}", aead(&keyset).unwrap()).starts_with("KeysetAeadWithKms"));
}
