//! Damage of every kind: what is released is authentic, and the outcome is an error.

use super::support::{HEAD_LEN, SEALED_CHUNK_LEN, error_name, key, opened, painted, sealed};
use sivka_file::{CHUNK_LEN, Error, HEADER_LEN, Unlock};

/// Opens a damaged file in every way, checks that each way gives the same whole
/// chunks of `plaintext` before an error, and returns the error.
fn open_damaged(file: &[u8], plaintext: &[u8], what: &str) -> Error {
    let key = key();
    let keys = [Unlock::KeyFile(&key)];
    let (released, outcome) = opened(file, &keys, 1);
    let error = outcome.expect_err(what);
    assert!(
        plaintext.starts_with(&released),
        "{what}: foreign plaintext"
    );
    assert_eq!(released.len() % CHUNK_LEN, 0, "{what}: part of a chunk");
    for threads in 2..=3 {
        let (again, outcome) = opened(file, &keys, threads);
        assert_eq!(again, released, "{what}: {threads} threads");
        assert_eq!(
            error_name(&outcome.expect_err(what)),
            error_name(&error),
            "{what}"
        );
    }
    error
}

/// Three batches, so that several threads have work.
const LEN: usize = 40 * CHUNK_LEN + 100;

#[test]
fn truncation_at_and_around_every_chunk_boundary() {
    let plaintext = painted(LEN);
    let file = sealed(&plaintext);
    for chunk in 0..=40 {
        let boundary = HEAD_LEN + chunk * SEALED_CHUNK_LEN;
        for (cut, expected) in [
            (boundary, "truncated"),
            (boundary + 1, "truncated"),
            (boundary + 15, "truncated"),
            (boundary + 16, "truncated"),
            (boundary + 17, "truncated"),
            (boundary + 115, "truncated"),
            (boundary + SEALED_CHUNK_LEN - 1, "truncated"),
        ] {
            if cut >= file.len() {
                continue;
            }
            let what = format!("cut at {cut} of {}", file.len());
            let error = open_damaged(&file[..cut], &plaintext, &what);
            assert_eq!(error_name(&error), expected, "{what}");
            match error {
                Error::Truncated { chunks } => assert_eq!(chunks, chunk as u64),
                error => panic!("{what}: {error}"),
            }
        }
    }
}

#[test]
fn truncation_at_every_byte_of_the_head() {
    let file = sealed(b"plaintext");
    for cut in 0..file.len() {
        let error = open_damaged(&file[..cut], b"plaintext", &format!("cut at {cut}"));
        let expected = if cut < 8 { "not-sivka" } else { "truncated" };
        assert_eq!(error_name(&error), expected, "cut at {cut}");
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

#[test]
fn chunks_swapped_repeated_and_removed() {
    let plaintext = painted(20 * CHUNK_LEN + 1);
    let file = sealed(&plaintext);
    let range = |chunk: usize| {
        let start = HEAD_LEN + chunk * SEALED_CHUNK_LEN;
        start..start + SEALED_CHUNK_LEN
    };
    for chunk in 0..19 {
        let mut swapped = file.clone();
        let (left, right) = swapped.split_at_mut(range(chunk + 1).start);
        left[range(chunk)].swap_with_slice(&mut right[..SEALED_CHUNK_LEN]);
        open_damaged(
            &swapped,
            &plaintext,
            &format!("{chunk} swapped with the next"),
        );

        let mut repeated = file.clone();
        repeated.splice(
            range(chunk).end..range(chunk).end,
            file[range(chunk)].to_vec(),
        );
        open_damaged(&repeated, &plaintext, &format!("{chunk} repeated"));

        let mut removed = file.clone();
        removed.drain(range(chunk));
        open_damaged(&removed, &plaintext, &format!("{chunk} removed"));
    }
}

#[test]
fn appended_bytes() {
    for len in [0, 1, CHUNK_LEN - 1, CHUNK_LEN, 17 * CHUNK_LEN + 5] {
        let plaintext = painted(len);
        let file = sealed(&plaintext);
        for extra in [
            1,
            16,
            17,
            SEALED_CHUNK_LEN - 1,
            SEALED_CHUNK_LEN,
            3 * SEALED_CHUNK_LEN,
        ] {
            let longer = [&file[..], &vec![0; extra]].concat();
            open_damaged(&longer, &plaintext, &format!("{extra} bytes after {len}"));
        }
        let twice = [&file[..], &file].concat();
        open_damaged(&twice, &plaintext, &format!("{len} bytes twice"));
    }
}
