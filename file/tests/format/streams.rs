//! Whole streams: lengths, threads, awkward readers, full disks, bounded memory.

use super::support::{
    COPY_LEN, FIRST_SLOT, HEAD_LEN, SEALED_CHUNK_LEN, key, open, opened, opening, painted, seal,
    sealed, sealing,
};
use sivka_file::{CHUNK_LEN, Error, HEADER_LEN, Lock, Reader, SealOptions, Suite, Unlock, Writer};
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Around chunks, and around batches of 1, 4, 16, 64 and 256.
fn lengths() -> impl Iterator<Item = usize> {
    let around = |chunks| [0, 1, 2].map(|by| chunks * CHUNK_LEN + by - 1);
    let around = [1, 2, 5, 6, 21, 22, 85].into_iter().flat_map(around);
    [0, 1, 16]
        .into_iter()
        .chain(around)
        .chain([343 * CHUNK_LEN + 1])
}

#[test]
fn every_length_comes_back_with_every_number_of_threads() {
    let (plaintext, key) = (painted(345 * CHUNK_LEN), key());
    let other = |suite| [0, 33 * CHUNK_LEN + 1].map(|len| (suite, len));
    let others = Suite::ALL.iter().copied().flat_map(other);
    for (suite, len) in lengths().map(|len| (Suite::default(), len)).chain(others) {
        for count in [1, 3] {
            let (mut file, locks) = (Vec::new(), [Lock::KeyFile(&key)]);
            let options = SealOptions {
                suite,
                ..sealing(count)
            };
            seal(&plaintext[..len], &mut file, &locks, &options).unwrap();
            let chunks = len / CHUNK_LEN + 1;
            assert_eq!(file.len(), HEAD_LEN + len + chunks * suite.tag_len());
            // One that was sealed by many threads is opened by one.
            let (back, outcome) = opened(&file, &[Unlock::KeyFile(&key)], 4 - count);
            outcome.unwrap();
            assert!(
                back == plaintext[..len],
                "{suite}, {len} bytes, {count} threads"
            );
        }
    }
}

/// An input, or an output, of a function.
struct By<F>(F);

impl<F: FnMut(&mut [u8]) -> io::Result<usize>> Read for By<F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0(out)
    }
}

impl<F: FnMut(&[u8])> Write for By<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes of any length, with what was flushed between at any place; reads of 1, 2, 3, … bytes,
/// wrapping at the same length, with an interruption before each.
#[test]
fn writes_and_reads_of_any_length_make_no_difference() {
    let (key, plaintext) = (key(), painted(40 * CHUNK_LEN + 9));
    for most in [1000, CHUNK_LEN - 1, CHUNK_LEN, 100_000] {
        let mut writer = Writer::new(Vec::new(), &[Lock::KeyFile(&key)], &sealing(2)).unwrap();
        for (number, piece) in plaintext.chunks(most).enumerate() {
            writer.write_all(piece).unwrap();
            if number % 5 == 0 {
                writer.flush().unwrap();
            }
        }
        let file = writer.finish().unwrap();
        let (mut rest, mut back, mut reads) = (&file[..], Vec::new(), 0);
        let input = By(|out: &mut [u8]| {
            reads += 1;
            if reads % 2 == 0 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let len = out.len().min(reads / 2 % most + 1);
            rest.read(&mut out[..len])
        });
        open(input, &mut back, &[Unlock::KeyFile(&key)], &opening(2)).unwrap();
        assert!(back == plaintext, "up to {most} bytes");
    }
}

#[test]
fn a_writer_that_was_not_finished_leaves_a_truncated_file() {
    let key = key();
    for len in [0, CHUNK_LEN + 5, 300 * CHUNK_LEN] {
        for flushes in [false, true] {
            let mut file = Vec::new();
            let mut writer = Writer::new(&mut file, &[Lock::KeyFile(&key)], &sealing(1)).unwrap();
            writer.write_all(&painted(len)).unwrap();
            if flushes {
                writer.flush().unwrap();
            }
            drop(writer);
            let (released, outcome) = opened(&file, &[Unlock::KeyFile(&key)], 1);
            assert!(matches!(outcome, Err(Error::Truncated { .. })));
            if flushes {
                assert_eq!(released.len(), len / CHUNK_LEN * CHUNK_LEN);
            }
        }
    }
}

