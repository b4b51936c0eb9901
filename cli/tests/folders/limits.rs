//! Folders that go to the limits: of memory, of holes, and of the length of a path.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use tar::EntryType;

use super::support::{House, entry, folder};
use crate::within::RunInTime;

/// What a run that unpacks or lists may hold, in KiB.
const LIMIT_KIB: u64 = 64 << 10;

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

#[test]
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
            .output_in_time()
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
    assert!(removed.status_in_time().expect("rm runs").success());

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
