//! Salvage: every intact chunk, zeros for the rest, and a list that is exact.

use super::support::{
    COPY_LEN, Disk, FIRST_SLOT, HEAD_LEN, SEALED_CHUNK_LEN, key, opening, painted, sealed,
};
use sivka_file::{CHUNK_LEN, Error, HEADER_LEN, MAX_CHUNKS, Salvage, Unlock};
use std::io::{Cursor, Read, Seek};
use std::ops::Range;

type Salvaged = (Vec<u8>, Vec<Range<u64>>, Result<Salvage, Error>);

fn salvage<R: Read + Seek>(input: R) -> Salvaged {
    let (mut output, mut lost, mut last) = (Vec::new(), Vec::new(), 0);
    let (add, tell) = (|range| lost.push(range), |done| last = done);
    let (key, options) = (key(), opening(1));
    let keys = [Unlock::KeyFile(&key)];
    let outcome = sivka_file::salvage(input, &mut output, &keys, &options, add, tell);
    assert!(outcome.is_err() || last == output.len() as u64);
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
    let last = chunk(9)..chunk(9) + 7;
    assert_eq!(lost, [chunk(1)..chunk(2), chunk(4)..chunk(6), last]);
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
        let (output, lost, outcome) = salvage(Cursor::new(&file[..file.len() - cut]));
        let found = outcome.unwrap();
        assert!(found.end_is_missing && found.lost_chunks == 0 && lost.is_empty());
        assert!(!found.content_is_whole());
        assert_eq!(output, plaintext);
    }
    // Cut within a chunk: what is left of it cannot be proved.
    let (output, lost, outcome) = salvage(Cursor::new(&file[..HEAD_LEN + SEALED_CHUNK_LEN + 116]));
    assert_eq!(lost, std::slice::from_ref(&(chunk(1)..chunk(1) + 100)));
    assert_eq!(output, holed(&plaintext[..CHUNK_LEN + 100], &lost));
    let found = outcome.unwrap();
    assert_eq!((found.intact_chunks, found.plaintext_len), (1, None));
    assert!(matches!(found.open_error(), Some(Error::Truncated(1))));
}

#[test]
fn one_proof_of_the_file_key_is_enough_and_none_is_not() {
    let plaintext = painted(100);
    let original = sealed(&plaintext);
    let (mac, in_room, commitment) = (COPY_LEN - 1, FIRST_SLOT + 200, HEADER_LEN + 55);
    for (places, header_is_damaged) in [([mac, COPY_LEN + mac], true), ([commitment; 2], false)] {
        let mut file = original.clone();
        file[places[0]] ^= 1;
        file[places[1]] ^= u8::from(header_is_damaged);
        let (output, _, outcome) = salvage(Cursor::new(file));
        let found = outcome.unwrap();
        assert_eq!(output, plaintext);
        assert_eq!(found.header_is_damaged, header_is_damaged);
        assert_eq!(found.commitment_is_damaged, !header_is_damaged);
        assert!(!found.is_whole() && found.content_is_whole());
    }
    // Neither proof, and no copy that is well formed.
    for places in [
        [mac, COPY_LEN + mac, commitment],
        [in_room, COPY_LEN + in_room, 0],
    ] {
        let mut file = original.clone();
        places.iter().for_each(|at| file[*at] ^= 1);
        let (output, _, outcome) = salvage(Cursor::new(file));
        assert!(matches!(outcome, Err(Error::HeaderDamaged)) && output.is_empty());
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
    // A copy of the header that cannot be read is a damaged one.
    let copy_len = COPY_LEN as u64;
    for bad in [0..512, 700..copy_len, copy_len..copy_len + 9] {
        let disk = Disk {
            bad,
            ..Disk::new(&file)
        };
        let (output, _, outcome) = salvage(disk);
        assert!(outcome.unwrap().is_whole() && output == plaintext);
    }
}
