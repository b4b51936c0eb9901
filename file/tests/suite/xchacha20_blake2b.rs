//! Suite 2, XChaCha20-BLAKE2b: whose chunks the oracle seals, and whose chunks are sealed
//! and opened many at a time.

use super::reference::{Slot, expand, header, prefix};
use super::support::{HEAD_LEN, error_name, key, opened, painted, read_through, sealing};
use sivka_file::{CHUNK_LEN, Header, Lock, SealOptions, Suite, Unlock};
use sivka_oracle::chacha20_blake2b as oracle;

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

/// A file put together from the specification's text and the oracle opens.
#[test]
fn the_oracles_file_opens() {
    let (file_key, salt) = ([0x51; 32], [0x52; 24]);
    let prefix = prefix(1, 2);
    let slot = Slot::key_file([0x42; 32], [0x53; 32], file_key);
    let info = [
        &b"c2sp.org/chunked-encryption@v1+private.sivka.AEAD_XCHACHA20_BLAKE2B_32\0"[..],
        &salt,
    ];
    let okm = expand(&file_key, &info.concat(), 32 + 24 + 32);
    let chunk_key = okm[..32].try_into().unwrap();
    for len in [0, 5, CHUNK_LEN, 3 * CHUNK_LEN + 7] {
        let plaintext = painted(len);
        let mut file = header(&prefix, &[slot.encode(&prefix)], &file_key);
        file.extend(salt);
        file.extend(&okm[56..]);
        for number in 0..=len / CHUNK_LEN {
            let text = &plaintext[number * CHUNK_LEN..len.min((number + 1) * CHUNK_LEN)];
            let mut nonce: [u8; 24] = okm[32..56].try_into().unwrap();
            for (byte, number) in nonce[16..].iter_mut().zip((number as u64).to_be_bytes()) {
                *byte ^= number;
            }
            file.extend(oracle::xchacha20_blake2b_seal(
                &chunk_key, &nonce, b"", text, 32,
            ));
        }
        let (back, outcome) = opened(&file, &[Unlock::KeyFile(&key())], 1);
        outcome.unwrap();
        assert!(back == plaintext, "{len} bytes");
    }
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
                "damaged-end"
            } else {
                "damaged"
            };
            let error = outcome.unwrap_err();
            assert_eq!(error_name(&error), name);
            let printed = format!("{error:?}");
            assert!(printed.contains(&format!("chunk: {chunk}")), "{printed}");
            assert!(released == plaintext[..chunk * CHUNK_LEN], "chunk {chunk}");
        }
    }
}
