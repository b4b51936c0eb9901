//! What a folder holds is for nobody else while it is unpacked, whatever the umask.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use within::{RunInTime, WaitInTime};

const SIVKA: &str = env!("CARGO_BIN_EXE_sivka");

/// A command under a umask.
fn under(umask: &str, within: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "umask $1; shift; exec \"$@\"", "sh", umask, SIVKA])
        .args(args)
        .current_dir(within);
    command
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("there").permissions().mode() & 0o7777
}

/// A folder that only its owner enters, with a file and another such folder, sealed as `private.sivka`.
fn sealed() -> tempfile::TempDir {
    let house = tempfile::tempdir().expect("a temporary folder");
    let inside = house.path().join("private");
    fs::create_dir_all(inside.join("inner")).expect("made");
    fs::write(inside.join("a"), vec![7; 3 << 20]).expect("written");
    for folder in [&inside, &inside.join("inner")] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).expect("changed");
    }
    for args in [&["keygen", "-o", "key"][..], &["seal", "-k", "key", "private"]] {
        let status = under("022", house.path(), args).status_in_time();
        assert!(status.expect("sivka runs").success());
    }
    house
}

// A folder of 0700 came back as 0755: it was made by the umask, and 0700 was taken for what it
// had. One inside had what the umask left, and who was not root could not fill it.
#[test]
fn private_folders_come_back_private_whatever_the_umask() {
    let house = sealed();
    for umask in ["000", "022", "077", "0177", "0277", "0777"] {
        let target = format!("by-{umask}");
        let args = ["open", "-k", "key", "private.sivka", "-o", &target];
        let status = under(umask, house.path(), &args).status_in_time();
        assert!(status.expect("sivka runs").success(), "{umask}");
        for folder in [house.path().join(&target), house.path().join(&target).join("inner")] {
            assert_eq!(mode(&folder), 0o700, "{umask}");
        }
    }
}

#[test]
fn a_key_is_its_owners_whatever_the_umask() {
    let house = tempfile::tempdir().expect("a temporary folder");
    for umask in ["000", "022", "777"] {
        let status = under(umask, house.path(), &["keygen", "-o", umask]).status_in_time();
        assert!(status.expect("sivka runs").success(), "{umask}");
        assert_eq!(mode(&house.path().join(umask)), 0o600, "{umask}");
    }
}

#[test]
fn nobody_else_enters_what_is_unpacked() {
    let house = sealed();
    let file = fs::read(house.path().join("private.sivka")).expect("readable");
    for umask in ["000", "022"] {
        let mut open = under(umask, house.path(), &["open", "-k", "key", "-", "-o", "opened"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("sivka runs");
        let mut input = open.stdin.take().expect("a pipe");
        input.write_all(&file[..2 << 20]).expect("sivka reads");
        let partial = (0..500).find_map(|_| {
            thread::sleep(Duration::from_millis(20));
            let entries = fs::read_dir(house.path()).expect("readable").flatten();
            entries
                .map(|entry| entry.path())
                .find(|path| path.to_string_lossy().ends_with(".partial"))
        });
        let partial = partial.expect("it is unpacked before it is whole");
        assert_eq!(mode(&partial), 0o700, "{umask}");
        input.write_all(&file[2 << 20..]).expect("sivka reads");
        drop(input);
        assert!(open.wait_in_time().expect("it ends").success(), "{umask}");
        fs::remove_dir_all(house.path().join("opened")).expect("removed");
    }
}
