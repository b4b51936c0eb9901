//! Slots added, removed and replaced: the payload stays, byte for byte.

use super::support::{CHEAP, change, key, opened, painted, seal, sealed, sealed_for, sealing};
use sivka_file::{
    Error, Header, Identity, KeyFile, Lock, MAX_SLOTS, Passphrase, SealOptions, SlotInfo, Unlock,
    Unlocked,
};
use std::io::Cursor;

const LEN: usize = 50_000;

fn opens(file: &[u8], unlock: Unlock<'_>) -> bool {
    match opened(file, &[unlock], 1) {
        (released, Ok(())) => released == painted(LEN),
        (_, Err(Error::NoSlotOpens)) => false,
        (_, Err(error)) => panic!("{error}"),
    }
}

fn slots(file: &[u8]) -> Vec<SlotInfo> {
    Header::parse(file).unwrap().slots().collect()
}

#[test]
fn slots_of_every_kind_are_added_replaced_and_removed() {
    let (old, new) = (key(), KeyFile::generate("new").unwrap());
    let passphrase = Passphrase::new("backup".to_owned());
    let (pq, x25519) = (Identity::generate().unwrap(), Identity::generate_x25519());
    let x25519 = x25519.unwrap();
    let locks = [
        Lock::Passphrase(&passphrase, CHEAP),
        Lock::Recipient(x25519.recipient()),
        Lock::Recipient(pq.recipient()),
    ];
    let options = SealOptions {
        room: 3,
        ..sealing(1)
    };
    let mut original = Vec::new();
    let lock = [Lock::KeyFile(&old)];
    seal(&painted(LEN)[..], &mut original, &lock, &options).unwrap();
    let header_len = options.header_len(&lock).unwrap();
    let mut file = Cursor::new(original.clone());
    for (index, lock) in (1..).zip(&locks) {
        let keys = [Unlock::KeyFile(&old)];
        let added = change(&mut file, &keys, |slots| slots.add(lock)).unwrap();
        assert_eq!(added, index);
    }
    let unlocks = [
        Unlock::Passphrase(&passphrase),
        Unlock::Identity(&x25519),
        Unlock::Identity(&pq),
    ];
    for unlock in unlocks {
        assert!(opens(file.get_ref(), unlock));
    }
    let shown = slots(file.get_ref());
    assert_eq!(
        shown[1..],
        [
            SlotInfo::Passphrase { cost: CHEAP },
            SlotInfo::X25519,
            SlotInfo::MlKem768X25519,
        ]
    );
    let post_quantum: Vec<_> = shown.iter().map(SlotInfo::is_post_quantum).collect();
    assert_eq!(post_quantum, [true, true, false, true].map(Some));

    let replaced = change(&mut file, &unlocks[2..], |slots| {
        slots.replace(0, &Lock::KeyFile(&new))?;
        slots.remove(1)
    });
    replaced.unwrap();
    assert!(opens(file.get_ref(), Unlock::KeyFile(&new)));
    assert!(!opens(file.get_ref(), Unlock::KeyFile(&old)));
    assert!(!opens(file.get_ref(), unlocks[0]));
    let kept = SlotInfo::KeyFile { id: new.id() };
    assert_eq!(slots(file.get_ref())[..2], [kept, SlotInfo::X25519]);
    assert_eq!(file.get_ref()[header_len..], original[header_len..]);
}

#[test]
fn a_refused_change_changes_nothing() {
    let (key, other) = (key(), KeyFile::generate("other").unwrap());
    let (lock, empty) = (Lock::KeyFile(&other), Passphrase::new(String::new()));
    let original = sealed(b"");
    let mut file = Cursor::new(original.clone());
    let mut refused = |by: &KeyFile, work: &dyn Fn(&mut Unlocked) -> Result<(), Error>| {
        let error = change(&mut file, &[Unlock::KeyFile(by)], work).unwrap_err();
        assert_eq!(*file.get_ref(), original);
        error
    };
    let error = refused(&key, &|slots| slots.remove(0));
    assert!(matches!(error, Error::NoSlotLeft));
    let error = refused(&key, &|slots| slots.remove(1));
    assert!(matches!(error, Error::NoSuchSlot { index: 1 }));
    let error = refused(&key, &|slots| slots.replace(1, &lock));
    assert!(matches!(error, Error::NoSuchSlot { index: 1 }));
    let error = refused(&other, &|slots| slots.add(&lock).map(drop));
    assert!(matches!(error, Error::NoSlotOpens));
    let nothing = Lock::Passphrase(&empty, CHEAP);
    let error = refused(&key, &|slots| slots.add(&nothing).map(drop));
    assert!(matches!(error, Error::EmptyPassphrase));
}

#[test]
fn there_is_as_much_room_as_was_asked_for() {
    let (key, person) = (key(), Identity::generate().unwrap());
    let (locks, keys) = ([Lock::KeyFile(&key)], [Unlock::KeyFile(&key)]);
    let lock = Lock::Recipient(person.recipient());
    let with_room = |room| SealOptions { room, ..sealing(1) };
    for (room, lock, taken) in [(0, &locks[0], 6), (1, &lock, 1), (54, &lock, 54)] {
        let mut file = Vec::new();
        seal(&b""[..], &mut file, &locks, &with_room(room)).unwrap();
        let header_len = with_room(room).header_len(&locks).unwrap();
        let full = change(&mut Cursor::new(&mut file), &keys, |slots| {
            (0..taken).try_for_each(|_| slots.add(lock).map(drop))?;
            // A slot has the place of the one that it replaces.
            slots.replace(taken, lock)?;
            assert_eq!(slots.header().len(), header_len);
            slots.add(lock)
        });
        assert!(matches!(full, Err(Error::NoRoom { .. })), "{room}");
    }
    for room in [55, 63, 64, usize::MAX] {
        let refused = with_room(room).header_len(&locks);
        assert!(matches!(refused, Err(Error::TooManySlots)), "{room}");
    }
}

#[test]
fn a_file_has_no_more_than_sixty_four_slots() {
    let key = key();
    let locks = [Lock::KeyFile(&key); MAX_SLOTS];
    let file = sealed_for(&locks, &painted(LEN));
    assert!(opens(&file, Unlock::KeyFile(&key)));
    let keys = [Unlock::KeyFile(&key)];
    let error = change(&mut Cursor::new(file), &keys, |slots| slots.add(&locks[0]));
    assert!(matches!(error, Err(Error::TooManySlots)));
}
