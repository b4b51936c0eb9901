//! Salvage: every intact chunk, zeros for the rest, and a list that is exact.

use super::support::{Disk, HEAD_LEN, SEALED_CHUNK_LEN, key, opening, painted, sealed};
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
    assert_eq!(found.lost_len, 3 * CHUNK_LEN as u64 + 7);
    assert_eq!(found.intact_len + found.lost_len, plaintext.len() as u64);
    assert!(!found.is_whole());
}

#[test]
fn a_damaged_salt_or_commitment_loses_nothing() {
    let plaintext = painted(100);
    let sealed = sealed(&plaintext);
    for damaged in HEADER_LEN..HEAD_LEN {
        let mut file = sealed.clone();
        file[damaged] ^= 1;
        let (output, _, outcome) = salvage(Cursor::new(file));
        let found = outcome.unwrap();
        assert!(output == plaintext && found.content_is_whole());
        assert!(matches!(found.open_error(), Some(Error::PayloadMismatch)));
    }
}

#[test]
fn bad_sectors_lose_only_their_chunks() {
    let plaintext = painted(6 * CHUNK_LEN + 1);
    let file = sealed(&plaintext);
    let start = (HEAD_LEN + 2 * SEALED_CHUNK_LEN + 5000) as u64;
    let disk = |len| Disk { bad: start..start + 512, len, ..Disk::new(&file) };
    let (output, lost, outcome) = salvage(disk(file.len() as u64));
    assert_eq!(lost, std::slice::from_ref(&(chunk(2)..chunk(3))));
    assert_eq!(output, holed(&plaintext, &lost));
    assert_eq!(outcome.unwrap().lost_len, CHUNK_LEN as u64);
    // Longer than a file can be.
    let len = MAX_CHUNKS * SEALED_CHUNK_LEN as u64 + HEAD_LEN as u64;
    assert!(matches!(salvage(disk(len)).2, Err(Error::TooLong)));
}