/// The output is full at every kind of place: in the header, in a chunk, at the end.
#[test]
fn a_full_output_is_a_write_error() {
    let (key, plaintext) = (key(), painted(40 * CHUNK_LEN));
    let (locks, keys) = ([Lock::KeyFile(&key)], [Unlock::KeyFile(&key)]);
    let file = sealed(&plaintext);
    let check = |room, outcome| match outcome {
        Err(Error::Write(error)) => assert_eq!(error.kind(), io::ErrorKind::WriteZero),
        outcome => panic!("room for {room}: {outcome:?}"),
    };
    for count in [1, 3] {
        let in_chunk = HEAD_LEN + 20 * SEALED_CHUNK_LEN;
        for room in [0, 100, HEADER_LEN, HEAD_LEN + 1, in_chunk, file.len() - 1] {
            let disk = &mut vec![0; room][..];
            check(room, seal(&plaintext[..], disk, &locks, &sealing(count)));
        }
        for room in [0, 1, 20 * CHUNK_LEN + 1, plaintext.len() - 1] {
            let mut disk = vec![0; room];
            check(room, open(&file[..], &mut disk[..], &keys, &opening(count)));
            assert!(plaintext.starts_with(&disk));
        }
    }
    let (mut disk, mut more) = ([0; HEAD_LEN + 5], vec![0; 1 << 20]);
    let mut writer = Writer::new(&mut disk[..], &locks, &sealing(1)).unwrap();
    // It stays failed, also where the output has room again.
    writer.write_all(&painted(20 * CHUNK_LEN)).unwrap_err();
    *writer.get_mut() = &mut more;
    writer.write_all(b"more").unwrap_err();
    writer.flush().unwrap_err();
    writer.finish().unwrap_err();
}

#[test]
fn a_read_error_is_no_end() {
    let (key, plaintext) = (key(), painted(40 * CHUNK_LEN));
    let file = sealed(&plaintext);
    for len in [0, 3000, HEAD_LEN + 20 * SEALED_CHUNK_LEN + 5, file.len()] {
        let reset = By(|_: &mut [u8]| Err(io::ErrorKind::ConnectionReset.into()));
        let (mut back, keys) = (Vec::new(), [Unlock::KeyFile(&key)]);
        match open((&file[..len]).chain(reset), &mut back, &keys, &opening(2)) {
            Err(Error::Read(error)) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset),
            outcome => panic!("{outcome:?}"),
        }
        let chunks = len.saturating_sub(HEAD_LEN) / SEALED_CHUNK_LEN;
        assert!(back == plaintext[..chunks.min(40) * CHUNK_LEN]);
    }
}

/// A pipe whose other end waits: it gives one sealed chunk, and then nothing more until that
/// chunk came out. Neither side need be `Send`.
#[test]
fn a_slow_pipe_gets_each_chunk_as_it_comes() {
    let file = sealed(&painted(20 * CHUNK_LEN + 5));
    let (mut given, out) = (0_usize, Cell::new(0));
    let input = By(|buffer: &mut [u8]| {
        let chunks = given.saturating_sub(HEAD_LEN) / SEALED_CHUNK_LEN;
        assert!(out.get() >= chunks * CHUNK_LEN, "the reader is greedy");
        // Up to the end of the head or of the chunk under way.
        let next = match given < HEAD_LEN {
            true => HEAD_LEN,
            false => HEAD_LEN + (chunks + 1) * SEALED_CHUNK_LEN,
        };
        let read = (&file[given..next.min(file.len())]).read(buffer)?;
        given += read;
        Ok(read)
    });
    let output = By(|bytes: &[u8]| out.set(out.get() + bytes.len()));
    open(input, output, &[Unlock::KeyFile(&key())], &opening(2)).unwrap();
    assert_eq!(out.get(), 20 * CHUNK_LEN + 5);
}

/// What is between input and output is the memory in use.
#[test]
fn memory_does_not_grow_with_the_input() {
    let (taken, mut given, mut most) = (Cell::new(0_usize), 0, 0);
    let output = By(|bytes: &[u8]| {
        given += bytes.len();
        most = most.max(taken.get().saturating_sub(given));
    });
    let mut writer = Writer::new(output, &[Lock::KeyFile(&key())], &sealing(4)).unwrap();
    let piece = vec![0; 1 << 20];
    for _ in 0..40 {
        taken.set(taken.get() + piece.len());
        writer.write_all(&piece).unwrap();
    }
    writer.finish().unwrap();
    assert!(most <= 8 << 20, "{most}");
}

#[test]
fn a_panic_of_the_input_is_the_callers() {
    let file = sealed(&painted(10));
    let input = (&file[..HEAD_LEN]).chain(By(|_: &mut [u8]| panic!("on purpose")));
    let mut reader = Reader::new(input, &[Unlock::KeyFile(&key())], &opening(3)).unwrap();
    let read = catch_unwind(AssertUnwindSafe(|| io::copy(&mut reader, &mut io::sink())));
    assert!(read.is_err() && reader.read(&mut [0]).is_err());
}

#[test]
fn two_seals_of_the_same_have_nothing_in_common() {
    let (one, two) = (sealed(&painted(1000)), sealed(&painted(1000)));
    let same = |range: std::ops::Range<usize>| {
        let pairs = one[range.clone()].iter().zip(&two[range]);
        pairs.filter(|(a, b)| a == b).count()
    };
    // Prefix, counter, the slot's head and key id are the same, and so is the room.
    let slot = FIRST_SLOT + 11..FIRST_SLOT + 124;
    assert!(same(slot) < 16 && same(COPY_LEN - 32..COPY_LEN) < 8);
    assert!(same(HEADER_LEN..one.len()) < 40);
}
