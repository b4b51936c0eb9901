//! Salvage: every intact chunk, zeros for the rest, and a list that is exact.

use super::support::{
    CHEAP, COPY_LEN, FIRST_SLOT, HEAD_LEN, SEALED_CHUNK_LEN, key, opened, opening, painted, seal,
    sealed, sealing, verify,
};
use sivka_file::{
    CHUNK_LEN, Error, HEADER_LEN, Identity, KeyFile, Lock, MAX_CHUNKS, Passphrase, Salvage, Unlock,
};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

type Salvaged = (Vec<u8>, Vec<Range<u64>>, Result<Salvage, Error>);

fn salvage<R: Read + Seek>(input: R) -> Salvaged {
    let (mut output, mut lost, mut last) = (Vec::new(), Vec::new(), 0);
    let keys = [Unlock::KeyFile(&key())];
    let outcome = sivka_file::salvage(
        input,
        &mut output,
        &keys,
        &opening(1),
        |range| lost.push(range),
        |done| last = done,
    );
    if outcome.is_ok() {
        assert_eq!(last, output.len() as u64);
    }
    (output, lost, outcome)
}

/// `plaintext` with zeros in the lost ranges.
fn holed(plaintext: &[u8], lost: &[Range<u64>]) -> Vec<u8> {
    let mut holed = plaintext.to_vec();
    for range in lost {
        holed[range.start as usize..range.end as usize].fill(0);
    }
    holed
}

/// Changes a byte in both copies of the header.
fn damage_both(file: &mut [u8], at: usize, by: u8) {
    let copy_len = sivka_file::Header::parse(file).unwrap().len() / 2;
    // The commitment stands once.
    let places = if at < copy_len {
        vec![at, copy_len + at]
    } else {
        vec![at]
    };
    places.into_iter().for_each(|at| file[at] ^= by);
}

fn chunk(number: u64) -> u64 {
    number * CHUNK_LEN as u64
}

#[test]
fn a_whole_file() {
    for len in [0, 1, CHUNK_LEN, 3 * CHUNK_LEN + 7] {
        let plaintext = painted(len);
        let (output, lost, outcome) = salvage(Cursor::new(sealed(&plaintext)));
        let found = outcome.unwrap();
        assert!(found.is_whole() && found.content_is_whole());
        assert_eq!(found.plaintext_len, Some(len as u64));
        assert_eq!((output, found.intact_len), (plaintext, len as u64));
        assert!(lost.is_empty());
    }
}

#[test]
fn lost_chunks_are_zeros_and_neighbours_one_range() {
    let plaintext = painted(9 * CHUNK_LEN + 7);
    let mut file = sealed(&plaintext);
    for damaged in [1, 4, 5, 9] {
        file[HEAD_LEN + damaged * SEALED_CHUNK_LEN] ^= 1;
    }
    let (output, lost, outcome) = salvage(Cursor::new(file));
    let found = outcome.unwrap();
    assert_eq!(
        lost,
        [
            chunk(1)..chunk(2),
            chunk(4)..chunk(6),
            chunk(9)..chunk(9) + 7,
        ]
    );
    assert_eq!(output, holed(&plaintext, &lost));
    assert_eq!((found.intact_chunks, found.lost_chunks), (6, 4));
    assert_eq!(found.lost_len, 3 * CHUNK_LEN as u64 + 7);
    assert_eq!(found.intact_len + found.lost_len, plaintext.len() as u64);
    assert!(!found.is_whole() && !found.end_is_missing);
}

#[test]
fn swapped_chunks_are_lost_and_the_rest_is_not() {
    let plaintext = painted(4 * CHUNK_LEN + 1);
    let mut file = sealed(&plaintext);
    let (left, right) = file.split_at_mut(HEAD_LEN + 2 * SEALED_CHUNK_LEN);
    left[HEAD_LEN + SEALED_CHUNK_LEN..].swap_with_slice(&mut right[..SEALED_CHUNK_LEN]);
    let (output, lost, outcome) = salvage(Cursor::new(file));
    assert_eq!(lost, std::slice::from_ref(&(chunk(1)..chunk(3))));
    assert_eq!(output, holed(&plaintext, &lost));
    assert_eq!(outcome.unwrap().intact_chunks, 3);
}

