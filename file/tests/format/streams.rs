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
    let chunks = [1, 2, 5, 6, 21, 22, 85];
    let around = chunks
        .into_iter()
        .flat_map(|chunks| [0, 1, 2].map(|by| chunks * CHUNK_LEN + by - 1));
    let long = [341 * CHUNK_LEN, 343 * CHUNK_LEN + 1];
    [0, 1, 15, 16, 17].into_iter().chain(around).chain(long)
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

/// Reads of 1, 2, 3, … bytes, wrapping at `most`, with an interruption before each.
struct Dribble<R> {
    input: R,
    most: usize,
    next: usize,
    interrupted: bool,
}

impl<R: Read> Read for Dribble<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = out.len().min(self.next);
        self.next = self.next % self.most + 1;
        self.input.read(&mut out[..len])
    }
}

#[test]
fn readers_that_give_little_make_no_difference() {
    let (key, plaintext) = (key(), painted(18 * CHUNK_LEN + 3));
    let file = sealed(&plaintext);
    for (most, count) in [(7, 1), (CHUNK_LEN + 1, 3), (70_000, 4)] {
        let input = Dribble {
            input: &file[..],
            most,
            next: 1,
            interrupted: false,
        };
        let mut back = Vec::new();
        open(input, &mut back, &[Unlock::KeyFile(&key)], &opening(count)).unwrap();
        assert!(back == plaintext, "reads of up to {most} bytes");
    }
}

/// Also what was flushed between, at any place, opens as one plaintext.
#[test]
fn writes_and_reads_of_any_length_make_no_difference() {
    let (key, plaintext) = (key(), painted(40 * CHUNK_LEN + 9));
    for piece in [1000, CHUNK_LEN - 1, CHUNK_LEN, 100_000] {
        let mut writer = Writer::new(Vec::new(), &[Lock::KeyFile(&key)], &sealing(2)).unwrap();
        for (number, piece) in plaintext.chunks(piece).enumerate() {
            writer.write_all(piece).unwrap();
            if number % 5 == 0 {
                writer.flush().unwrap();
            }
        }
        let file = writer.finish().unwrap();
        let mut reader = Reader::new(&file[..], &[Unlock::KeyFile(&key)], &opening(2)).unwrap();
        let (mut back, mut out) = (Vec::new(), vec![0; piece]);
        loop {
            match reader.read(&mut out).unwrap() {
                0 => break,
                read => back.extend_from_slice(&out[..read]),
            }
        }
        assert!(back == plaintext, "{piece}");
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

/// A disk with room for so many bytes.
#[derive(Debug)]
struct Disk {
    written: Vec<u8>,
    room: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(self.room - self.written.len());
        if len == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.written.extend(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.room - self.written.len() {
            0 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }
}

/// The disk is full at every kind of place: in the header, in a chunk, at the end, when it is
/// flushed.
#[test]
fn a_full_disk_is_a_write_error() {
    let (key, plaintext) = (key(), painted(40 * CHUNK_LEN));
    let file = sealed(&plaintext);
    let fill = |room, run: &dyn Fn(&mut Disk) -> Result<(), Error>| {
        let written = Vec::new();
        let mut disk = Disk { written, room };
        match run(&mut disk) {
            Err(Error::Write(error)) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
            outcome => panic!("room for {room}: {outcome:?}"),
        }
        assert_eq!(disk.written.len(), room);
        disk.written
    };
    for count in [1, 3] {
        let in_chunk = HEAD_LEN + 20 * SEALED_CHUNK_LEN;
        for room in [
            0,
            100,
            HEADER_LEN,
            HEAD_LEN + 1,
            in_chunk,
            file.len() - 1,
            file.len(),
        ] {
            let locks = [Lock::KeyFile(&key)];
            fill(room, &|disk| {
                seal(&plaintext[..], disk, &locks, &sealing(count))
            });
        }
        for room in [0, 1, 20 * CHUNK_LEN + 1, plaintext.len() - 1] {
            let keys = [Unlock::KeyFile(&key)];
            let back = fill(room, &|disk| open(&file[..], disk, &keys, &opening(count)));
            assert!(plaintext.starts_with(&back));
        }
    }
    let (written, room) = (Vec::new(), HEAD_LEN + 5);
    let locks = [Lock::KeyFile(&key)];
    let mut writer = Writer::new(Disk { written, room }, &locks, &sealing(1)).unwrap();
    // It stays failed.
    writer.write_all(&painted(20 * CHUNK_LEN)).unwrap_err();
    writer.write_all(b"more").unwrap_err();
    writer.flush().unwrap_err();
    writer.finish().unwrap_err();
}

/// Fails after so many bytes.
struct Breaking<'a>(&'a [u8]);

impl Read for Breaking<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            read => Ok(read),
        }
    }
}

