//! A run that is stopped leaves nothing behind.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags, openat};
use tar::{EntryType, Header};

use within::{RunInTime, WaitInTime};

/// How long a run may take before it has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for the end of `run`. One that goes on for ever is stopped and fails the
/// test.
fn end(mut run: Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = run.try_wait().expect("it is ours to wait for") {
            return status;
        }
        if Instant::now() > deadline {
            run.kill().expect("it runs");
            run.wait_in_time().expect("it was killed");
            panic!("still running after {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A command that meets every signal as a program at a terminal does, though whoever
/// started these tests may ignore some, as nohup and shells in the background do.
fn as_if_nothing_were_ignored(program: &str) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal", program]);
    command
}

/// Whether the process has a file in `folder` that has no name yet, or a temporary one.
fn has_unfinished(folder: &Path, pid: &str) -> bool {
    let folder = fs::canonicalize(folder).expect("it is there");
    let is_partial =
        |path: PathBuf| path.starts_with(&folder) && path.file_name() != Some(OsStr::new("key"));
    let open = fs::read_dir(format!("/proc/{pid}/fd"))
        .into_iter()
        .flatten();
    let unnamed = open
        .filter_map(|fd| fs::read_link(fd.ok()?.path()).ok())
        .any(|path| path.to_string_lossy().ends_with(" (deleted)") && is_partial(path));
    let mut named = fs::read_dir(&folder).expect("readable");
    unnamed || named.any(|entry| is_partial(entry.expect("readable").path()))
}

#[test]
fn a_stopped_run_leaves_nothing_behind() {
    // Where files without a name are made, not even SIGKILL leaves one behind.
    let kill = cfg!(target_os = "linux").then_some(("KILL", 9));
    for (signal, number) in [("INT", 2), ("QUIT", 3), ("TERM", 15), ("HUP", 1)]
        .into_iter()
        .chain(kill)
    {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let key = folder.path().join("key");
        let sivka = env!("CARGO_BIN_EXE_sivka");
        let made = Command::new(sivka)
            .args(["keygen", "-o"])
            .arg(&key)
            .status_in_time();
        assert!(made.expect("sivka runs").success());

        // SIGQUIT would leave the system's core dump beside the key.
        let mut seal = as_if_nothing_were_ignored("sh")
            .args(["-c", "ulimit -c 0; exec \"$0\" \"$@\"", sivka])
            .args(["seal", "-", "-o", "sealed", "--key", "key"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        let mut input = seal.stdin.take().expect("a pipe");
        input.write_all(&vec![7; 8 << 20]).expect("sivka reads");
        let pid = seal.id().to_string();
        let deadline = Instant::now() + PATIENCE;
        while !has_unfinished(folder.path(), &pid) {
            assert!(Instant::now() < deadline, "no unfinished file appears");
            std::thread::sleep(Duration::from_millis(10));
        }

        let sent = Command::new("kill")
            .args(["-s", signal, &pid])
            .status_in_time()
            .expect("kill runs");
        assert!(sent.success());
        assert_eq!(end(seal).signal(), Some(number));
        let left: Vec<_> = fs::read_dir(&folder)
            .expect("readable")
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        assert_eq!(left, ["key"], "after SIG{signal}");
    }
}

#[test]
fn a_folder_that_was_not_finished_is_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sivka = env!("CARGO_BIN_EXE_sivka");
    let run = |args: &[&str]| {
        let ran = Command::new(sivka)
            .args(args)
            .current_dir(&folder)
            .status_in_time();
        assert!(ran.expect("sivka runs").success());
    };
    run(&["keygen", "-o", "key"]);
    fs::create_dir_all(folder.path().join("many/in")).expect("made");
    for number in 0..200 {
        fs::write(folder.path().join(format!("many/in/{number}")), [7; 20_000]).expect("written");
    }
    run(&["seal", "--key", "key", "many"]);
    let sealed = fs::read(folder.path().join("many.sivka")).expect("readable");
    fs::remove_dir_all(folder.path().join("many")).expect("removed");
    fs::remove_file(folder.path().join("many.sivka")).expect("removed");

    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let mut open = as_if_nothing_were_ignored(sivka)
            .args(["open", "-", "-o", "many", "--key", "key"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        // All but the end, which is kept back.
        let mut input = open.stdin.take().expect("a pipe");
        input
            .write_all(&sealed[..sealed.len() - 1000])
            .expect("sivka reads");
        let deadline = Instant::now() + PATIENCE;
        let names = || -> Vec<_> {
            let entries = fs::read_dir(&folder).expect("readable");
            entries
                .map(|entry| entry.expect("readable").file_name())
                .collect()
        };
        while names().len() < 2 {
            assert!(Instant::now() < deadline, "no unfinished folder appears");
            std::thread::sleep(Duration::from_millis(10));
        }
        let sent = Command::new("kill")
            .args(["-s", signal, &open.id().to_string()])
            .status_in_time()
            .expect("kill runs");
        assert!(sent.success());
        assert_eq!(end(open).signal(), Some(number));
        assert_eq!(names(), ["key"], "after SIG{signal}");
    }
}

/// A house of the one who runs `sivka`, which is nobody where root runs the tests: root may
/// remove everything.
struct House {
    folder: tempfile::TempDir,
    bin: tempfile::TempDir,
    is_root: bool,
}

/// The conventional number of the user `nobody`, and of its group.
const NOBODY: u32 = 65534;

impl House {
    fn new() -> Self {
        let temporary = || tempfile::tempdir().expect("a temporary folder");
        let house = Self {
            folder: temporary(),
            bin: temporary(),
            is_root: rustix::process::geteuid().is_root(),
        };
        let everybody = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&house.bin, everybody).expect("chmod");
        // Written by another process: one that is started while this one has it open for
        // writing keeps it from being run.
        let mut copy = Command::new("cp");
        let copied = copy.arg(env!("CARGO_BIN_EXE_sivka")).arg(house.program());
        assert!(copied.status_in_time().expect("cp runs").success());
        if house.is_root {
            chown(&house.folder, Some(NOBODY), Some(NOBODY)).expect("chown");
        }
        assert!(
            house
                .sivka(&["keygen", "-o", "key"])
                .status_in_time()
                .expect("sivka runs")
                .success()
        );
        house
    }

    fn program(&self) -> PathBuf {
        self.bin.path().join("sivka")
    }

    fn sivka(&self, args: &[&str]) -> Command {
        let program = self.program();
        let mut command = as_if_nothing_were_ignored(program.to_str().expect("a plain name"));
        command.args(args).current_dir(&self.folder);
        if self.is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    /// The bytes of a sealed file with this archive after the mark of a folder.
    fn sealed(&self, archive: &[u8]) -> Vec<u8> {
        let path = |name: &str| self.folder.path().join(name);
        let run = |args: &[&str]| {
            let output = self.sivka(args).output_in_time().expect("sivka runs");
            assert!(output.status.success(), "{output:?}");
            output.stdout
        };
        let made = Command::new("mkdir").arg(path("empty")).status_in_time();
        assert!(made.expect("mkdir runs").success());
        run(&["seal", "--key", "key", "empty", "-o", "sealed"]);
        let mark = &run(&["open", "--key", "key", "sealed", "-o", "-"])[..1024];
        fs::write(path("archive"), [mark, archive].concat()).expect("written");
        run(&["seal", "--key", "key", "archive", "-fo", "sealed"]);
        let sealed = fs::read(path("sealed")).expect("readable");
        for name in ["archive", "sealed"] {
            fs::remove_file(path(name)).expect("removed");
        }
        fs::remove_dir(path("empty")).expect("removed");
        sealed
    }

    /// Starts to open what comes on its standard input.
    fn open(&self) -> Child {
        self.sivka(&["open", "--key", "key", "-", "-o", "opened"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sivka runs")
    }

    /// The folder that is being filled, once it is there.
    fn unfinished(&self) -> PathBuf {
        let deadline = Instant::now() + PATIENCE;
        loop {
            assert!(Instant::now() < deadline, "no unfinished folder appears");
            if let Some(name) = self.names().iter().find(|name| *name != "key") {
                return self.folder.path().join(name);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).expect("readable");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("readable").file_name();
        entries
            .map(|entry| name(entry).into_string().expect("a plain name"))
            .collect()
    }
}

fn terminate(run: &Child) {
    let pid = run.id().to_string();
    let sent = Command::new("kill")
        .args(["-s", "TERM", &pid])
        .status_in_time();
    assert!(sent.expect("kill runs").success());
}

fn entry(kind: EntryType, name: &str, len: u64, mode: u32) -> Vec<u8> {
    let mut header = Header::new_gnu();
    let gnu = header.as_gnu_mut().expect("made as such");
    let place = name.len().min(gnu.name.len());
    gnu.name[..place].copy_from_slice(&name.as_bytes()[..place]);
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(len);
    header.set_cksum();
    header.as_bytes().to_vec()
}

/// So many folders in each other, which nobody may enter; then a file beside the outermost,
/// and no end that a folder has.
fn without_rights(depth: usize) -> Vec<u8> {
    let mut archive = entry(EntryType::Directory, "./", 0, 0o755);
    for level in 1..=depth {
        let name = "a/".repeat(level);
        if name.len() > 100 {
            let len = name.len() + 1;
            let kind = EntryType::GNULongName;
            archive.extend(entry(kind, "././@LongLink", len as u64, 0));
            let end = archive.len() + len.next_multiple_of(512);
            archive.extend(name.as_bytes());
            archive.resize(end, 0);
        }
        archive.extend(entry(EntryType::Directory, &name, 0, 0));
    }
    archive.extend(entry(EntryType::Regular, "b", 0, 0o644));
    archive.resize(archive.len() + 1024, 0);
    archive.resize(archive.len() + 512, b'x');
    archive
}

/// How many folders called `a` are in each other.
fn depth(outermost: &Path) -> usize {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let mut folder = openat(CWD, outermost, flags, Mode::empty());
    let mut depth = 0;
    while let Ok(outer) = folder {
        folder = openat(&outer, "a", flags, Mode::empty());
        depth += 1;
    }
    depth
}

/// Folders that nobody may enter were left behind: what gives folders their rights went on
/// while they were being removed.
#[test]
fn folders_without_rights_are_removed() {
    const DEPTH: usize = 2000;
    let house = House::new();
    let sealed = house.sealed(&without_rights(DEPTH));
    let (first, last) = sealed.split_at(sealed.len() - 100_000);
    for wait in [0, 5, 20, 80] {
        let mut open = house.open();
        let mut input = open.stdin.take().expect("a pipe");
        input.write_all(first).expect("sivka reads");
        let unfinished = house.unfinished();
        let deadline = Instant::now() + PATIENCE;
        // All that can be made of what has come.
        let (mut before, mut now) = (0, depth(&unfinished));
        while now < DEPTH / 2 || now != before {
            assert!(Instant::now() < deadline, "no more folders appear");
            std::thread::sleep(Duration::from_millis(50));
            (before, now) = (now, depth(&unfinished));
        }
        input.write_all(last).expect("sivka reads");
        drop(input);
        std::thread::sleep(Duration::from_millis(wait));
        terminate(&open);
        let status = end(open);
        assert!(status.signal() == Some(15) || status.code() == Some(12));
        assert_eq!(house.names(), ["key"], "after {wait} ms: {status}");
    }
}

#[test]
fn a_folder_that_cannot_be_removed_is_named() {
    let house = House::new();
    let sealed = house.sealed(&without_rights(300));
    let mut open = house.open();
    let mut input = open.stdin.take().expect("a pipe");
    input
        .write_all(&sealed[..sealed.len() - 100_000])
        .expect("sivka reads");
    let unfinished = house.unfinished();
    let allow = |mode| {
        let allowed = fs::set_permissions(&house.folder, fs::Permissions::from_mode(mode));
        allowed.expect("chmod");
    };
    allow(0o555);
    terminate(&open);
    let mut said = String::new();
    let mut errors = open.stderr.take().expect("a pipe");
    errors.read_to_string(&mut said).expect("text");
    assert_eq!(end(open).signal(), Some(15));
    allow(0o755);
    let name = unfinished.file_name().expect("a name").to_string_lossy();
    let why = "cannot be removed, and what is left in it stays: permission denied";
    assert!(said.starts_with("sivka: "), "{said}");
    assert!(said.ends_with(&format!("/{name}: {why}\n")), "{said}");
    fs::remove_dir(unfinished).expect("empty");
}

/// Removing what was made needs descriptors, and those that were kept for that stayed so.
#[test]
fn a_folder_is_removed_where_few_files_may_be_open() {
    let house = House::new();
    let sealed = house.sealed(&without_rights(300));
    let mut stopped = 0;
    for limit in 12..48 {
        let script = format!("ulimit -n {limit}; exec \"$0\" \"$@\"");
        let program = house.program();
        let mut open = as_if_nothing_were_ignored("sh");
        open.args(["-c", &script, program.to_str().expect("a plain name")])
            .args(["open", "--key", "key", "-", "-o", "opened"])
            .current_dir(&house.folder);
        if house.is_root {
            open.uid(NOBODY).gid(NOBODY);
        }
        let open = open.stdin(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut open = open.expect("sh runs");
        let mut input = open.stdin.take().expect("a pipe");
        // One that may open too few ends early.
        let _ = input.write_all(&sealed[..sealed.len() - 100_000]);
        std::thread::sleep(Duration::from_millis(100));
        terminate(&open);
        let status = end(open);
        stopped += usize::from(status.signal() == Some(15));
        assert_eq!(house.names(), ["key"], "{limit} files: {status}");
    }
    assert!(stopped > 10, "{stopped} runs were stopped");
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("note"), "hello\n").expect("written");
    for signal in ["HUP", "INT", "QUIT", "TERM"] {
        stays_ignored(folder.path(), signal);
    }
}

fn stays_ignored(folder: &Path, signal: &str) {
    let script = format!(
        "trap '' {signal}; rm -f pipe sealed; mkfifo pipe; {0} seal - -o sealed <pipe & exec 3>pipe; \
         sleep 0.3; kill -s {signal} $!; echo hello >&3; exec 3>&-; wait $!",
        env!("CARGO_BIN_EXE_sivka")
    );
    let run = as_if_nothing_were_ignored("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("HOME", folder)
        .env_remove("XDG_CONFIG_HOME")
        .stderr(Stdio::null()) // where the new key is announced
        .spawn()
        .expect("sh runs");
    let status = end(run);
    assert!(status.success(), "{signal}: {status}");
    assert!(folder.join("sealed").exists(), "{signal}");
}