#[test]
fn a_missing_end_is_said() {
    let plaintext = painted(3 * CHUNK_LEN);
    let file = sealed(&plaintext);
    for cut in [16, 15, 1] {
        let (output, lost, outcome) = salvage(Cursor::new(file[..file.len() - cut].to_vec()));
        let found = outcome.unwrap();
        assert!(found.end_is_missing && found.lost_chunks == 0 && lost.is_empty());
        assert!(!found.content_is_whole());
        assert_eq!(output, plaintext);
    }
    // Cut within a chunk: what is left of it cannot be proved.
    let cut = HEAD_LEN + SEALED_CHUNK_LEN + 116;
    let (output, lost, outcome) = salvage(Cursor::new(file[..cut].to_vec()));
    assert_eq!(lost, std::slice::from_ref(&(chunk(1)..chunk(1) + 100)));
    assert_eq!(output, holed(&plaintext[..CHUNK_LEN + 100], &lost));
    let found = outcome.unwrap();
    assert_eq!((found.intact_chunks, found.plaintext_len), (1, None));
    assert!(matches!(
        found.open_error(),
        Some(Error::Truncated { chunks: 1 })
    ));
}

#[test]
fn one_proof_of_the_file_key_is_enough_and_none_is_not() {
    let plaintext = painted(100);
    let file = sealed(&plaintext);
    let mac = COPY_LEN - 1;
    let commitment = HEADER_LEN + 55;
    let other_slot = FIRST_SLOT + 124;
    for (damage, header, payload) in [
        (&[mac][..], true, false),
        (&[other_slot], true, false),
        (&[other_slot + 124], true, false),
        (&[other_slot + 50], true, false),
        (&[commitment], false, true),
    ] {
        let mut file = file.clone();
        damage.iter().for_each(|&at| damage_both(&mut file, at, 1));
        let (output, _, outcome) = salvage(Cursor::new(file));
        let found = outcome.unwrap();
        assert_eq!(output, plaintext);
        assert_eq!(
            (found.header_is_damaged, found.commitment_is_damaged),
            (header, payload)
        );
        assert!(!found.is_whole() && found.content_is_whole());
    }
    let mut file = file;
    damage_both(&mut file, mac, 1);
    file[commitment] ^= 1;
    let (output, _, outcome) = salvage(Cursor::new(file));
    assert!(matches!(outcome, Err(Error::HeaderDamaged)));
    assert!(output.is_empty());
}

#[test]
fn a_slot_that_does_not_unwrap_is_no_obstacle_to_another() {
    let passphrase = Passphrase::new("backup".to_owned());
    let key = key();
    let locks = [Lock::KeyFile(&key), Lock::Passphrase(&passphrase, CHEAP)];
    let mut file = Vec::new();
    seal(&b"plaintext"[..], &mut file, &locks, &sealing(1)).unwrap();
    damage_both(&mut file, FIRST_SLOT + 75, 1);
    let keys = [Unlock::KeyFile(&key), Unlock::Passphrase(&passphrase)];
    let mut output = Vec::new();
    let input = Cursor::new(&file);
    let found = sivka_file::salvage(input, &mut output, &keys, &opening(1), |_| {}, |_| {});
    assert!(found.unwrap().header_is_damaged);
    assert_eq!(output, b"plaintext");
    // It is one to anybody who did not ask for what is left.
    assert!(matches!(
        opened(&file, &keys, 1),
        (_, Err(Error::HeaderDamaged))
    ));
}

