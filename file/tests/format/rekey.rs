//! Slots added, removed and replaced: the payload stays, byte for byte.

use super::support::{CHEAP, add_slot, key, opened, opening, painted, remove_slot, sealed};
use sivka_file::{
    Error, HEADER_LEN, Identity, KeyFile, Lock, MAX_SLOTS, Passphrase, SlotInfo, Unlock,
    change_slots_in, inspect,
};
use std::io::Cursor;

fn opens(file: &[u8], unlock: Unlock<'_>) -> bool {
    match opened(file, &[unlock], 1) {
        (released, Ok(())) => {
            assert_eq!(released, painted(50_000));
            true
        }
        (_, Err(Error::NoSlotOpens)) => false,
        (_, Err(error)) => panic!("{error}"),
    }
}

#[test]
fn a_key_is_rotated_without_touching_the_payload() {
    let (old, new) = (key(), KeyFile::generate("new").unwrap());
    let passphrase = Passphrase::new("backup".to_owned());
    let original = sealed(&painted(50_000));
    let mut file = Cursor::new(original.clone());
    let mut change = |change: &mut dyn FnMut(&mut Cursor<Vec<u8>>)| {
        file.set_position(0);
        change(&mut file);
        assert_eq!(file.get_ref()[HEADER_LEN..], original[HEADER_LEN..]);
        assert_eq!(file.get_ref().len(), original.len());
        file.get_ref().clone()
    };
    let unlock_old = [Unlock::KeyFile(&old)];
    let unlock_new = [Unlock::KeyFile(&new)];

    let added = change(&mut |file| {
        let lock = Lock::Passphrase(&passphrase, CHEAP);
        assert_eq!(add_slot(file, &unlock_old, &lock, &opening(1)).unwrap(), 1);
    });
    assert!(opens(&added, unlock_old[0]) && opens(&added, Unlock::Passphrase(&passphrase)));

    let replaced = change(&mut |file| {
        change_slots_in(file, &unlock_old, &opening(1), |slots| {
            slots.replace(0, &Lock::KeyFile(&new))
        })
        .unwrap();
    });
    assert!(opens(&replaced, unlock_new[0]) && opens(&replaced, Unlock::Passphrase(&passphrase)));
    assert!(!opens(&replaced, unlock_old[0]));
    let slots = inspect(&replaced[..]).unwrap().slots;
    assert_eq!(
        slots,
        [
            SlotInfo::KeyFile { id: new.id() },
            SlotInfo::Passphrase { cost: CHEAP }
        ]
    );

    let removed = change(&mut |file| remove_slot(file, &unlock_new, 1, &opening(1)).unwrap());
    assert!(opens(&removed, unlock_new[0]));
    assert!(!opens(&removed, Unlock::Passphrase(&passphrase)));
}

#[test]
fn a_refused_change_changes_nothing() {
    let (key, other) = (key(), KeyFile::generate("other").unwrap());
    let keys = [Unlock::KeyFile(&key)];
    let lock = Lock::KeyFile(&other);
    let empty = Passphrase::new(String::new());
    let original = sealed(b"");
    let mut file = Cursor::new(original.clone());
    let options = opening(1);
    let mut refused = |outcome: &mut dyn FnMut(&mut Cursor<Vec<u8>>) -> Error| {
        file.set_position(0);
        let error = outcome(&mut file);
        assert_eq!(*file.get_ref(), original);
        error
    };
    let error = refused(&mut |f| remove_slot(f, &keys, 0, &options).unwrap_err());
    assert!(matches!(error, Error::NoSlotLeft));
    let error = refused(&mut |f| remove_slot(f, &keys, 1, &options).unwrap_err());
    assert!(matches!(error, Error::NoSuchSlot { index: 1 }));
    let error = refused(&mut |f| {
        change_slots_in(f, &keys, &options, |slots| slots.replace(1, &lock)).unwrap_err()
    });
    assert!(matches!(error, Error::NoSuchSlot { index: 1 }));
    let wrong = [Unlock::KeyFile(&other)];
    let error = refused(&mut |f| add_slot(f, &wrong, &lock, &options).unwrap_err());
    assert!(matches!(error, Error::NoSlotOpens));
    let nothing = Lock::Passphrase(&empty, CHEAP);
    let error = refused(&mut |f| add_slot(f, &keys, &nothing, &options).unwrap_err());
    assert!(matches!(error, Error::EmptyPassphrase));
}

