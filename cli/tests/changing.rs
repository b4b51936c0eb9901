//! Folders that change while they are sealed. The run waits for whoever reads its output:
//! by then it has read the names in a folder, and some of the first file.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use within::{RunInTime, WaitInTime};

/// More than is under way between what reads a folder and what writes the result.
const LONG: u64 = 32 << 20;

struct House(tempfile::TempDir);

impl House {
    /// A folder `f` with a long file and two short ones.
    fn new() -> Self {
        let house = Self(tempfile::tempdir().expect("a temporary folder"));
        assert!(house.sivka(&["keygen", "-o", "key"]).status.success());
        fs::create_dir(house.path("f")).expect("made");
        let long = vec![b'x'; LONG as usize];
        fs::write(house.path("f/a"), long).expect("written");
        fs::write(house.path("f/b"), "short").expect("written");
        fs::write(house.path("f/c"), "stays").expect("written");
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn sivka(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(args)
            .current_dir(&self.0)
            .output_in_time()
            .expect("sivka runs")
    }

    /// Seals `f`, and does `change` when the first bytes of the result are there and no
    /// others are taken. Gives the status and what was said.
    fn seal_while(&self, change: impl FnOnce()) -> (Option<i32>, String) {
        let mut seal = Command::new(env!("CARGO_BIN_EXE_sivka"))
            .args(["seal", "--key", "key", "f", "-o", "-"])
            .current_dir(&self.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        let mut output = seal.stdout.take().expect("a pipe");
        let mut sealed = vec![0; 4096];
        output.read_exact(&mut sealed).expect("a header");
        change();
        output.read_to_end(&mut sealed).expect("the rest");
        fs::write(self.path("f.sivka"), sealed).expect("written");
        let done = seal.wait_with_output_in_time().expect("it ends");
        let said = String::from_utf8(done.stderr).expect("text");
        (done.status.code(), said)
    }

    /// Opens what was sealed, and gives what is in it. Nothing but `void` may be missing, whose
    /// content is in part in the archive.
    fn opened(&self, void: Option<&str>) -> Vec<String> {
        let opened = self.sivka(&["open", "--key", "key", "f.sivka", "-o", "copy"]);
        let (status, said) = match void {
            None => (0, String::new()),
            Some(void) => {
                let why = "could not be read as a whole when it was sealed, and left out";
                let said =
                    format!("sivka: copy/{void}: {why}\nsivka: copy: 1 entry was left out\n");
                (11, said)
            }
        };
        assert_eq!(String::from_utf8_lossy(&opened.stderr), said);
        assert_eq!(opened.status.code(), Some(status));
        let names = fs::read_dir(self.path("copy")).expect("opened");
        let mut names: Vec<_> = names
            .map(|entry| {
                let name = entry.expect("readable").file_name();
                name.into_string().expect("text")
            })
            .collect();
        names.sort();
        names
    }
}

#[test]
fn what_vanishes_is_named_and_the_rest_is_sealed() {
    let house = House::new();
    let (status, said) = house.seal_while(|| {
        fs::remove_file(house.path("f/b")).expect("removed");
    });
    assert_eq!(
        said,
        "sivka: f/b: no such file or directory, and left out\n\
         sivka: f: 1 entry was left out\n"
    );
    assert_eq!(status, Some(11));
    assert_eq!(house.opened(None), ["a", "c"]);
}

/// A file that is shorter than the archive says is not unpacked, and neither as zeros.
#[test]
fn what_shrinks_is_named_and_not_unpacked() {
    let house = House::new();
    fs::hard_link(house.path("f/a"), house.path("f/same")).expect("linked");
    let (status, said) = house.seal_while(|| {
        let file = File::options().write(true).open(house.path("f/a"));
        file.expect("opened").set_len(1 << 20).expect("shorter");
    });
    assert_eq!(
        said,
        "sivka: f/a: became shorter while it was read, and left out\n\
         sivka: f: 1 entry was left out\n"
    );
    assert_eq!(status, Some(11));
    // The other name of it was read after that.
    assert_eq!(house.opened(Some("a")), ["b", "c", "same"]);
    let len = fs::metadata(house.path("copy/same")).expect("there").len();
    assert_eq!(len, 1 << 20);
}

/// Once may be chance: it is read again.
#[test]
fn what_changes_once_is_read_again() {
    let house = House::new();
    let (status, said) = house.seal_while(|| {
        let mut file = File::options()
            .append(true)
            .open(house.path("f/a"))
            .expect("opened");
        file.write_all(b"more").expect("written");
    });
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert_eq!(house.opened(None), ["a", "b", "c"]);
    let copy = fs::read(house.path("copy/a")).expect("readable");
    assert!(copy == fs::read(house.path("f/a")).expect("readable"));
    assert_eq!(copy.len() as u64, LONG + 4);
}

/// What was read is not what is there, though the time of the file says so.
#[test]
fn what_changes_and_puts_its_time_back_is_read_again() {
    let house = House::new();
    let (status, said) = house.seal_while(|| {
        let file = File::options().write(true).open(house.path("f/a"));
        let mut file = file.expect("opened");
        let modified = file.metadata().and_then(|found| found.modified());
        file.write_all(b"other").expect("written");
        file.set_modified(modified.expect("a time"))
            .expect("put back");
    });
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert_eq!(house.opened(None), ["a", "b", "c"]);
    let copy = fs::read(house.path("copy/a")).expect("readable");
    assert!(copy == fs::read(house.path("f/a")).expect("readable"));
}

#[test]
fn what_never_rests_is_named_and_not_unpacked() {
    let house = House::new();
    let writing = std::sync::atomic::AtomicBool::new(true);
    let (status, said) = std::thread::scope(|scope| {
        let sealed = house.seal_while(|| {
            let mut file = File::options()
                .append(true)
                .open(house.path("f/a"))
                .expect("opened");
            let writing = &writing;
            scope.spawn(move || {
                while writing.load(std::sync::atomic::Ordering::Relaxed) {
                    file.write_all(b"more").expect("written");
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            });
        });
        writing.store(false, std::sync::atomic::Ordering::Relaxed);
        sealed
    });
    assert_eq!(
        said,
        "sivka: f/a: changed while it was read, and left out\n\
         sivka: f: 1 entry was left out\n"
    );
    assert_eq!(status, Some(11));
    assert_eq!(house.opened(Some("a")), ["b", "c"]);
}

// A file of /proc says that it has no bytes: it was sealed as an empty one, without a word.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_says_that_it_is_empty_is_left_out() {
    let house = House::new();
    let of_system = "/proc/sys/kernel/random";
    let sealed = house.sivka(&["seal", "--key", "key", of_system, "-o", "system.sivka"]);
    let said = String::from_utf8(sealed.stderr).expect("text");
    assert_eq!(sealed.status.code(), Some(11), "{said}");
    let file = format!("{of_system}/uuid: says that it is empty, and is not");
    assert!(said.contains(&file), "{said}");
}

// Some file systems end a read early, and the times of the file stay as they were. The part
// was sealed with status 0, and --remove took the file away.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_ends_before_its_length_is_short() {
    let house = House::new();
    let of_system = "/sys/devices/system/cpu/online";
    let sealed = house.sivka(&["seal", "--key", "key", of_system, "-o", "system.sivka"]);
    let said = String::from_utf8(sealed.stderr).expect("text");
    assert_eq!(sealed.status.code(), Some(11), "{said}");
    let file = format!("{of_system}: ended after ");
    assert!(said.contains(&file), "{said}");
}