/// Where no key opens what is left of the slots, salvage says what opening says: the slot
/// that the key is for may be the one that cannot be read.
#[test]
fn a_slot_that_cannot_be_read_is_named_as_opening_names_it() {
    let (key, other) = (key(), KeyFile::from_bytes(&[9; 32], "other").unwrap());
    let locks = [Lock::KeyFile(&key), Lock::KeyFile(&other)];
    let mut file = Vec::new();
    seal(&b"plaintext"[..], &mut file, &locks, &sealing(1)).unwrap();
    let slot = FIRST_SLOT;
    // A kind that nobody knows, no kind, a kind of another length, and a length.
    for (at, byte, only_slot) in [
        (0, 7, false),
        (0, 0, false),
        (0, 2, false),
        (1, 1, false),
        (2, 120, false),
        (0, 7, true),
        (0, 0, true),
    ] {
        let mut file = file.clone();
        for copy in [0, COPY_LEN] {
            file[copy + slot + at] = byte;
            if only_slot {
                file[copy + slot + 124..][..124].fill(0);
            }
        }
        let said = |outcome: Result<(), Error>| format!("{:?}", outcome.unwrap_err());
        let keys = [Unlock::KeyFile(&key)];
        let verified = said(verify(&file[..], &keys, &opening(1)).map(drop));
        let mut output = Vec::new();
        let salvaged = sivka_file::salvage(
            Cursor::new(&file),
            &mut output,
            &keys,
            &opening(1),
            |_| {},
            |_| {},
        );
        assert_eq!(said(salvaged.map(drop)), verified);
        assert!(output.is_empty());
        if !only_slot {
            let keys = [Unlock::KeyFile(&other)];
            let opened = said(verify(&file[..], &keys, &opening(1)).map(drop));
            let input = Cursor::new(&file);
            let found = sivka_file::salvage(input, &mut output, &keys, &opening(1), |_| {}, |_| {});
            assert_eq!(
                format!("{:?}", found.unwrap().open_error().unwrap()),
                opened
            );
            assert_eq!(output, b"plaintext");
        }
    }
}

/// Wherever the damage in one slot is, the slots around it are found, of whatever kind they
/// are and however long.
#[test]
fn a_damaged_slot_hides_no_other() {
    let people = [
        Identity::generate().unwrap(),
        Identity::generate_x25519().unwrap(),
    ];
    let (key, last) = (key(), KeyFile::from_bytes(&[9; 32], "last").unwrap());
    let locks = [
        Lock::Recipient(people[0].recipient()),
        Lock::KeyFile(&key),
        Lock::Recipient(people[1].recipient()),
        Lock::KeyFile(&last),
    ];
    let mut file = Vec::new();
    seal(&b"plaintext"[..], &mut file, &locks, &sealing(1)).unwrap();
    let starts = [0, 1204, 1328, 1444].map(|at| FIRST_SLOT + at);
    let all = [
        Unlock::Identity(&people[0]),
        Unlock::KeyFile(&key),
        Unlock::Identity(&people[1]),
        Unlock::KeyFile(&last),
    ];
    for (damaged, start) in starts.into_iter().enumerate() {
        for at in (start..start + 3).chain([start + 40]) {
            let mut file = file.clone();
            damage_both(&mut file, at, 0xff);
            for (number, unlock) in all.iter().enumerate().filter(|(n, _)| *n != damaged) {
                let mut output = Vec::new();
                let (input, keys) = (Cursor::new(&file), [*unlock]);
                let found =
                    sivka_file::salvage(input, &mut output, &keys, &opening(1), |_| {}, |_| {});
                assert!(found.unwrap().header_is_damaged);
                assert_eq!(output, b"plaintext", "slot {number}, damage at {at}");
            }
        }
    }
}

/// A disk of which one region cannot be read.
struct FailingDisk {
    file: Cursor<Vec<u8>>,
    bad: Range<u64>,
}

impl Read for FailingDisk {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let position = self.file.position();
        if self.bad.contains(&position) {
            return Err(io::Error::other("bad sector"));
        }
        let mut len = out.len();
        if position < self.bad.start {
            len = len.min((self.bad.start - position) as usize);
        }
        self.file.read(&mut out[..len])
    }
}

impl Seek for FailingDisk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn bad_sectors_lose_only_their_chunks() {
    let plaintext = painted(6 * CHUNK_LEN + 1);
    let start = (HEAD_LEN + 2 * SEALED_CHUNK_LEN + 5000) as u64;
    let disk = FailingDisk {
        file: Cursor::new(sealed(&plaintext)),
        bad: start..start + 512,
    };
    let (output, lost, outcome) = salvage(disk);
    assert_eq!(lost, std::slice::from_ref(&(chunk(2)..chunk(3))));
    assert_eq!(output, holed(&plaintext, &lost));
    assert_eq!(outcome.unwrap().lost_chunks, 1);
}

/// Says that it is longer than any file can be.
struct Endless(Cursor<Vec<u8>>);

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::End(0) => Ok(MAX_CHUNKS * SEALED_CHUNK_LEN as u64 + HEAD_LEN as u64),
            to => self.0.seek(to),
        }
    }
}

#[test]
fn what_is_longer_than_a_file_can_be_is_refused() {
    let (_, _, outcome) = salvage(Endless(Cursor::new(sealed(b"text"))));
    assert!(matches!(outcome, Err(Error::TooLong)));
}
