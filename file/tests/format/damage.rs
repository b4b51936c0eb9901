//! Damage at every place, and what a hostile header can ask for: what is released is authentic,
//! and the outcome is an error. The vectors ask what each kind of damage comes to.

use super::support::{
    CHEAP, COPY_LEN, FIRST_SLOT, HEAD_LEN, SEALED_CHUNK_LEN, error_name, key, opened, opening,
    painted, sealed, sealed_for,
};
use sivka_file::{
    Argon2Cost, CHUNK_LEN, Error, HEADER_LEN, Header, Lock, MAX_HEADER_LEN, OpenOptions,
    Passphrase, Unlock,
};
use std::io::{self, Read};

/// From a stream, which cannot go back.
fn open(file: &[u8], threads: usize) -> (Vec<u8>, Result<(), Error>) {
    opened(file, &[Unlock::KeyFile(&key())], &opening(threads))
}

#[test]
fn a_damaged_byte_in_one_copy_is_survived_and_in_both_named() {
    let original = sealed(b"text");
    assert!(Header::parse(&original).unwrap().copies_agree());
    for at in 0..COPY_LEN {
        for copy in [0, COPY_LEN] {
            let mut file = original.clone();
            file[copy + at] ^= 1 << (at % 8);
            let (released, outcome) = open(&file, 1);
            assert!(outcome.is_ok() && released == b"text", "byte {at}");
            assert!(!Header::parse(&file).unwrap().copies_agree(), "byte {at}");
        }
        let mut file = original.clone();
        file[at] ^= 1;
        file[COPY_LEN + at] ^= 1;
        let (released, outcome) = open(&file, 1);
        assert!(released.is_empty());
        let expected = match at {
            0..8 => "not-sivka",
            8..12 => "unknown-version",
            12..16 => "unknown-suite",
            // All of the slot's salt and commitment counts.
            63..127 => "no-slot-opens",
            _ => "header-damaged",
        };
        assert_eq!(error_name(&outcome.unwrap_err()), expected, "byte {at}");
    }
}

#[test]
fn every_bit_of_a_small_payload() {
    let file = sealed(b"plaintext");
    for bit in 8 * HEADER_LEN..8 * file.len() {
        let mut file = file.clone();
        file[bit / 8] ^= 1 << (bit % 8);
        let (released, outcome) = open(&file, 1);
        assert!(released.is_empty(), "bit {bit}");
        let expected = match bit / 8 {
            ..HEAD_LEN => "payload-mismatch",
            _ => "truncated",
        };
        assert_eq!(error_name(&outcome.unwrap_err()), expected, "bit {bit}");
    }
}

#[test]
fn a_flipped_bit_in_each_chunk() {
    // Three batches, so that several threads have work.
    let plaintext = painted(40 * CHUNK_LEN + 100);
    let file = sealed(&plaintext);
    for chunk in 0..=40 {
        let start = HEAD_LEN + chunk * SEALED_CHUNK_LEN;
        let end = file.len().min(start + SEALED_CHUNK_LEN);
        for at in [start, (start + end) / 2, end - 16, end - 1] {
            let mut file = file.clone();
            file[at] ^= 0x80;
            for threads in [1, 3] {
                let (released, outcome) = open(&file, threads);
                // What is before is released, and nothing of it.
                assert!(released == plaintext[..chunk * CHUNK_LEN], "{at}");
                match outcome.unwrap_err() {
                    Error::Damaged(found) => assert_eq!(found, chunk as u64),
                    Error::Truncated(40) => assert_eq!(chunk, 40),
                    error => panic!("byte {at}: {error}"),
                }
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

/// Several slots, for which nobody paid, may each be within the limit and still add up.
#[test]
fn all_slots_together_stay_within_the_limit() {
    let passphrase = Passphrase::new("any".to_owned());
    let options = OpenOptions {
        max_cost: Argon2Cost { memory_kib: 64, passes: 4, lanes: 1 },
        ..OpenOptions::default()
    };
    for (costs, refused) in [
        (&[[64, 1, 1]; 4][..], None),
        (&[[64, 1, 1]; 5], Some(4)),
        (&[[65, 1, 1]], Some(0)),
        (&[[8, 5, 1]], Some(0)),
        (&[[64_u32, 1, 2]], Some(0)),
    ] {
        let other = Passphrase::new("other".to_owned());
        let locks = vec![Lock::Passphrase(&other, CHEAP); costs.len()];
        // One copy alone.
        let mut file = sealed_for(&locks, b"plaintext")[..COPY_LEN].to_vec();
        for (slot, cost) in costs.iter().enumerate() {
            let at = FIRST_SLOT + 128 * slot + 3;
            file[at..at + 12].copy_from_slice(&cost.map(u32::to_be_bytes).concat());
        }
        let outcome = opened(&file, &[Unlock::Passphrase(&passphrase)], &options).1;
        match outcome.unwrap_err() {
            Error::CostTooHigh { index, .. } => assert_eq!(Some(index), refused),
            error => assert!(matches!(error, Error::NoSlotOpens) && refused.is_none()),
        }
    }
}
