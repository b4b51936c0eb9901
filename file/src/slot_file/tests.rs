use super::*;
use crate::header::{HEADER_LEN, Header};
use crate::{AtomicFile, KeyFile, Lock, SealOptions, inspect, seal, verify};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

struct Desk {
    folder: tempfile::TempDir,
    old: KeyFile,
    new: KeyFile,
}

impl Desk {
    fn new() -> Self {
        Self::with_room(0)
    }

    fn with_room(room: usize) -> Self {
        let desk = Self {
            folder: tempfile::tempdir().unwrap(),
            old: KeyFile::from_bytes(&[1; 32], "old").unwrap(),
            new: KeyFile::from_bytes(&[2; 32], "new").unwrap(),
        };
        let file = File::create(desk.path()).unwrap();
        let locks = [Lock::KeyFile(&desk.old)];
        let options = SealOptions {
            room,
            ..SealOptions::default()
        };
        seal(&b"ledger"[..], file, &locks, &options, |_| {}).unwrap();
        desk
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ledger.sivka")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.path()).unwrap()
    }

    fn entries(&self) -> usize {
        fs::read_dir(self.folder.path()).unwrap().count()
    }

    /// Puts the new key in the place of the old.
    fn replace(&self) -> Result<(), Error> {
        let keys = [Unlock::KeyFile(&self.old)];
        let options = OpenOptions::default();
        change_slots(
            &self.path(),
            &keys,
            &options,
            || {},
            |slots| slots.replace(0, &Lock::KeyFile(&self.new)),
        )
    }
}

/// Side by side, every one of many changes counts.
#[test]
fn changes_wait_for_each_other() {
    let desk = Desk::new();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let keys = [Unlock::KeyFile(&desk.old)];
                let lock = Lock::KeyFile(&desk.new);
                let options = OpenOptions::default();
                change_slots(
                    &desk.path(),
                    &keys,
                    &options,
                    || {},
                    |slots| slots.add(&lock),
                )
                .unwrap();
            });
        }
    });
    let header = Header::parse(&desk.bytes()).unwrap();
    assert_eq!(header.slots().len(), 7);
    assert_eq!(desk.entries(), 1);
}

/// A file that is replaced in turns keeps what every turn has added, also among changes of
/// its slots.
#[test]
fn replacements_wait_for_each_other() {
    let desk = Desk::with_room(2);
    let add = || {
        let turn = Turn::wait_for(&desk.path(), || {}).unwrap();
        let mut bytes = desk.bytes();
        bytes.push(b'+');
        // Long enough for another to read the same.
        std::thread::sleep(std::time::Duration::from_millis(2));
        let mut file = AtomicFile::create(&desk.path(), None, true).unwrap();
        file.file().write_all(&bytes).unwrap();
        file.commit().unwrap();
        drop(turn);
    };
    let add_slot = || {
        let keys = [Unlock::KeyFile(&desk.old)];
        let lock = Lock::KeyFile(&desk.new);
        let options = OpenOptions::default();
        change_slots(
            &desk.path(),
            &keys,
            &options,
            || {},
            |slots| slots.add(&lock),
        )
        .unwrap();
    };
    let before = desk.bytes().len();
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(add);
            scope.spawn(add_slot);
        }
    });
    assert_eq!(desk.bytes().len(), before + 12);
    let header = Header::parse(&desk.bytes()).unwrap();
    assert_eq!(header.slots().len(), 13);
    assert_eq!(desk.entries(), 1);
}

#[test]
fn what_is_no_whole_sealed_file_is_not_changed() {
    let desk = Desk::new();
    for bytes in [&desk.bytes()[..HEADER_LEN / 2 - 3], b"something else"] {
        fs::write(desk.path(), bytes).unwrap();
        assert!(desk.replace().is_err());
        assert_eq!(desk.bytes(), bytes);
    }
}

/// A reader made two readings of a long header, and got half of each of two.
#[test]
fn readers_see_one_header_while_it_changes() {
    let desk = Desk::with_room(52);
    let is_changed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let keys = [Unlock::KeyFile(&desk.old)];
            let (lock, options) = (Lock::KeyFile(&desk.new), OpenOptions::default());
            for _ in 0..60 {
                let change = |slots: &mut Unlocked| {
                    let len = slots.header().slots().len();
                    match len {
                        50.. => (1..len).try_for_each(|_| slots.remove(1)),
                        _ => (0..17).try_for_each(|_| slots.add(&lock).map(drop)),
                    }
                };
                change_slots(&desk.path(), &keys, &options, || {}, change).unwrap();
            }
            is_changed.store(true, Ordering::Release);
        });
        while !is_changed.load(Ordering::Acquire) {
            let keys = [Unlock::KeyFile(&desk.old)];
            let file = SealedFile::open(&desk.path()).unwrap();
            verify(file, &keys, &OpenOptions::default(), |_| {}).unwrap();
            inspect(SealedFile::open(&desk.path()).unwrap()).unwrap();
        }
    });
}
