//! What changes, goes or cannot be read while it is packed, and what a file system refuses.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::net::UnixListener;
use std::path::Path;

use crate::{entries, named, packed, unpacked};
use sivka_file::folder::{EntryKind, Pack, pack};

/// Three files and another name of the one between, which changes after the first look at it.
#[test]
fn a_longer_file_is_kept_and_a_shorter_one_is_lost() {
    for len in [600_004, 5] {
        let desk = tempfile::tempdir().unwrap();
        let [folder, to] = ["from", "to"].map(|name| desk.path().join(name));
        fs::create_dir(&folder).unwrap();
        for name in ["a", "b", "d"] {
            fs::write(folder.join(name), vec![b'x'; 600_000]).unwrap();
        }
        fs::hard_link(folder.join("b"), folder.join("c")).unwrap();
        let step = |path: &Path| {
            if path == "b" {
                let file = OpenOptions::new().write(true).open(folder.join("b"));
                file.unwrap().set_len(len).unwrap();
            }
        };
        let (mut options, mut archive) = (Pack::default(), Vec::new());
        options.step = &step;
        let packed = pack(&folder, &mut archive, &options).unwrap();
        let came = unpacked(&archive, &to).unwrap();
        let read = |name: &str| fs::read(to.join(name)).unwrap();
        if len > 600_000 {
            assert_eq!(named(&packed.named), ["b: changed while it was read"]);
            assert!(came.named.is_empty() && read("b") == [b'x'; 600_000]);
            assert_eq!((came.entries, came.len), (5, 1_800_000));
        } else {
            let lost = ["b: could not be read as a whole when it was sealed"];
            assert_eq!([named(&packed.named), named(&came.named)], [lost, lost]);
            assert_eq!((packed.entries, came.entries, came.len), (4, 4, 1_200_005));
            let listed = entries(&archive).unwrap();
            let last = listed.last().unwrap();
            assert!(last.path == *"b" && last.kind == EntryKind::Lost);
            // Another name of it is tried by itself.
            assert!(!to.join("b").exists() && read("c") == *b"xxxxx");
        }
        let mtime = |folder: &Path| folder.metadata().unwrap().modified().unwrap();
        assert_eq!(mtime(&to), mtime(&folder));
    }
}

/// The owner of a lease gives it back when somebody asks: nothing is left out.
#[cfg(target_os = "linux")]
#[test]
fn a_file_under_a_lease_is_waited_for() {
    use std::io::Read;
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
    let mut held = [0; 5];
    let is_held = holder.stdout.take().unwrap().read_exact(&mut held);
    let mut archive = Vec::new();
    let packed = pack(folder.path(), &mut archive, &Pack::default());
    holder.kill().unwrap();
    holder.wait().unwrap();
    is_held.unwrap();
    let packed = packed.unwrap();
    assert!(packed.named.is_empty() && packed.entries == 2);
}

/// Labels mean nothing elsewhere, and nothing is missing without them.
#[test]
fn labels_and_what_is_no_file_are_left_out() {
    let desk = tempfile::tempdir().unwrap();
    let at = |name: &str| desk.path().join(name);
    let _socket = UnixListener::bind(at("socket")).unwrap();
    fs::write(at("file"), "x").unwrap();
    if rustix::process::geteuid().is_root() {
        xattr::set(at("file"), "security.selinux", b"a_u:b_r:c_t:s0\0").unwrap();
    }
    let mut archive = Vec::new();
    let packed = pack(desk.path(), &mut archive, &Pack::default()).unwrap();
    assert_eq!(named(&packed.named), ["socket: is a socket"]);
    let file = &entries(&archive).unwrap()[1];
    assert!(file.path == *"file" && file.attributes.is_empty());
}

/// A path that is too long stands for all that a file system does not have.
#[test]
fn what_the_file_system_refuses_is_named_and_the_rest_comes() {
    let desk = tempfile::tempdir().unwrap();
    let at = |name: &str| desk.path().join(name);
    // There is room for it here, and none deeper.
    let deep = vec!["d".repeat(250); 15].join("/");
    let [n, q] = ["n", "q"].map(|letter| letter.repeat(130));
    let from = at("f").join(&deep);
    fs::create_dir_all(from.join(&q)).unwrap();
    for name in ["a", &n, &format!("{q}/x"), "z"] {
        fs::File::create(from.join(name)).unwrap().write_all(b"1").unwrap();
    }
    fs::hard_link(from.join(&n), from.join("o")).unwrap();
    fs::hard_link(from.join("a"), from.join("p")).unwrap();
    let archive = packed(&at("f"));
    let around = at(&"t".repeat(200));
    fs::create_dir(&around).unwrap();
    let came = unpacked(&archive, &around.join("to")).unwrap();
    let said = named(&came.named).join(" ").replace(&format!("{deep}/"), "");
    let refused = "cannot be made here: File name too long (os error 36)";
    let linked = format!("is another name of {n}, which is not here");
    let within = "is in a folder that is left out";
    let wanted = format!("{n}: {refused} o: {linked} {q}: {refused} {q}/x: {within}");
    assert_eq!(said, wanted);
    assert_eq!((came.entries, came.len), (19, 2));
}
