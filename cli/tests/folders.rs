//! Archives that this program never packs, after the mark of a folder and sealed with the
//! right key: nothing of them leaves the target, nothing half-made has its name, and no
//! description of an entry fills the memory.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tar::{EntryType, Header};

const MARK_LEN: usize = 1024;
/// What a run that unpacks or lists may hold, in KiB.
const LIMIT_KIB: u64 = 64 << 10;

/// A folder with a key in it, and with `outside` beside the targets, which nothing touches.
struct House {
    folder: tempfile::TempDir,
    mark: Vec<u8>,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut house = Self {
            folder,
            mark: Vec::new(),
        };
        assert!(house.sivka(&["keygen", "-o", "key"]).status.success());
        fs::create_dir(house.path("empty")).expect("made");
        assert!(
            house
                .sivka(&["seal", "--key", "key", "empty"])
                .status
                .success()
        );
        let archive = house.sivka(&["open", "--key", "key", "empty.sivka", "-o", "-"]);
        house.mark = archive.stdout[..MARK_LEN].to_vec();
        fs::create_dir(house.path("outside")).expect("made");
        fs::write(house.path("outside/file"), "untouched").expect("written");
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn sivka(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(args)
            .current_dir(&self.folder)
            .output()
            .expect("sivka runs")
    }

    /// Seals a mark and then what `write` writes.
    fn seal(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) {
        let mut seal = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(["seal", "--key", "key", "-", "-fo", "hostile.sivka"])
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        let mut input = std::io::BufWriter::new(seal.stdin.take().expect("a pipe"));
        input.write_all(&self.mark).expect("sivka reads");
        write(&mut input).expect("sivka reads");
        drop(input);
        assert!(seal.wait().expect("it ends").success());
    }

    fn seal_entries(&self, entries: &[Header]) {
        self.seal(|out| {
            for entry in entries {
                out.write_all(entry.as_bytes())?;
                let len = entry.entry_size()? as usize;
                out.write_all(&vec![b'x'; len.next_multiple_of(512)])?;
            }
            out.write_all(&[0; 1024])
        });
    }

    /// Opens, and gives the exit status and what was said.
    fn open(&self) -> (i32, String) {
        let opened = self.sivka(&["open", "--key", "key", "hostile.sivka"]);
        let said = String::from_utf8_lossy(&opened.stderr).into_owned();
        (opened.status.code().expect("no signal"), said)
    }

    /// The exit statuses of lists: where contents are leapt over, and where all is read.
    fn list(&self) -> [i32; 2] {
        let sealed = fs::read(self.path("hostile.sivka")).expect("sealed");
        let list = ["open", "--key", "key", "--list"];
        let leapt = self.sivka(&[&list[..], &["hostile.sivka"]].concat());
        let mut read = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(list)
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sivka runs");
        // One that refuses early does not read it all.
        let _ = read.stdin.take().expect("a pipe").write_all(&sealed);
        let read = read.wait().expect("it ends");
        [leapt.status, read].map(|status| status.code().expect("no signal"))
    }

    /// Nothing of what was opened is there, and nothing else has changed.
    fn assert_nothing_was_made(&self, case: &str) {
        let mut names: Vec<_> = fs::read_dir(&self.folder)
            .expect("readable")
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        names.sort();
        let expected = ["empty", "empty.sivka", "hostile.sivka", "key", "outside"];
        assert_eq!(names, expected, "{case}");
        let inside: Vec<_> = fs::read_dir(self.path("outside"))
            .expect("readable")
            .collect();
        assert_eq!(inside.len(), 1, "{case}");
        let file = fs::read_to_string(self.path("outside/file")).expect("readable");
        assert_eq!(file, "untouched", "{case}");
    }
}

/// An entry as it is, whatever it says.
fn entry(kind: EntryType, name: &str, link: &str, len: u64) -> Header {
    let mut header = Header::new_gnu();
    let gnu = header.as_gnu_mut().expect("made as such");
    gnu.name[..name.len()].copy_from_slice(name.as_bytes());
    gnu.linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o7777);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(len);
    header.set_cksum();
    header
}

