//! Archives that somebody made, and file systems that refuse.

use std::fs;

use super::support::{archive, header, named, records, unpacked, with_content};

/// A name of 256 bytes stands for all that a file system does not have.
#[test]
fn what_the_file_system_refuses_is_named_and_the_rest_comes() {
    let long = "n".repeat(256);
    let named_long =
        |name: &str, rest: Vec<u8>| [records(&[("path", name.as_bytes())]), rest].concat();
    let entries = [
        with_content(b'0', "a", b"a"),
        named_long(&long, with_content(b'0', "", b"x")),
        header(b'1', "o", "a", 0),
        named_long(&format!("p{long}"), header(b'1', "", "a", 0)),
        named_long(&format!("q{long}/"), header(b'5', "", "", 0)),
        named_long(&format!("q{long}/x"), with_content(b'0', "", b"x")),
        [
            records(&[("linkpath", long.as_bytes())]),
            header(b'1', "r", "", 0),
        ]
        .concat(),
        with_content(b'0', "z", b"z"),
    ];
    let desk = tempfile::tempdir().unwrap();
    let to = desk.path().join("to");
    let came = unpacked(&archive(&entries), &to).unwrap();
    let refused = "cannot be made here: File name too long (os error 36)";
    let [p, q] = ["p", "q"].map(|letter| format!("{letter}{long}"));
    assert_eq!(
        named(&came.named),
        [
            format!("{long}: {refused}"),
            format!("{p}: {refused}"),
            format!("{q}: {refused}"),
            format!("{q}/x: is in a folder that is left out"),
            format!("r: is another name of {long}, which is not here"),
        ]
    );
    assert_eq!(came.entries, 4);
    assert_eq!(fs::read(to.join("z")).unwrap(), b"z");
    assert_eq!(fs::read(to.join("o")).unwrap(), b"a");
}

/// A disk that is full is one, for attributes too. ext4 takes no 60,000 bytes of them.
#[test]
fn an_attribute_without_room_is_named() {
    let desk = tempfile::tempdir().unwrap();
    let (probe, to) = (desk.path().join("probe"), desk.path().join("to"));
    fs::write(&probe, "").unwrap();
    let value = vec![b'x'; 60_000];
    let is_full = |error: std::io::Error| error.kind() == std::io::ErrorKind::StorageFull;
    if !xattr::set(&probe, "user.a", &value).is_err_and(is_full) {
        println!("not asked: the file system has room for it");
        return;
    }
    let record = records(&[("SCHILY.xattr.user.a", &value)]);
    let entry = [record, with_content(b'0', "f", b"x")].concat();
    let came = unpacked(&archive(&[entry]), &to).unwrap();
    let why = "f: 1 of its attributes could not be kept";
    assert_eq!(named(&came.named), [why]);
    assert_eq!(fs::read(to.join("f")).unwrap(), b"x");
}
