//! Every suite.

use super::support;
use super::support::{key, painted, seal, sealing};
use sivka_file::{CHUNK_LEN, Error, HEADER_LEN, Lock, SealOptions, Suite, Unlock, inspect};

fn opened(file: &[u8], threads: usize) -> Result<Vec<u8>, Error> {
    let (plaintext, outcome) = support::opened(file, &[Unlock::KeyFile(&key())], threads);
    outcome.map(|()| plaintext)
}

fn sealed(suite: Suite, plaintext: &[u8], threads: usize) -> Vec<u8> {
    let options = SealOptions {
        suite,
        ..sealing(threads)
    };
    let mut file = Vec::new();
    let locks = [Lock::KeyFile(&key())];
    seal(plaintext, &mut file, &locks, &options).unwrap();
    file
}

#[test]
fn every_suite_opens() {
    for suite in Suite::ALL.iter().copied() {
        for len in [
            0,
            1,
            100,
            CHUNK_LEN - 1,
            CHUNK_LEN,
            CHUNK_LEN + 1,
            17 * CHUNK_LEN + 1,
            33 * CHUNK_LEN,
        ] {
            let plaintext = painted(len);
            for threads in [1, 3] {
                let file = sealed(suite, &plaintext, threads);
                assert_eq!(inspect(&file[..]).unwrap().suite, suite);
                assert_eq!(opened(&file, threads).unwrap(), plaintext, "{suite}, {len}");
            }
        }
    }
}

#[test]
fn no_suite_opens_a_changed_chunk() {
    for suite in Suite::ALL.iter().copied() {
        let file = sealed(suite, &painted(2 * CHUNK_LEN), 1);
        // The last byte of chunks 2 (empty), 1 and 0.
        let last = file.len() - 1;
        let tag_len = suite.tag_len();
        let ends = [0, tag_len, 2 * tag_len + CHUNK_LEN];
        for (chunk, from_end) in [2, 1, 0].into_iter().zip(ends) {
            let at = last - from_end;
            let mut changed = file.clone();
            changed[at] ^= 1;
            let error = opened(&changed, 1).unwrap_err();
            let found = match error {
                Error::Damaged { chunk } | Error::Truncated { chunks: chunk } => chunk,
                error => panic!("{suite}: {error:?}"),
            };
            assert_eq!(found, chunk, "{suite}");
        }
    }
}

/// The number of one suite in the header of another: the header is authenticated.
#[test]
fn a_file_does_not_change_its_suite() {
    for from in Suite::ALL.iter().copied() {
        let file = sealed(from, &painted(100), 1);
        for to in Suite::ALL.iter().copied().filter(|to| *to != from) {
            let mut file = file.clone();
            for at in [12, 12 + HEADER_LEN / 2] {
                file[at..at + 4].copy_from_slice(&to.number().to_be_bytes());
            }
            let error = opened(&file, 1).unwrap_err();
            assert!(matches!(error, Error::HeaderDamaged), "{error:?}");
        }
    }
}

#[test]
fn names_and_numbers_are_distinct_and_lead_back() {
    for suite in Suite::ALL.iter().copied() {
        assert_eq!(Suite::from_name(suite.name()), Some(suite));
        assert_eq!(Suite::from_number(suite.number()), Some(suite));
    }
    assert_eq!(Suite::from_name("kuznyechik"), None);
}
