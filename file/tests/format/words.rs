//! What people read: errors, costs and names in words, and what an object tells of itself.

use super::support::{key, opening, sealing};
use sivka_file::{
    Argon2Cost, Error, HEADER_LEN, Header, KeyFile, Lock, Reader, Suite, Unlock, Writer,
};
use std::io::{self, ErrorKind, Write};

#[test]
fn a_cost_is_told_in_the_largest_unit() {
    for (memory_kib, passes, lanes, words) in [
        (1 << 20, 1, 1, "1 GiB, 1 pass, 1 lane"),
        (3 << 20, 2, 4, "3 GiB, 2 passes, 4 lanes"),
        (64 << 10, 3, 4, "64 MiB, 3 passes, 4 lanes"),
        ((64 << 10) + 1, 3, 4, "65537 KiB, 3 passes, 4 lanes"),
    ] {
        let cost = Argon2Cost {
            memory_kib,
            passes,
            lanes,
        };
        assert_eq!(cost.to_string(), words);
    }
}

#[test]
fn a_truncated_file_ends_somewhere() {
    for (chunks, words) in [
        (0, "before its content begins"),
        (1, "after 1 whole chunk"),
        (2, "after 2 whole chunks"),
    ] {
        let said = Error::Truncated { chunks }.to_string();
        assert_eq!(
            said,
            format!("the end of the file is missing or damaged: it ends {words}")
        );
    }
}

#[test]
fn a_file_tells_its_suite_and_its_slots() {
    let other = KeyFile::generate("other").unwrap();
    for suite in Suite::ALL.iter().copied() {
        assert_eq!(suite.to_string(), suite.name());
        let options = sivka_file::SealOptions {
            suite,
            ..sealing(1)
        };
        let mut file = Vec::new();
        let locks = [Lock::KeyFile(&key()), Lock::KeyFile(&other)];
        super::support::seal(&b"text"[..], &mut file, &locks, &options).unwrap();
        let keys = [Unlock::KeyFile(&other)];
        let reader = Reader::new(&file[..], &keys, &opening(1)).unwrap();
        assert_eq!(reader.suite(), suite);
        let header = Header::parse(&file).unwrap();
        let unlocked = header.unlock(&keys, Argon2Cost::DEFAULT_LIMIT).unwrap();
        assert_eq!(unlocked.slot(), 1);

        for mac in [HEADER_LEN / 2 - 1, HEADER_LEN - 1] {
            file[mac] ^= 1;
        }
        let (damaged, slots) = Header::describe_damaged(&file).unwrap();
        assert_eq!((damaged, slots.len()), (suite, 2));
        assert!(slots.iter().all(|(_, slot)| slot.is_ok()));
    }
}

/// Takes everything, and fails when it is flushed.
struct Unflushed;

impl Write for Unflushed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(ErrorKind::StorageFull.into())
    }
}

#[test]
fn a_writer_hands_on_what_flushing_says() {
    let mut writer = Writer::new(Unflushed, &[Lock::KeyFile(&key())], &sealing(1)).unwrap();
    writer.write_all(b"text").unwrap();
    assert_eq!(writer.flush().unwrap_err().kind(), ErrorKind::StorageFull);
}
