//! Attributes, access control lists, owners and modes: what of them a user may keep, and
//! what root may.

#![cfg(target_os = "linux")]

#[path = "within/waiting.rs"]
mod within;

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rustix::fs::{XattrFlags, lgetxattr, llistxattr, lsetxattr};

use within::RunInTime;

const NOBODY: u32 = 65534;
/// `user::rwx,user:1000:r--,group::r-x,mask::r-x,other::---`, as Linux has it.
const LIST: &[u8] = b"\x02\0\0\0\
    \x01\0\x07\0\xff\xff\xff\xff\x02\0\x04\0\xe8\x03\0\0\x04\0\x05\0\xff\xff\xff\xff\
    \x10\0\x05\0\xff\xff\xff\xff\x20\0\0\0\xff\xff\xff\xff";

struct House(tempfile::TempDir);

impl House {
    fn new() -> Self {
        let house = Self(tempfile::tempdir().expect("a temporary folder"));
        fs::set_permissions(&house.0, Permissions::from_mode(0o777)).expect("chmod");
        // Where any user can run it. Written by another process: one that is started while
        // this one has it open for writing keeps it from being run.
        let mut copy = Command::new("cp");
        let copied = copy
            .arg(env!("CARGO_BIN_EXE_sivka"))
            .arg(house.path("sivka"));
        assert!(copied.status_in_time().expect("cp runs").success());
        let done = house.run(true, &["keygen", "-o", "key"]);
        assert!(done.status.success());
        fs::copy(house.path("key"), house.path("mine")).expect("a copy");
        if is_root() {
            chown(house.path("mine"), Some(NOBODY), Some(NOBODY)).expect("chown");
        }
        fs::create_dir(house.path("f")).expect("made");
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, as_root: bool, args: &[&str]) -> Output {
        let mut run = Command::new(self.path("sivka"));
        let own_key = |arg: &&str| *arg == "key" && !as_root;
        let args = args
            .iter()
            .map(|arg| if own_key(arg) { "mine" } else { arg });
        run.args(args).current_dir(&self.0);
        if is_root() && !as_root {
            run.uid(NOBODY).gid(NOBODY);
        }
        run.output_in_time().expect("sivka runs")
    }

