//! Sealing with given random bytes: whatever the number of threads, the bytes are the same.

use super::*;
use crate::key_file::KeyFile;

fn painted(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn sealed(len: usize, threads: usize) -> Vec<u8> {
    let options = SealOptions {
        threads: NonZeroUsize::new(threads),
        ..SealOptions::default()
    };
    let mut draws = 0_u8;
    let mut random = |bytes: &mut [u8]| {
        draws += 1;
        bytes.fill(draws);
        Ok(())
    };
    let key = KeyFile::from_bytes(&[7; 32], "test").unwrap();
    let (plaintext, mut file, locks) = (painted(len), Vec::new(), [Lock::KeyFile(&key)]);
    seal_with(
        &plaintext[..],
        &mut file,
        &locks,
        &options,
        |_| {},
        &mut random,
    )
    .unwrap();
    file
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    for len in [16 * CHUNK_LEN, 33 * CHUNK_LEN + 1, 200 * CHUNK_LEN + 77] {
        let expected = sealed(len, 1);
        for threads in 2..=8 {
            assert!(
                sealed(len, threads) == expected,
                "{len} bytes, {threads} threads"
            );
        }
    }
}
