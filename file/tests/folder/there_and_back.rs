//! A made tree comes back with all that it has.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};

use super::support::{entries, named, packed, tree, unpacked};
use sivka_file::folder::{Entries, Error, Naming, Pack, Unpack, pack, unpack};

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn set_time(path: &Path, seconds: i64, nanos: i64) {
    let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
    let times = Timestamps {
        last_access: time(0, UTIME_OMIT),
        last_modification: time(seconds, nanos),
    };
    utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW).unwrap();
}

/// Something of everything that comes back.
fn make(root: &Path) {
    let at = |name: &str| root.join(name);
    fs::create_dir_all(at("a/b")).unwrap();
    fs::write(at("a/empty"), "").unwrap();
    fs::write(at("a.b"), "sorts behind all that is in a").unwrap();
    fs::write(at("a/b/block"), [7; 512]).unwrap();
    fs::write(at("a/b/large"), vec![9; 700_001]).unwrap();
    fs::hard_link(at("a/b/large"), at("second name")).unwrap();
    symlink("/etc/passwd", at("outside")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    fs::hard_link(at("dangling"), at("e dangling")).unwrap();
    fs::write(root.join(OsStr::from_bytes(b"\xff not UTF-8")), "x").unwrap();
    symlink(OsStr::from_bytes(b"\xfe"), at("link to \u{e9}")).unwrap();
    let long = at(&"long/".repeat(30));
    fs::create_dir_all(&long).unwrap();
    fs::write(long.join("n".repeat(255)), "long").unwrap();
    symlink("t".repeat(101), at("long/target")).unwrap();
    let sparse = File::create(at("sparse")).unwrap();
    sparse.write_all_at(b"data", 3 << 20).unwrap();
    sparse.set_len(5 << 20).unwrap();
    for (name, value) in [("user.lines", &b"1\n2\0\xff"[..]), ("user.empty", b"")] {
        xattr::set(at("a/b/block"), name, value).unwrap();
        xattr::set(at("a"), name, value).unwrap();
    }
    // user::rw-, user:1:r--, group::r--, mask::r--, other::---
    let list = [
        (1u16, 6u16, u32::MAX),
        (2, 4, 1),
        (4, 4, u32::MAX),
        (16, 4, u32::MAX),
        (32, 0, u32::MAX),
    ];
    let mut bytes = vec![2, 0, 0, 0];
    for (tag, rights, id) in list {
        bytes.extend([tag.to_le_bytes(), rights.to_le_bytes()].concat());
        bytes.extend(id.to_le_bytes());
    }
    xattr::set(at("a.b"), "system.posix_acl_access", &bytes).unwrap();
    xattr::set(at("a"), "system.posix_acl_default", &bytes).unwrap();
    for (name, mode) in [("a/empty", 0o400), ("a/b/large", 0o755), ("a/b", 0o555)] {
        fs::set_permissions(at(name), Permissions::from_mode(mode)).unwrap();
    }
    if is_root() {
        chown(at("a/empty"), Some(12345), Some(1 << 22)).unwrap();
        fs::set_permissions(at("a/empty"), Permissions::from_mode(0o4711)).unwrap();
        for (name, mode) in [
            ("long", 0o2555),
            ("long/long", 0o100),
            ("long/long/long", 0o1577),
        ] {
            fs::set_permissions(at(name), Permissions::from_mode(mode)).unwrap();
        }
        xattr::set(at("a.b"), "trusted.a", b"x").unwrap();
    }
    set_time(&at("a.b"), -1, 999_999_999);
    set_time(&at("a/empty"), 1 << 33, 0);
    set_time(&at("a/b"), 1_000_000_000, 1);
    set_time(&at("dangling"), 1_000_000_000, 0);
    set_time(root, 1_234_567_890, 123_456_789);
}

#[test]
fn a_tree_comes_back() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| desk.path().join(name));
    make(&from);
    let archive = packed(&from);
    assert_eq!(archive, packed(&from));
    let came = unpacked(&archive, &to).unwrap();
    assert!(came.named.is_empty(), "{:?}", came.named);
    let missing = &came.not_restored;
    let missing = missing.owners + missing.modes + missing.times + missing.attributes;
    assert_eq!(missing, 0, "{came:?}");
    let (before, after) = (tree(&from), tree(&to));
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>()
    );
    for (path, found) in &before {
        assert!(
            *found == after[path],
            "{}: {found:?} {:?}",
            path.display(),
            after[path]
        );
    }
    assert_eq!(came.entries, before.len() as u64);
    let blocks = |root: &Path| root.join("sparse").metadata().unwrap().blocks();
    assert!(blocks(&to) <= blocks(&from) + 128, "holes are made again");
    let left = fs::read_dir(&desk).unwrap().count();
    assert_eq!(left, 2, "nothing is beside it");
}

