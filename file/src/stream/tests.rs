//! With the vectors' random bytes, sealing gives the vectors' files: byte for byte,
//! whatever the number of threads.

use super::*;
use crate::key_file::KeyFile;
use crate::passphrase::Passphrase;
use sha2::{Digest, Sha512};
use std::collections::VecDeque;

/// The reference writer's bytes for a label.
fn fixed(label: &str) -> Vec<u8> {
    Sha512::digest(format!("sivka file-v1 vectors: {label}")).to_vec()
}

/// Gives the bytes of one label after the other, and panics when there are no more.
fn labels(labels: &[&str]) -> impl FnMut(&mut [u8]) -> Result<(), Error> + use<> {
    let mut queue: VecDeque<Vec<u8>> = labels.iter().map(|label| fixed(label)).collect();
    move |bytes| {
        let next = queue.pop_front().expect("one draw for each value");
        bytes.copy_from_slice(&next[..bytes.len()]);
        Ok(())
    }
}

fn key() -> KeyFile {
    KeyFile::from_bytes(&array(&fixed("key"), 0), "vector").unwrap()
}

fn painted(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn sealed(len: usize, lock: &Lock<'_>, threads: usize) -> Vec<u8> {
    let options = SealOptions {
        threads: NonZeroUsize::new(threads),
        ..SealOptions::default()
    };
    let slot = match lock {
        Lock::Recipient(_) => "encapsulation 0",
        _ => "slot 0",
    };
    let mut random = labels(&["file key", slot, "payload salt"]);
    let (plaintext, mut file) = (painted(len), Vec::new());
    let locks = [*lock];
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

fn vector(bytes: &[u8]) -> &[u8] {
    let head = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
    &bytes[head + 2..]
}

macro_rules! vector {
    ($name:literal) => {
        vector(include_bytes!(concat!(
            "../../../vectors/file-v1/",
            $name,
            ".vec"
        )))
    };
}

#[test]
fn sealing_gives_the_vectors() {
    let key = key();
    let lock = Lock::KeyFile(&key);
    for (len, expected) in [
        (0, vector!("ok_empty")),
        (1, vector!("ok_one_byte")),
        (CHUNK_LEN - 1, vector!("ok_one_byte_less_than_a_chunk")),
        (CHUNK_LEN, vector!("ok_one_chunk")),
        (2 * CHUNK_LEN + 1000, vector!("ok_three_chunks")),
    ] {
        for threads in 1..=4 {
            assert!(sealed(len, &lock, threads) == expected, "{len} bytes");
        }
    }
    let passphrase = Passphrase::new("correct horse battery staple".to_owned());
    let cost = Argon2Cost {
        memory_kib: 64,
        passes: 1,
        lanes: 1,
    };
    let lock = Lock::Passphrase(&passphrase, cost);
    assert!(sealed(100, &lock, 1) == vector!("ok_passphrase"));
    for (name, label, expected) in [
        ("age-secret-key-", "identity X25519", vector!("ok_x25519")),
        (
            "age-secret-key-pq-",
            "identity MlKem768X25519",
            vector!("ok_mlkem768_x25519"),
        ),
    ] {
        let text = crate::bech32::encode(name, &fixed(label)[..32]);
        let identity: crate::Identity = text.parse().unwrap();
        let lock = Lock::Recipient(identity.recipient());
        assert!(sealed(100, &lock, 1) == expected, "{label}");
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let key = key();
    let lock = Lock::KeyFile(&key);
    for len in [16 * CHUNK_LEN, 33 * CHUNK_LEN + 1, 200 * CHUNK_LEN + 77] {
        let expected = sealed(len, &lock, 1);
        for threads in 2..=8 {
            assert!(
                sealed(len, &lock, threads) == expected,
                "{len} bytes, {threads} threads"
            );
        }
    }
}

#[test]
fn a_generator_that_fails_seals_nothing() {
    let key = key();
    for draws in 0..3 {
        let mut left = draws;
        let mut random = |_: &mut [u8]| match left {
            0 => Err(Error::Random),
            _ => {
                left -= 1;
                Ok(())
            }
        };
        let mut file = Vec::new();
        let locks = [Lock::KeyFile(&key)];
        let options = SealOptions::default();
        let outcome = seal_with(&b"x"[..], &mut file, &locks, &options, |_| {}, &mut random);
        assert!(matches!(outcome, Err(Error::Random)));
        assert!(file.is_empty());
    }
}
