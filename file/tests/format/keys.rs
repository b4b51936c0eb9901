//! Key files and keys of age's, as texts: one text for one key, and a reason for every refusal.

use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::XWing;
use hpke::{Deserializable, OpModeR, single_shot_open};
use sha2::{Digest, Sha512};
use sivka_file::{
    Error, Identity, KeyFile, KeyFileError, MAX_NAME_LEN, Passphrase, Recipient, is_key,
    is_key_text,
};

/// Section 8.1, by hand: its checksum is right for these bytes.
const TEXT: &str = include_str!("../data/example.key");
/// Of C2SP's age specification, section "The X25519 recipient type".
const IDENTITY: &str = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
const RECIPIENT: &str = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";

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
    assert!(shown.contains("example") && !shown.contains("000102"));
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
fn every_refusal_of_a_key_file_has_its_reason() {
    use KeyFileError::{BadName, Checksum, Malformed, NotAKeyFile, TooLong, UnknownVersion};
    let changed = |from: &str, to: &str| {
        assert!(TEXT.contains(from));
        TEXT.replacen(from, to, 1)
    };
    let key = TEXT.lines().nth(3).unwrap();
    let padded = |len| format!("{TEXT}{}", " ".repeat(len - TEXT.len()));
    assert_eq!(checked("", ""), TEXT);
    let long = "x".repeat(MAX_NAME_LEN + 1);
    for (text, expected) in [
        (format!("\u{feff}\u{feff}{TEXT}"), NotAKeyFile),
        // No version ends its line with CR.
        (TEXT.replace('\n', "\r"), NotAKeyFile),
        (changed("version 1", "version "), NotAKeyFile),
        (changed("version 1", "version 1.1"), NotAKeyFile),
        // Of any length.
        ("a".repeat(1025), NotAKeyFile),
        (changed("version 1", "version 10"), UnknownVersion),
        (changed("name", "Name"), Malformed(2)),
        (changed("id: ", "id:"), Malformed(3)),
        (changed(key, &key.to_uppercase()), Malformed(4)),
        (changed(key, &key[..key.len() - 1]), Malformed(4)),
        (changed(key, &format!("{key}00")), Malformed(4)),
        (changed("0a", "0A"), Malformed(4)),
        (changed("check", ""), Malformed(5)),
        (format!("{TEXT}\n"), Malformed(6)),
        (padded(1024), Malformed(6)),
        (padded(1025), TooLong),
        (changed("example", "exmaple"), Checksum),
        (checked("example", ""), BadName),
        (checked("example", "example "), BadName),
        (checked("example", "a\tb"), BadName),
        (checked("example", &long), BadName),
        (checked("id: 3", "id: 4"), KeyFileError::WrongId),
    ] {
        assert_eq!(KeyFile::parse(&text).unwrap_err(), expected, "{text}");
    }
    assert_eq!(KeyFile::parse(b"\xff").unwrap_err(), NotAKeyFile);
    let latin = b"sivka key file, version 1\nname: \xe9\nid: ";
    assert_eq!(KeyFile::parse(latin).unwrap_err(), Malformed(2));
    for (at, change) in (0..TEXT.len()).flat_map(|at| [(at, 1), (at, 2), (at, 0x20)]) {
        let mut bytes = TEXT.as_bytes().to_vec();
        bytes[at] ^= change;
        assert!(KeyFile::parse(&bytes).is_err(), "byte {at}");
    }
    for name in ["ключ", "two words", &long[1..]] {
        let key = KeyFile::generate(name).unwrap();
        assert_eq!(KeyFile::parse(&key.to_text()).unwrap().name(), name);
        assert_ne!(key.id(), KeyFile::generate(name).unwrap().id());
    }
}

/// Whatever is named as a key file, no more of it is read than a key file may have.
#[test]
#[cfg(target_os = "linux")]
fn a_large_file_is_not_read_whole() {
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsRawFd as _;
    let (mut left, mut pipe) = std::io::pipe().unwrap();
    pipe.write_all(&[b'x'; 5000]).unwrap();
    drop(pipe);
    let path = format!("/proc/self/fd/{}", left.as_raw_fd());
    let refused = KeyFile::load(path.as_ref()).unwrap_err();
    assert!(matches!(refused, Error::KeyFile(KeyFileError::NotAKeyFile)));
    assert_eq!(left.read_to_end(&mut Vec::new()).unwrap(), 5000 - 1025);
}

#[test]
fn the_text_of_a_key_is_no_path() {
    let digits = "0123456789abcdef".repeat(4);
    for text in [
        &TEXT.replace('\n', " "),
        &format!("-k{}", &TEXT[TEXT.find("key: ").unwrap()..]),
        &format!("# public key: age1\n{}\n", IDENTITY.to_lowercase()),
        r#"{"primaryKeyId":1,"key":[{"keyData":{"value":"GiAB"}}]}"#,
    ] {
        assert!(is_key_text(text.as_bytes()) && is_key(text.as_bytes()));
    }
    let line = format!("{}\n", digits.to_uppercase());
    assert!(is_key(line.as_bytes()) && !is_key_text(line.as_bytes()));
    let hash = format!("objects/{digits}");
    for path in ["my.key", "key: mine", "age-secret-key-1.txt", &digits[1..], &hash] {
        assert!(!is_key(path.as_bytes()), "{path}");
    }
}

