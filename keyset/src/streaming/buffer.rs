//! The buffer of a stream, in which plaintext is.

use std::io::{self, Read};
use zeroize::Zeroizing;

/// Bytes that are wiped when they are dropped, and where they were when they needed more room.
#[derive(Default)]
pub(super) struct Buffer(pub(super) Zeroizing<Vec<u8>>);

/// The bytes that a buffer begins with, if it may have more.
const FIRST_ROOM: usize = 4096;

impl Buffer {
    /// Makes room for at least one byte more. There will never be more than `most` bytes.
    fn grow(&mut self, most: usize) {
        let capacity = (2 * self.0.capacity()).max(FIRST_ROOM).min(most);
        let mut larger = Zeroizing::new(Vec::with_capacity(capacity.max(self.0.len() + 1)));
        larger.extend_from_slice(&self.0);
        self.0 = larger;
    }

    /// Takes bytes at the end, as long as there are not more than `most`.
    pub(super) fn push(&mut self, mut bytes: &[u8], most: usize) {
        while !bytes.is_empty() {
            if self.0.len() == self.0.capacity() {
                self.grow(most);
            }
            let room = self.0.capacity() - self.0.len();
            let (fits, rest) = bytes.split_at(room.min(bytes.len()));
            self.0.extend_from_slice(fits);
            bytes = rest;
        }
    }

    /// Reads so many bytes more, or to the end. How many they were.
    pub(super) fn read(&mut self, mut reader: impl Read, len: usize) -> io::Result<usize> {
        let (start, end) = (self.0.len(), self.0.len() + len);
        while self.0.len() < end {
            if self.0.len() == self.0.capacity() {
                self.grow(end);
            }
            // No more than fits, so that the vector does not move.
            let room = self.0.capacity().min(end) - self.0.len();
            if reader.by_ref().take(room as u64).read_to_end(&mut self.0)? < room {
                break;
            }
        }
        Ok(self.0.len() - start)
    }
}