fn file(name: &str) -> Header {
    entry(EntryType::Regular, name, "", 4)
}

fn folder(name: &str) -> Header {
    entry(EntryType::Directory, name, "", 0)
}

fn link(kind: EntryType, name: &str, to: &str) -> Header {
    entry(kind, name, to, 0)
}

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
        .output()
        .expect("sivka runs");
    let said = String::from_utf8_lossy(&opened.stderr);
    assert_eq!(opened.status.code(), Some(11), "{said}");
    assert!(said.contains("hostile/a: is a symbolic link to"), "{said}");
    assert!(fs::symlink_metadata(house.path("hostile/a")).is_err());
    let target = fs::read_link(house.path("hostile/d/e")).expect("made");
    assert_eq!(target.as_os_str(), "..");
}

/// `c` was an error where `b` was wanted as well: both are names of `a`, which was not.
#[test]
fn another_name_of_what_was_not_chosen_is_left_out() {
    use EntryType::Link;
    let house = House::new();
    house.seal_entries(&[
        folder("./"),
        file("a"),
        link(Link, "b", "a"),
        link(Link, "c", "b"),
        file("d"),
        link(Link, "e", "d"),
    ]);
    for (only, made, left_out) in [
        (&["b", "c"][..], &[][..], &["b", "c"][..]),
        (&["c"], &[], &["c"]),
        (&["c", "d", "e"], &["d", "e"], &["c"]),
        (&["a", "c"], &["a"], &["c"]),
    ] {
        let mut args = vec!["open", "--key", "key", "hostile.sivka"];
        args.extend(only.iter().flat_map(|only| ["--only", only]));
        let opened = house.sivka(&args);
        let said = String::from_utf8_lossy(&opened.stderr);
        assert_eq!(opened.status.code(), Some(11), "{only:?}: {said}");
        for name in left_out {
            let begin = format!("sivka: hostile/{name}: is another name of ");
            assert!(said.contains(&begin), "{only:?}: {said}");
        }
        let names = fs::read_dir(house.path("hostile")).expect("a folder");
        let mut names: Vec<_> = names
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        names.sort();
        assert_eq!(names, made, "{only:?}");
        fs::remove_dir_all(house.path("hostile")).expect("removed");
    }
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
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("file name too long"), "{said}");
    house.assert_nothing_was_made("a long name");
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

#[test]
fn devices_and_rights_are_not_made() {
    let house = House::new();
    house.seal_entries(&[
        folder("./"),
        link(EntryType::Symlink, "away", "../outside/file"),
        entry(EntryType::Block, "disk", "", 0),
        entry(EntryType::Char, "null", "", 0),
        entry(EntryType::Fifo, "pipe", "", 0),
        file("program"),
    ]);
    // As somebody who is not root, if it is root who asks.
    fs::set_permissions(&house.folder, fs::Permissions::from_mode(0o777)).expect("chmod");
    fs::set_permissions(house.path("key"), fs::Permissions::from_mode(0o644)).expect("chmod");
    let program = house.path("outside/sivka");
    // Written by another process: one that is started while this one has it open for writing
    // keeps it from being run.
    let mut copy = Command::new("cp");
    let copied = copy.arg(env!("CARGO_BIN_EXE_sivka")).arg(&program);
    assert!(copied.status().expect("cp runs").success());
    let mut open = Command::new(program);
    open.args(["open", "--key", "key", "hostile.sivka"]);
    if rustix::process::geteuid().is_root() {
        open.uid(65534).gid(65534);
    }
    let opened = open
        .current_dir(&house.folder)
        .output()
        .expect("sivka runs");
    let said = String::from_utf8_lossy(&opened.stderr);
    assert_eq!(opened.status.code(), Some(11), "{said}");
    for (name, what) in [
        ("null", "device"),
        ("disk", "device"),
        ("pipe", "named pipe"),
        ("away", "outside"),
    ] {
        let line = said
            .lines()
            .find(|line| line.starts_with(&format!("sivka: hostile/{name}: ")));
        assert!(line.is_some_and(|line| line.contains(what)), "{said}");
    }
    let made: Vec<_> = fs::read_dir(house.path("hostile"))
        .expect("a folder")
        .collect();
    assert_eq!(made.len(), 1);
    for made in ["hostile", "hostile/program"] {
        let made = fs::metadata(house.path(made)).expect("made");
        let mode = made.permissions().mode();
        assert_eq!(
            mode & 0o7777,
            0o777,
            "no set-user-id, no set-group-id, no sticky bit"
        );
    }
}

