//! What the tests share: names of errors, and short calls.

use sivka_file::{
    Argon2Cost, Error, KeyFile, Lock, OpenOptions, Reader, SealOptions, Unlock, Unlocked, Writer,
    change_slots_in,
};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::ops::Range;

/// The cheapest cost there is.
pub(crate) const CHEAP: Argon2Cost = Argon2Cost { memory_kib: 8, passes: 1, lanes: 1 };

/// Bytes of a file before its first chunk.
pub(crate) const HEAD_LEN: usize = sivka_file::HEADER_LEN + sivka_file::PAYLOAD_HEAD_LEN;
/// Bytes of a copy of the header, unless it has more slots.
pub(crate) const COPY_LEN: usize = sivka_file::HEADER_LEN / 2;
/// Where a copy's first slot is.
pub(crate) const FIRST_SLOT: usize = 52;
/// Bytes of a whole sealed chunk.
pub(crate) const SEALED_CHUNK_LEN: usize = sivka_file::CHUNK_LEN + 16;

/// The error's name in the vectors.
pub(crate) fn error_name(error: &Error) -> &'static str {
    match error {
        Error::NotSivka => "not-sivka",
        Error::UnknownVersion(_) => "unknown-version",
        Error::UnknownSuite(_) => "unknown-suite",
        Error::UnknownSlot { .. } => "unknown-slot",
        Error::UnknownKind(_) => "unknown-kind",
        Error::HeaderDamaged => "header-damaged",
        Error::NoSlotOpens => "no-slot-opens",
        Error::CostTooHigh { .. } => "cost-too-high",
        Error::PayloadMismatch => "payload-mismatch",
        Error::Truncated(_) => "truncated",
        Error::Damaged(_) => "damaged",
        error => panic!("no file should cause {error:?}"),
    }
}

/// One key for all tests.
pub(crate) fn key() -> KeyFile {
    KeyFile::from_bytes(&[0x42; 32], "test").unwrap()
}

/// Bytes whose chunks all differ.
pub(crate) fn painted(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

pub(crate) fn sealing(count: usize) -> SealOptions {
    SealOptions { threads: NonZeroUsize::new(count), ..SealOptions::default() }
}

pub(crate) fn opening(count: usize) -> OpenOptions {
    OpenOptions { threads: NonZeroUsize::new(count), ..OpenOptions::default() }
}

pub(crate) fn seal(
    plaintext: &[u8],
    output: impl Write,
    locks: &[Lock<'_>],
    options: &SealOptions,
) -> Result<(), Error> {
    let mut writer = Writer::new(output, locks, options)?;
    writer.write_all(plaintext)?;
    writer.finish().map(drop)
}

/// Opens all of an input with [`key`].
pub(crate) fn open(input: impl Read, mut output: impl Write, count: usize) -> Result<(), Error> {
    let mut reader = Reader::new(input, &[Unlock::KeyFile(&key())], &opening(count))?;
    io::copy(&mut reader, &mut output).map_err(Error::from_write)?;
    Ok(())
}

/// Changes the slots of a whole file.
pub(crate) fn change<F: Read + Write + Seek, T>(
    file: &mut F,
    keys: &[Unlock<'_>],
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    file.rewind().unwrap();
    change_slots_in(file, keys, &opening(1), F::flush, change)
}

/// Seals for [`key`].
pub(crate) fn sealed(plaintext: &[u8]) -> Vec<u8> {
    sealed_for(&[Lock::KeyFile(&key())], plaintext)
}

pub(crate) fn sealed_for(locks: &[Lock<'_>], plaintext: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::new();
    seal(plaintext, &mut sealed, locks, &sealing(1)).unwrap();
    sealed
}

/// What was released, and how it ended.
pub(crate) fn opened(
    file: &[u8],
    keys: &[Unlock<'_>],
    options: &OpenOptions,
) -> (Vec<u8>, Result<(), Error>) {
    let mut released = Vec::new();
    let outcome = Reader::new(file, keys, options)
        .and_then(|mut reader| Ok(reader.read_to_end(&mut released).map(drop)?));
    (released, outcome)
}

/// A disk that cannot read one region, and is torn out in the midst of a write.
pub(crate) struct Disk {
    pub(crate) file: Cursor<Vec<u8>>,
    pub(crate) bad: Range<u64>,
    /// How long it says that the file is.
    pub(crate) len: u64,
    pub(crate) writes_left: usize,
    pub(crate) torn_at: usize,
    pub(crate) is_flushed: bool,
}

impl Disk {
    pub(crate) fn new(file: &[u8]) -> Self {
        Self {
            file: Cursor::new(file.to_vec()),
            bad: u64::MAX..u64::MAX,
            len: file.len() as u64,
            writes_left: usize::MAX,
            torn_at: 0,
            is_flushed: true,
        }
    }
}

impl Read for Disk {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let position = self.file.position();
        if self.bad.contains(&position) {
            return Err(io::Error::other("bad sector"));
        }
        let before = self.bad.start.checked_sub(position);
        let len = before.map_or(out.len(), |before| out.len().min(before as usize));
        self.file.read(&mut out[..len])
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.writes_left == 0 {
            assert!(self.is_flushed, "what was written before may be lost");
            self.file.write_all(&bytes[..self.torn_at])?;
            return Err(io::Error::other("killed"));
        }
        self.writes_left -= 1;
        self.is_flushed = false;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.is_flushed = true;
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::End(0) => Ok(self.len),
            to => self.file.seek(to),
        }
    }
}