    /// Runs without a failure, and gives what was said.
    fn said(&self, as_root: bool, args: &[&str]) -> String {
        let done = self.run(as_root, args);
        let said = String::from_utf8(done.stderr).expect("text");
        assert!(done.status.success(), "{said}");
        said
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn set(path: &Path, name: &str, value: &[u8]) {
    lsetxattr(path, name, value, XattrFlags::empty()).expect("set");
}

/// The attributes of a file, by name.
fn attributes(path: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut list, mut value) = (vec![0; 65536], vec![0; 65536]);
    let len = llistxattr(path, &mut list).expect("listed");
    let names = list[..len].split(|byte| *byte == 0);
    let names = names.filter(|name| !name.is_empty());
    let mut found: Vec<_> = names
        .map(|name| {
            let len = lgetxattr(path, name, &mut value).expect("read");
            let name = String::from_utf8_lossy(name).into_owned();
            (name, value[..len].to_vec())
        })
        .collect();
    found.sort();
    found
}

/// Without the lists, which are there for everybody.
const VALUES: [(&str, &[u8]); 4] = [
    ("user.plain", b"value"),
    ("user.empty", b""),
    ("user.a=b%3D", b"\0\xff"),
    ("user.lines", b"1\n12 size=7\n\n"),
];

#[test]
fn what_a_user_may_set_comes_back() {
    let house = House::new();
    fs::create_dir(house.path("f/d")).expect("made");
    fs::write(house.path("f/d/file"), "text").expect("written");
    fs::write(house.path("f/read-only"), "text").expect("written");
    for name in ["f/d", "f/d/file", "f/read-only"] {
        for (key, value) in VALUES {
            set(&house.path(name), key, value);
        }
        set(&house.path(name), "system.posix_acl_access", LIST);
    }
    set(&house.path("f/d"), "system.posix_acl_default", LIST);
    set(&house.path("f"), "user.large", &[b'\n'; 3000]);
    fs::set_permissions(house.path("f/read-only"), Permissions::from_mode(0o440)).expect("chmod");
    let names = ["f", "f/d", "f/d/file", "f/read-only"].map(|name| house.path(name));
    let before: Vec<_> = names.iter().map(|name| attributes(name)).collect();
    assert_eq!(
        before.iter().map(Vec::len).collect::<Vec<_>>(),
        [1, 6, 5, 5]
    );

    assert_eq!(house.said(true, &["seal", "--key", "key", "f"]), "");
    assert_eq!(
        house.said(false, &["open", "--key", "key", "f.sivka", "-o", "g"]),
        ""
    );
    for (name, before) in names.iter().zip(&before) {
        let copy = house
            .path("g")
            .join(name.strip_prefix(house.path("f")).expect("in it"));
        assert!(attributes(&copy) == *before, "{}", name.display());
        let mode = |path: &Path| fs::metadata(path).expect("there").mode();
        assert_eq!(mode(&copy), mode(name), "{}", name.display());
    }

    // Neither sealed nor opened by those who want none.
    house.said(
        true,
        &[
            "seal",
            "--key",
            "key",
            "f",
            "--no-xattrs",
            "-o",
            "none.sivka",
        ],
    );
    house.said(false, &["open", "--key", "key", "none.sivka", "-o", "none"]);
    house.said(
        false,
        &[
            "open",
            "--key",
            "key",
            "--no-xattrs",
            "f.sivka",
            "-o",
            "none2",
        ],
    );
    for name in [
        "none",
        "none/d",
        "none/d/file",
        "none2/d",
        "none2/read-only",
    ] {
        assert_eq!(attributes(&house.path(name)), [], "{name}");
    }
}

#[test]
fn symbolic_links_may_have_several_names() {
    let house = House::new();
    fs::create_dir_all(house.path("f/d/e")).expect("made");
    symlink("x", house.path("f/d/a")).expect("linked");
    fs::hard_link(house.path("f/d/a"), house.path("f/b")).expect("linked");
    // From here it leads outside.
    symlink("../x", house.path("f/d/e/up")).expect("linked");
    fs::hard_link(house.path("f/d/e/up"), house.path("f/up")).expect("linked");
    house.said(true, &["seal", "--key", "key", "f"]);
    let opened = house.run(false, &["open", "--key", "key", "f.sivka", "-o", "g"]);
    assert_eq!(opened.status.code(), Some(11));
    assert!(fs::symlink_metadata(house.path("g/up")).is_err());
    let inode = |name: &str| fs::symlink_metadata(house.path(name)).expect("there").ino();
    assert_eq!(inode("g/d/a"), inode("g/b"));
    house.said(
        false,
        &[
            "open",
            "--key",
            "key",
            "f.sivka",
            "-o",
            "h",
            "--outside-links",
        ],
    );
    assert_eq!(
        fs::read_link(house.path("h/up")).expect("a link"),
        Path::new("../x")
    );
}

/// Root restores owners, upper bits and every attribute; nobody else does, and is told so.
#[test]
fn what_root_may_set_comes_back_for_root_alone() {
    if !is_root() {
        // The bits of one's own files are there without root.
        let house = House::new();
        fs::write(house.path("f/bits"), "text").expect("written");
        fs::set_permissions(house.path("f/bits"), Permissions::from_mode(0o4755)).expect("chmod");
        house.said(false, &["seal", "--key", "key", "f"]);
        let said = house.said(false, &["open", "--key", "key", "f.sivka", "-o", "g"]);
        assert_eq!(
            said,
            "sivka: g: not restored: 1 with modes above 0777, which root gives\n"
        );
        return;
    }
    let house = House::new();
    fs::create_dir(house.path("f/d")).expect("made");
    fs::write(house.path("f/file"), "text").expect("written");
    symlink("file", house.path("f/link")).expect("linked");
    chown(house.path("f/d"), Some(12345), Some(54321)).expect("chown");
    chown(house.path("f/file"), Some(4_000_000_000), Some(7)).expect("chown");
    lchown(house.path("f/link"), Some(8), Some(9)).expect("chown");
    fs::set_permissions(house.path("f/d"), Permissions::from_mode(0o3775)).expect("chmod");
    fs::set_permissions(house.path("f/file"), Permissions::from_mode(0o6755)).expect("chmod");
    set(&house.path("f/file"), "trusted.root", b"only");
    // cap_net_raw=ep, in the second version of its form.
    let capability = b"\x01\0\0\x02\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    set(&house.path("f/file"), "security.capability", capability);
    assert_eq!(house.said(true, &["seal", "--key", "key", "f"]), "");
    assert_eq!(
        house.said(true, &["open", "--key", "key", "f.sivka", "-o", "g"]),
        ""
    );
    for name in ["", "d", "file", "link"] {
        let look = |folder: &str| {
            let path = house.path(folder).join(name);
            let found = fs::symlink_metadata(&path).expect("there");
            let rights = (found.mode(), found.uid(), found.gid());
            (rights, attributes(&path))
        };
        assert_eq!(look("f"), look("g"), "{name}");
    }
    let said = house.said(false, &["open", "--key", "key", "f.sivka", "-o", "h"]);
    assert_eq!(
        said,
        "sivka: h: not restored: 2 with modes above 0777, which root gives\n\
         sivka: h: not restored: 2 attributes that root gives\n"
    );

    // What is not in the result is not removed either.
    let remove = ["open", "--key", "key", "f.sivka", "-o", "i", "--remove"];
    let said = house.said(false, &remove);
    assert!(
        said.ends_with("sivka: f.sivka: is kept: not all of it was restored\n"),
        "{said}"
    );
    assert!(house.path("f.sivka").exists() && house.path("i/file").exists());
    for (name, mode) in [("d", 0o775), ("file", 0o755)] {
        let found = fs::metadata(house.path("h").join(name)).expect("there");
        assert_eq!(
            (found.mode() & 0o7777, found.uid()),
            (mode, NOBODY),
            "{name}"
        );
    }
    assert_eq!(attributes(&house.path("h/file")), []);
    let list = house.run(
        true,
        &["open", "--key", "key", "--list", "f.sivka", "--json"],
    );
    let list = String::from_utf8(list.stdout).expect("text");
    assert!(
        list.contains(r#""mode":"6755","uid":4000000000,"gid":7,"#),
        "{list}"
    );
}

/// What lets others read what is made in a folder does not let them read what was private.
#[test]
fn the_access_lists_around_a_folder_are_not_inherited() {
    let house = House::new();
    fs::create_dir(house.path("f/d")).expect("made");
    fs::write(house.path("f/d/file"), "text").expect("written");
    fs::set_permissions(house.path("f/d/file"), Permissions::from_mode(0o640)).expect("chmod");
    house.said(true, &["seal", "--key", "key", "f"]);
    fs::create_dir(house.path("shared")).expect("made");
    fs::set_permissions(house.path("shared"), Permissions::from_mode(0o777)).expect("chmod");
    set(&house.path("shared"), "system.posix_acl_default", LIST);
    let open = ["open", "--key", "key", "f.sivka", "-o", "shared/f"];
    house.said(true, &open);
    for name in ["f", "f/d", "f/d/file"] {
        let copy = house.path("shared").join(name);
        assert_eq!(attributes(&copy), [], "{name}");
        let mode = |path: &Path| fs::metadata(path).expect("there").mode();
        assert_eq!(mode(&copy), mode(&house.path(name)), "{name}");
    }
}

/// They were neither said nor kept: with the sealed file went the last that knew them.
#[test]
fn owners_that_a_user_cannot_give_keep_the_sealed_file() {
    let house = House::new();
    let is_kept = |name: &str| house.path(name).exists();
    fs::write(house.path("f/file"), "text").expect("written");
    symlink("file", house.path("f/link")).expect("linked");
    let ours = ["f", "f/file", "f/link"].map(|name| house.path(name));
    if is_root() {
        for path in &ours {
            lchown(path, Some(NOBODY), Some(NOBODY)).expect("chown");
        }
    }
    house.said(true, &["seal", "--key", "key", "f"]);
    // What was the user's is so again, whatever group folders around give to new ones.
    fs::create_dir(house.path("shared")).expect("made");
    if is_root() {
        chown(house.path("shared"), None, Some(54321)).expect("chown");
    }
    fs::set_permissions(house.path("shared"), Permissions::from_mode(0o2777)).expect("chmod");
    let open = [
        "open", "--key", "key", "f.sivka", "-o", "shared/f", "--remove",
    ];
    assert_eq!(house.said(false, &open), "");
    assert!(!is_kept("f.sivka"));
    for name in ["f", "f/file", "f/link"] {
        let look = |path: PathBuf| {
            let found = fs::symlink_metadata(path).expect("there");
            (found.uid(), found.gid())
        };
        let copy = house.path("shared").join(name);
        assert_eq!(look(copy), look(house.path(name)), "{name}");
    }
    if !is_root() {
        return;
    }

    chown(house.path("f/file"), Some(12345), None).expect("chown");
    lchown(house.path("f/link"), None, Some(54321)).expect("chown");
    house.said(true, &["seal", "--key", "key", "f"]);
    // As with GNU tar, what is unpacked is the user's, without a word.
    let open = ["open", "--key", "key", "f.sivka", "-o"];
    assert_eq!(house.said(false, &[&open[..], &["g"]].concat()), "");
    let lost = "not restored: 2 owners, which root gives\n";
    let said = house.said(false, &[&open[..], &["h", "-v"]].concat());
    assert!(said.contains(&format!("sivka: h: {lost}")), "{said}");
    let said = house.said(false, &[&open[..], &["i", "--remove"]].concat());
    let kept = "sivka: f.sivka: is kept: not all of it was restored\n";
    assert_eq!(said, format!("sivka: i: {lost}{kept}"));
    assert!(is_kept("f.sivka"));
    // Root gives them, and they are nowhere missing.
    assert_eq!(
        house.said(true, &[&open[..], &["j", "--remove"]].concat()),
        ""
    );
    assert!(!is_kept("f.sivka"));
}
