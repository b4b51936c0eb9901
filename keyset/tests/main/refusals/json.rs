//! JSON: what is malformed, and what others write beside.

use super::{read, refusal};
use crate::differences::{self, GOOD, Key, keyset, with_id};
use crate::messages;
use sivka_keyset::{Keyset, ReadOptions};

#[test]
fn malformed_json_is_refused_with_its_place() {
    let good = keyset("7", &[GOOD]);
    #[rustfmt::skip]
    let cases = [
        (r#""status":"ENABLED","#, "", "a member is missing", "key[0].status"),
        (r#""keyId":7,"#, "", "a member is missing", "key[0].keyId"),
        (r#","outputPrefixType":"TINK""#, "", "a member is missing", "key[0].outputPrefixType"),
        (r#","keyMaterialType":"SYMMETRIC""#, "", "a member is missing", "key[0].keyData.keyMaterialType"),
        (r#""typeUrl""#, r#""type_url""#, "a member is missing", "key[0].keyData.typeUrl"),
        (r#""value""#, r#""Value""#, "a member is missing", "key[0].keyData.value"),
        (r#""keyData""#, r#""KeyData""#, "a member is missing", "key[0].keyData"),
        (r#""key":"#, r#""Key":"#, "a member is missing", "key"),
        (r#""ENABLED""#, r#""enabled""#, "an unknown name", "key[0].status"),
        (r#""ENABLED""#, "1", "not a string", "key[0].status"),
        (r#""TINK""#, r#""TONK""#, "an unknown name", "key[0].outputPrefixType"),
        (r#""SYMMETRIC""#, "null", "not a string", "key[0].keyData.keyMaterialType"),
        (r#""keyId":7"#, r#""keyId":7.0"#, "not an integer", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":7e0"#, "not an integer", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":"07""#, "not an integer", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":"+7""#, "not an integer", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":"""#, "not an integer", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":99999999999999999999"#, "not an integer", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":4294967296"#, "not an id from 0 to 4294967295", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":-2147483649"#, "not an id from 0 to 4294967295", "key[0].keyId"),
        (r#""keyId":7"#, r#""keyId":null"#, "not an id", "key[0].keyId"),
        (r#""primaryKeyId":7"#, r#""primaryKeyId":true"#, "not an id", "primaryKeyId"),
        ("GhBB", "Gh_+", "not Base64", "key[0].keyData.value"),
        ("GhBB", "GhB*", "not Base64", "key[0].keyData.value"),
        (r#"[{"#, r#"{"a":{"#, "not JSON", ""),
        (r#""keyId":7"#, r#""keyId":7,"keyId":7"#, "an object has two members of one name", "key[0]"),
        (r#""key":"#, r#""note":[{"a":{"b":1,"b":2}}],"key":"#, "an object has two members of one name", ""),
    ];
    for (old, new, problem, path) in cases {
        assert!(good.contains(old), "{old}");
        let text = good.replacen(old, new, 1);
        let said = refusal(&text);
        let start = format!("not a keyset as asked for: {problem}, at byte ");
        let offset = said.strip_prefix(&start).expect(&said);
        match path {
            "" => assert!(!offset.contains(' '), "{said}"),
            _ => assert!(offset.ends_with(&format!(" ({path})")), "{said}"),
        }
    }
    let said = refusal(&good.replace("\"TINK\"", "\"TONK\""));
    let offset = good.find("\"TINK\"").unwrap();
    let wanted = format!("an unknown name, at byte {offset} (key[0].outputPrefixType)");
    assert!(said.ends_with(&wanted), "{said}");
    let bad = Keyset::from_insecure_json(b"{\"key\":\"\xff\"}", ReadOptions::default());
    let said = bad.expect_err("not UTF-8").to_string();
    assert!(said.ends_with("not UTF-8, at byte 8"), "{said}");
}

#[test]
fn what_is_not_json_is_refused() {
    #[rustfmt::skip]
    let texts = [
        "", "{", "[1,]", r#"{"key":1,}"#, r#"{"key" 1}"#, r#"{"key":1 "b":2}"#, "[1 2]", "[1", "01",
        "-", "1.", "1e", "+1", "nul", "// 1", "'a'", "\u{feff}\u{feff}{}", "{}\u{feff}", "\"a",
        "{\"key\":\"a\nb\"}", r#"{"key":"\x"}"#, r#"{"key":"\u12g4"}"#, r#"{"key":"\u+123"}"#,
        "{\"key\":\"\\u123é\"}", "{} {}", &"[".repeat(1 << 20), &r#"{"a":"#.repeat(1 << 17),
    ];
    for text in texts {
        let said = read(text).expect_err("not JSON").to_string();
        let offset = said.strip_prefix("not a keyset as asked for: not JSON, at byte ");
        let offset: usize = offset.expect(&said).parse().unwrap();
        assert!(offset <= text.len(), "{said}");
    }
    // A surrogate alone is no text; what is not read may be as deep as in Java.
    let good = keyset("7", &[GOOD]);
    let lone = good.replacen("ENABLED", "\\ud800", 1);
    assert!(refusal(&lone).contains("an escape is malformed, at byte"));
    let deep = |depth| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        good.replacen('{', &format!(r#"{{"deep":{open}{close},"#), 1)
    };
    assert!(read(&deep(100)).is_ok());
    for depth in [101, 100_000] {
        assert!(refusal(&deep(depth)).contains("nested too deep, at byte 108"));
    }
    // As many members as there are room for, in a time that does not grow with their square.
    let many: String = (0..90_000).map(|name| format!(r#""{name}":0,"#)).collect();
    assert!(read(&good.replacen('{', &format!("{{{many}"), 1)).is_ok());
}

#[test]
fn what_others_write_beside_is_read() {
    let good = read(&keyset("7", &[GOOD])).unwrap();
    let same = [
        keyset("7", &[GOOD]).replace("GhBB", "Gh\\u0042B").replace("keyId", "\\u006beyId"),
        keyset("7", &[GOOD]).replace(',', " ,\n\t").replace(':', " :\r\n "),
    ];
    // White space in the type URL was put there by the last one.
    for text in same {
        let text = text.replace("type.googleapis.com :\r\n ", "type.googleapis.com:");
        assert_eq!(read(&text).as_ref(), Ok(&good), "{text}");
    }
    let strings = read(&keyset("\"-889275714\"", &[with_id("3405691582")])).unwrap();
    assert_eq!(strings.primary_key_id(), 0xcafe_babe);
    let zero = read(&keyset("0", &[with_id("0")])).unwrap();
    let sealed = zero.aead().unwrap().seal(b"", b"").unwrap();
    assert!(sealed.starts_with(&[1, 0, 0, 0, 0]));

    // Destroyed keys as we, as Go and as Python write them, and as we did.
    let without = r#"{"status":"DESTROYED","keyId":8,"outputPrefixType":"TINK"}"#;
    let emptied =
        |material| Key { url: "", value: "", material, status: "DESTROYED", id: "8", ..GOOD };
    let ours = emptied("SYMMETRIC").text();
    let and = |key: &str| keyset("7", &[GOOD]).replace("}]}", &format!("}},{key}]}}"));
    let with = |data: &str| without.replacen('{', &format!(r#"{{"keyData":{data},"#), 1);
    let others = [
        ours.clone(),
        emptied("UNKNOWN_KEYMATERIAL").text(),
        with(r#"{"keyMaterialType":"SYMMETRIC"}"#),
        with("{}"),
        without.to_owned(),
    ];
    for destroyed in others {
        let keyset = read(&and(&destroyed)).unwrap();
        assert!(keyset.to_insecure_json().unwrap().contains(&ours));
        let binary = keyset.to_insecure_binary().unwrap();
        assert_eq!(messages::read(&binary), Ok(keyset.clone()));
        // Key data with nothing but a type of material.
        let mut fields = binary.windows(6);
        assert!(fields.any(|field| field == [0x0a, 2, 0x18, 1, 0x10, 3]));
        assert_eq!(keyset.info().keys[1].type_url, "");
    }
    let said = refusal(&and(&without.replace("DESTROYED", "DISABLED")));
    assert!(said.ends_with(" (key[1].keyData)"), "{said}");
}

/// What is read of JSON on which Tink's libraries differ, as the README says it.
#[test]
fn every_row_of_the_table_is_so() {
    let texts = differences::texts();
    let table = include_str!("../../../README.md").lines();
    let table = table.skip_while(|line| !line.starts_with("| in JSON |"));
    let rows = table.take_while(|line| line.starts_with('|')).count() - 2;
    assert_eq!(texts.len(), rows);
    for (row, text) in texts {
        let is_read = read(&text).is_ok_and(|keyset| keyset.aead().is_ok());
        let said = differences::said(row, "Sivka");
        let (reads, refuses) = (said.starts_with("read"), said.starts_with("refused"));
        assert_eq!((reads, refuses), (is_read, !is_read), "{row}: {said}");
    }
}
