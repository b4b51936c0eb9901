//! What a reader must refuse, and what it says: which key, where, and never a byte of a key.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka_keyset::{
    EncryptedKeyset, Error, KeyEncryptionKey, Keyset, ReadOptions, Rule, Unsupported,
};
use zeroize::Zeroizing;

const GCM_SIV: &str = "type.googleapis.com/google.crypto.tink.AesGcmSivKey";
const SIV: &str = "type.googleapis.com/google.crypto.tink.AesSivKey";
const HMAC: &str = "type.googleapis.com/google.crypto.tink.HmacKey";
/// The message of a key of 16 bytes, `A` to `P`, and its Base64.
const VALUE: &[u8] = b"\x1a\x10ABCDEFGHIJKLMNOP";
const VALUE64: &str = "GhBBQkNERUZHSElKS0xNTk9Q";

/// A key in JSON, whose defaults are right.
#[derive(Clone, Copy)]
struct Key<'a> {
    url: &'a str,
    value: &'a str,
    material: &'a str,
    status: &'a str,
    id: &'a str,
    prefix: &'a str,
}

const GOOD: Key<'_> = Key {
    url: GCM_SIV,
    value: VALUE64,
    material: "SYMMETRIC",
    status: "ENABLED",
    id: "7",
    prefix: "TINK",
};

impl Key<'_> {
    fn text(self) -> String {
        let Key {
            url,
            value,
            material,
            status,
            id,
            prefix,
        } = self;
        format!(
            r#"{{"keyData":{{"typeUrl":"{url}","value":"{value}","keyMaterialType":"{material}"}},"status":"{status}","keyId":{id},"outputPrefixType":"{prefix}"}}"#
        )
    }
}

