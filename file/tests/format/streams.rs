//! Whole streams: lengths, threads, awkward readers, full disks, bounded memory.

use super::support::{
    COPY_LEN, Disk, Dribble, FIRST_SLOT, HEAD_LEN, SEALED_CHUNK_LEN, key, opened, opening, painted,
    read_through, sealed, sealing,
};
use sivka_file::{
    CHUNK_LEN, Error, HEADER_LEN, Lock, Reader, Suite, Unlock, Writer, inspect, open, seal, verify,
};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Around chunks, and around batches of sixteen.
fn lengths() -> impl Iterator<Item = usize> {
    [0, 1, 2, 15, 16, 17, 8191].into_iter().chain(
        [1, 2, 15, 16, 17, 32, 33, 48]
            .into_iter()
            .flat_map(|chunks| [0, 1, 2].map(|by| chunks * CHUNK_LEN + by - 1)),
    )
}

#[test]
fn every_length_comes_back_with_every_number_of_threads() {
    let key = key();
    let locks = [Lock::KeyFile(&key)];
    let keys = [Unlock::KeyFile(&key)];
    for len in lengths() {
        let plaintext = painted(len);
        for count in 1..=4 {
            let mut file = Vec::new();
            let mut progress = Vec::new();
            let summary = seal(&plaintext[..], &mut file, &locks, &sealing(count), |done| {
                progress.push(done);
            });
            let summary = summary.unwrap();
            assert_eq!(summary.plaintext_len, len as u64);
            assert_eq!(summary.sealed_len, file.len() as u64);
            assert_eq!(summary.chunks, (len / CHUNK_LEN) as u64 + 1);
            assert_eq!(file.len(), HEAD_LEN + len + (len / CHUNK_LEN + 1) * 16);
            assert!(progress.is_sorted());
            assert_eq!(progress.last(), Some(&(len as u64)));

            let mut back = Vec::new();
            let opened = open(&file[..], &mut back, &keys, &opening(count), |_| {}).unwrap();
            assert!(back == plaintext, "{len} bytes, {count} threads");
            assert_eq!(opened, summary);
            assert_eq!(
                verify(&file[..], &keys, &opening(count), |_| {}).unwrap(),
                summary
            );
            let (through, outcome) = read_through(&file);
            outcome.unwrap();
            assert!(through == plaintext);
        }
    }
}

#[test]
fn readers_that_give_little_make_no_difference() {
    let plaintext = painted(18 * CHUNK_LEN + 3);
    let key = key();
    for (most, count) in [(7, 1), (1000, 2), (CHUNK_LEN + 1, 3), (70_000, 4)] {
        let mut file = Vec::new();
        let input = Dribble::new(&plaintext[..], most);
        seal(
            input,
            &mut file,
            &[Lock::KeyFile(&key)],
            &sealing(count),
            |_| {},
        )
        .unwrap();
        let mut back = Vec::new();
        let input = Dribble::new(&file[..], most);
        let keys = [Unlock::KeyFile(&key)];
        open(input, &mut back, &keys, &opening(count), |_| {}).unwrap();
        assert!(back == plaintext, "reads of up to {most} bytes");
        let mut through = Vec::new();
        let input = Dribble::new(&file[..], most);
        Reader::new(input, &keys, &opening(1))
            .unwrap()
            .read_to_end(&mut through)
            .unwrap();
        assert!(through == plaintext);
    }
}

#[test]
fn the_writer_seals_what_seal_seals() {
    let key = key();
    for len in lengths().filter(|len| *len < 3 * CHUNK_LEN) {
        for piece in [1, 1000, CHUNK_LEN, 100_000] {
            if piece == 1 && len > CHUNK_LEN + 1 {
                continue;
            }
            let plaintext = painted(len);
            let locks = [Lock::KeyFile(&key)];
            let mut writer = Writer::new(Vec::new(), &locks, &sealing(1)).unwrap();
            for piece in plaintext.chunks(piece) {
                writer.write_all(piece).unwrap();
            }
            let file = writer.finish().unwrap();
            let (back, outcome) = opened(&file, &[Unlock::KeyFile(&key)], 1);
            outcome.unwrap();
            assert!(back == plaintext);
        }
    }
}

#[test]
fn a_writer_that_was_not_finished_leaves_no_whole_file() {
    let key = key();
    for len in [0, 5, CHUNK_LEN, CHUNK_LEN + 5] {
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file, &[Lock::KeyFile(&key)], &sealing(1)).unwrap();
        writer.write_all(&painted(len)).unwrap();
        writer.flush().unwrap();
        drop(writer);
        let (_, outcome) = opened(&file, &[Unlock::KeyFile(&key)], 1);
        assert!(matches!(outcome, Err(Error::Truncated { .. })));
    }
}

/// The whole disk is tried at every kind of place: in the header, in a chunk, at the end.
#[test]
fn a_full_disk_is_a_write_error() {
    let key = key();
    let plaintext = painted(40 * CHUNK_LEN);
    let file = sealed(&plaintext);
    let full = |outcome: Result<(), Error>, what: &str| match outcome {
        Err(Error::Write(error)) => assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{what}"),
        outcome => panic!("{what}: {outcome:?}"),
    };
    for count in 1..=3 {
        for room in [
            0,
            100,
            HEADER_LEN,
            HEAD_LEN + 1,
            HEAD_LEN + 20 * SEALED_CHUNK_LEN,
            file.len() - 1,
        ] {
            let mut disk = Disk {
                written: Vec::new(),
                room,
            };
            let locks = [Lock::KeyFile(&key)];
            let outcome = seal(&plaintext[..], &mut disk, &locks, &sealing(count), |_| {});
            full(outcome.map(drop), "seal");
            assert_eq!(disk.written.len(), room);
            let mut writer_disk = Disk {
                written: Vec::new(),
                room,
            };
            let outcome =
                Writer::new(&mut writer_disk, &locks, &sealing(1)).and_then(|mut writer| {
                    writer.write_all(&plaintext).map_err(Error::Write)?;
                    writer.finish().map(drop)
                });
            full(outcome, "Writer");
        }
        for room in [0, 1, 20 * CHUNK_LEN + 1, plaintext.len() - 1] {
            let mut disk = Disk {
                written: Vec::new(),
                room,
            };
            let keys = [Unlock::KeyFile(&key)];
            full(
                open(&file[..], &mut disk, &keys, &opening(count), |_| {}).map(drop),
                "open",
            );
            assert!(plaintext.starts_with(&disk.written));
            assert_eq!(disk.written.len(), room);
        }
    }
}

