use super::journal::TITLE;
use super::*;
use crate::header::HEADER_LEN;
use crate::{AtomicFile, KeyFile, Lock, SealOptions, seal, verify};
use std::fs;
use std::io::Write;
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

/// A journal of a change from the one file to the other.
fn journal(before: &[u8], after: &[u8]) -> Journal {
    Journal {
        payload_head: *before[HEADER_LEN..].first_chunk().unwrap(),
        old: before[..HEADER_LEN].to_vec(),
        new: after[..HEADER_LEN].to_vec(),
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

/// A power cut while the header is written leaves some of its sectors old and some new, and
/// some as zeros.
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
    let journal = journal(&before, &after);
    let mut torn = 0;
    for sectors in 0..3_usize.pow((HEADER_LEN / SECTOR) as u32) {
        let mut file = before.clone();
        for sector in 0..HEADER_LEN / SECTOR {
            let bytes = sector * SECTOR..(sector + 1) * SECTOR;
            match sectors / 3_usize.pow(sector as u32) % 3 {
                0 => {}
                1 => file[bytes.clone()].copy_from_slice(&after[bytes]),
                _ => file[bytes].fill(0),
            }
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
    // Slot and MAC are in the first and in the last sector; between them is nothing yet.
    assert_eq!(torn, (3 * 3 - 2) * 3 * 3);
}

#[test]
fn a_journal_mends_nothing_else() {
    let desk = Desk::new();
    let before = desk.bytes();
    desk.replace().unwrap();
    let after = desk.bytes();
    let place = Place::of(&desk.path()).unwrap();
    let journal = journal(&before, &after);
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
}

/// What has the name of a journal and is none kept intact files from being opened: one of a
/// gigabyte was read whole, and a pipe was waited for.
#[test]
fn what_is_no_journal_is_left_alone() {
    let desk = Desk::new();
    let place = Place::of(&desk.path()).unwrap();
    let untouched = || {
        assert_eq!(settle_slots(&desk.path()).unwrap(), None);
        assert!(desk.replace().is_err());
        assert!(desk.opens(&desk.old));
    };
    let mut newer = TITLE.to_vec();
    newer.resize(4216, 2);
    for bytes in [&b""[..], b"something else", &newer] {
        fs::write(place.journal(), bytes).unwrap();
        untouched();
        assert_eq!(fs::read(place.journal()).unwrap(), bytes);
    }
    let long = File::create(place.journal()).unwrap();
    long.set_len(1 << 40).unwrap();
    untouched();
    fs::remove_file(place.journal()).unwrap();
    fs::create_dir(place.journal()).unwrap();
    untouched();
    fs::remove_dir(place.journal()).unwrap();
    #[cfg(unix)]
    {
        // Nothing is made where a link leads to.
        let elsewhere = desk.folder.path().join("elsewhere");
        std::os::unix::fs::symlink(&elsewhere, place.journal()).unwrap();
        untouched();
        assert!(!elsewhere.exists());
        fs::remove_file(place.journal()).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(place.journal())
            .status();
        assert!(made.unwrap().success());
        untouched();
        fs::remove_file(place.journal()).unwrap();
    }
    desk.replace().unwrap();
}

/// Somebody who may make files in a folder, and not write to those of others, had any header
/// written: by whoever looked at the file next. Only root can be somebody else, as CI is.
#[cfg(unix)]
#[test]
fn a_journal_of_somebody_else_is_none() {
    use std::os::unix::fs::{MetadataExt, chown};
    for (maker, owner, me, believed) in [
        (1000, 1001, 1002, false),
        (1000, 1001, 0, false),
        (1000, 0, 1002, false),
        (1000, 1000, 1002, true),
        (1000, 1001, 1000, true),
        (0, 1001, 1002, true),
    ] {
        assert_eq!(super::journal::is_believed(maker, owner, me), believed);
    }
    let desk = Desk::new();
    let (before, place) = (desk.bytes(), Place::of(&desk.path()).unwrap());
    let owner = fs::metadata(desk.path()).unwrap().uid();
    if owner != 0 {
        return;
    }
    // Every byte is that of one of these, and neither is the header.
    let (mut one, mut other) = (before.clone(), before.clone());
    one[..60].iter_mut().for_each(|byte| *byte ^= 1);
    other[60..HEADER_LEN]
        .iter_mut()
        .for_each(|byte| *byte ^= 0xff);
    for (file, maker, is_written) in [(0, 1000, false), (1000, 1001, false), (1000, 1000, true)] {
        fs::write(desk.path(), &before).unwrap();
        journal(&one, &other).write(&place).unwrap();
        chown(desk.path(), Some(file), None).unwrap();
        chown(place.journal(), Some(maker), None).unwrap();
        assert_eq!(settle_slots(&desk.path()).unwrap(), None);
        assert_eq!(desk.bytes() == other, is_written, "{file} and {maker}");
        assert_eq!(desk.bytes() == before, !is_written, "{file} and {maker}");
        let _ = fs::remove_file(place.journal());
    }
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

/// A file that is replaced in turns keeps what every turn has added, also among changes of
/// its slots.
#[test]
fn replacements_wait_for_each_other() {
    let desk = Desk::new();
    let add = || {
        let turn = Turn::wait_for(&desk.path()).unwrap();
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
        change_slots(&desk.path(), &keys, &options, |slots| slots.add(&lock)).unwrap();
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
fn a_file_cut_short_is_not_torn_and_not_changed() {
    let desk = Desk::new();
    let before = desk.bytes();
    desk.replace().unwrap();
    let after = desk.bytes();
    let journal = journal(&before, &after);
    let mut torn = before.clone();
    torn[..HEADER_LEN - 512].copy_from_slice(&after[..HEADER_LEN - 512]);
    // The last bytes of the payload's head are zeros, as if they had not been cut off.
    let with_zeros = Journal {
        payload_head: [0; journal::PAYLOAD_HEAD_LEN],
        ..journal
    };
    fs::write(desk.path(), &torn[..HEADER_LEN]).unwrap();
    let mut cut = File::open(desk.path()).unwrap();
    assert!(!with_zeros.is_torn(&mut cut).unwrap());

    fs::write(desk.path(), &after[..HEADER_LEN + 3]).unwrap();
    let keys = [Unlock::KeyFile(&desk.new)];
    let changed = change_slots(&desk.path(), &keys, &OpenOptions::default(), |_| Ok(()));
    assert!(matches!(changed, Err(Error::Truncated { chunks: 0 })));
}

#[test]
fn a_journal_is_its_owners_and_whole() {
    let desk = Desk::new();
    let place = Place::of(&desk.path()).unwrap();
    journal(&desk.bytes(), &desk.bytes()).write(&place).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(place.journal()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let whole = fs::read(place.journal()).unwrap();
    assert!(Journal::read(&place).unwrap().is_some());
    for cut in [0, 1, 31, 32, whole.len() - 1] {
        fs::write(place.journal(), &whole[..cut]).unwrap();
        let refused = Journal::read(&place).map(drop).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
    }
    fs::remove_file(place.journal()).unwrap();
    let mut file = File::options().write(true).open(desk.path()).unwrap();
    journal(&desk.bytes(), &desk.bytes())
        .apply(&mut file, &place)
        .unwrap();
    // One that cannot be read or removed is not taken for none.
    fs::create_dir(place.journal()).unwrap();
    assert!(Journal::read(&place).is_err());
    let applied = journal(&desk.bytes(), &desk.bytes()).apply(&mut file, &place);
    assert!(applied.is_err());
}

/// It was replaced if it came after the look at the name.
#[test]
fn a_journal_replaces_nothing() {
    let desk = Desk::new();
    let place = Place::of(&desk.path()).unwrap();
    fs::write(place.journal(), "somebody else's").unwrap();
    let written = journal(&desk.bytes(), &desk.bytes()).write(&place);
    assert_eq!(written.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(place.journal()).unwrap(), b"somebody else's");
}

/// It was said to have failed, and nothing more.
#[test]
fn an_error_says_how_far_the_change_has_come() {
    let desk = Desk::new();
    let place = Place::of(&desk.path()).unwrap();
    let before = desk.bytes();
    desk.replace().unwrap();
    let after = desk.bytes();
    let journal = journal(&before, &after);
    fs::write(desk.path(), &before).unwrap();
    let said = |mut file: File| {
        let failed = journal.apply(&mut file, &place);
        failed.unwrap_err().to_string()
    };
    let begun = said(File::open(desk.path()).unwrap());
    assert!(begun.starts_with("the change has begun"), "{begun}");
    assert_eq!(desk.bytes(), before);
    // Nothing removes a folder as a file.
    fs::create_dir(place.journal()).unwrap();
    let changed = said(File::options().write(true).open(desk.path()).unwrap());
    assert!(changed.starts_with("the slots are changed"), "{changed}");
    assert_eq!(desk.bytes(), after);
}

/// The header that another program wrote meanwhile, or the file that it put there, was lost.
/// Windows lets nobody write to a file that is locked.
#[cfg(unix)]
#[test]
fn what_others_change_meanwhile_is_kept() {
    let desk = Desk::new();
    let before = desk.bytes();
    desk.replace().unwrap();
    let other = desk.bytes();
    let with = |at: usize| {
        let mut changed = before.clone();
        changed[at] ^= 1;
        changed
    };
    let payload_heads = [HEADER_LEN, HEADER_LEN + journal::PAYLOAD_HEAD_LEN - 1].map(with);
    let aside = desk.folder.path().join("aside");
    for (is_renamed, bytes) in [
        (false, &other[..]),
        (false, &other[..HEADER_LEN + 3]),
        (false, &payload_heads[0]),
        (false, &payload_heads[1]),
        (true, &other),
        // Not even by another file of the same bytes: it is somebody else's to change.
        (true, &before),
    ] {
        fs::write(desk.path(), &before).unwrap();
        let keys = [Unlock::KeyFile(&desk.old)];
        let changed = change_slots(&desk.path(), &keys, &OpenOptions::default(), |slots| {
            if is_renamed {
                fs::write(&aside, bytes).unwrap();
                fs::rename(&aside, desk.path()).unwrap();
            } else {
                fs::write(desk.path(), bytes).unwrap();
            }
            slots.add(&Lock::KeyFile(&desk.new))
        });
        let said = changed.map(drop).unwrap_err().to_string();
        assert!(
            said.ends_with("changed meanwhile, and nothing was written"),
            "{said}"
        );
        assert_eq!(desk.bytes(), bytes);
        assert_eq!(desk.entries(), 1);
    }
}
