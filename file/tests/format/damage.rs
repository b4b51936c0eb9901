//! Damage at every place: what is released is authentic, and the outcome is an error. Chunks that
//! are moved, repeated, removed or added are vectors.

use super::support::{HEAD_LEN, SEALED_CHUNK_LEN, error_name, key, opened, painted, sealed};
use sivka_file::{CHUNK_LEN, Error, HEADER_LEN, Unlock};

/// Opens a damaged file in every way, checks that each way gives the same whole
/// chunks of `plaintext` before an error, and returns the error.
fn open_damaged(file: &[u8], plaintext: &[u8], what: &str) -> Error {
    let key = key();
    let [one, ..] = [1, 2, 3].map(|threads| {
        let (released, outcome) = opened(file, &[Unlock::KeyFile(&key)], threads);
        assert!(
            plaintext.starts_with(&released),
            "{what}: foreign plaintext"
        );
        let error = outcome.expect_err(what);
        let whole = match error {
            Error::Damaged { chunk } | Error::Truncated { chunks: chunk } => chunk as usize,
            _ => 0,
        };
        assert_eq!(
            released.len(),
            whole * CHUNK_LEN,
            "{what}, {threads} threads"
        );
        error
    });
    one
}

/// Three batches, so that several threads have work.
const LEN: usize = 40 * CHUNK_LEN + 100;

#[test]
fn truncation_at_and_around_every_chunk_boundary() {
    let plaintext = painted(LEN);
    let file = sealed(&plaintext);
    for chunk in 0..=40 {
        for extra in [0, 1, 15, 16, 17, 115, SEALED_CHUNK_LEN - 1] {
            let cut = HEAD_LEN + chunk * SEALED_CHUNK_LEN + extra;
            let Some(file) = file.get(..cut).filter(|_| cut < file.len()) else {
                continue;
            };
            match open_damaged(file, &plaintext, &format!("cut at {cut}")) {
                Error::Truncated { chunks } => assert_eq!(chunks, chunk as u64, "cut at {cut}"),
                error => panic!("cut at {cut}: {error}"),
            }
        }
    }
}

#[test]
fn every_bit_of_a_small_payload() {
    let file = sealed(b"plaintext");
    for bit in 8 * HEADER_LEN..8 * file.len() {
        let mut file = file.clone();
        file[bit / 8] ^= 1 << (bit % 8);
        let (released, outcome) = opened(&file, &[Unlock::KeyFile(&key())], 1);
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
    let plaintext = painted(LEN);
    let file = sealed(&plaintext);
    for chunk in 0..=40 {
        let start = HEAD_LEN + chunk * SEALED_CHUNK_LEN;
        let end = file.len().min(start + SEALED_CHUNK_LEN);
        for (at, bit) in [
            (start, 0),
            ((start + end) / 2, 3),
            (end - 16, 7),
            (end - 1, 7),
        ] {
            let mut file = file.clone();
            file[at] ^= 1 << bit;
            let what = format!("bit {bit} of byte {at}");
            match open_damaged(&file, &plaintext, &what) {
                Error::Damaged { chunk: at } => assert_eq!(at, chunk as u64, "{what}"),
                Error::Truncated { chunks: 40 } => assert_eq!(chunk, 40, "{what}"),
                error => panic!("{what}: {error}"),
            }
        }
    }
}