#[test]
fn a_full_header_says_what_is_free() {
    let key = key();
    let keys = [Unlock::KeyFile(&key)];
    let mut file = Cursor::new(sealed(&painted(50_000)));
    for index in 1..7 {
        file.set_position(0);
        let added = add_slot(&mut file, &keys, &Lock::KeyFile(&key), &opening(1)).unwrap();
        assert_eq!(added, index);
    }
    file.set_position(0);
    let refused = add_slot(&mut file, &keys, &Lock::KeyFile(&key), &opening(1));
    let (needed, free) = (124, 1024 - 28 - 32 - 7 * 124);
    assert!(
        matches!(refused, Err(Error::NoRoom { needed: n, free: f }) if (n, f) == (needed, free))
    );
}

#[test]
fn there_is_as_much_room_as_was_asked_for() {
    let (key, person) = (key(), Identity::generate().unwrap());
    let locks = [Lock::KeyFile(&key)];
    let keys = [Unlock::KeyFile(&key)];
    let lock = Lock::Recipient(person.recipient());
    let with_room = |room| sivka_file::SealOptions {
        room,
        ..super::support::sealing(1)
    };
    for room in [1, 20, 54] {
        let options = with_room(room);
        let mut file = Vec::new();
        super::support::seal(&painted(50_000)[..], &mut file, &locks, &options).unwrap();
        let before = file.clone();
        let header_len = options.header_len(&locks).unwrap();
        assert_eq!(inspect(&file[..]).unwrap().header_len, header_len as u64);
        let mut file = Cursor::new(file);
        for index in 1..=room {
            file.set_position(0);
            let added = add_slot(&mut file, &keys, &lock, &opening(1)).unwrap();
            assert_eq!(added, index);
        }
        assert_eq!(file.get_ref()[header_len..], before[header_len..]);
        assert!(opens(file.get_ref(), Unlock::Identity(&person)));
        // A slot of the same kind has the place of the one that it replaces.
        file.set_position(0);
        change_slots_in(&mut file, &keys, &opening(1), |slots| {
            slots.replace(room, &lock)
        })
        .unwrap();
        let free = sivka_file::Header::parse(file.get_ref()).unwrap().free();
        if free < 1204 {
            file.set_position(0);
            let refused = add_slot(&mut file, &keys, &lock, &opening(1)).unwrap_err();
            assert!(matches!(refused, Error::NoRoom { needed: 1204, free: f } if f == free));
        }
    }
    for room in [55, 63, 64, usize::MAX] {
        let refused = with_room(room).header_len(&locks);
        assert!(matches!(refused, Err(Error::TooManySlots)), "{room}");
    }
}

#[test]
fn a_file_has_no_more_than_sixty_four_slots() {
    let key = key();
    let mut file = Vec::new();
    let locks = [Lock::KeyFile(&key); 64];
    let options = super::support::sealing(1);
    super::support::seal(&painted(50_000)[..], &mut file, &locks, &options).unwrap();
    assert!(opens(&file, Unlock::KeyFile(&key)));
    assert_eq!(inspect(&file[..]).unwrap().slots.len(), MAX_SLOTS);
    let mut file = Cursor::new(file);
    let keys = [Unlock::KeyFile(&key)];
    let error = add_slot(&mut file, &keys, &locks[0], &opening(1)).unwrap_err();
    assert!(matches!(error, Error::TooManySlots));
}