fn keyset(primary: &str, keys: &[Key<'_>]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| key.text()).collect();
    format!(r#"{{"primaryKeyId":{primary},"key":[{}]}}"#, keys.join(","))
}

fn read(text: &str) -> Result<Keyset, Error> {
    let result = Keyset::from_insecure_json(text.as_bytes(), ReadOptions::default());
    if let Err(error) = &result {
        let said = format!("{error} {error:?}");
        assert!(
            !said.contains("ABCDE") && !said.contains("QkNERU"),
            "{said}"
        );
    }
    result
}

/// What is said of a keyset that is refused.
#[track_caller]
fn refusal(text: &str) -> String {
    read(text).expect_err(text).to_string()
}

#[test]
fn a_good_keyset_is_read() {
    let keyset = read(&keyset("7", &[GOOD])).unwrap();
    assert_eq!(keyset.primary_key_id(), 7);
    let said = format!("{keyset:?} {:?}", keyset.aead().unwrap());
    assert!(
        said.contains("AesGcmSivKey") && !said.contains("ABCDE"),
        "{said}"
    );
    assert!(!said.contains("65, 66, 67"), "{said}");
}

#[test]
fn keys_that_break_a_rule_are_refused_with_their_id() {
    let long = "GhFBQkNERUZHSElKS0xNTk9QUQ==";
    let siv_of_32 = "EiBBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQQ==";
    let cases = [
        (
            Key {
                status: "UNKNOWN_STATUS",
                ..GOOD
            },
            "a key has no status 0",
        ),
        (
            Key {
                prefix: "UNKNOWN_PREFIX",
                ..GOOD
            },
            "an AEAD has no output prefix 0",
        ),
        (
            Key {
                prefix: "WITH_ID_REQUIREMENT",
                ..GOOD
            },
            "an AEAD has no output prefix 5",
        ),
        (
            Key { url: "", ..GOOD },
            "the type URL is empty or not printable ASCII",
        ),
        (
            Key {
                url: "AesGcmSivKey\\n",
                ..GOOD
            },
            "the type URL is empty or not printable ASCII",
        ),
        (
            Key {
                url: "Aes Key",
                ..GOOD
            },
            "the type URL is empty or not printable ASCII",
        ),
        (
            Key {
                url: "\u{410}",
                ..GOOD
            },
            "the type URL is empty or not printable ASCII",
        ),
        (
            Key {
                material: "REMOTE",
                ..GOOD
            },
            "keys of this type do not have the key material type 4",
        ),
        (
            Key {
                material: "UNKNOWN_KEYMATERIAL",
                ..GOOD
            },
            "keys of this type do not have the key material type 0",
        ),
        (
            Key {
                value: long,
                ..GOOD
            },
            "keys of this type do not have 17 bytes",
        ),
        (
            Key { value: "", ..GOOD },
            "keys of this type do not have 0 bytes",
        ),
        (
            Key {
                value: siv_of_32,
                url: SIV,
                ..GOOD
            },
            "keys of this type do not have 32 bytes",
        ),
        (
            Key {
                value: "QUJDREVGR0hJSktMTU5PUA==",
                ..GOOD
            },
            "the key data are not a message of the key's type: a length goes beyond the end",
        ),
        (
            Key {
                value: "CAEaEEFCQ0RFRkdISUpLTE1OT1A=",
                ..GOOD
            },
            "version 1 of its type is not known; only 0 is",
        ),
    ];
    for (key, said) in cases {
        let at = Key {
            id: "3000000000",
            ..key
        };
        let wanted = format!("key 3000000000 (key[1]): {said}");
        assert_eq!(refusal(&keyset("7", &[GOOD, at])), wanted);
        // Types that are known are held to the same when they are not enabled.
        if !said.contains("status") {
            for status in ["DISABLED", "DESTROYED"] {
                let at = Key { status, ..at };
                // But an empty URL or value may be what a destroyed key has left.
                if key.url.is_empty() && key.value.is_empty() && status == "DESTROYED" {
                    continue;
                }
                assert_eq!(refusal(&keyset("7", &[GOOD, at])), wanted);
            }
        }
    }
}

#[test]
fn keys_of_other_types_are_kept_unless_they_are_enabled() {
    let hmac = Key {
        url: HMAC,
        value: "AQID/w==",
        id: "8",
        material: "REMOTE",
        ..GOOD
    };
    let said = refusal(&keyset("7", &[GOOD, hmac]));
    assert_eq!(
        said,
        format!("key 8 (key[1]): keys of type {HMAC} are not supported")
    );
    for status in ["DISABLED", "DESTROYED"] {
        let text = keyset("7", &[GOOD, Key { status, ..hmac }]);
        let mut keyset = read(&text).unwrap();
        assert_eq!(keyset.to_insecure_json().unwrap().trim_end(), text);
        let binary = keyset.to_insecure_binary().unwrap();
        let again = Keyset::from_insecure_binary(&binary, ReadOptions::default());
        assert_eq!(again.as_ref(), Ok(&keyset));
        assert!(keyset.aead().is_ok());
        let before = keyset.clone();
        let refused = keyset.enable(8).expect_err("an unknown type");
        match status {
            "DISABLED" => assert!(matches!(refused, Error::Unsupported { .. })),
            _ => assert!(matches!(refused, Error::Misuse(_))),
        }
        assert_eq!(keyset, before);
    }
    let mac = "type.googleapis.com/google.crypto.tink.AesCmacKey";
    let said = refusal(&keyset("7", &[Key { url: mac, ..GOOD }]));
    let wanted = format!("key 7 (key[0]): keys of type {mac} are not supported");
    assert_eq!(said, wanted);
    for name in [
        "AesGcmKey",
        "AesEaxKey",
        "AesCtrHmacAeadKey",
        "AesGcmHkdfStreamingKey",
        "AesCtrHmacStreamingKey",
    ] {
        let url = format!("type.googleapis.com/google.crypto.tink.{name}");
        let result = read(&keyset("7", &[Key { url: &url, ..GOOD }]));
        let of_feature = match result {
            Err(Error::Unsupported { what, .. }) => what == Unsupported::TypeOfFeature(url),
            _ => false,
        };
        assert_eq!(of_feature, cfg!(not(feature = "other-aeads")));
    }
}

#[cfg(feature = "other-aeads")]
#[test]
fn xaes_keys_have_their_own_rules() {
    let url = "type.googleapis.com/google.crypto.tink.XAesGcmKey";
    let value = |salt: char| format!("EgII{salt}xogQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=");
    let (eight, thirteen) = (
        value('C').replace("Cx", "CB"),
        value('D').replace("Dx", "DR"),
    );
    let key = Key {
        url,
        value: &eight,
        ..GOOD
    };
    assert!(read(&keyset("7", &[key])).is_ok());
    for prefix in ["LEGACY", "CRUNCHY"] {
        let said = refusal(&keyset("7", &[Key { prefix, ..key }]));
        let wanted = "key 7 (key[0]): keys of this type have the output prefixes TINK and RAW only";
        assert_eq!(said, wanted);
    }
    let said = refusal(&keyset(
        "7",
        &[Key {
            value: &thirteen,
            ..key
        }],
    ));
    assert_eq!(
        said,
        "key 7 (key[0]): keys of this type do not have a salt of 13 bytes"
    );
}

#[test]
fn keysets_that_break_a_rule_are_refused() {
    let disabled = Key {
        status: "DISABLED",
        ..GOOD
    };
    let other = Key { id: "8", ..GOOD };
    assert_eq!(refusal(&keyset("7", &[])), "the keyset has no key");
    assert_eq!(
        refusal(&keyset("7", &[disabled])),
        "the keyset has no enabled key"
    );
    assert_eq!(
        refusal(&keyset("9", &[GOOD])),
        "the keyset has no key with the primary's id, 9"
    );
    let no_primary = format!(r#"{{"key":[{}]}}"#, GOOD.text());
    assert_eq!(
        refusal(&no_primary),
        "the keyset has no key with the primary's id, 0"
    );
    let said = "key 7 (key[1]): the primary key is not enabled";
    assert_eq!(refusal(&keyset("7", &[other, disabled])), said);
    for status in ["ENABLED", "DISABLED", "DESTROYED"] {
        let twice = Key { status, ..other };
        let said = "key 8 (key[2]): an earlier key has the same id";
        assert_eq!(refusal(&keyset("7", &[GOOD, other, twice])), said);
    }
    let siv = format!("EkB{}", "B".repeat(85));
    let siv = Key {
        url: SIV,
        value: &siv,
        id: "9",
        ..GOOD
    };
    let mixed = read(&keyset("7", &[GOOD, siv])).unwrap();
    let said = "the keyset mixes keys for different primitives";
    assert_eq!(mixed.aead().expect_err("mixed").to_string(), said);
    assert_eq!(
        mixed.deterministic_aead().expect_err("mixed").to_string(),
        said
    );
    let daead = read(&keyset("9", &[siv])).unwrap();
    let said = "the keyset is for deterministic AEAD";
    assert_eq!(
        daead.aead().expect_err("another primitive").to_string(),
        said
    );
}

#[test]
fn duplicates_are_read_only_where_they_are_asked_for() {
    let other = Key {
        id: "8",
        prefix: "RAW",
        ..GOOD
    };
    let text = keyset("7", &[GOOD, other, other]);
    let mut options = ReadOptions::default();
    options.duplicate_ids = true;
    let mut lenient = Keyset::from_insecure_json(text.as_bytes(), options).unwrap();
    let said = "several keys have the id 8; remove them first";
    assert_eq!(
        lenient
            .to_insecure_json()
            .expect_err("ambiguous")
            .to_string(),
        said
    );
    assert_eq!(lenient.disable(8).expect_err("ambiguous").to_string(), said);
    lenient.remove(8).unwrap();
    assert_eq!(lenient, read(&keyset("7", &[GOOD])).unwrap());
    let primary = keyset("7", &[GOOD, other, GOOD]);
    assert!(Keyset::from_insecure_json(primary.as_bytes(), options).is_err());
}

#[test]
fn malformed_json_is_refused_with_its_place() {
    let good = keyset("7", &[GOOD]);
    let cases = [
        (
            r#""status":"ENABLED","#,
            "",
            "a member is missing",
            "key[0].status",
        ),
        (r#""keyId":7,"#, "", "a member is missing", "key[0].keyId"),
        (
            r#","outputPrefixType":"TINK""#,
            "",
            "a member is missing",
            "key[0].outputPrefixType",
        ),
        (
            r#","keyMaterialType":"SYMMETRIC""#,
            "",
            "a member is missing",
            "key[0].keyData.keyMaterialType",
        ),
        (
            r#""typeUrl""#,
            r#""type_url""#,
            "a member is missing",
            "key[0].keyData.typeUrl",
        ),
        (
            r#""value""#,
            r#""Value""#,
            "a member is missing",
            "key[0].keyData.value",
        ),
        (
            r#""keyData""#,
            r#""KeyData""#,
            "a member is missing",
            "key[0].keyData",
        ),
        (r#""key":"#, r#""Key":"#, "a member is missing", "key"),
        (
            r#""ENABLED""#,
            r#""enabled""#,
            "an unknown name",
            "key[0].status",
        ),
        (r#""ENABLED""#, "1", "not a string", "key[0].status"),
        (
            r#""TINK""#,
            r#""TONK""#,
            "an unknown name",
            "key[0].outputPrefixType",
        ),
        (
            r#""SYMMETRIC""#,
            "null",
            "not a string",
            "key[0].keyData.keyMaterialType",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":7.0"#,
            "not an integer",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":7e0"#,
            "not an integer",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":"07""#,
            "not an integer",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":"+7""#,
            "not an integer",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":"""#,
            "not an integer",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":99999999999999999999"#,
            "not an integer",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":4294967296"#,
            "not an id from 0 to 4294967295",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":-2147483649"#,
            "not an id from 0 to 4294967295",
            "key[0].keyId",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":null"#,
            "not an id",
            "key[0].keyId",
        ),
        (
            r#""primaryKeyId":7"#,
            r#""primaryKeyId":true"#,
            "not an id",
            "primaryKeyId",
        ),
        ("GhBB", "Gh_+", "not Base64", "key[0].keyData.value"),
        ("GhBB", "GhB ", "not Base64", "key[0].keyData.value"),
        (
            r#"[{"#,
            r#"{"a":{"#,
            "a comma or the object's end is missing",
            "",
        ),
        (
            r#""keyId":7"#,
            r#""keyId":7,"keyId":7"#,
            "an object has two members of one name",
            "",
        ),
    ];
    for (old, new, problem, path) in cases {
        assert!(good.contains(old), "{old}");
        let text = good.replacen(old, new, 1);
        let Err(Error::Format {
            problem: said,
            place,
        }) = read(&text)
        else {
            panic!("{text}");
        };
        assert_eq!((said, place.path.as_str()), (problem, path), "{text}");
        assert!(place.offset <= text.len());
    }
    let said = refusal(&good.replace("\"TINK\"", "\"TONK\""));
    let offset = good.find("\"TINK\"").unwrap();
    let wanted = format!(
        "not a keyset as asked for: an unknown name, at byte {offset} (key[0].outputPrefixType)"
    );
    assert_eq!(said, wanted);
    let bad = Keyset::from_insecure_json(b"{\"key\":\"\xff\"}", ReadOptions::default());
    assert!(
        bad.expect_err("not UTF-8")
            .to_string()
            .ends_with("not UTF-8, at byte 8")
    );
}

#[test]
fn what_others_write_beside_is_read() {
    let good = read(&keyset("7", &[GOOD])).unwrap();
    let same = [
        keyset(
            "\"7\"",
            &[Key {
                id: "\"7\"",
                ..GOOD
            }],
        ),
        keyset("7", &[GOOD]).replace("\"status\"", "\"more\":[{\"x\":null}],\"status\""),
        keyset("7", &[GOOD])
            .replace("GhBB", "Gh\\u0042B")
            .replace("keyId", "\\u006beyId"),
        keyset("7", &[GOOD])
            .replace(',', " ,\n\t")
            .replace(':', " :\r\n "),
    ];
    // White space in the type URL was put there by the last one.
    for text in same {
        let text = text.replace("type.googleapis.com :\r\n ", "type.googleapis.com:");
        assert_eq!(read(&text).as_ref(), Ok(&good), "{text}");
    }
    let negative = read(&keyset(
        "-889275714",
        &[Key {
            id: "3405691582",
            ..GOOD
        }],
    ))
    .unwrap();
    assert_eq!(negative.primary_key_id(), 0xcafe_babe);
    let zero = read(&keyset("0", &[Key { id: "0", ..GOOD }])).unwrap();
    assert!(
        zero.aead()
            .unwrap()
            .seal(b"", b"")
            .unwrap()
            .starts_with(&[1, 0, 0, 0, 0])
    );

    let mut strict = ReadOptions::default();
    (strict.ids_as_strings, strict.negative_ids) = (false, false);
    for id in ["\"7\"", "-7"] {
        let text = keyset(id, &[Key { id, ..GOOD }]);
        assert!(read(&text).is_ok());
        assert!(
            Keyset::from_insecure_json(text.as_bytes(), strict).is_err(),
            "{id}"
        );
    }
    // Destroyed keys as we, and as Java, write them.
    let without = r#"{"status":"DESTROYED","keyId":8,"outputPrefixType":"TINK"}"#;
    let emptied = Key {
        url: "",
        value: "",
        material: "UNKNOWN_KEYMATERIAL",
        status: "DESTROYED",
        id: "8",
        ..GOOD
    };
    for destroyed in [without.to_owned(), emptied.text()] {
        let text = format!(
            r#"{{"primaryKeyId":7,"key":[{},{destroyed}]}}"#,
            GOOD.text()
        );
        let keyset = read(&text).unwrap();
        assert!(keyset.to_insecure_json().unwrap().contains(without));
        assert_eq!(keyset.info().keys[1].type_url, "");
    }
    let said = refusal(&format!(
        r#"{{"primaryKeyId":7,"key":[{}]}}"#,
        without.replace("DESTROYED", "DISABLED")
    ));
    assert!(
        said.ends_with("missing, at byte 25 (key[0].keyData)"),
        "{said}"
    );
}

#[test]
fn the_two_kinds_of_keysets_are_told_apart() {
    let keyset = read(&keyset("7", &[GOOD])).unwrap();
    let (text, bytes) = (
        keyset.to_insecure_json().unwrap(),
        keyset.to_insecure_binary().unwrap(),
    );
    let options = ReadOptions::default();
    let refused = EncryptedKeyset::from_json(text.as_bytes(), options);
    assert_eq!(refused, Err(Error::LooksCleartext));
    assert_eq!(
        EncryptedKeyset::from_binary(&bytes, options),
        Err(Error::LooksCleartext)
    );
    let master = sivka::Aes256GcmSiv::new(&[1; 32]);
    for _ in 0..200 {
        let encrypted = keyset.encrypt(&master, b"").unwrap();
        let (text, bytes) = (encrypted.to_json().unwrap(), encrypted.to_binary().unwrap());
        assert_eq!(read(&text), Err(Error::LooksEncrypted));
        assert_eq!(
            Keyset::from_insecure_binary(&bytes, options),
            Err(Error::LooksEncrypted)
        );
        assert!(EncryptedKeyset::from_binary(&bytes, options).is_ok());
    }
}

/// Encrypts to what also reads as a key: services say in fields of their own which of their
/// keys it was, and any ciphertext may by chance.
struct AsFields {
    before: &'static [u8],
    key: sivka::Aes256GcmSiv,
}

impl KeyEncryptionKey for AsFields {
    fn encrypt(&self, keyset: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
        let sealed = self.key.seal(keyset, aad)?;
        let len = [sealed.len() as u8 | 0x80, (sealed.len() >> 7) as u8];
        Ok([self.before, &[9 << 3 | 2], &len, &sealed].concat())
    }

    fn decrypt(&self, encrypted: &[u8], aad: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let sealed = &encrypted[self.before.len() + 3..];
        Ok(Zeroizing::new(self.key.open(sealed, aad)?))
    }
}

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
        let master = AsFields { before, key };
        let bytes = keyset.encrypt(&master, b"").unwrap().to_binary().unwrap();
        let encrypted = EncryptedKeyset::from_binary(&bytes, options);
        assert_eq!(encrypted.unwrap().decrypt(&master, b"").unwrap(), keyset);
        let refused = Keyset::from_insecure_binary(&bytes, options);
        assert_eq!(refused, Err(Error::LooksEncrypted), "{before:?}");
    }
}

#[test]
fn encrypted_keysets_are_refused_with_a_place() {
    let options = ReadOptions::default();
    let json = |text: &str| {
        EncryptedKeyset::from_json(text.as_bytes(), options)
            .expect_err(text)
            .to_string()
    };
    assert!(json("{}").ends_with("missing, at byte 0 (encryptedKeyset)"));
    assert!(json(r#"{"encryptedKeyset":""}"#).ends_with("empty, at byte 19 (encryptedKeyset)"));
    assert!(
        json(r#"{"encryptedKeyset":"%"}"#).ends_with("not Base64, at byte 19 (encryptedKeyset)")
    );
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

#[test]
fn binary_is_read_as_protocol_buffers_are() {
    let field = |number: u8, bytes: &[u8]| {
        let len = bytes.len() as u8;
        let high = (bytes.len() >> 7) as u8;
        // A length of two bytes, which need not be the shortest form.
        match high {
            0 => [&[number << 3 | 2, len], bytes].concat(),
            _ => [&[number << 3 | 2, len | 0x80, high], bytes].concat(),
        }
    };
    let data = [field(1, GCM_SIV.as_bytes()), field(2, VALUE), vec![0x18, 1]].concat();
    let key = [field(1, &data), vec![0x10, 1, 0x18, 7, 0x20, 1]].concat();
    let good = [vec![8, 7], field(2, &key)].concat();
    let read = |bytes: &[u8]| Keyset::from_insecure_binary(bytes, ReadOptions::default());
    let keyset = read(&good).unwrap();
    assert_eq!(*keyset.to_insecure_binary().unwrap(), good);

    // Any order; unknown fields at every level; the last of several; messages are merged.
    let unknown = [&b"\x7a\x03abc\x70\x05\x79........\x7d...."[..]].concat();
    let odd_value = [
        &unknown[..],
        &field(3, b"another key"),
        VALUE,
        &unknown,
        &[8, 0],
    ]
    .concat();
    let first_half = [
        &field(2, b"\x08\x01")[..],
        &field(1, b"x"),
        &unknown,
        &[0x18, 3],
    ]
    .concat();
    let second_half = [
        &unknown[..],
        &field(2, &odd_value),
        &[0x18, 2, 0x18, 1],
        &field(1, GCM_SIV.as_bytes()),
    ]
    .concat();
    let odd_key = [
        &[0x20, 3, 0x20, 1][..],
        &field(1, &first_half),
        &[0x10, 3],
        &unknown,
        &field(1, &second_half),
        // Of numbers over 32 bits, the low 32 count.
        &[0x18, 0x87, 0x80, 0x80, 0x80, 0x70],
        &[0x10, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
    ]
    .concat();
    let odd = [&unknown[..], &field(2, &odd_key), &[8, 9, 8, 7], &unknown].concat();
    assert_eq!(read(&odd).as_ref(), Ok(&keyset));
    // A field of a known number and another wire type is unknown.
    let strange = [&[0x0a, 1, b'x'], &good[..], &[0x10, 5]].concat();
    assert_eq!(read(&strange).as_ref(), Ok(&keyset));

    for len in 0..good.len() {
        assert!(read(&good[..len]).is_err(), "{len}");
    }
    let said = read(&good[..good.len() - 1])
        .expect_err("cut off")
        .to_string();
    assert!(
        said.ends_with("a length goes beyond the end, at byte 4"),
        "{said}"
    );
    let mut bad = good.clone();
    bad[4] = 0x0a | 7;
    let said = read(&bad).expect_err("a wire type").to_string();
    assert!(
        said.ends_with("a field has an unknown wire type, at byte 4 (key[0])"),
        "{said}"
    );
    bad = good.clone();
    bad[6] = 0x0b;
    let said = read(&bad).expect_err("a group").to_string();
    assert!(
        said.ends_with("groups are not read, at byte 6 (key[0].keyData)"),
        "{said}"
    );
    // Unknown numbers of enums are kept, and then refused.
    bad = good.clone();
    *bad.last_mut().unwrap() = 6;
    let refused = read(&bad).expect_err("a prefix");
    assert!(matches!(
        refused,
        Error::Keyset {
            rule: Rule::OutputPrefix(6),
            ..
        }
    ));
}

#[test]
fn keysets_are_bounded() {
    let read = |bytes: &[u8]| Keyset::from_insecure_binary(bytes, ReadOptions::default());
    let said = read(&vec![0; (1 << 20) + 1])
        .expect_err("too long")
        .to_string();
    assert!(said.contains("longer than 1 MiB"), "{said}");
    let said = read(&b"\x12\x00".repeat(1001))
        .expect_err("too many")
        .to_string();
    assert!(
        said.contains("more than 1000 keys, at byte 2002 (key[1000])"),
        "{said}"
    );
    let ids: Vec<String> = (1..=1001).map(|id: u32| id.to_string()).collect();
    let keys: Vec<Key<'_>> = ids.iter().map(|id| Key { id, ..GOOD }).collect();
    let mut full = Keyset::from_insecure_json(
        keyset("7", &keys[..1000]).as_bytes(),
        ReadOptions::default(),
    )
    .unwrap();
    assert!(full.add(sivka_keyset::Template::AES256_GCM_SIV).is_err());
    let said = refusal(&keyset("7", &keys));
    assert!(said.contains("more than 1000 keys"), "{said}");
    let text = [" ".repeat(1 << 20), keyset("7", &[GOOD])].concat();
    assert!(refusal(&text).contains("longer than 1 MiB"));
}
