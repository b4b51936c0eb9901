//! Archives that would lead outside, or are malformed: nothing of them is there afterwards.

use std::fs;
use std::process::Command;

use tar::{EntryType, Header};

use super::support::{House, MARK_LEN, entry, file, folder, link};
use crate::within::RunInTime;

#[test]
fn nothing_leaves_the_target() {
    use EntryType::{Link, Symlink};
    let house = House::new();
    let outside = house.path("outside");
    let absolute = outside.to_str().expect("a plain name");
    let root = || folder("./");
    let cases: Vec<(&str, Vec<Header>)> = vec![
        ("a way up", vec![root(), file("../outside/file")]),
        (
            "a way up in between",
            vec![root(), folder("a/"), file("a/../../outside/new")],
        ),
        (
            "an absolute name",
            vec![root(), file(&format!("{absolute}/new"))],
        ),
        (
            "an absolute folder",
            vec![root(), folder(&format!("{absolute}/new/"))],
        ),
        ("a folder above", vec![root(), folder("../new/")]),
        (
            "a root elsewhere",
            vec![folder("outside/"), file("outside/file")],
        ),
        ("no root", vec![file("a")]),
        ("a second root", vec![root(), root()]),
        ("nothing at all", vec![]),
        ("a name twice", vec![root(), file("a"), file("a")]),
        ("a file for a folder", vec![root(), file("a"), folder("a/")]),
        ("a file in a file", vec![root(), file("a"), file("a/b")]),
        ("a folder that is not there", vec![root(), file("a/b")]),
        (
            "a folder that was left",
            vec![root(), folder("a/"), file("b"), file("a/c")],
        ),
        (
            "a way through a link",
            vec![root(), link(Symlink, "a", "outside"), file("a/file")],
        ),
        (
            "a folder for a link",
            vec![
                root(),
                link(Symlink, "a", "b"),
                folder("a/"),
                file("a/file"),
            ],
        ),
        (
            "a file for a link",
            vec![root(), link(Symlink, "a", "b"), file("a")],
        ),
        (
            "a hard link up",
            vec![root(), link(Link, "a", "../outside/file")],
        ),
        (
            "a hard link to anywhere",
            vec![root(), link(Link, "a", &format!("{absolute}/file"))],
        ),
        ("a hard link to nothing", vec![root(), link(Link, "a", "b")]),
        (
            "a hard link to a folder",
            vec![root(), folder("b/"), link(Link, "b/a", "b")],
        ),
        (
            "a hard link through a link",
            vec![
                root(),
                link(Symlink, "a", "."),
                file("b"),
                link(Link, "c", "a/b"),
            ],
        ),
        (
            "another name of a link that leads outside from there",
            vec![
                root(),
                folder("d/"),
                link(Symlink, "d/a", "../x"),
                link(Link, "b", "d/a"),
            ],
        ),
        ("a link to nothing", vec![root(), link(Symlink, "a", "")]),
        ("an empty name", vec![root(), file("")]),
        ("a name that ends like a folder's", vec![root(), file("a/")]),
        (
            "another kind",
            vec![root(), entry(EntryType::new(b'V'), "a", "", 0)],
        ),
        (
            "a second mark",
            vec![root(), entry(EntryType::XGlobalHeader, "a", "", 0)],
        ),
    ];
    let count = cases.len();
    assert_eq!(count, 28);
    for (case, entries) in cases {
        house.seal_entries(&entries);
        let (status, said) = house.open();
        assert_eq!(status, 12, "{case}: {said}");
        assert!(
            said.starts_with("sivka: hostile: the folder in the file is malformed: "),
            "{case}: {said}"
        );
        assert!(!said.contains(".partial"), "{case}: {said}");
        house.assert_nothing_was_made(case);
        assert_eq!(house.list(), [12, 12], "{case}");
    }

    // A header that is none, and an archive that ends within a file.
    let mut torn = file("a");
    torn.set_size(5000);
    torn.set_cksum();
    let mut size = Header::new_ustar();
    size.set_entry_type(EntryType::XHeader);
    size.set_path("x").expect("a name");
    size.set_size(9);
    size.set_cksum();
    let size = [size.as_bytes(), &b"9 size=1\n"[..], &[0; 503]].concat();
    let path = [&size[..512], b"9 path=b\n", &[0; 503]].concat();
    let mut sized = Header::new_gnu();
    sized.set_entry_type(EntryType::Symlink);
    sized.set_path("b").expect("a name");
    sized.set_link_name("a").expect("a target");
    sized.set_size(512);
    sized.set_cksum();
    for bytes in [
        // Some programs pass over so many bytes, others look for an entry there.
        [
            root().as_bytes(),
            &sized.as_bytes()[..],
            file("a").as_bytes(),
        ]
        .concat(),
        [
            root().as_bytes(),
            &size[..],
            file("a").as_bytes(),
            &[7; 512],
        ]
        .concat(),
        [root().as_bytes(), &path[..], file("a").as_bytes()].concat(),
        // What some programs would see, as they pass over a block of zeros.
        [root().as_bytes(), &[0; 512][..], file("a").as_bytes()].concat(),
        [root().as_bytes(), &[0; 1024][..], file("a").as_bytes()].concat(),
        [root().as_bytes(), &[0; 30_000][..], b"x"].concat(),
        [root().as_bytes(), &[7; 512][..]].concat(),
        [root().as_bytes(), torn.as_bytes(), &[7; 512][..]].concat(),
    ] {
        house.seal(|out| out.write_all(&bytes));
        let (status, said) = house.open();
        assert_eq!(status, 12, "{said}");
        house.assert_nothing_was_made("torn");
        assert_eq!(house.list(), [12, 12]);
    }
}

