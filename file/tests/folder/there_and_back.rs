//! A made tree comes back with all that it has.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};

use crate::{packed, tree, unpacked};
use sivka_file::folder::{Entries, Error, Naming, Unpack, unpack};

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn set_time(path: &Path, seconds: i64, nanos: i64) {
    let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
    let times =
        Timestamps { last_access: time(0, UTIME_OMIT), last_modification: time(seconds, nanos) };
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
    let list = ["01000600ffffffff", "0200040001000000", "04000400ffffffff"];
    let list = ["02000000", &list.concat(), "10000400ffffffff20000000ffffffff"].concat();
    let bytes = base16ct::lower::decode_vec(list).unwrap();
    xattr::set(at("a.b"), "system.posix_acl_access", &bytes).unwrap();
    xattr::set(at("a"), "system.posix_acl_default", &bytes).unwrap();
    for (name, mode) in [("a/empty", 0o400), ("a/b/large", 0o755), ("a/b", 0o555)] {
        fs::set_permissions(at(name), Permissions::from_mode(mode)).unwrap();
    }
    if is_root() {
        chown(at("a/empty"), Some(12345), Some(1 << 22)).unwrap();
        fs::set_permissions(at("a/empty"), Permissions::from_mode(0o4711)).unwrap();
        for (name, mode) in [("", 0o2555), ("/long", 0o100), ("/long/long", 0o1577)] {
            let at = at(&format!("long{name}"));
            fs::set_permissions(at, Permissions::from_mode(mode)).unwrap();
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
    let before = tree(&from);
    assert_eq!(before, tree(&to));
    assert_eq!(came.entries, before.len() as u64);
    let blocks = |root: &Path| root.join("sparse").metadata().unwrap().blocks();
    assert!(blocks(&to) <= blocks(&from) + 128, "holes are made again");
    let left = fs::read_dir(&desk).unwrap().count();
    assert_eq!(left, 2, "nothing is beside it");
}

/// A folder without rights is no hindrance; who removes unfinished folders when interrupted knows
/// of each from its making to its naming. Until then nobody else enters it, even if all others may
/// at the end.
#[test]
fn on_failure_there_is_nothing() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "inside/to"].map(|name| desk.path().join(name));
    make(&from);
    let inside = to.parent().unwrap();
    fs::create_dir(inside).unwrap();
    let mut options = Unpack::default();
    let made = std::cell::RefCell::new(None);
    let hold = |naming: Naming<'_>| {
        if let Some(made) = made.borrow().as_ref().map(|made: &PathBuf| made.metadata()) {
            assert_eq!(made.unwrap().mode() & 0o777, 0o700);
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        naming().map(|at| drop(made.replace(at)))
    };
    options.hold = &hold;
    let refused = unpack(Entries::new(&mut &packed(&from)[..]), &to, &options);
    assert!(matches!(refused, Err(Error::Path(..))));
    assert!(made.take().is_some_and(|made| made.parent() == Some(inside)));
    assert_eq!(fs::read_dir(inside).unwrap().count(), 0);
}