#[test]
fn a_read_error_is_no_end() {
    let key = key();
    let plaintext = painted(40 * CHUNK_LEN);
    let file = sealed(&plaintext);
    let reset = |outcome: Result<(), Error>| match outcome {
        Err(Error::Read(error)) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset),
        outcome => panic!("{outcome:?}"),
    };
    for len in [0, 5, 17 * CHUNK_LEN, plaintext.len()] {
        let locks = [Lock::KeyFile(&key)];
        reset(seal(
            Breaking(&plaintext[..len]),
            io::sink(),
            &locks,
            &sealing(2),
        ));
    }
    for len in [0, 3000, HEAD_LEN + 20 * SEALED_CHUNK_LEN + 5, file.len()] {
        let mut back = Vec::new();
        let keys = [Unlock::KeyFile(&key)];
        reset(open(Breaking(&file[..len]), &mut back, &keys, &opening(2)));
        assert!(plaintext.starts_with(&back));
        let chunks = len.saturating_sub(HEAD_LEN) / SEALED_CHUNK_LEN;
        assert_eq!(back.len(), chunks.min(40) * CHUNK_LEN);
    }
}

/// A pipe whose other end waits: it gives one sealed chunk, and then nothing more
/// until that chunk came out.
struct Waiting<'a> {
    file: &'a [u8],
    given: usize,
    out: &'a Cell<usize>,
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let chunks = self.given.saturating_sub(HEAD_LEN) / SEALED_CHUNK_LEN;
        if self.out.get() < chunks * CHUNK_LEN {
            return Err(io::Error::other("the reader is greedy"));
        }
        // Up to the end of the head or of the chunk under way.
        let next = match self.given {
            given if given < HEAD_LEN => HEAD_LEN,
            _ => HEAD_LEN + (chunks + 1) * SEALED_CHUNK_LEN,
        };
        let end = next.min(self.file.len());
        let read = (&self.file[self.given..end]).read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

struct Counting<'a>(&'a Cell<usize>);

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.set(self.0.get() + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Neither side need be `Send`.
#[test]
fn a_slow_pipe_gets_each_chunk_as_it_comes() {
    let file = sealed(&painted(20 * CHUNK_LEN + 5));
    let out = Cell::new(0);
    let input = Waiting {
        file: &file,
        given: 0,
        out: &out,
    };
    open(
        input,
        Counting(&out),
        &[Unlock::KeyFile(&key())],
        &opening(2),
    )
    .unwrap();
    assert_eq!(out.into_inner(), 20 * CHUNK_LEN + 5);
}

/// Takes how far the input is ahead of it: that is the memory in use.
struct Lagging<'a> {
    taken: &'a Cell<usize>,
    given: usize,
    most: usize,
}

impl Write for Lagging<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.given += bytes.len();
        self.most = self.most.max(self.taken.get().saturating_sub(self.given));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn memory_does_not_grow_with_the_input() {
    let (taken, locks, piece) = (Cell::new(0), [Lock::KeyFile(&key())], vec![0; 1 << 20]);
    let mut output = Lagging {
        taken: &taken,
        given: 0,
        most: 0,
    };
    let mut writer = Writer::new(&mut output, &locks, &sealing(4)).unwrap();
    for _ in 0..40 {
        taken.set(taken.get() + piece.len());
        writer.write_all(&piece).unwrap();
    }
    writer.finish().unwrap();
    assert!(output.most <= 8 << 20, "{}", output.most);
}

/// Panics at its second read.
struct Panicking(usize);

impl Read for Panicking {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0 += 1;
        assert!(self.0 < 2, "on purpose");
        out.fill(0);
        Ok(out.len())
    }
}

#[test]
fn a_panic_of_the_input_is_the_callers() {
    let file = sealed(&painted(10));
    let input = (&file[..HEAD_LEN]).chain(Panicking(0));
    let mut reader = Reader::new(input, &[Unlock::KeyFile(&key())], &opening(3)).unwrap();
    let read = catch_unwind(AssertUnwindSafe(|| io::copy(&mut reader, &mut io::sink())));
    assert!(read.is_err() || read.is_ok_and(|read| read.is_err()));
    assert!(reader.read(&mut [0]).is_err());
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
