//! Slots added, removed and replaced: the payload stays, byte for byte.

use super::support::{
    CHEAP, COPY_LEN, Disk, FIRST_SLOT, change, key, opened, opening, painted, seal, sealed,
    sealed_for, sealing,
};
use sivka_file::{
    Argon2Cost, Error, HEADER_LEN, Header, Identity, KeyFile, Lock, MAX_SLOTS, Passphrase,
    SealOptions, SlotInfo, Unlock, Unlocked,
};
use std::io::Cursor;

const LEN: usize = 40_000;

fn opens(file: &[u8], unlock: Unlock<'_>) -> bool {
    match opened(file, &[unlock], &opening(1)) {
        (released, Ok(())) => released == painted(LEN),
        (_, Err(Error::NoSlotOpens)) => false,
        (_, Err(error)) => panic!("{error}"),
    }
}

fn with_spare(spare_slots: usize) -> SealOptions {
    SealOptions { spare_slots, ..sealing(1) }
}

#[test]
fn slots_of_every_kind_are_added_replaced_and_removed() {
    let (old, new) = (key(), KeyFile::generate("new").unwrap());
    let passphrase = Passphrase::new("backup".to_owned());
    let (pq, x25519) = (Identity::generate(), Identity::generate_x25519());
    let (pq, x25519) = (pq.unwrap(), x25519.unwrap());
    let (old_lock, old_key) = ([Lock::KeyFile(&old)], [Unlock::KeyFile(&old)]);
    let locks = [
        Lock::Passphrase(&passphrase, CHEAP),
        Lock::Recipient(x25519.recipient()),
        Lock::Recipient(pq.recipient()),
    ];
    let unlocks =
        [Unlock::Passphrase(&passphrase), Unlock::Identity(&x25519), Unlock::Identity(&pq)];
    let mut original = Vec::new();
    seal(&painted(LEN), &mut original, &old_lock, &with_spare(3)).unwrap();
    let header_len = with_spare(3).header_len(&old_lock).unwrap();
    let mut file = Cursor::new(original.clone());
    for (index, (lock, unlock)) in (1..).zip(locks.iter().zip(unlocks)) {
        let added = change(&mut file, &old_key, |slots| slots.add(lock)).unwrap();
        assert_eq!(added, index);
        assert!(opens(file.get_ref(), unlock));
    }
    let slots = |file: &[u8]| Vec::from_iter(Header::parse(file).unwrap().slots());
    let shown = slots(file.get_ref());
    assert_eq!(shown[1], SlotInfo::Passphrase { cost: CHEAP });
    assert_eq!(shown[2..], [SlotInfo::X25519, SlotInfo::MlKem768X25519]);
    let post_quantum: Vec<_> = shown.iter().map(SlotInfo::is_post_quantum).collect();
    assert_eq!(post_quantum, [true, true, false, true].map(Some));

    let replaced = change(&mut file, &unlocks[2..], |slots| {
        slots.replace(0, &Lock::KeyFile(&new))?;
        slots.remove(1)
    });
    replaced.unwrap();
    assert!(opens(file.get_ref(), Unlock::KeyFile(&new)));
    assert!(!opens(file.get_ref(), old_key[0]) && !opens(file.get_ref(), unlocks[0]));
    let kept = SlotInfo::KeyFile { id: new.id() };
    assert_eq!(slots(file.get_ref())[..2], [kept, SlotInfo::X25519]);
    assert_eq!(file.get_ref()[header_len..], original[header_len..]);
}

#[test]
fn a_refused_change_changes_nothing() {
    let (key, passphrase) = (key(), Passphrase::new("any".to_owned()));
    let (lock, empty) = (Lock::KeyFile(&key), Passphrase::new(String::new()));
    let original = sealed(b"");
    let refused = |work: &dyn Fn(&mut Unlocked) -> Result<(), Error>| {
        let mut file = Cursor::new(original.clone());
        let error = change(&mut file, &[Unlock::KeyFile(&key)], work).unwrap_err();
        assert_eq!(*file.get_ref(), original);
        error
    };
    let error = refused(&|slots| slots.remove(0));
    assert!(matches!(error, Error::NoSlotLeft));
    let error = refused(&|slots| slots.remove(1));
    assert!(matches!(error, Error::NoSuchSlot(1)));
    let error = refused(&|slots| slots.replace(1, &lock));
    assert!(matches!(error, Error::NoSuchSlot(1)));
    let error = refused(&|slots| slots.add(&Lock::Passphrase(&empty, CHEAP)).map(drop));
    assert!(matches!(error, Error::EmptyPassphrase));
    for (memory_kib, passes, lanes) in [(7, 1, 1), (8, 0, 1), (8, 1, 0), (1 << 20, 1, 256)] {
        let cost = Argon2Cost { memory_kib, passes, lanes };
        let lock = Lock::Passphrase(&passphrase, cost);
        let error = refused(&|slots| slots.add(&lock).map(drop));
        assert!(matches!(error, Error::BadCost(asked) if asked == cost));
    }
    let mut output = Vec::new();
    let outcome = seal(b"", &mut output, &[], &sealing(1));
    assert!(matches!(outcome, Err(Error::NoSlotLeft)) && output.is_empty());
}

