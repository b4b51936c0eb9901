//! Where a sealer writes.

use super::of_stream;
use crate::failure::Failure;
use crate::region::Region;
use sivka_file::{Error, Writer};
use sivka_keyset::SealingWriter;
use std::io::{self, Write};
use std::mem;

/// What seals a stream into an [`Output`].
pub(crate) trait Seals: Write {
    fn output(&mut self) -> &mut Output;

    /// Writes what is left, with the mark of the end.
    fn end(self: Box<Self>) -> Result<Output, Failure>;
}

impl Seals for Writer<Output> {
    fn output(&mut self) -> &mut Output {
        self.get_mut()
    }

    fn end(self: Box<Self>) -> Result<Output, Failure> {
        Ok(self.finish()?)
    }
}

impl Seals for SealingWriter<Output> {
    fn output(&mut self) -> &mut Output {
        self.get_mut()
    }

    fn end(self: Box<Self>) -> Result<Output, Failure> {
        self.finish().map_err(|error| of_stream(error, Error::Write))
    }
}

/// The caller's buffer while there is room in it, and then one of our own.
#[derive(Default)]
pub(crate) struct Output {
    /// What is left of the caller's, during a call.
    room: Option<Region<u8>>,
    /// Bytes that the caller's got.
    given: usize,
    /// What the caller gets next, from `next` on.
    waiting: Vec<u8>,
    next: usize,
}

impl Output {
    /// Puts what waits into the caller's buffer, and what is written until
    /// [`take_back`](Self::take_back).
    pub(super) fn lend(&mut self, buffer: Region<u8>) {
        (self.room, self.given) = (Some(buffer), 0);
        let mut waiting = mem::take(&mut self.waiting);
        self.next += self.put(&waiting[self.next..]);
        if self.next == waiting.len() {
            waiting.clear();
            self.next = 0;
        }
        self.waiting = waiting;
    }

    /// Whether there was more than the caller's buffer had room for.
    pub(super) fn is_full(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// How many bytes are in the caller's buffer, which is not used any more.
    pub(super) fn take_back(&mut self) -> usize {
        self.room = None;
        mem::take(&mut self.given)
    }

    /// Puts as many bytes as fit into the caller's buffer.
    fn put(&mut self, bytes: &[u8]) -> usize {
        let Some(room) = self.room else {
            return 0;
        };
        let len = room.len().min(bytes.len());
        if let Ok((now, rest)) = room.split_at(len) {
            // SAFETY: the buffer of the call under way, which is apart from all that is read.
            unsafe { now.as_mut_slice() }.copy_from_slice(&bytes[..len]);
            self.room = Some(rest);
        }
        self.given += len;
        len
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let put = match self.is_full() {
            true => 0,
            false => self.put(bytes),
        };
        let rest = &bytes[put..];
        let reserved = self.waiting.try_reserve(rest.len());
        reserved.map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.waiting.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
