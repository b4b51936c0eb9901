//! The header stands twice: damage in one copy, and a change that was interrupted, cost nothing.
//! The vectors ask what each kind of damage comes to; here it is at every byte.

use super::support::{
    CHEAP, COPY_LEN, Disk, FIRST_SLOT, change, error_name, key, opened, painted, sealed, sealed_for,
};
use sivka_file::{
    Copies, Error, HEADER_LEN, Header, KeyFile, Lock, MAX_HEADER_LEN, Passphrase, Unlock,
};
use std::io::{self, Cursor, Read};

const LEN: usize = 40_000;

fn opens_for(key: &KeyFile, file: &[u8]) -> bool {
    match opened(file, &[Unlock::KeyFile(key)], 1) {
        (released, Ok(())) => released == painted(LEN),
        (_, Err(Error::NoSlotOpens)) => false,
        (_, Err(error)) => panic!("{error:?}"),
    }
}

fn copies(file: &[u8]) -> Copies {
    Header::parse(file).unwrap().copies()
}

#[test]
fn a_damaged_byte_in_one_copy_is_survived_wherever_it_is() {
    let original = sealed(b"text");
    assert_eq!(copies(&original), Copies::Equal);
    for at in 0..HEADER_LEN {
        let mut file = original.clone();
        file[at] ^= 1 << (at % 8);
        // From a stream, which cannot go back.
        let (released, outcome) = opened(&file, &[Unlock::KeyFile(&key())], 1);
        assert!(outcome.is_ok() && released == b"text", "byte {at}");
        assert_eq!(copies(&file), Copies::Differ, "byte {at}");
    }
}

#[test]
fn damage_in_both_copies_is_named() {
    let original = sealed(b"text");
    for at in 0..COPY_LEN {
        let mut file = original.clone();
        file[at] ^= 1;
        file[COPY_LEN + at] ^= 1;
        let (released, outcome) = opened(&file, &[Unlock::KeyFile(&key())], 1);
        assert!(released.is_empty());
        let error = error_name(&outcome.unwrap_err());
        let expected: &[&str] = match at {
            0..8 => &["not-sivka"],
            8..12 => &["unknown-version"],
            12..16 => &["unknown-suite"],
            16..20 => &["header-damaged"],
            _ => &["header-damaged", "no-slot-opens", "unknown-slot"],
        };
        assert!(expected.contains(&error), "byte {at}: {error}");
    }
}

#[test]
fn a_header_has_one_encoding() {
    let passphrase = Passphrase::new("any".to_owned());
    let locks = [Lock::KeyFile(&key()), Lock::Passphrase(&passphrase, CHEAP)];
    let file = sealed_for(&locks, b"text");
    assert_eq!(Header::parse(&file).unwrap().to_bytes(), file[..HEADER_LEN]);
    // Whatever still parses with a changed byte is that other header, byte for byte.
    let mut parsed = 0;
    for at in 0..COPY_LEN {
        for change in [1, 0x80, 0xff] {
            let mut changed = file[..HEADER_LEN].to_vec();
            changed[at] ^= change;
            changed[COPY_LEN + at] ^= change;
            if let Ok(header) = Header::parse(&changed) {
                assert_eq!(header.to_bytes(), changed, "byte {at}");
                parsed += 1;
            }
        }
    }
    assert!(parsed > 500, "{parsed}");
}

/// One limit of costs is for both copies, and what was paid for once costs nothing again.
#[test]
fn the_second_copy_opens_at_the_same_cost() {
    let passphrase = Passphrase::new("any".to_owned());
    let mut file = sealed_for(&[Lock::Passphrase(&passphrase, CHEAP)], b"text");
    file[FIRST_SLOT + 3 + 12 + 32 + 32] ^= 1;
    let keys = [Unlock::Passphrase(&passphrase)];
    let header = Header::parse(&file).unwrap();
    let unlocked = header.unlock(&keys, CHEAP).unwrap();
    assert_eq!(unlocked.header().copies(), Copies::Differ);
    // With another salt it is another try.
    file[FIRST_SLOT + 3 + 12] ^= 1;
    let refused = Header::parse(&file).unwrap().unlock(&keys, CHEAP);
    assert!(matches!(refused, Err(Error::CostTooHigh { .. })));
}

/// The copy that the header was not read from is written first. Whatever of it is, another change
/// mends the copy.
#[test]
fn a_change_that_stops_leaves_the_old_slots_or_the_new() {
    let (old, new) = (key(), KeyFile::generate("new").unwrap());
    let keys = [Unlock::KeyFile(&old)];
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
                assert!(opens_for(&old, &file));
                assert_eq!(opens_for(&new, &file), is_new, "{writes_left}, {torn_at}");
                assert_eq!(file[HEADER_LEN..], original[HEADER_LEN..]);
                if writes_left == 0 {
                    let other = COPY_LEN - first;
                    assert_eq!(file[other..][..COPY_LEN], original[other..][..COPY_LEN]);
                }
                change(&mut Cursor::new(&mut file), &keys, |slots| slots.add(&lock)).unwrap();
                assert_eq!(copies(&file), Copies::Equal);
                assert!(opens_for(&new, &file));
            }
        }
    }
}

/// Nothing that begins like a file is read further than both copies can reach.
#[test]
fn the_search_for_a_copy_ends() {
    let mut endless = io::repeat(0x93).take(10 * MAX_HEADER_LEN as u64);
    assert!(matches!(Header::read(&mut endless), Err(Error::NotSivka)));
    assert!(endless.limit() >= 9 * MAX_HEADER_LEN as u64);
}
