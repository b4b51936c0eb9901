//! Archives that somebody made, and file systems that refuse.

use std::fs;
use std::path::Path;

use super::support::{
    archive, entries, header, named, records, unpacked, unpacked_only, with_content,
};
use sivka_file::folder::Error;

fn is_malformed<T>(read: &Result<T, Error>) -> bool {
    matches!(read, Err(Error::Malformed { .. }))
}

/// Every reader refuses these, whether it unpacks or lists.
#[test]
fn what_breaks_a_rule_is_refused() {
    let file = |name: &str| with_content(b'0', name, b"x");
    let folder = |name: &str| header(b'5', name, "", 0);
    let ahead = |record: (&str, &[u8])| [records(&[record]), file("a")].concat();
    let lost =
        |value: &[u8]| [records(&[("SIVKA.lost", value)]), header(b'5', "./", "", 0)].concat();
    let cases: Vec<(&str, Vec<Vec<u8>>)> = vec![
        ("a name twice", vec![file("a"), file("a")]),
        ("a folder after its file", vec![file("a"), folder("a/")]),
        ("not in order", vec![file("b"), file("a")]),
        ("no folder before it", vec![file("a/b")]),
        (
            "a folder that was left",
            vec![folder("a/"), file("b"), file("a/c")],
        ),
        ("in a file", vec![file("a"), file("a/b")]),
        ("in a link", vec![header(b'2', "a", "/etc", 0), file("a/b")]),
        ("upwards", vec![file("../a")]),
        ("absolute", vec![file("/a")]),
        ("an empty part", vec![folder("a/"), file("a//b")]),
        ("a point", vec![file("./a")]),
        ("a folder without a slash", vec![folder("a")]),
        ("a file with one", vec![file("a/")]),
        ("the folder itself twice", vec![folder("./")]),
        ("a link to nothing", vec![header(b'2', "a", "", 0)]),
        ("a link of a file", vec![header(b'0', "a", "b", 0)]),
        ("a size of a folder", vec![with_content(b'5', "a/", b"x")]),
        (
            "another name of a later one",
            vec![header(b'1', "a", "b", 0), file("b")],
        ),
        ("another name of itself", vec![header(b'1', "a", "a", 0)]),
        ("another name upwards", vec![header(b'1', "b", "../a", 0)]),
        ("a device", vec![header(b'3', "a", "", 0)]),
        ("a pipe", vec![header(b'6', "a", "", 0)]),
        (
            "GNU's long name",
            vec![with_content(b'L', "././@LongLink", b"a\0"), file("a")],
        ),
        ("records twice", vec![records(&[]), records(&[]), file("a")]),
        ("records of nothing", vec![records(&[])]),
        ("an unknown record", vec![ahead(("GNU.sparse.major", b"1"))]),
        (
            "an attribute without a name",
            vec![ahead(("SCHILY.xattr.", b"x"))],
        ),
        ("an empty path", vec![ahead(("path", b""))]),
        ("a NUL in a path", vec![ahead(("path", b"a\0b"))]),
        ("a path upwards", vec![ahead(("path", b"../a"))]),
        ("a huge size", vec![ahead(("size", b"9223372036854775808"))]),
        (
            "more than there is",
            vec![ahead(("size", b"9223372036854775807"))],
        ),
        ("nobody's user", vec![ahead(("uid", b"4294967295"))]),
        ("a sign", vec![ahead(("gid", b"+1"))]),
        ("ten digits", vec![ahead(("mtime", b"1.0123456789"))]),
        ("no digit", vec![ahead(("mtime", b"1."))]),
        (
            "attributes of a link",
            vec![
                records(&[("SCHILY.xattr.user.a", b"x")]),
                header(b'2', "a", "b", 0),
            ],
        ),
        ("a list in between", vec![lost(b"a\0"), file("a")]),
        ("a list with more", vec![file("a"), lost(b"a")]),
        ("an empty name in a list", vec![file("a"), lost(b"\0")]),
        ("an old end", vec![vec![0; 512], file("a")]),
        ("a name of two kinds", vec![[0xff; 512].to_vec()]),
    ];
    for (what, case) in cases {
        let archive = archive(&case);
        let desk = tempfile::tempdir().unwrap();
        assert!(
            is_malformed(&unpacked(&archive, &desk.path().join("to"))),
            "{what}"
        );
        assert_eq!(fs::read_dir(&desk).unwrap().count(), 0, "{what}");
        for by_seeking in [false, true] {
            assert!(
                is_malformed(&entries(&archive, by_seeking)),
                "{what}, {by_seeking}"
            );
        }
    }
}

/// Only who makes files knows that these are not there.
#[test]
fn names_of_nothing_are_refused() {
    let file = with_content(b'0', "b", b"x");
    let folder = header(b'5', "a/", "", 0);
    for (what, case) in [
        ("nothing", vec![file.clone(), header(b'1', "c", "a", 0)]),
        (
            "a folder",
            vec![folder, file.clone(), header(b'1', "c", "a", 0)],
        ),
        (
            "through a link",
            vec![
                header(b'2', "a", "/etc", 0),
                header(b'1', "c", "a/passwd", 0),
            ],
        ),
    ] {
        let (archive, desk) = (archive(&case), tempfile::tempdir().unwrap());
        assert!(
            is_malformed(&unpacked(&archive, &desk.path().join("to"))),
            "{what}"
        );
        assert_eq!(fs::read_dir(&desk).unwrap().count(), 0, "{what}");
    }
}

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

/// Making a link writes nothing outside, and nothing is made through one.
#[test]
fn links_come_as_they_are() {
    let desk = tempfile::tempdir().unwrap();
    let [outside, to] = ["outside", "to"].map(|name| desk.path().join(name));
    fs::create_dir(&outside).unwrap();
    let before = outside.metadata().unwrap().modified().unwrap();
    let link = header(b'2', "l", outside.to_str().unwrap(), 0);
    unpacked(&archive(&[link]), &to).unwrap();
    assert_eq!(fs::read_link(to.join("l")).unwrap(), outside);
    assert_eq!(outside.metadata().unwrap().modified().unwrap(), before);
}

/// The second look finds it, or the archive is malformed.
#[test]
fn the_second_look_judges_as_well() {
    let good = [with_content(b'0', "a", b"a"), header(b'1', "b", "a", 0)];
    let desk = tempfile::tempdir().unwrap();
    let to = desk.path().join("to");
    assert_eq!(unpacked_only(&archive(&good), &to, &["b"]).entries, 2);
    assert_eq!(fs::read(to.join("b")).unwrap(), b"a");
    let bad = archive(&[header(b'1', "b", "a", 0)]);
    let select = |path: &Path, _: bool| path == "b";
    let mut options = sivka_file::folder::Unpack::default();
    options.select = &select;
    let mut file = std::io::Cursor::new(bad);
    let bad = sivka_file::folder::Archive::seekable(&mut file).unwrap();
    let refused = sivka_file::folder::unpack(bad, &desk.path().join("other"), &options);
    assert!(is_malformed(&refused));
}
