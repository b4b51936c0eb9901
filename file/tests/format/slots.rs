//! Slots added, removed and replaced: the payload stays, byte for byte.

use super::support::{
    COPY_LEN, Disk, FIRST_SLOT, change, key, opened, opening, painted, seal, sealed, sealed_for,
    sealing,
};
use sivka_file::{
    Error, HEADER_LEN, Header, Identity, KeyFile, Lock, MAX_SLOTS, SealOptions, Unlock,
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

fn with_room(room: usize) -> SealOptions {
    SealOptions { room, ..sealing(1) }
}

#[test]
fn there_is_as_much_room_as_was_asked_for() {
    let (key, person) = (key(), Identity::generate().unwrap());
    let (locks, keys) = ([Lock::KeyFile(&key)], [Unlock::KeyFile(&key)]);
    let lock = Lock::Recipient(person.recipient());
    for (room, lock, taken) in [(0, &locks[0], 6), (1, &lock, 1), (54, &lock, 54)] {
        let mut file = Vec::new();
        seal(b"", &mut file, &locks, &with_room(room)).unwrap();
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
    for room in [55, 64, usize::MAX] {
        let refused = with_room(room).header_len(&locks);
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
            for torn_at in [0, 1, 20, 27, 28, 200, 500, COPY_LEN - 1, COPY_LEN] {
                let mut file = Disk {
                    writes_left,
                    torn_at,
                    ..Disk::new(original)
                };
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
    let of_people = people
        .iter()
        .map(|person| Lock::Recipient(person.recipient()));
    for lock in of_people.chain([Lock::KeyFile(&key())]) {
        let head_len = if matches!(lock, Lock::KeyFile(_)) {
            11
        } else {
            3
        };
        let file = sealed_for(&[lock; 2], b"");
        let slots = &file[FIRST_SLOT..];
        let len = usize::from(u16::from_be_bytes([slots[1], slots[2]])) + 3;
        let (one, other) = slots[..2 * len].split_at(len);
        assert_eq!(one[..head_len], other[..head_len]);
        let same = one.iter().zip(other).skip(head_len).filter(|(a, b)| a == b);
        assert!(same.count() < len / 20);
    }
}
