//! Files that change, go or cannot be read while they are packed.

use std::fs::{self, OpenOptions};
use std::path::Path;

use super::support::{entries, named, unpacked};
use sivka_file::folder::{EntryKind, Pack, Packed, pack};

/// Packs three files and another name of the one between; `change` is called after the first look
/// at it.
fn pack_while(folder: &Path, change: impl Fn(&Path)) -> (Packed, Vec<u8>) {
    for name in ["a", "b", "d"] {
        fs::write(folder.join(name), vec![b'x'; 600_000]).unwrap();
    }
    fs::hard_link(folder.join("b"), folder.join("c")).unwrap();
    let step = |path: &Path| {
        if path == "b" {
            change(&folder.join("b"));
        }
    };
    let (mut options, mut archive) = (Pack::default(), Vec::new());
    options.step = &step;
    let packed = pack(folder, &mut archive, &options).unwrap();
    (packed, archive)
}

#[test]
fn a_growing_file_is_kept_up_to_its_first_length() {
    let (desk, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (packed, archive) = pack_while(folder.path(), |file| {
        use std::io::Write;
        let mut file = OpenOptions::new().append(true).open(file).unwrap();
        file.write_all(b"more").unwrap();
    });
    assert_eq!(named(&packed.named), ["b: changed while it was read"]);
    let to = desk.path().join("to");
    let came = unpacked(&archive, &to).unwrap();
    assert!(came.named.is_empty());
    assert_eq!(fs::read(to.join("b")).unwrap(), vec![b'x'; 600_000]);
    assert_eq!(fs::read(to.join("c")).unwrap(), vec![b'x'; 600_000]);
}

#[test]
fn a_shorter_file_is_lost_and_its_other_name_is_tried_by_itself() {
    let (desk, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (packed, archive) = pack_while(folder.path(), |file| {
        OpenOptions::new()
            .write(true)
            .open(file)
            .unwrap()
            .set_len(5)
            .unwrap();
    });
    let lost = ["b: could not be read as a whole when it was sealed"];
    assert_eq!(named(&packed.named), lost);
    assert_eq!(packed.entries, 4);
    let listed = entries(&archive, true).unwrap();
    let last = listed.last().unwrap();
    assert!(last.path == *"b" && last.kind == EntryKind::Lost);
    let to = desk.path().join("to");
    let came = unpacked(&archive, &to).unwrap();
    assert_eq!(named(&came.named), lost);
    assert_eq!((came.entries, came.len), (4, 1_200_005));
    assert!(!to.join("b").exists());
    assert_eq!(fs::read(to.join("c")).unwrap(), b"xxxxx");
    let mtime = |folder: &Path| folder.metadata().unwrap().modified().unwrap();
    assert_eq!(mtime(&to), mtime(folder.path()));
}

/// As an audit of /proc would: it says that it has no bytes, and has some.
#[cfg(target_os = "linux")]
#[test]
fn what_has_no_length_is_left_out() {
    let select = |path: &Path, _: bool| path == "comm";
    let (mut options, mut archive) = (Pack::default(), Vec::new());
    options.select = &select;
    let packed = pack(Path::new("/proc/self"), &mut archive, &options).unwrap();
    let why = "comm: cannot be read: it says that it is empty, and is not";
    assert_eq!(named(&packed.named), [why]);
    assert_eq!(packed.entries, 1);
}

/// The owner of a lease gives it back when somebody asks: nothing is left out.
#[cfg(target_os = "linux")]
#[test]
fn a_file_under_a_lease_is_waited_for() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f"), "x").unwrap();
    const HOLD: &str = "
import fcntl, os, signal, sys, time
f = os.open(sys.argv[1], os.O_RDWR)
signal.signal(signal.SIGIO, lambda *a: (time.sleep(0.3), fcntl.fcntl(f, 1024, 2)))
fcntl.fcntl(f, 1024, 1)
print('held', flush=True)
for i in range(600): time.sleep(0.1)";
    let mut holder = std::process::Command::new("python3")
        .args(["-c", HOLD])
        .arg(folder.path().join("f"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(holder.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let mut archive = Vec::new();
    let packed = pack(folder.path(), &mut archive, &Pack::default());
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert_eq!(line, "held\n");
    let packed = packed.unwrap();
    assert!(
        packed.named.is_empty() && packed.entries == 2,
        "{:?}",
        packed.named
    );
}