/// Runs `sivka` on the hostile file, and gives its exit status, how many lines it said, and
/// the most memory it held, in KiB.
fn run_watched(house: &House, args: &[&str]) -> (i32, usize, u64) {
    let said = fs::File::create(house.path("empty/said")).expect("made");
    let mut run = Command::new(env!("CARGO_BIN_EXE_sivka"))
        .args(args)
        .current_dir(&house.folder)
        .stdout(Stdio::null())
        .stderr(said)
        .spawn()
        .expect("sivka runs");
    let status_file = format!("/proc/{}/status", run.id());
    let mut peak = 0;
    let status = loop {
        let text = fs::read_to_string(&status_file).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        if let Some(status) = run.try_wait().expect("it is ours to wait for") {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    assert!(peak > 0, "the system says how much memory it holds");
    let said = fs::read_to_string(house.path("empty/said")).expect("text");
    fs::remove_file(house.path("empty/said")).expect("removed");
    (
        status.code().expect("no signal"),
        said.lines().count(),
        peak,
    )
}

#[test]
#[cfg(target_os = "linux")]
fn a_million_entries_fill_neither_memory_nor_screen() {
    const ENTRIES: usize = 1_000_000;
    let house = House::new();
    house.seal(|out| {
        out.write_all(folder("./").as_bytes())?;
        for number in 0..ENTRIES {
            out.write_all(entry(EntryType::Fifo, &format!("{number:06}"), "", 0).as_bytes())?;
        }
        out.write_all(&[0; 1024])
    });
    let (status, lines, peak) = run_watched(&house, &["open", "--key", "key", "hostile.sivka"]);
    assert_eq!(status, 11);
    assert_eq!(lines, 11, "ten are named, and the others are counted");
    assert!(peak < LIMIT_KIB, "{peak} KiB");
    let (status, lines, peak) =
        run_watched(&house, &["open", "--key", "key", "--list", "hostile.sivka"]);
    assert_eq!((status, lines), (0, 0));
    assert!(peak < LIMIT_KIB, "{peak} KiB");
}

#[test]
#[cfg(target_os = "linux")]
fn descriptions_are_bounded() {
    const LEN: u64 = 200 << 20;
    let house = House::new();
    let bombs: [(&str, Vec<u8>); 3] = [
        (
            "a long name",
            entry(EntryType::GNULongName, "././@LongLink", "", LEN)
                .as_bytes()
                .to_vec(),
        ),
        (
            "records",
            entry(EntryType::XHeader, "x", "", LEN).as_bytes().to_vec(),
        ),
        ("holes", sparse_without_end()),
    ];
    for (case, head) in bombs {
        house.seal(|out| {
            out.write_all(folder("./").as_bytes())?;
            out.write_all(&head)?;
            // Each an extension that says that another one follows.
            let mut block = [b'0'; 512];
            block[504] = 1;
            (0..LEN / 512).try_for_each(|_| out.write_all(&block))
        });
        let (status, _, peak) = run_watched(&house, &["open", "--key", "key", "hostile.sivka"]);
        assert_eq!(status, 12, "{case}");
        assert!(peak < LIMIT_KIB, "{case}: {peak} KiB");
        house.assert_nothing_was_made(case);
    }
}

fn sparse_without_end() -> Vec<u8> {
    let mut header = entry(EntryType::GNUSparse, "holes", "", 0);
    let gnu = header.as_gnu_mut().expect("made as such");
    gnu.set_real_size(1 << 40);
    gnu.set_is_extended(true);
    header.set_cksum();
    header.as_bytes().to_vec()
}

/// What takes back the file before it, as the writer has it.
fn void(house: &House) -> Vec<u8> {
    let comment = b"35 comment=the file before is void\n";
    let mut header = Header::from_byte_slice(&house.mark[..512]).clone();
    header.set_size(comment.len() as u64);
    header.set_cksum();
    let mut void = header.as_bytes().to_vec();
    void.extend_from_slice(comment);
    void.resize(MARK_LEN, 0);
    void
}

#[test]
fn a_file_is_taken_back_and_nothing_else() {
    let house = House::new();
    let text = [b'x'; 512];
    let void = void(&house);
    let archive = |parts: &[&[u8]]| {
        house.seal(|out| {
            parts.iter().try_for_each(|part| out.write_all(part))?;
            out.write_all(&[0; 1024])
        });
    };
    let (root, below, plain) = (folder("./"), folder("a/"), file("a/b"));
    let (root, below, plain) = (root.as_bytes(), below.as_bytes(), plain.as_bytes());
    archive(&[root, below, plain, &text, &void, plain, &text]);
    assert_eq!(house.open(), (0, String::new()));
    let made = fs::read_to_string(house.path("hostile/a/b")).expect("the second one");
    assert_eq!(made, "xxxx");
    fs::remove_dir_all(house.path("hostile")).expect("removed");

    archive(&[root, below, plain, &text, &void]);
    let listed = house.sivka(&["open", "--key", "key", "--list", "hostile.sivka"]);
    assert_eq!(String::from_utf8_lossy(&listed.stdout).lines().count(), 2);
    let (status, said) = house.open();
    assert_eq!(status, 11);
    assert!(said.contains("a/b: could not be read as a whole"), "{said}");
    assert!(!house.path("hostile/a/b").exists());
    fs::remove_dir_all(house.path("hostile")).expect("removed");

    for parts in [
        &[root, below, void.as_slice()][..],
        &[root, below, plain, &text, &void, &void],
        &[void.as_slice(), root],
    ] {
        archive(parts);
        let (status, said) = house.open();
        assert_eq!(status, 12, "{said}");
        house.assert_nothing_was_made("void");
        let listed = house.sivka(&["open", "--key", "key", "--list", "hostile.sivka"]);
        assert_eq!(listed.status.code(), Some(12));
    }
}

/// A newer program may have another form of folder: it is not taken for a file.
#[test]
fn a_socket_is_left_out() {
    let house = House::new();
    let path = house.path("empty/socket");
    let _socket = std::os::unix::net::UnixListener::bind(path).expect("bound");
    let sealed = house.sivka(&["seal", "--key", "key", "empty", "-o", "sealed"]);
    let said = String::from_utf8_lossy(&sealed.stderr);
    assert!(
        said.contains("empty/socket: is a socket, and left out"),
        "{said}"
    );
    let listed = house.sivka(&["open", "--key", "key", "--list", "sealed"]);
    assert!(!String::from_utf8_lossy(&listed.stdout).contains("socket"));
}

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

#[test]
#[cfg(target_os = "linux")]
fn holes_come_back_as_holes() {
    use std::os::unix::fs::{FileExt, MetadataExt};
    let house = House::new();
    fs::create_dir(house.path("disks")).expect("made");
    let disk = fs::File::create(house.path("disks/disk")).expect("made");
    disk.set_len(64 << 30).expect("a long file");
    // More parts than the first header has room for, and the last one ends the file.
    for part in 0..100u64 {
        disk.write_all_at(&[part as u8; 4096], part * (600 << 20))
            .expect("written");
    }
    disk.write_all_at(b"end", (64 << 30) - 3).expect("written");
    let sealed = house.sivka(&["seal", "--key", "key", "disks"]);
    assert!(sealed.status.success());
    let len = fs::metadata(house.path("disks.sivka"))
        .expect("sealed")
        .len();
    assert!(len < 1 << 20, "{len} bytes for 404 KiB of data");
    let opened = house.sivka(&["open", "--key", "key", "disks.sivka", "-o", "copy"]);
    assert!(
        opened.status.success(),
        "{}",
        String::from_utf8_lossy(&opened.stderr)
    );
    let copy = fs::File::open(house.path("copy/disk")).expect("opened");
    let found = copy.metadata().expect("stat");
    assert_eq!(found.len(), 64 << 30);
    assert!(found.blocks() * 512 < 2 << 20, "{} blocks", found.blocks());
    for part in 0..100u64 {
        let mut bytes = [0; 8192];
        copy.read_exact_at(&mut bytes, part * (600 << 20))
            .expect("read");
        assert!(bytes[..4096].iter().all(|&byte| byte == part as u8));
        assert!(bytes[4096..].iter().all(|&byte| byte == 0));
    }
    let mut end = [0; 4];
    copy.read_exact_at(&mut end, (64 << 30) - 4).expect("read");
    assert_eq!(&end, b"\0end");
}

/// Paths may be longer than the system takes, in more folders than a process may have open.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_may_be_deeper_than_a_path_is_long() {
    use rustix::fs::{
        AtFlags, CWD, Mode, OFlags, fchmod, linkat, mkdirat, openat, readlinkat, statat, symlinkat,
    };
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::FileExt;

    const LONGEST_PATH: usize = 4096;
    const MOST_OPEN: usize = 40;
    const DEPTH: usize = 300;
    let step = "d".repeat(20);
    assert!(DEPTH > MOST_OPEN && DEPTH * step.len() > LONGEST_PATH);
    let house = House::new();
    let go_down = |from: &str, visit: &mut dyn FnMut(&OwnedFd)| {
        let open = OFlags::DIRECTORY | OFlags::NOFOLLOW;
        let mut folder = openat(CWD, house.path(from), open, Mode::empty()).expect("opened");
        for _ in 0..DEPTH {
            visit(&folder);
            folder = openat(&folder, &*step, open, Mode::empty()).expect("opened");
        }
        folder
    };
    let look = |from: &str| {
        let mut modes = Vec::new();
        let innermost = go_down(from, &mut |folder| {
            let found = statat(folder, "", AtFlags::EMPTY_PATH).expect("stat");
            modes.push((found.st_mode, found.st_mtime, found.st_mtime_nsec));
        });
        let entries = ["", "file", "same", "link", "holes"].map(|name| {
            let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH;
            let found = statat(&innermost, name, flags).expect("stat");
            let mtime = (found.st_mtime, found.st_mtime_nsec);
            (found.st_mode, found.st_nlink, mtime)
        });
        let open = |name: &str| {
            let file = openat(&innermost, name, OFlags::RDONLY, Mode::empty());
            fs::File::from(file.expect("opened"))
        };
        let (mut text, mut holes) = (String::new(), Vec::new());
        open("same").read_to_string(&mut text).expect("read");
        open("holes").read_to_end(&mut holes).expect("read");
        let target = readlinkat(&innermost, "link", Vec::new()).expect("a link");
        (modes, entries, text, holes, target)
    };

    fs::create_dir(house.path("deep")).expect("made");
    let mut folder = openat(CWD, house.path("deep"), OFlags::DIRECTORY, Mode::empty());
    for _ in 0..DEPTH {
        let outer = folder.expect("opened");
        mkdirat(&outer, &*step, Mode::RWXU | Mode::RGRP).expect("made");
        folder = openat(&outer, &*step, OFlags::DIRECTORY, Mode::empty());
    }
    let innermost = folder.expect("opened");
    let create = |name: &str| {
        let flags = OFlags::CREATE | OFlags::WRONLY;
        let file = openat(&innermost, name, flags, Mode::RUSR | Mode::WUSR);
        fs::File::from(file.expect("made"))
    };
    create("file").write_all(b"inner").expect("written");
    create("holes")
        .write_all_at(b"end", 1 << 20)
        .expect("written");
    linkat(&innermost, "file", &innermost, "same", AtFlags::empty()).expect("linked");
    symlinkat("file", &innermost, "link").expect("linked");
    fchmod(&innermost, Mode::RUSR | Mode::XUSR).expect("chmod");
    let made = look("deep");

    let sivka = |args: &[&str]| {
        let script = format!("ulimit -n {MOST_OPEN}; exec \"$@\"");
        let run = Command::new("sh")
            .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_sivka")])
            .args(args)
            .current_dir(&house.folder)
            .output()
            .expect("sh runs");
        let said = String::from_utf8(run.stderr).expect("text");
        (run.status.code(), said)
    };
    let done = (Some(0), String::new());
    assert_eq!(sivka(&["seal", "--key", "key", "deep"]), done);
    let open = ["open", "--key", "key", "deep.sivka", "-o", "copy"];
    assert_eq!(sivka(&open), done);
    assert!(look("copy") == made);

    // What could not be unpacked is not sealed.
    fs::create_dir(house.path("deeper")).expect("made");
    let mut folder = openat(CWD, house.path("deeper"), OFlags::DIRECTORY, Mode::empty());
    let long = "d".repeat(255);
    for _ in 0..3200 {
        let outer = folder.expect("opened");
        mkdirat(&outer, &*long, Mode::RWXU).expect("made");
        folder = openat(&outer, &*long, OFlags::DIRECTORY, Mode::empty());
    }
    let said = "sivka: deeper: a path in it is longer than 768 KiB\n".to_owned();
    assert_eq!(sivka(&["seal", "--key", "key", "deeper"]), (Some(10), said));
    // Deeper than Rust removes folders.
    let mut remove = Command::new("rm");
    let removed = remove.args(["-r", "deeper"]).current_dir(&house.folder);
    assert!(removed.status().expect("rm runs").success());

    // What was made of a damaged one is removed, however deep it is.
    fs::rename(house.path("copy"), house.path("opened")).expect("renamed");
    let mut bytes = fs::read(house.path("deep.sivka")).expect("read");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(house.path("deep.sivka"), bytes).expect("written");
    assert_eq!(sivka(&open).0, Some(9));
    let names = fs::read_dir(&house.folder).expect("readable");
    let names = names.map(|entry| entry.expect("readable").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().expect("text"))
        .collect();
    names.sort();
    let expected = [
        "deep",
        "deep.sivka",
        "empty",
        "empty.sivka",
        "key",
        "opened",
        "outside",
    ];
    assert_eq!(names, expected);
    for from in ["deep", "opened"] {
        // So that whoever runs this may remove it.
        fchmod(go_down(from, &mut |_| ()), Mode::RWXU).expect("chmod");
    }
}

/// A half-made folder was left where too few files could be open to remove it.
#[test]
fn too_few_descriptors_leave_nothing_half_made() {
    let house = House::new();
    let names = ["d", "d/e", "d/e/f", "d/e/f/g", "d/e/f/g/h"];
    for name in names {
        fs::create_dir(house.path(name)).expect("made");
        fs::write(house.path(name).join("file"), "text").expect("written");
    }
    assert!(house.sivka(&["seal", "--key", "key", "d"]).status.success());
    fs::remove_dir_all(house.path("d")).expect("removed");
    let mut failed = 0;
    for most in 5..100 {
        let script = format!("ulimit -n {most}; exec $SIVKA open --key key d.sivka");
        let opened = Command::new("sh")
            .args(["-c", &script])
            .env("SIVKA", env!("CARGO_BIN_EXE_sivka"))
            .current_dir(&house.folder)
            .output()
            .expect("sh runs");
        if opened.status.success() {
            break;
        }
        failed += 1;
        let said = String::from_utf8_lossy(&opened.stderr);
        // `tempfile` does not pass on why its file could not be made.
        let is_said = said.contains("ulimit -n") || said.contains("d: uncategorized error");
        assert!(is_said, "of {most}: {said}");
        let left = fs::read_dir(&house.folder).expect("readable");
        let left: Vec<_> = left
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        assert_eq!(left.len(), 5, "of {most}: {left:?}, {opened:?}");
    }
    assert!(failed > 5 && house.path("d/e/f/g/h/file").exists());
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
