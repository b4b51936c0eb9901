//! The buffer of a stream, in which plaintext is.

use std::io::{self, Read};
use zeroize::Zeroizing;

/// Bytes that are wiped when they are dropped, and when they move to more memory.
#[derive(Default)]
pub(super) struct Buffer(pub(super) Zeroizing<Vec<u8>>);

/// The bytes that a buffer begins with, if it may have more.
const FIRST_ROOM: usize = 4096;

impl Buffer {
    /// Makes space for `more` bytes. There will never be more than `most`.
    fn reserve(&mut self, more: usize, most: usize) -> io::Result<()> {
        let needed = self.0.len() + more;
        if needed > self.0.capacity() {
            let capacity = (2 * self.0.capacity()).max(FIRST_ROOM).min(most);
            let mut larger = Zeroizing::new(Vec::new());
            let reserved = larger.try_reserve_exact(capacity.max(needed));
            reserved.map_err(|_| io::ErrorKind::OutOfMemory)?;
            larger.extend_from_slice(&self.0);
            self.0 = larger;
        }
        Ok(())
    }

    /// Takes bytes at the end, as long as there are not more than `most`.
    pub(super) fn push(&mut self, bytes: &[u8], most: usize) -> io::Result<()> {
        self.reserve(bytes.len(), most)?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    /// Reads so many bytes more, or to the end. How many they were.
    pub(super) fn read(&mut self, mut reader: impl Read, len: usize) -> io::Result<usize> {
        let (start, end) = (self.0.len(), self.0.len() + len);
        while self.0.len() < end {
            self.reserve(1, end)?;
            // No more than the capacity, so that the vector does not move.
            let room = self.0.capacity().min(end) - self.0.len();
            if reader.by_ref().take(room as u64).read_to_end(&mut self.0)? < room {
                break;
            }
        }
        Ok(self.0.len() - start)
    }
}
