//! Whole streams and parts of them: lengths, threads, awkward inputs, full disks.

use super::support::{
    HEAD_LEN, SEALED_CHUNK_LEN, key, open, opened, opening, painted, seal, sealed, sealing,
};
use proptest::prelude::*;
use sivka_file::{CHUNK_LEN, Error, HEADER_LEN, Lock, Reader, SealOptions, Suite, Unlock, Writer};
use std::cell::Cell;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn every_length_comes_back_with_every_number_of_threads() {
    let (plaintext, key) = (painted(345 * CHUNK_LEN), key());
    // Around chunks, and around batches of 1, 4, 16, 64 and 256.
    let around = |chunks| [0, 1, 2].map(|by| chunks * CHUNK_LEN + by - 1);
    let lens = [1, 2, 5, 6, 21, 22, 85].into_iter().flat_map(around);
    let lens = lens.chain([0, 1, 16, 343 * CHUNK_LEN + 1]);
    let other = |suite| [0, 33 * CHUNK_LEN + 1].map(|len| (suite, len));
    let others = Suite::ALL.iter().copied().flat_map(other);
    for (suite, len) in lens.map(|len| (Suite::default(), len)).chain(others) {
        for count in [1, 3] {
            let (mut file, locks) = (Vec::new(), [Lock::KeyFile(&key)]);
            let options = SealOptions { suite, ..sealing(count) };
            seal(&plaintext[..len], &mut file, &locks, &options).unwrap();
            let chunks = len / CHUNK_LEN + 1;
            assert_eq!(file.len(), HEAD_LEN + len + chunks * suite.tag_len());
            // One that was sealed by many threads is opened by one.
            let (back, outcome) = opened(&file, &[Unlock::KeyFile(&key)], &opening(4 - count));
            assert!(outcome.is_ok() && back == plaintext[..len], "{suite}, {len}");
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
                return Err(ErrorKind::Interrupted.into());
            }
            let len = out.len().min(reads / 2 % most + 1);
            rest.read(&mut out[..len])
        });
        open(input, &mut back, 2).unwrap();
        assert!(back == plaintext, "up to {most} bytes");
    }
}

#[test]
fn a_writer_that_was_not_finished_leaves_a_truncated_file() {
    let key = key();
    for len in [0, CHUNK_LEN + 5, 300 * CHUNK_LEN] {
        let (mut file, mut released) = (Vec::new(), Vec::new());
        let mut writer = Writer::new(&mut file, &[Lock::KeyFile(&key)], &sealing(1)).unwrap();
        writer.write_all(&painted(len)).unwrap();
        writer.flush().unwrap();
        drop(writer);
        let outcome = open(&file[..], &mut released, 1);
        assert!(matches!(outcome, Err(Error::Truncated(_))));
        assert_eq!(released.len(), len / CHUNK_LEN * CHUNK_LEN);
    }
}

