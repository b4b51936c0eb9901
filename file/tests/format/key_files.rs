//! Key files: one text for one key, and a reason for every refusal.

use sha2::{Digest, Sha512};
use sivka_file::{Error, KeyFile, KeyFileError, MAX_NAME_LEN, Passphrase};
#[cfg(target_os = "linux")]
use std::{
    io::{self, Read as _, Write as _},
    os::fd::AsRawFd as _,
    path::Path,
};

/// Section 8.1, by hand: its checksum is right for these bytes.
const TEXT: &str = include_str!("../data/example.key");

#[test]
fn the_example_of_the_specification() {
    let key = std::array::from_fn(|i| i as u8);
    let example = KeyFile::from_bytes(&key, "example").unwrap();
    assert_eq!(*example.to_text(), TEXT);
    assert!(include_str!("../../../docs/spec/file-format-v1.md").contains(TEXT));
    let crlf = TEXT.replace('\n', "\r\n");
    for text in [TEXT, TEXT.trim_end(), &crlf, &format!("\u{feff}{crlf}")] {
        assert_eq!(*KeyFile::parse(text).unwrap().to_text(), TEXT);
    }
    let shown = format!("{example:?}");
    assert!(
        shown.contains("example") && !shown.contains("000102"),
        "{shown}"
    );
    let passphrase = Passphrase::new("secret".to_owned());
    assert_eq!(format!("{passphrase:?}"), "Passphrase(..)");
}

/// The example with other lines, and the checksum that is right for these.
fn checked(from: &str, to: &str) -> String {
    let body = TEXT.split_once("check").unwrap().0.replace(from, to);
    let hash = Sha512::digest(body.as_bytes());
    let check: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body}check: {check}\n")
}

#[test]
fn every_refusal_has_its_reason() {
    use KeyFileError::{BadName, Checksum, Malformed, NotAKeyFile, TooLong, UnknownVersion};
    let changed = |from: &str, to: &str| {
        assert!(TEXT.contains(from));
        TEXT.replacen(from, to, 1)
    };
    let key = TEXT.lines().nth(3).unwrap();
    let padded = |len| format!("{TEXT}{}", " ".repeat(len - TEXT.len()));
    assert_eq!(checked("", ""), TEXT);
    for (text, expected) in [
        (format!("\u{feff}\u{feff}{TEXT}"), NotAKeyFile),
        (format!(" {TEXT}"), NotAKeyFile),
        // No version ends its line with CR.
        (TEXT.replace('\n', "\r"), NotAKeyFile),
        (changed("version 1", "version 1 "), NotAKeyFile),
        (changed("version 1", "version "), NotAKeyFile),
        (changed("version 1", "version 1.1"), NotAKeyFile),
        // Of any length.
        ("a".repeat(1025), NotAKeyFile),
        (changed("version 1", "version 2"), UnknownVersion),
        (changed("version 1", "version 10"), UnknownVersion),
        (changed("name", "Name"), Malformed { line: 2 }),
        (changed("id: ", "id:"), Malformed { line: 3 }),
        (changed(key, &key.to_uppercase()), Malformed { line: 4 }),
        (changed(key, &key[..key.len() - 1]), Malformed { line: 4 }),
        (changed(key, &key[..key.len() - 2]), Malformed { line: 4 }),
        (changed(key, &format!("{key}00")), Malformed { line: 4 }),
        (changed("0a", "0A"), Malformed { line: 4 }),
        (changed(&format!("{key}\n"), ""), Malformed { line: 4 }),
        (changed("check", ""), Malformed { line: 5 }),
        (format!("{TEXT}\n"), Malformed { line: 6 }),
        (padded(1024), Malformed { line: 6 }),
        (padded(1025), TooLong),
        (changed("example", "exmaple"), Checksum),
        (changed("name: example", "name: "), BadName),
        (changed("name: example", "name: example "), BadName),
        (checked("id: 3", "id: 4"), KeyFileError::WrongId),
    ] {
        assert_eq!(KeyFile::parse(&text).unwrap_err(), expected, "{text}");
    }
    assert_eq!(KeyFile::parse(b"\xff").unwrap_err(), NotAKeyFile);
    let latin = b"sivka key file, version 1\nname: \xe9\nid: ";
    assert_eq!(KeyFile::parse(latin).unwrap_err(), Malformed { line: 2 });
}

/// Whatever is named as a key file, no more of it is read than a key file may have.
#[test]
#[cfg(target_os = "linux")]
fn a_large_file_is_not_read_whole() {
    let (mut left, mut pipe) = io::pipe().unwrap();
    pipe.write_all(&[b'x'; 5000]).unwrap();
    drop(pipe);
    let path = format!("/proc/self/fd/{}", left.as_raw_fd());
    let refused = KeyFile::load(Path::new(&path)).unwrap_err();
    assert!(matches!(refused, Error::KeyFile(KeyFileError::NotAKeyFile)));
    assert_eq!(left.read_to_end(&mut Vec::new()).unwrap(), 5000 - 1025);
}

#[test]
fn names() {
    for name in ["a", "ключ", "two words", &"x".repeat(MAX_NAME_LEN)] {
        let key = KeyFile::generate(name).unwrap();
        assert_eq!(KeyFile::parse(&key.to_text()).unwrap().name(), name);
        assert_ne!(key.id(), KeyFile::generate(name).unwrap().id());
    }
    let long = "x".repeat(MAX_NAME_LEN + 1);
    for name in ["", " a", "a ", "a\nb", "a\tb", "\u{7f}", &long] {
        let refused = KeyFile::generate(name);
        assert!(
            matches!(refused, Err(Error::BadKeyName(KeyFileError::BadName))),
            "{name:?}"
        );
    }
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