/// They mean nothing elsewhere, and nothing is missing without them.
#[test]
fn labels_and_what_is_no_file_are_left_out() {
    let desk = tempfile::tempdir().unwrap();
    let at = |name: &str| desk.path().join("from").join(name);
    fs::create_dir(at("")).unwrap();
    let fifo = rustix::fs::FileType::Fifo;
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(CWD, at("pipe"), fifo, mode, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    fs::write(at("file"), "x").unwrap();
    if is_root() {
        xattr::set(at("file"), "security.selinux", b"a_u:b_r:c_t:s0\0").unwrap();
    }
    let mut archive = Vec::new();
    let packed = pack(&at(""), &mut archive, &Pack::default()).unwrap();
    assert_eq!(
        named(&packed.named),
        ["pipe: is a named pipe", "socket: is a socket"]
    );
    assert_eq!(packed.entries, 2);
    let to = desk.path().join("to");
    unpacked(&archive, &to).unwrap();
    let file = &entries(&archive, false).unwrap()[1];
    assert!(file.path == *"file" && file.attributes.is_empty());
}

#[test]
fn on_failure_there_is_nothing() {
    let desk = tempfile::tempdir().unwrap();
    let from = desk.path().join("from");
    make(&from);
    let archive = packed(&from);
    let inside = desk.path().join("inside");
    fs::create_dir(&inside).unwrap();
    let to = inside.join("to");
    for len in [
        0,
        511,
        512,
        20_000,
        720_000,
        archive.len() - 512,
        archive.len() - 1,
    ] {
        let refused = unpacked(&archive[..len], &to);
        assert!(
            matches!(refused, Err(Error::Malformed { .. })),
            "{len}: {refused:?}"
        );
        assert_eq!(fs::read_dir(&inside).unwrap().count(), 0, "{len}");
    }
    // A folder without rights is no hindrance.
    let mut options = Unpack::default();
    let has_begun = std::cell::Cell::new(false);
    let hold = |naming: Naming<'_>| match has_begun.replace(true) {
        false => naming().map(drop),
        true => Err(std::io::ErrorKind::Interrupted.into()),
    };
    options.hold = &hold;
    let refused = unpack(Entries::new(&mut &archive[..]), &to, &options);
    assert!(matches!(refused, Err(Error::Path { .. })));
    assert_eq!(fs::read_dir(&inside).unwrap().count(), 0);

    fs::create_dir(&to).unwrap();
    let there = unpacked(&archive, &to).unwrap_err();
    assert!(
        there.to_string().starts_with(to.to_str().unwrap()),
        "{there}"
    );
    assert_eq!(fs::read_dir(&to).unwrap().count(), 0);
}

/// Who removes unfinished folders when interrupted knows of each from its making to its naming.
#[test]
fn a_folder_appears_and_gets_its_name_while_the_caller_holds_a_lock() {
    let around = tempfile::tempdir().unwrap();
    let [from, into] = ["from", "into"].map(|name| around.path().join(name));
    fs::create_dir(&from).unwrap();
    let archive = packed(&from);
    let temporary = std::cell::RefCell::new(None);
    let hold = |naming: Naming<'_>| {
        let before = fs::read_dir(around.path())?.count();
        let made = naming()?;
        let after = fs::read_dir(around.path())?.count();
        let temporary = temporary.replace(made.clone());
        assert_eq!(
            (temporary.is_some(), made.is_some()),
            (before == 2, before == 1)
        );
        assert!(after == 2 && made.is_none_or(|made| made.is_dir() && !into.exists()));
        Ok(())
    };
    let mut options = Unpack::default();
    options.hold = &hold;
    unpack(Entries::new(&mut &archive[..]), &into, &options).unwrap();
    assert!(temporary.borrow().is_none() && into.is_dir());
}
