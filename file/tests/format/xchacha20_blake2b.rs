//! Suite 2, XChaCha20-BLAKE2b, whose chunks are sealed and opened many at a time.

use super::support::{HEAD_LEN, error_name, key, opened, painted, read_through, sealing};
use sivka_file::{CHUNK_LEN, Header, Lock, SealOptions, Suite, Unlock};

const SEALED_CHUNK_LEN: usize = CHUNK_LEN + 32;

fn sealed(plaintext: &[u8], threads: usize) -> Vec<u8> {
    let options = SealOptions {
        suite: Suite::XChaCha20Blake2b,
        ..sealing(threads)
    };
    let mut file = Vec::new();
    sivka_file::seal(
        plaintext,
        &mut file,
        &[Lock::KeyFile(&key())],
        &options,
        |_| {},
    )
    .unwrap();
    file
}

/// Around one chunk, and around the batch of chunks that a thread takes.
fn lengths() -> impl Iterator<Item = usize> {
    let chunks = [1, 2, 3, 8, 9, 15, 16, 17, 33];
    let around = chunks
        .into_iter()
        .flat_map(|n| [n * CHUNK_LEN - 1, n * CHUNK_LEN, n * CHUNK_LEN + 1]);
    [0, 1, 100].into_iter().chain(around)
}

#[test]
fn what_was_sealed_opens() {
    for len in lengths() {
        let plaintext = painted(len);
        for threads in [1, 3] {
            let file = sealed(&plaintext, threads);
            let suite = Header::read(&mut &file[..]).unwrap().suite();
            assert_eq!(suite, Suite::XChaCha20Blake2b);
            assert_eq!(file.len(), HEAD_LEN + len + 32 * (len / CHUNK_LEN + 1));
            let (back, outcome) = opened(&file, &[Unlock::KeyFile(&key())], threads);
            outcome.unwrap();
            assert!(back == plaintext, "{len} bytes, {threads} threads");
            let (through, outcome) = read_through(&file);
            outcome.unwrap();
            assert!(through == plaintext, "{len} bytes");
        }
    }
}

/// A forged chunk is named, everything before it is released, and nothing from it on.
#[test]
fn a_forged_chunk_ends_the_plaintext_there() {
    let chunks = 20;
    let plaintext = painted(chunks * CHUNK_LEN + 5);
    let file = sealed(&plaintext, 1);
    for chunk in 0..=chunks {
        for at in [0, 4, 36] {
            let mut forged = file.clone();
            forged[HEAD_LEN + chunk * SEALED_CHUNK_LEN + at] ^= 0x04;
            let (released, outcome) = opened(&forged, &[Unlock::KeyFile(&key())], 1);
            let name = if chunk == chunks {
                "truncated"
            } else {
                "damaged"
            };
            let error = outcome.unwrap_err();
            assert_eq!(error_name(&error), name);
            let printed = format!("{error:?}");
            assert!(printed.contains(&format!(": {chunk} ")), "{printed}");
            assert!(released == plaintext[..chunk * CHUNK_LEN], "chunk {chunk}");
        }
    }
}