#[test]
fn there_is_as_much_room_as_was_asked_for() {
    let (key, person) = (key(), Identity::generate().unwrap());
    let (locks, keys) = ([Lock::KeyFile(&key)], [Unlock::KeyFile(&key)]);
    let lock = Lock::Recipient(person.recipient());
    for (room, lock, taken) in [(0, &locks[0], 6), (1, &lock, 1), (54, &lock, 54)] {
        let mut file = Vec::new();
        seal(b"", &mut file, &locks, &with_spare(room)).unwrap();
        let header_len = with_spare(room).header_len(&locks).unwrap();
        let full = change(&mut Cursor::new(&mut file), &keys, |slots| {
            (0..taken).try_for_each(|_| slots.add(lock).map(drop))?;
            // A slot has the place of the one that it replaces.
            slots.replace(taken, lock)?;
            assert_eq!(slots.header().len(), header_len);
            slots.add(lock)
        });
        assert!(matches!(full, Err(Error::NoRoom { .. })), "{room}");
    }
    for room in [55, 64, usize::MAX] {
        let refused = with_spare(room).header_len(&locks);
        assert!(matches!(refused, Err(Error::TooManySlots)), "{room}");
    }
    let mut file = Cursor::new(sealed_for(&[locks[0]; MAX_SLOTS], &painted(LEN)));
    assert!(opens(file.get_ref(), keys[0]));
    let error = change(&mut file, &keys, |slots| slots.add(&locks[0]));
    assert!(matches!(error, Err(Error::TooManySlots)));
}

/// The copy that the header was not read from is written first. Whatever of it is, another change
/// mends the copy.
#[test]
fn a_change_that_stops_leaves_the_old_slots_or_the_new() {
    let (old, new) = (key(), KeyFile::generate("new").unwrap());
    let (keys, new_key) = ([Unlock::KeyFile(&old)], Unlock::KeyFile(&new));
    let lock = Lock::KeyFile(&new);
    let original = sealed(&painted(LEN));
    let mut older = original.clone();
    older[COPY_LEN - 1] ^= 1;
    for (original, first) in [(&original, COPY_LEN), (&older, 0)] {
        for writes_left in 0..2 {
            for torn_at in [0, 1, 20, 28, 40, 52, 200, 500, COPY_LEN - 1, COPY_LEN] {
                let mut file = Disk { writes_left, torn_at, ..Disk::new(original) };
                change(&mut file, &keys, |slots| slots.add(&lock)).unwrap_err();
                let mut file = file.file.into_inner();
                let is_new = writes_left == 1 || torn_at == COPY_LEN;
                assert!(opens(&file, keys[0]));
                assert_eq!(opens(&file, new_key), is_new, "{writes_left}, {torn_at}");
                assert_eq!(file[HEADER_LEN..], original[HEADER_LEN..]);
                if writes_left == 0 {
                    let other = COPY_LEN - first;
                    assert_eq!(file[other..][..COPY_LEN], original[other..][..COPY_LEN]);
                }
                change(&mut Cursor::new(&mut file), &keys, |slots| slots.add(&lock)).unwrap();
                assert!(Header::parse(&file).unwrap().copies_agree());
                assert!(opens(&file, new_key));
            }
        }
    }
}

/// Two slots for one person differ in every part but kind, length and key id: nothing says that
/// they are the same one's.
#[test]
fn slots_do_not_say_whose_they_are() {
    let people = [Identity::generate_x25519(), Identity::generate()].map(Result::unwrap);
    let of_people = people.iter().map(|person| Lock::Recipient(person.recipient()));
    for lock in of_people.chain([Lock::KeyFile(&key())]) {
        let head_len = if matches!(lock, Lock::KeyFile(_)) { 11 } else { 3 };
        let file = sealed_for(&[lock; 2], b"");
        let slots = &file[FIRST_SLOT..];
        let len = usize::from(u16::from_be_bytes([slots[1], slots[2]])) + 3;
        let (one, other) = slots[..2 * len].split_at(len);
        assert_eq!(one[..head_len], other[..head_len]);
        let same = one.iter().zip(other).skip(head_len).filter(|(a, b)| a == b);
        assert!(same.count() < len / 20);
    }
}
