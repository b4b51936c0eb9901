//! Where a reader reads: a file, or what the caller gives of one as it is wanted.

use super::keys::{FileKeys, keys_of};
use super::reader::FileReader;
use crate::failure::{Failure, guard};
use crate::handle::{handle, making};
use crate::region::Region;
use crate::status::Status;
use sivka_file::{MAX_HEADER_LEN, PAYLOAD_HEAD_LEN};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::mem;
use zeroize::Zeroizing;

/// The most bytes that are wanted at a time.
const MOST: usize = 1 << 20;

/// sivka_file_reader_new() for a sealed file of `input_len` bytes, which the caller reads: while
/// sivka_file_reader_read() is SIVKA_WANTS, which the first call also is to open it, pread() what
/// sivka_file_reader_wants() says, and sivka_file_reader_give() it. One thread at a time does so.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_of_length(
    input_len: u64,
    keys: *const FileKeys,
    made: *mut *mut FileReader,
) -> Status {
    // SAFETY: as the header asks.
    let keys = || unsafe { keys_of("keys", keys) };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, || Ok(FileReader::new(Source::new(None, input_len), keys()?, None))) }
}

/// How many bytes of the sealed file a reader wants, at most a MiB, from the one on that is written
/// to `position`. 0 if it wants none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_wants(
    reader: *const FileReader,
    position: *mut u64,
) -> usize {
    let mut wanted = (0, 0);
    guard(|| {
        // SAFETY: a live reader, as the header asks.
        let reader = unsafe { handle("reader", reader) }?;
        let out = Region::new("position", position, 1)?;
        wanted = reader.source(|source| source.wanted());
        // SAFETY: one writable number, as the header asks, and nothing else of it in use.
        unsafe { out.write(wanted.0) };
        Ok(())
    });
    wanted.1
}

/// Gives a reader the bytes that it wants, or the first of them: then it wants the rest. 0 bytes
/// say that the sealed file ends there, as pread() does. _LENGTH for more than it wants.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_give(
    reader: *mut FileReader,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: a live reader, as the header asks.
        let reader = unsafe { handle("reader", reader) }?;
        let bytes = Region::new("bytes", bytes, bytes_len)?;
        // SAFETY: memory as the header asks, which nobody writes meanwhile.
        reader.source(|source| source.give(unsafe { bytes.as_slice() }))
    })
}

pub(super) struct Source {
    /// The rest is of use where there is none.
    file: Option<File>,
    /// How long the sealed file is said to be, or was found to be.
    len: u64,
    position: u64,
    /// Up to where the call under way can use it.
    pub(super) useful_to: u64,
    /// Where the bytes begin that were wanted last, and how many they are.
    wanted_at: u64,
    wanted_len: usize,
    /// Those of them that were given.
    bytes: Zeroizing<Vec<u8>>,
}

impl Source {
    /// Wants all of a header at once: it is tried once, for to try a passphrase takes long.
    pub(super) fn new(file: Option<File>, len: u64) -> Self {
        let (bytes, position, useful_to, wanted_at) = (Zeroizing::default(), 0, 0, 0);
        let mut made = Self { file, len, position, useful_to, wanted_at, wanted_len: 0, bytes };
        made.want(MAX_HEADER_LEN + PAYLOAD_HEAD_LEN);
        made
    }

    fn want(&mut self, most: usize) {
        let left = self.len - self.position;
        self.wanted_len = usize::try_from(left).map_or(most, |left| left.min(most));
        self.wanted_at = self.position;
        self.bytes.clear();
        if self.bytes.capacity() < self.wanted_len {
            // At once: what it is may be a key, and a buffer that grows leaves copies.
            self.bytes = Zeroizing::new(Vec::with_capacity(self.wanted_len));
        }
    }

    fn wanted(&self) -> (u64, usize) {
        (self.wanted_at + self.bytes.len() as u64, self.missing())
    }

    pub(super) fn missing(&self) -> usize {
        self.wanted_len - self.bytes.len()
    }

    /// What is missing is not wanted any more.
    pub(super) fn want_no_more(&mut self) {
        self.wanted_len = self.bytes.len();
    }

    /// All that there is, once nothing is missing. The same is wanted again then.
    pub(super) fn take(&mut self) -> Option<Self> {
        (self.missing() == 0).then(|| mem::replace(self, Self::new(None, self.len)))
    }

    fn give(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let (at, missing) = self.wanted();
        if bytes.len() > missing {
            return Err(Failure::length("bytes", format_args!("0 to {missing}"), bytes.len()));
        }
        self.bytes.extend_from_slice(bytes);
        if bytes.is_empty() && missing > 0 {
            (self.len, self.wanted_len) = (at, self.bytes.len());
        }
        Ok(())
    }
}

impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            return file.read(out);
        }
        if out.is_empty() || self.position >= self.len {
            return Ok(0);
        }
        let at = self.position.checked_sub(self.wanted_at);
        let at = at.map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        let at = at.filter(|at| *at < self.wanted_len);
        let here = at.and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        let len = here.len().min(out.len());
        out[..len].copy_from_slice(&here[..len]);
        self.position += len as u64;
        // What was given of a range stays, until all of it is there or another one is wanted.
        if len == 0 && (at.is_none() || self.bytes.is_empty()) {
            let useful = self.useful_to.saturating_sub(self.position);
            self.want(usize::try_from(useful).unwrap_or(MOST).max(out.len()).min(MOST));
        }
        if len > 0 { Ok(len) } else { Err(ErrorKind::WouldBlock.into()) }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match (&mut self.file, to) {
            (Some(file), _) => return file.seek(to),
            (None, SeekFrom::Start(position)) => Some(position),
            (None, SeekFrom::Current(offset)) => self.position.checked_add_signed(offset),
            (None, SeekFrom::End(offset)) => self.len.checked_add_signed(offset),
        };
        self.position = position.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