/// The output is full at every kind of place: in the header, in a chunk, at the end.
#[test]
fn a_full_output_is_a_write_error() {
    let (key, plaintext) = (key(), painted(40 * CHUNK_LEN));
    let locks = [Lock::KeyFile(&key)];
    let file = sealed(&plaintext);
    let check = |room, outcome| match outcome {
        Err(Error::Write(error)) => assert_eq!(error.kind(), ErrorKind::WriteZero),
        outcome => panic!("room for {room}: {outcome:?}"),
    };
    let in_chunk = HEAD_LEN + 20 * SEALED_CHUNK_LEN;
    for room in [0, HEADER_LEN, HEAD_LEN + 1, in_chunk, file.len() - 1] {
        let disk = &mut vec![0; room][..];
        check(room, seal(&plaintext, disk, &locks, &sealing(3)));
    }
    for room in [0, 20 * CHUNK_LEN + 1, plaintext.len() - 1] {
        let mut disk = vec![0; room];
        check(room, open(&file[..], &mut disk[..], 3));
        assert!(plaintext.starts_with(&disk));
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
    let plaintext = painted(40 * CHUNK_LEN);
    let file = sealed(&plaintext);
    for len in [0, 3000, HEAD_LEN + 20 * SEALED_CHUNK_LEN + 5, file.len()] {
        let reset = By(|_: &mut [u8]| Err(ErrorKind::ConnectionReset.into()));
        let mut back = Vec::new();
        match open((&file[..len]).chain(reset), &mut back, 2) {
            Err(Error::Read(error)) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
            outcome => panic!("{outcome:?}"),
        }
        let chunks = len.saturating_sub(HEAD_LEN) / SEALED_CHUNK_LEN;
        assert!(back == plaintext[..chunks.min(40) * CHUNK_LEN]);
    }
    let input = (&file[..HEAD_LEN]).chain(By(|_: &mut [u8]| panic!("on purpose")));
    let mut reader = Reader::new(input, &[Unlock::KeyFile(&key())], &opening(3)).unwrap();
    let read = catch_unwind(AssertUnwindSafe(|| io::copy(&mut reader, &mut io::sink())));
    assert!(read.is_err() && reader.read(&mut [0]).is_err());
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
    open(input, By(|bytes: &[u8]| out.set(out.get() + bytes.len())), 2).unwrap();
    assert_eq!(out.get(), 20 * CHUNK_LEN + 5);
}

#[derive(Clone, Debug)]
enum Step {
    Seek(SeekFrom),
    Read(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let near = CHUNK_LEN as i64;
    let step = prop_oneof![
        (0..5 * near as u64).prop_map(|to| Step::Seek(SeekFrom::Start(to))),
        Just(Step::Seek(SeekFrom::Start(u64::MAX))),
        (-5 * near..near).prop_map(|by| Step::Seek(SeekFrom::End(by))),
        (-2 * near..2 * near).prop_map(|by| Step::Seek(SeekFrom::Current(by))),
        (0..40_000_usize).prop_map(Step::Read),
        (0..3_usize).prop_map(Step::Read),
    ];
    prop::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn seeking_equals_a_cursor_over_the_plaintext(
        before in 0..9_usize,
        len in prop_oneof![0..4_usize, 0..4 * CHUNK_LEN, Just(CHUNK_LEN), Just(3 * CHUNK_LEN)],
        steps in steps(),
    ) {
        let plaintext = painted(len);
        let mut model = Cursor::new(&plaintext);
        // The file may begin anywhere in its input.
        let mut input = Cursor::new([&painted(before)[..], &sealed(&plaintext)].concat());
        input.set_position(before as u64);
        let mut reader = Reader::new(input, &[Unlock::KeyFile(&key())], &opening(1)).unwrap();
        prop_assert_eq!(reader.len().unwrap(), len as u64);
        for step in steps {
            match step {
                Step::Seek(to) => prop_assert_eq!(reader.seek(to).ok(), model.seek(to).ok()),
                Step::Read(len) => {
                    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                    reader.by_ref().take(len as u64).read_to_end(&mut ours).unwrap();
                    model.by_ref().take(len as u64).read_to_end(&mut theirs).unwrap();
                    prop_assert_eq!(ours, theirs);
                }
            }
            prop_assert_eq!(reader.stream_position().unwrap(), model.stream_position().unwrap());
        }
    }
}

#[test]
fn damage_is_found_where_it_is_read_and_nowhere_else() {
    let plaintext = painted(257 * CHUNK_LEN + 5);
    let mut file = sealed(&plaintext);
    file[HEAD_LEN + SEALED_CHUNK_LEN] ^= 1;
    let keys = &[Unlock::KeyFile(&key())];
    let mut reader = Reader::new(Cursor::new(file), keys, &opening(1)).unwrap();
    for (number, is_intact) in [(0, true), (1, false), (256, true), (1, false), (0, true)] {
        let (position, mut chunk) = (number * CHUNK_LEN, vec![0xee; CHUNK_LEN]);
        reader.seek(SeekFrom::Start(position as u64)).unwrap();
        let outcome = reader.read_exact(&mut chunk);
        assert_eq!(outcome.is_ok(), is_intact, "chunk {number}");
        match outcome {
            Ok(()) => assert_eq!(chunk, plaintext[position..position + CHUNK_LEN]),
            Err(error) => {
                assert!(chunk.iter().all(|&byte| byte == 0xee), "plaintext got out");
                let error = Error::from(error);
                assert!(matches!(error, Error::Damaged(1)), "{error}");
            }
        }
    }
}
