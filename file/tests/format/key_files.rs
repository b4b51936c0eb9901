//! Key files: one text for one key, and a reason for every refusal.

use proptest::prelude::*;
use sha2::{Digest, Sha512};
use sivka_file::{Error, KeyFile, KeyFileError, MAX_NAME_LEN, Passphrase};

/// Section 8.1, by hand: its checksum is right for these bytes.
const TEXT: &str = include_str!("../data/example.key");

fn example() -> KeyFile {
    KeyFile::from_bytes(&std::array::from_fn(|i| i as u8), "example").unwrap()
}

#[test]
fn the_example_of_the_specification() {
    assert_eq!(*example().to_text(), TEXT);
    assert!(include_str!("../../../docs/spec/file-format-v1.md").contains(TEXT));
    let parsed = KeyFile::parse(TEXT).unwrap();
    assert_eq!(parsed.name(), "example");
    assert_eq!(parsed.id(), example().id());
    let (body, check) = TEXT.split_once("check: ").unwrap();
    let hash = Sha512::digest(body.as_bytes());
    let expected: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(check, expected + "\n");
}

#[test]
fn line_ends_may_be_a_terminals_or_another_systems() {
    for text in [TEXT.replace('\n', "\r\n"), TEXT.trim_end().to_owned()] {
        assert_eq!(*KeyFile::parse(&text).unwrap().to_text(), TEXT);
    }
}

#[test]
fn every_refusal_has_its_reason() {
    use KeyFileError::{BadName, Checksum, Malformed, NotAKeyFile, TooLong, UnknownVersion};
    let changed = |from: &str, to: &str| {
        assert!(TEXT.contains(from));
        TEXT.replacen(from, to, 1)
    };
    let key_line = TEXT.lines().nth(3).unwrap();
    for (text, expected) in [
        (String::new(), NotAKeyFile),
        ("-----BEGIN".to_owned(), NotAKeyFile),
        (changed("version 1", "version 2"), UnknownVersion),
        (changed("name", "Name"), Malformed { line: 2 }),
        (changed("id: ", "id:"), Malformed { line: 3 }),
        (
            changed(key_line, &key_line.to_uppercase()),
            Malformed { line: 4 },
        ),
        (
            changed(key_line, &key_line[..key_line.len() - 1]),
            Malformed { line: 4 },
        ),
        (
            changed(key_line, &key_line[..key_line.len() - 2]),
            Malformed { line: 4 },
        ),
        (
            changed(key_line, &format!("{key_line}00")),
            Malformed { line: 4 },
        ),
        (
            changed(key_line, &key_line.replace("0a", "0A")),
            Malformed { line: 4 },
        ),
        (changed(&format!("{key_line}\n"), ""), Malformed { line: 4 }),
        (
            TEXT.split_once("check").unwrap().0.to_owned(),
            Malformed { line: 5 },
        ),
        (format!("{TEXT}\n"), Malformed { line: 6 }),
        (format!("\u{feff}\u{feff}{TEXT}"), NotAKeyFile),
        (format!(" {TEXT}"), NotAKeyFile),
        (changed("example", "exmaple"), Checksum),
        (changed("0001", "0101"), Checksum),
        (changed("name: example", "name: "), BadName),
        (changed("name: example", "name: example "), BadName),
        (
            format!("{TEXT}{}", " ".repeat(1024 - TEXT.len())),
            Malformed { line: 6 },
        ),
        (format!("{TEXT}{}", " ".repeat(1025 - TEXT.len())), TooLong),
        // It was said to be of a newer version: no version ends its line with CR.
        (TEXT.replace('\n', "\r"), NotAKeyFile),
        (changed("version 1", "version 1 "), NotAKeyFile),
        (changed("version 1", "version "), NotAKeyFile),
        (changed("version 1", "version 1.1"), NotAKeyFile),
        (changed("version 1", "version 10"), UnknownVersion),
        // It was said to be longer than a key file can be.
        ("a".repeat(1025), NotAKeyFile),
    ] {
        assert_eq!(KeyFile::parse(&text).unwrap_err(), expected, "{text}");
    }
    // An id that is not the key's, with the right checksum.
    let body = TEXT.split_once("check").unwrap().0;
    let id = TEXT.lines().nth(2).unwrap();
    let body = body.replace(id, "id: 0000000000000000");
    let hash = Sha512::digest(body.as_bytes());
    let check: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let text = format!("{body}check: {check}\n");
    assert_eq!(KeyFile::parse(&text).unwrap_err(), KeyFileError::WrongId);
}

#[test]
fn a_byte_order_mark_and_crlf_are_an_editors() {
    let edited = format!("\u{feff}{}", TEXT.replace('\n', "\r\n"));
    let parsed = KeyFile::parse(&edited).unwrap();
    assert_eq!(*parsed.to_text(), TEXT);
}

#[test]
fn names() {
    for name in ["a", "ключ", "two words", &"x".repeat(MAX_NAME_LEN)] {
        let key = KeyFile::generate(name).unwrap();
        assert_eq!(KeyFile::parse(&key.to_text()).unwrap().name(), name);
    }
    for name in [
        "",
        " a",
        "a ",
        "a\nb",
        "a\tb",
        "\u{7f}",
        &"x".repeat(MAX_NAME_LEN + 1),
    ] {
        let refused = KeyFile::generate(name).unwrap_err();
        assert!(
            matches!(refused, Error::BadKeyName(KeyFileError::BadName)),
            "{name:?}"
        );
    }
}

#[test]
fn keys_differ_and_never_print_themselves() {
    let (one, two) = (
        KeyFile::generate("k").unwrap(),
        KeyFile::generate("k").unwrap(),
    );
    assert_ne!(one.id(), two.id());
    let shown = format!("{:?}", example());
    assert!(
        shown.contains("example") && !shown.contains("000102"),
        "{shown}"
    );
    assert_eq!(
        format!("{:?}", one.id()),
        format!("KeyId({})", one.id()),
        "{shown}"
    );
    let passphrase = Passphrase::new("secret".to_owned());
    assert_eq!(format!("{passphrase:?}"), "Passphrase(..)");
}

#[test]
fn any_changed_character_is_refused() {
    for at in 0..TEXT.len() {
        for change in [1, 2, 0x20] {
            let mut bytes = TEXT.as_bytes().to_vec();
            bytes[at] ^= change;
            let text = String::from_utf8(bytes).unwrap();
            assert!(KeyFile::parse(&text).is_err(), "byte {at}: {text}");
        }
    }
}

proptest! {
    #[test]
    fn what_parses_is_what_is_written(key: [u8; 32], name in "[^\\pC\\s]{1,16}") {
        let text = KeyFile::from_bytes(&key, &name).unwrap().to_text();
        prop_assert_eq!(KeyFile::parse(&text).unwrap().to_text(), text);
    }

    #[test]
    fn no_text_panics(text in "(sivka key file, version 1\n)?(name: |id: |key: |[0-9a-f]|\n|.){0,40}") {
        prop_assert!(KeyFile::parse(&text).is_err());
    }
}
