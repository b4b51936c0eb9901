use super::*;
use crate::{KeyFile, Lock, SealOptions, seal, verify};
use std::path::PathBuf;

struct Desk {
    folder: tempfile::TempDir,
    old: KeyFile,
    new: KeyFile,
}

impl Desk {
    fn new() -> Self {
        let desk = Self {
            folder: tempfile::tempdir().unwrap(),
            old: KeyFile::from_bytes(&[1; 32], "old").unwrap(),
            new: KeyFile::from_bytes(&[2; 32], "new").unwrap(),
        };
        let file = File::create(desk.path()).unwrap();
        let locks = [Lock::KeyFile(&desk.old)];
        seal(
            &b"ledger"[..],
            file,
            &locks,
            &SealOptions::default(),
            |_| {},
        )
        .unwrap();
        desk
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ledger.sivka")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.path()).unwrap()
    }

    fn opens(&self, key: &KeyFile) -> bool {
        let keys = [Unlock::KeyFile(key)];
        verify(&self.bytes()[..], &keys, &OpenOptions::default(), |_| {}).is_ok()
    }

    fn entries(&self) -> usize {
        fs::read_dir(self.folder.path()).unwrap().count()
    }

    /// Puts the new key in the place of the old.
    fn replace(&self) -> Result<(), Error> {
        let keys = [Unlock::KeyFile(&self.old)];
        change_slots(&self.path(), &keys, &OpenOptions::default(), |slots| {
            slots.replace(0, &Lock::KeyFile(&self.new))
        })
    }
}

#[test]
fn a_change_leaves_no_journal() {
    let desk = Desk::new();
    desk.replace().unwrap();
    assert!(desk.opens(&desk.new) && !desk.opens(&desk.old));
    assert_eq!(desk.entries(), 1);
    assert!(matches!(desk.replace(), Err(Error::NoSlotOpens)));
    assert_eq!(desk.entries(), 1);
}

/// A power cut while the header is written leaves some of its sectors old and some new.
/// Whatever was written, the next reader sees the new header, and the next one that may
/// write finishes the change.
#[test]
fn a_torn_header_is_finished() {
    const SECTOR: usize = 512;
    let desk = Desk::new();
    let before = desk.bytes();
    desk.replace().unwrap();
    let after = desk.bytes();
    let place = Place::of(&desk.path()).unwrap();
    let journal = Journal {
        payload_head: before[HEADER_LEN..][..journal::PAYLOAD_HEAD_LEN]
            .try_into()
            .unwrap(),
        old: *before.first_chunk().unwrap(),
        new: *after.first_chunk().unwrap(),
    };
    let mut torn = 0;
    for sectors in 0..1_u32 << (HEADER_LEN / SECTOR) {
        let mut file = before.clone();
        for sector in (0..HEADER_LEN / SECTOR).filter(|sector| sectors >> sector & 1 == 1) {
            let bytes = sector * SECTOR..(sector + 1) * SECTOR;
            file[bytes.clone()].copy_from_slice(&after[bytes]);
        }
        let is_old = file == before;
        torn += u32::from(file != before && file != after);

        // One that may not write is given the header.
        fs::write(desk.path(), &file).unwrap();
        journal.write(&place).unwrap();
        let locked = File::open(desk.path()).unwrap();
        locked.lock().unwrap();
        let given = settle_slots(&desk.path()).unwrap();
        assert_eq!(given.is_some(), file != before && file != after);
        if let Some(header) = given {
            assert_eq!(header[..], after[..HEADER_LEN]);
        }
        drop(locked);

        // One that may write finishes.
        assert_eq!(settle_slots(&desk.path()).unwrap(), None);
        assert_eq!(desk.bytes(), if is_old { &before } else { &after }[..]);
        assert_eq!(desk.entries(), 1);

        // The next change finishes first.
        fs::write(desk.path(), &file).unwrap();
        journal.write(&place).unwrap();
        let keys = [Unlock::KeyFile(&desk.old), Unlock::KeyFile(&desk.new)];
        let lock = Lock::KeyFile(&desk.old);
        let options = OpenOptions::default();
        change_slots(&desk.path(), &keys, &options, |slots| slots.add(&lock)).unwrap();
        assert!(desk.opens(&desk.old));
        assert_eq!(desk.opens(&desk.new), !is_old);
        assert_eq!(desk.entries(), 1);
    }
    // Slot and MAC are in the first and in the last sector.
    assert_eq!(torn, 8);
}

#[test]
fn a_journal_mends_nothing_else() {
    let desk = Desk::new();
    let before = desk.bytes();
    desk.replace().unwrap();
    let after = desk.bytes();
    let place = Place::of(&desk.path()).unwrap();
    let journal = Journal {
        payload_head: before[HEADER_LEN..][..journal::PAYLOAD_HEAD_LEN]
            .try_into()
            .unwrap(),
        old: *before.first_chunk().unwrap(),
        new: *after.first_chunk().unwrap(),
    };
    // Torn, but also damaged; torn, but before another payload; and cut.
    let mut torn = before.clone();
    torn[..512].copy_from_slice(&after[..512]);
    let mut damaged = torn.clone();
    damaged[2040] ^= 1;
    let mut other = torn.clone();
    other[HEADER_LEN] ^= 1;
    for file in [damaged, other, torn[..HEADER_LEN].to_vec()] {
        fs::write(desk.path(), &file).unwrap();
        journal.write(&place).unwrap();
        assert_eq!(settle_slots(&desk.path()).unwrap(), None);
        assert_eq!(desk.bytes(), file);
    }
    // What is no journal is nobody's to apply or to remove.
    fs::write(place.journal(), b"something else").unwrap();
    assert!(desk.replace().is_err());
    assert_eq!(fs::read(place.journal()).unwrap(), b"something else");
}

/// Side by side, every one of many changes counts.
#[test]
fn changes_wait_for_each_other() {
    let desk = Desk::new();
    std::thread::scope(|scope| {
        for _ in 0..15 {
            scope.spawn(|| {
                let keys = [Unlock::KeyFile(&desk.old)];
                let lock = Lock::KeyFile(&desk.new);
                let options = OpenOptions::default();
                change_slots(&desk.path(), &keys, &options, |slots| slots.add(&lock)).unwrap();
            });
        }
    });
    let header = Header::parse(&desk.bytes()).unwrap();
    assert_eq!(header.slots().len(), 16);
    assert_eq!(desk.entries(), 1);
}
