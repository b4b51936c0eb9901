//! Salvage: every intact chunk, zeros for the rest, and a list that is exact.

use super::support::{
    COPY_LEN, Disk, FIRST_SLOT, HEAD_LEN, SEALED_CHUNK_LEN, key, opening, painted, sealed,
    sealed_for,
};
use sivka_file::{
    CHUNK_LEN, Copies, Error, HEADER_LEN, Identity, KeyFile, Lock, MAX_CHUNKS, Reader, Salvage,
    Unlock,
};
use std::io::{Cursor, Read, Seek};
use std::ops::Range;

type Salvaged = (Vec<u8>, Vec<Range<u64>>, Result<Salvage, Error>);

fn salvage_for<R: Read + Seek>(input: R, key: Unlock<'_>) -> Salvaged {
    let (mut output, mut lost, mut last) = (Vec::new(), Vec::new(), 0);
    let (add, tell) = (|range| lost.push(range), |done| last = done);
    let outcome = sivka_file::salvage(input, &mut output, &[key], &opening(1), add, tell);
    if outcome.is_ok() {
        assert_eq!(last, output.len() as u64);
    }
    (output, lost, outcome)
}

fn salvage<R: Read + Seek>(input: R) -> Salvaged {
    salvage_for(input, Unlock::KeyFile(&key()))
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
    file[at] ^= by;
    file[copy_len + at] ^= by;
}

fn chunk(number: u64) -> u64 {
    number * CHUNK_LEN as u64
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
    let (mac, commitment) = (COPY_LEN - 1, HEADER_LEN + 55);
    let other_slot = FIRST_SLOT + 124;
    for at in [
        mac,
        other_slot,
        other_slot + 50,
        other_slot + 124,
        commitment,
    ] {
        let mut file = file.clone();
        match at == commitment {
            true => file[at] ^= 1,
            false => damage_both(&mut file, at, 1),
        }
        let (output, _, outcome) = salvage(Cursor::new(file));
        let found = outcome.unwrap();
        assert_eq!(output, plaintext);
        assert_eq!(found.header_is_damaged, at != commitment);
        assert_eq!(found.commitment_is_damaged, at == commitment);
        assert!(!found.is_whole() && found.content_is_whole());
    }
    let mut file = file;
    damage_both(&mut file, mac, 1);
    file[commitment] ^= 1;
    let (output, _, outcome) = salvage(Cursor::new(file));
    assert!(matches!(outcome, Err(Error::HeaderDamaged)));
    assert!(output.is_empty());
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
    let file = sealed_for(&locks, b"plaintext");
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
                let (output, _, found) = salvage_for(Cursor::new(&file), *unlock);
                assert!(found.unwrap().header_is_damaged);
                assert_eq!(output, b"plaintext", "slot {number}, damage at {at}");
            }
        }
    }
}

#[test]
fn bad_sectors_lose_only_their_chunks() {
    let plaintext = painted(6 * CHUNK_LEN + 1);
    let file = sealed(&plaintext);
    let start = (HEAD_LEN + 2 * SEALED_CHUNK_LEN + 5000) as u64;
    let disk = |len| Disk {
        bad: start..start + 512,
        len,
        ..Disk::new(&file)
    };
    let (output, lost, outcome) = salvage(disk(file.len() as u64));
    assert_eq!(lost, std::slice::from_ref(&(chunk(2)..chunk(3))));
    assert_eq!(output, holed(&plaintext, &lost));
    assert_eq!(outcome.unwrap().lost_chunks, 1);
    // Longer than a file can be.
    let len = MAX_CHUNKS * SEALED_CHUNK_LEN as u64 + HEAD_LEN as u64;
    assert!(matches!(salvage(disk(len)).2, Err(Error::TooLong)));
}

/// A copy of the header that cannot be read is a damaged one.
#[test]
fn bad_sectors_in_one_copy_lose_nothing() {
    let plaintext = painted(2 * CHUNK_LEN);
    let file = sealed(&plaintext);
    let (key, copy_len) = (key(), COPY_LEN as u64);
    for bad in [0..512, 700..copy_len, copy_len..copy_len + 9] {
        let disk = || Disk {
            bad: bad.clone(),
            ..Disk::new(&file)
        };
        let keys = [Unlock::KeyFile(&key)];
        let mut reader = Reader::seekable(disk(), &keys, &opening(1)).unwrap();
        let mut back = Vec::new();
        reader.read_to_end(&mut back).unwrap();
        assert_eq!(reader.header().copies(), Copies::Differ);
        let (output, _, outcome) = salvage(disk());
        assert!(outcome.unwrap().is_whole() && output == plaintext && back == plaintext);
    }
}