#[test]
fn after_a_failed_write_a_writer_stays_failed() {
    let key = key();
    let mut disk = Disk {
        written: Vec::new(),
        room: HEAD_LEN + 5,
    };
    let mut writer = Writer::new(&mut disk, &[Lock::KeyFile(&key)], &sealing(1)).unwrap();
    writer.write_all(&painted(CHUNK_LEN)).unwrap_err();
    writer.write_all(b"more").unwrap_err();
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
    for count in 1..=3 {
        for len in [0, 5, 17 * CHUNK_LEN, plaintext.len()] {
            let mut sealed = Vec::new();
            let input = Breaking(&plaintext[..len]);
            let locks = [Lock::KeyFile(&key)];
            reset(seal(input, &mut sealed, &locks, &sealing(count), |_| {}).map(drop));
            let (_, outcome) = opened(&sealed, &[Unlock::KeyFile(&key)], 1);
            outcome.unwrap_err();
        }
        for len in [0, 3000, HEAD_LEN + 20 * SEALED_CHUNK_LEN + 5, file.len()] {
            let mut back = Vec::new();
            let keys = [Unlock::KeyFile(&key)];
            reset(
                open(
                    Breaking(&file[..len]),
                    &mut back,
                    &keys,
                    &opening(count),
                    |_| {},
                )
                .map(drop),
            );
            assert!(plaintext.starts_with(&back));
            let chunks = len.saturating_sub(HEAD_LEN) / SEALED_CHUNK_LEN;
            assert_eq!(back.len(), chunks.min(40) * CHUNK_LEN);
        }
    }
}

/// A pipe whose other end waits: it gives one sealed chunk, and then nothing more
/// until that chunk came out.
struct Waiting<'a> {
    file: &'a [u8],
    given: usize,
    out: &'a AtomicUsize,
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let chunks = self.given.saturating_sub(HEAD_LEN) / SEALED_CHUNK_LEN;
        if self.out.load(Ordering::Acquire) < chunks * CHUNK_LEN {
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

struct Counting<'a>(&'a AtomicUsize);

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.fetch_add(bytes.len(), Ordering::Release);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_slow_pipe_gets_each_chunk_as_it_comes() {
    let file = sealed(&painted(20 * CHUNK_LEN + 5));
    let out = AtomicUsize::new(0);
    let input = Waiting {
        file: &file,
        given: 0,
        out: &out,
    };
    let keys = [Unlock::KeyFile(&key())];
    open(input, Counting(&out), &keys, &opening(1), |_| {}).unwrap();
    assert_eq!(out.into_inner(), 20 * CHUNK_LEN + 5);
}

/// Counts what is between reader and writer: that is the memory in use.
struct Source<'a> {
    left: usize,
    taken: &'a AtomicUsize,
    given: &'a AtomicUsize,
    most: &'a AtomicUsize,
}

impl Read for Source<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(self.left);
        out[..len].fill(0);
        self.left -= len;
        let taken = self.taken.fetch_add(len, Ordering::SeqCst) + len;
        let given = self.given.load(Ordering::SeqCst);
        self.most
            .fetch_max(taken.saturating_sub(given), Ordering::SeqCst);
        Ok(len)
    }
}

#[test]
fn what_is_under_way_is_bounded_whatever_the_length() {
    for count in 1..=4 {
        let (taken, given, most) = Default::default();
        let source = Source {
            left: 300 << 20,
            taken: &taken,
            given: &given,
            most: &most,
        };
        let locks = [Lock::KeyFile(&key())];
        seal(source, Counting(&given), &locks, &sealing(count), |_| {}).unwrap();
        assert_eq!(taken.into_inner(), 300 << 20);
        // A batch of 256 KiB a thread.
        assert!(most.into_inner() <= count * (256 << 10));
    }
}

#[test]
fn a_panic_in_the_callers_code_comes_back_to_the_caller() {
    let plaintext = painted(100 * CHUNK_LEN);
    for count in 1..=4 {
        let outcome = std::panic::catch_unwind(|| {
            let locks = [Lock::KeyFile(&key())];
            seal(
                &plaintext[..],
                io::sink(),
                &locks,
                &sealing(count),
                |done| {
                    assert!(done < 1_000_000, "on purpose");
                },
            )
        });
        assert!(outcome.is_err(), "{count} threads");
    }
}

#[test]
fn inspect_needs_no_key_and_no_payload() {
    let file = sealed(b"plaintext");
    let shown = inspect(&file[..HEADER_LEN]).unwrap();
    assert_eq!((shown.version, shown.suite), (1, Suite::Aes256GcmSiv));
    assert_eq!(shown.header_len, HEADER_LEN as u64);
    assert_eq!(shown.slots.len(), 1);
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
    assert!(
        same(slot) < 16 && same(COPY_LEN - 32..COPY_LEN) < 8 && same(HEADER_LEN..one.len()) < 40
    );
}
