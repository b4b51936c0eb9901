//! Damage at every place: what is released is authentic, and the outcome is an error. Chunks that
//! are moved, repeated, removed or added are vectors.

use super::support::{HEAD_LEN, SEALED_CHUNK_LEN, error_name, key, opened, painted, sealed};
use sivka_file::{CHUNK_LEN, Error, HEADER_LEN, Unlock};

/// Three batches, so that several threads have work.
const LEN: usize = 40 * CHUNK_LEN + 100;

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
            for threads in [1, 2, 3] {
                let (released, outcome) = opened(&file, &[Unlock::KeyFile(&key())], threads);
                // What is before is released, and nothing of it.
                assert!(
                    released == plaintext[..chunk * CHUNK_LEN],
                    "{at}, {threads} threads"
                );
                match outcome.unwrap_err() {
                    Error::Damaged { chunk: at } => assert_eq!(at, chunk as u64),
                    Error::Truncated { chunks: 40 } => assert_eq!(chunk, 40),
                    error => panic!("bit {bit} of byte {at}: {error}"),
                }
            }
        }
    }
}
