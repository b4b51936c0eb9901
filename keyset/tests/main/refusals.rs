//! What a reader must refuse, and what it says: which key, where, and never a byte of a key.

mod binary;
mod encrypted;
mod json;

use crate::differences::{GOOD, Key, keyset, with_id};
use crate::messages;
use sivka_keyset::{Error, Keyset, ReadOptions};

const SIV: &str = "type.googleapis.com/google.crypto.tink.AesSivKey";
const XAES: &str = "type.googleapis.com/google.crypto.tink.XAesGcmKey";
const HMAC: &str = "type.googleapis.com/google.crypto.tink.HmacKey";

fn read(text: &str) -> Result<Keyset, Error> {
    let result = Keyset::from_insecure_json(text.as_bytes(), ReadOptions::default());
    if let Err(error) = &result {
        let said = format!("{error} {error:?}");
        let key = ["ABCDE", "QkNERU"];
        assert!(!key.iter().any(|part| said.contains(part)), "{said}");
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
    assert!(said.contains("AesGcmSivKey"), "{said}");
    let key = ["ABCDE", "65, 66, 67"];
    assert!(!key.iter().any(|part| said.contains(part)), "{said}");
}

#[test]
fn keys_that_break_a_rule_are_refused_with_their_id() {
    let long = "GhFBQkNERUZHSElKS0xNTk9QUQ==";
    let xaes = "EgIIDBogQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=";
    let tink_and_raw = "keys of this type have the output prefixes TINK and RAW only";
    let siv_of_32 = "EiBBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQQ==";
    #[rustfmt::skip]
    let cases = [
        (Key { status: "UNKNOWN_STATUS", ..GOOD }, "a key has no status 0"),
        (Key { prefix: "UNKNOWN_PREFIX", ..GOOD }, "an AEAD has no output prefix 0"),
        (Key { prefix: "WITH_ID_REQUIREMENT", ..GOOD }, "an AEAD has no output prefix 5"),
        (Key { url: "", ..GOOD }, "the type URL is empty or not printable ASCII"),
        (Key { url: "AesGcmSivKey\\n", ..GOOD }, "the type URL is empty or not printable ASCII"),
        (Key { url: "Aes Key", ..GOOD }, "the type URL is empty or not printable ASCII"),
        (Key { url: "\u{410}", ..GOOD }, "the type URL is empty or not printable ASCII"),
        (Key { material: "REMOTE", ..GOOD }, "keys of this type do not have the key material type 4"),
        (Key { material: "UNKNOWN_KEYMATERIAL", ..GOOD }, "keys of this type do not have the key material type 0"),
        (Key { value: long, ..GOOD }, "keys of this type do not have 17 bytes"),
        (Key { value: "", ..GOOD }, "keys of this type do not have 0 bytes"),
        (Key { value: siv_of_32, url: SIV, ..GOOD }, "keys of this type do not have 32 bytes"),
        (Key { url: XAES, value: xaes, prefix: "LEGACY", ..GOOD }, tink_and_raw),
        (Key { url: XAES, value: xaes, prefix: "CRUNCHY", ..GOOD }, tink_and_raw),
        (Key { value: "QUJDREVGR0hJSktMTU5PUA==", ..GOOD }, "the key data are not a message of the key's type: a length goes beyond the end"),
        (Key { value: "CAEaEEFCQ0RFRkdISUpLTE1OT1A=", ..GOOD }, "version 1 of its type is not known; only 0 is"),
    ];
    for (key, said) in cases {
        let at = Key { id: "3000000000", ..key };
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
    let hmac = Key { url: HMAC, value: "AQID/w==", id: "8", material: "REMOTE", ..GOOD };
    let said = refusal(&keyset("7", &[GOOD, hmac]));
    let wanted = format!("key 8 (key[1]): keys of type {HMAC} are not supported");
    assert_eq!(said, wanted);
    for status in ["DISABLED", "DESTROYED"] {
        let text = keyset("7", &[GOOD, Key { status, ..hmac }]);
        let mut keyset = read(&text).unwrap();
        assert_eq!(keyset.to_insecure_json().unwrap().trim_end(), text);
        let binary = keyset.to_insecure_binary().unwrap();
        assert_eq!(messages::read(&binary).as_ref(), Ok(&keyset));
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
}

#[test]
fn keysets_that_break_a_rule_are_refused() {
    let disabled = Key { status: "DISABLED", ..GOOD };
    let other = with_id("8");
    assert_eq!(refusal(&keyset("7", &[])), "the keyset has no key");
    let said = "the keyset has no enabled key";
    assert_eq!(refusal(&keyset("7", &[disabled])), said);
    let said = "the keyset has no key with the primary's id, 9";
    assert_eq!(refusal(&keyset("9", &[GOOD])), said);
    let no_primary = format!(r#"{{"key":[{}]}}"#, GOOD.text());
    let said = "the keyset has no key with the primary's id, 0";
    assert_eq!(refusal(&no_primary), said);
    let said = "key 7 (key[1]): the primary key is not enabled";
    assert_eq!(refusal(&keyset("7", &[other, disabled])), said);
    for status in ["ENABLED", "DISABLED", "DESTROYED"] {
        let twice = Key { status, ..other };
        let said = "key 8 (key[2]): an earlier key has the same id";
        assert_eq!(refusal(&keyset("7", &[GOOD, other, twice])), said);
    }
    let siv = format!("EkB{}", "B".repeat(85));
    let siv = Key { url: SIV, value: &siv, id: "9", ..GOOD };
    let mixed = read(&keyset("7", &[GOOD, siv])).unwrap();
    let said = "the keyset mixes keys for different primitives";
    for refused in [mixed.aead().err(), mixed.deterministic_aead().err()] {
        assert_eq!(refused.unwrap().to_string(), said);
    }
    let daead = read(&keyset("9", &[siv])).unwrap();
    let refused = daead.aead().expect_err("another primitive").to_string();
    assert_eq!(refused, "the keyset is for deterministic AEAD");
}

#[test]
fn duplicates_are_read_only_where_they_are_asked_for() {
    let other = Key { id: "8", prefix: "RAW", ..GOOD };
    let text = keyset("7", &[GOOD, other, other]);
    let mut options = ReadOptions::default();
    options.duplicate_ids = true;
    let mut lenient = Keyset::from_insecure_json(text.as_bytes(), options).unwrap();
    let said = "several keys have the id 8; remove them first";
    for refused in [lenient.to_insecure_json().err(), lenient.disable(8).err()] {
        assert_eq!(refused.unwrap().to_string(), said);
    }
    lenient.remove(8).unwrap();
    assert_eq!(lenient, read(&keyset("7", &[GOOD])).unwrap());
    let primary = keyset("7", &[GOOD, other, GOOD]);
    assert!(Keyset::from_insecure_json(primary.as_bytes(), options).is_err());
}

#[test]
fn keysets_are_bounded() {
    for (binary, said) in [
        (vec![0; (1 << 20) + 1], "longer than 1 MiB"),
        (b"\x12\x00".repeat(1001), "more than 1000 keys, at byte 2002 (key[1000])"),
    ] {
        let refused = messages::read(&binary).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
    let ids: Vec<String> = (1..=1001).map(|id: u32| id.to_string()).collect();
    let keys: Vec<Key<'_>> = ids.iter().map(|id| with_id(id)).collect();
    let mut full = read(&keyset("7", &keys[..1000])).unwrap();
    assert!(full.add(sivka_keyset::Template::AES256_GCM_SIV).is_err());
    let said = refusal(&keyset("7", &keys));
    assert!(said.contains("more than 1000 keys"), "{said}");
    let text = [" ".repeat(1 << 20), keyset("7", &[GOOD])].concat();
    assert!(refusal(&text).contains("longer than 1 MiB"));
}