#[test]
fn keys_are_those_that_age_writes() {
    let read: Identity = IDENTITY.parse().unwrap();
    assert_eq!(read.recipient().to_string(), RECIPIENT);
    assert_eq!(read.to_text().as_str(), IDENTITY);
    let small: Identity = IDENTITY.to_lowercase().parse().unwrap();
    let large: Recipient = RECIPIENT.to_uppercase().parse().unwrap();
    assert!(small.recipient() == &large && !large.is_post_quantum());
    let shown = format!("Identity {{ recipient: Recipient({RECIPIENT}), .. }}");
    assert_eq!(format!("{read:?}"), shown);

    let pq = Identity::generate().unwrap();
    let text = pq.recipient().to_string();
    assert!(text.starts_with("age1pq1") && text.len() == 1959);
    assert_eq!(text.parse::<Recipient>().unwrap(), *pq.recipient());
}

#[test]
fn lists_have_comments_and_a_place_for_an_error() {
    let list = format!("\u{feff}# alice\r\n{RECIPIENT}\r\n\n  {RECIPIENT}  \n#end");
    assert_eq!(Recipient::parse_list(&list).unwrap().len(), 2);
    let list = format!("# created: today\n# public key: {RECIPIENT}\n{IDENTITY}\n");
    assert_eq!(Identity::parse_list(&list).unwrap().len(), 1);

    let refused = |text: &str| Recipient::parse_list(text).unwrap_err().to_string();
    assert_eq!(refused("# nobody\n\n"), "there is no key in it");
    // Of the right form and checksum, but of no length, and with a point of low order.
    let name = bech32::Hrp::parse("age").unwrap();
    let of_zeros = |len| bech32::encode::<bech32::Bech32>(name, &vec![0; len]).unwrap();
    for (text, reason) in [
        (IDENTITY, "line 2: not a recipient"),
        ("ssh-ed25519 AAAA", "line 2: a kind of key that"),
        ("age1tag1qt8lw0ual", "line 2: a kind of key that"),
        (&RECIPIENT.replace("zvk", "zvq"), "line 2: the key's checksum"),
        (&format!("{RECIPIENT} alice"), "line 2: the key is malformed"),
        (&of_zeros(0), "line 2: the key is malformed"),
        (&of_zeros(31), "line 2: the key is malformed"),
        (&of_zeros(32), "line 2: the key is malformed"),
        (&of_zeros(33), "line 2: the key is malformed"),
    ] {
        let found = refused(&format!("{RECIPIENT}\n{text}"));
        assert!(found.starts_with(reason), "{found}");
    }
    let refused = |text: &str| Identity::parse_list(text).unwrap_err().to_string();
    for other in [RECIPIENT, "AGE-PLUGIN-YUBIKEY-1QQ"] {
        assert!(refused(other).starts_with("line 1: not an identity"));
    }
    let said = refused(&IDENTITY.replace("GFPQ", "GFQQ"));
    assert!(said.starts_with("line 1: the key's checksum") && !said.contains("GFPYY"));
}

/// age's published vectors, for the KEM and the keys that we share with it. A stanza of X25519 has
/// a derivation of its own; that of our slots is in the vectors.
#[test]
fn stanzas_open_as_age_says() {
    let text = include_str!("../../../vectors/age/stanzas.json");
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut opened = 0;
    for row in json["stanzas"].as_array().unwrap() {
        let field = |name: &str| row[name].as_str().unwrap();
        let bytes = |name: &str| sivka_oracle::vectors::hex(field(name)).unwrap();
        let identity: Identity = field("identity").parse().unwrap();
        assert_eq!(identity.to_text().as_str(), field("identity"));
        let is_post_quantum = field("kind") == "mlkem768x25519";
        assert_eq!(identity.recipient().is_post_quantum(), is_post_quantum);
        if is_post_quantum && field("expect") != "header failure" {
            let (_, secret) = bech32::decode(field("identity")).unwrap();
            let found = single_shot_open::<ChaCha20Poly1305, HkdfSha256, XWing>(
                &OpModeR::Base,
                &Deserializable::from_bytes(&secret).unwrap(),
                &Deserializable::from_bytes(&bytes("encapsulated")).unwrap(),
                b"age-encryption.org/mlkem768x25519",
                &bytes("body"),
                b"",
            );
            assert_eq!(found.is_ok(), field("expect") == "success");
            opened += usize::from(found.is_ok_and(|key| key == bytes("file_key")));
        }
    }
    assert_eq!(opened, 1);
}