/// By its text alone, `d/e/..` is `d`; but `d/e`, which comes later, is a link to the folder
/// itself, and what is up from there is outside.
#[test]
fn a_link_through_a_later_link_is_not_made() {
    let house = House::new();
    house.seal_entries(&[
        folder("./"),
        link(EntryType::Symlink, "a", "d/e/../outside/file"),
        folder("d/"),
        link(EntryType::Symlink, "d/e", ".."),
    ]);
    let opened = Command::new(env!("CARGO_BIN_EXE_sivka"))
        .args(["open", "--key", "key", "hostile.sivka"])
        .current_dir(&house.folder)
        .output_in_time()
        .expect("sivka runs");
    let said = String::from_utf8_lossy(&opened.stderr);
    assert_eq!(opened.status.code(), Some(11), "{said}");
    assert!(said.contains("hostile/a: is a symbolic link to"), "{said}");
    assert!(fs::symlink_metadata(house.path("hostile/a")).is_err());
    let target = fs::read_link(house.path("hostile/d/e")).expect("made");
    assert_eq!(target.as_os_str(), "..");
}

/// `open` gave status 3 for what `--list` said is malformed.
#[test]
fn a_name_too_long_for_the_system_hides_nothing() {
    let house = House::new();
    let name = format!("{}/", "l".repeat(300));
    let long = entry(EntryType::GNULongName, "././@LongLink", "", 302);
    let seal = |last: &str| {
        house.seal(|out| {
            out.write_all(folder("./").as_bytes())?;
            out.write_all(long.as_bytes())?;
            out.write_all(name.as_bytes())?;
            out.write_all(&[0; 512 - 301])?;
            out.write_all(folder("l/").as_bytes())?;
            out.write_all(file(last).as_bytes())?;
            out.write_all(&[b'x'; 512])?;
            out.write_all(&[0; 1024])
        });
    };
    seal("m");
    let (status, said) = house.open();
    assert_eq!(status, 11, "{said}");
    assert!(said.contains("file name too long, and left out"), "{said}");
    assert!(said.contains("1 entry was left out"), "{said}");
    assert!(house.path("hostile/m").exists());
    fs::remove_dir_all(house.path("hostile")).expect("removed");
    assert_eq!(house.list(), [0, 0]);
    // In the folder that could not be made, or before it.
    for last in ["k", "l/k"] {
        seal(last);
        let (status, said) = house.open();
        assert_eq!(status, 12, "{last}: {said}");
        house.assert_nothing_was_made(last);
        assert_eq!(house.list(), [12, 12], "{last}");
    }
}

/// A newer program may have another form of folder: it is not taken for a file.
#[test]
fn a_newer_form_is_refused_by_name() {
    let mut house = House::new();
    let version = house
        .mark
        .iter()
        .rposition(|&byte| byte == b'1')
        .expect("version 1");
    house.mark[version] = b'2';
    house.seal_entries(&[folder("./")]);
    let (status, said) = house.open();
    assert_eq!(status, 7, "{said}");
    house.assert_nothing_was_made("newer");
    let tar = house.sivka(&["open", "--key", "key", "--tar", "hostile.sivka", "-o", "-"]);
    assert!(tar.status.success());
    assert_eq!(tar.stdout[..MARK_LEN], house.mark);
}

/// Words that led elsewhere: to a link that is there, and to a number that is one.
#[test]
fn a_refusal_says_what_is_wrong() {
    use EntryType::{Link, Symlink, XHeader};
    let house = House::new();
    let refusal = |entries: &[&[u8]]| {
        house.seal(|out| {
            out.write_all(folder("./").as_bytes())?;
            entries.iter().try_for_each(|entry| out.write_all(entry))?;
            out.write_all(&[0; 1024])
        });
        let (status, said) = house.open();
        assert_eq!(status, 12, "{said}");
        said
    };
    let [first, second] = [link(Symlink, "a", "/etc"), link(Link, "b", "a")];
    let said = refusal(&[first.as_bytes(), second.as_bytes()]);
    let words = "it has a hard link to a symbolic link that leads outside";
    assert!(said.contains(words), "{said}");

    let record = b"30 mtime=-9223372036854775808\n";
    let mut records = entry(XHeader, "x", "", record.len() as u64);
    records.as_mut_bytes()[257..265].copy_from_slice(b"ustar\x0000");
    records.set_cksum();
    let mut text = record.to_vec();
    text.resize(512, 0);
    let said = refusal(&[records.as_bytes(), &text, folder("d/").as_bytes()]);
    let words = "it has a time that is no number below 2^63";
    assert!(said.contains(words), "{said}");
}
